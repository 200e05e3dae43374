/** `POST /auth/tokens/report`: what a report ends, who learns of it, and that its answer says nothing. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newToken } from '../../src/domain/credentials/token.ts';
import { newId } from '../../src/kernel/ids.ts';
import { rateLimits } from '../../src/platform/rate-limit/rate-limit-table.ts';
import { expire, familyOf } from '../support/actors/credentials.ts';
import { expectSoundAudits } from '../support/actors/organization-audits.ts';
import { seedConnection, seedSession } from '../support/actors/seeding.ts';
import { addTo, newMember, newOwner, runAs } from '../support/actors/tenants.ts';
import { range } from '../support/checks/concurrency.ts';
import { headersOfOneAnswer, operations, post, tokensOf } from '../support/clients/clients.ts';
import type { Reply } from '../support/clients/entry-points.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { takePermits } from '../support/gatehouse/rate-limits.ts';
import {
  allCredentials,
  auditsOf,
  entry,
  json,
  makeReportsDue,
  reasonOf,
  report,
  reportAndWait,
  reportsWaiting,
  seedPersonalToken,
  seedServiceToken,
  storeReport,
} from './reported.ts';

const service = serviceFixture();

const answered = ({ status, headers, body }: Reply) => ({
  status,
  body,
  headers: Object.entries(headers).filter(([name]) => !headersOfOneAnswer.has(name) || name === 'content-length'),
});

const accepted = { status: 202, body: '' };

describe('A report of leaked tokens', () => {
  // Contract: machine-credentials#effect-of-a-report — A live token that is reported ends, and nothing else does
  it('of a thousand strings ends the three that are live tokens, and nothing else', async () => {
    const owner = await newOwner(service);
    const admin = await newMember(service, owner.organizationId, 'ADMIN');
    const member = await newMember(service, owner.organizationId);
    const bystander = await newOwner(service);
    const personal = await seedPersonalToken(service, member);
    const ofService = await seedServiceToken(service, owner.organizationId);
    const spared = [
      await seedPersonalToken(service, member),
      await seedServiceToken(service, owner.organizationId),
      await seedPersonalToken(service, bystander),
    ];
    const session = await seedSession(service.database, bystander.userId);
    const family = await familyOf(service, session.accessToken);
    const before = await allCredentials(service);

    const strings = range(997).map((at) => (at % 2 === 0 ? newToken('personal_token') : `gate_s_${at}`));
    strings.splice(100, 0, personal.secret);
    strings.splice(500, 0, ofService.secret);
    strings.push(session.accessToken);
    expect(strings.length).toBe(1000);
    expect(await reportAndWait(service, ...strings)).toMatchObject(accepted);

    const ended = new Set([personal.id, ofService.id, family]);
    const expected = [...before].map(([id, state]) => [
      id,
      ended.has(state.family) ? { ...state, reason: 'reported_leaked' } : state,
    ]);
    expect([...(await allCredentials(service))]).toEqual(expected);
    for (const { secret } of spared) expect(await reasonOf(service, secret)).toBeNull();

    const subjects = async (email: string) => (await service.mailsTo(email)).map(({ subject }) => subject);
    const ofBuilder = ['A token of “builder” was reported as leaked'];
    expect(await subjects(member.email)).toEqual(['Your personal token “deploy” was reported as leaked']);
    expect(await subjects(owner.email)).toEqual(ofBuilder);
    expect(await subjects(admin.email)).toEqual(ofBuilder);
    expect(await subjects(bystander.email)).toEqual(['A session of your account was ended because its token leaked']);

    const rows = await auditsOf(service, owner.organizationId);
    const names = { [personal.id]: 'deploy', [ofService.id]: 'builder' };
    const expectedRows = Object.entries(names).map(([subject, name]) => ({
      event: 'TOKEN_REPORTED',
      actor: null,
      subject,
      details: JSON.stringify({ name, source: 'content', url: entry('').url }),
    }));
    expect(new Set(rows)).toEqual(new Set(expectedRows));
    expect(await auditsOf(service, bystander.organizationId)).toEqual([]);
    await expectSoundAudits(service.database, { [owner.organizationId]: 4 });
    expect(await reportsWaiting(service)).toBe(0);
  });

  it('of a service account tells its owners first, 50 people at most, and none who is suspended or whose plan lacks it', async () => {
    const [owner, without] = [await newOwner(service), await newOwner(service)];
    const suspended = await newMember(service, owner.organizationId, 'ADMIN');
    await service.sql('UPDATE users SET suspended_at = now() WHERE id = $1', [suspended.userId]);
    await service.sql("UPDATE subscriptions SET status = 'CANCELED' WHERE organization_id = $1", [
      without.organizationId,
    ]);
    const ids = range(55).map(() => newId());
    await service.sql(
      `WITH people AS (INSERT INTO users (id, email, name, email_validated_at)
         SELECT id, id || '@reports.example.com', 'M', now() FROM unnest($1::uuid[]) AS n (id))
       INSERT INTO organization_members (id, user_id, organization_id, role, joined_at)
       SELECT gen_random_uuid(), n.id, $2, 'ADMIN', now() - interval '1 day' FROM unnest($1::uuid[]) AS n (id)`,
      [ids, owner.organizationId],
    );
    for (const { organizationId } of [owner, without]) {
      const { secret } = await seedServiceToken(service, organizationId);
      expect(await reportAndWait(service, secret)).toMatchObject(accepted);
      expect(await reasonOf(service, secret)).toBe('reported_leaked');
    }
    expect(await service.mailsTo(owner.email)).toHaveLength(1);
    expect(await service.mailsTo(suspended.email)).toEqual([]);
    expect(await service.mailsTo(without.email)).toEqual([]);
    const told = await Promise.all(ids.map((id) => service.mailsTo(`${id}@reports.example.com`)));
    expect(told.filter((mails) => mails.length > 0)).toHaveLength(49);
  });

  // Contract: machine-credentials#report-of-leaked-tokens — The answer to a well-formed report is the same, whatever it
  //   held
  it('is answered byte by byte alike when it is empty, unknown, spent and live', async () => {
    const owner = await newOwner(service);
    const live = await seedPersonalToken(service, owner);
    const replies: Reply[] = [];
    for (const body of [
      [],
      { credentials: [] },
      [entry('no token')],
      [entry(newToken('personal_token'))],
      [entry(live.secret)],
      [entry(live.secret)],
      { credentials: [{ token: live.secret }] },
    ]) {
      replies.push(await report(service, body));
      await service.flush();
    }
    const [first] = replies;
    expect(first).toMatchObject(accepted);
    expect(replies.map(answered)).toEqual(replies.map(() => first && answered(first)));
    expect(await reasonOf(service, live.secret)).toBe('reported_leaked');
    expect(await service.mailsTo(owner.email)).toHaveLength(1);
    expect(await auditsOf(service, owner.organizationId)).toHaveLength(1);
  });

  it('tells of a token once, however often a report names it, and when reports arrive at the same time', async () => {
    const owner = await newOwner(service);
    const live = await seedPersonalToken(service, owner);
    const body = [entry(live.secret), entry(live.secret, { url: 'https://other.example' }), entry(live.secret)];
    const replies = await Promise.all(range(4).map(() => report(service, body)));
    await service.flush();
    expect(replies.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    expect(await service.mailsTo(owner.email)).toHaveLength(1);
    expect(await auditsOf(service, owner.organizationId)).toHaveLength(1);
  });

  // Contract: machine-credentials#record-of-a-report — The audit keeps url and source of a finding short, printable and
  //   without tokens
  it('keeps of what the reporter wrote only what can be shown: printable, short, without tokens, in the audit alone', async () => {
    const owner = await newOwner(service);
    const live = await seedPersonalToken(service, owner);
    const other = newToken('service_token');
    const url = `https://x.example/\u0000\u202e?t=${other}&${'ä😀'.repeat(200)}`;
    expect(await report(service, [entry(live.secret, { url, source: `\ud800<b>${'s'.repeat(300)}` })])).toMatchObject(
      accepted,
    );
    await service.flush();
    const [row] = await auditsOf(service, owner.organizationId);
    const details = JSON.parse(row?.details ?? '{}') as { readonly url: string; readonly source: string };
    const kept = `https://x.example/?t=gate_…&${'ä😀'.repeat(200)}`;
    expect(details).toEqual({
      name: 'deploy',
      url: Array.from(kept).slice(0, 200).join(''),
      source: `<b>${'s'.repeat(197)}`,
    });
    const [mail] = await service.mailsTo(owner.email);
    expect(JSON.stringify(mail)).not.toMatch(/x\.example|gate_|sss/);
    expect(service.logs.join('\n')).not.toContain('x.example');
  });
});

describe('A reported secret', () => {
  it('in its overlap ends the whole token, and one that was replaced ends nothing', async () => {
    const owner = await newOwner(service);
    const token = await seedPersonalToken(service, owner, true);
    const former = token.former ?? '';
    const other = await seedPersonalToken(service, owner, true);
    await service.sql(
      "UPDATE credentials SET revoked_at = now(), revocation_reason = 'rotated' WHERE session_family_id = $1 AND slot = 1",
      [other.id],
    );
    await reportAndWait(service, former, other.former ?? '');
    expect(await reasonOf(service, token.secret)).toBe('reported_leaked');
    expect(await reasonOf(service, former)).toBe('reported_leaked');
    expect(await reasonOf(service, other.secret)).toBeNull();
    expect(await service.mailsTo(owner.email)).toHaveLength(1);
    expect((await auditsOf(service, owner.organizationId)).map(({ subject }) => subject)).toEqual([token.id]);
  });

  it('that has expired or was revoked does nothing', async () => {
    const owner = await newOwner(service);
    const [expired, revoked] = [await seedPersonalToken(service, owner), await seedPersonalToken(service, owner)];
    await expire(service, expired.secret);
    await service.sql(
      "UPDATE credentials SET revoked_at = now(), revocation_reason = 'signed_out_everywhere' WHERE session_family_id = $1",
      [revoked.id],
    );
    const before = await allCredentials(service);
    expect(await reportAndWait(service, expired.secret, revoked.secret)).toMatchObject(accepted);
    expect(await allCredentials(service)).toEqual(before);
    expect(await service.mailsTo(owner.email)).toEqual([]);
    expect(await auditsOf(service, owner.organizationId)).toEqual([]);
  });

  it('of a session ends it by either token, with one mail, and the other sessions of the person stay', async () => {
    const owner = await newOwner(service);
    const [first, second] = [
      await seedSession(service.database, owner.userId),
      await seedSession(service.database, owner.userId),
    ];
    await reportAndWait(service, first.refreshToken, first.accessToken);
    expect(await reasonOf(service, first.accessToken)).toBe('reported_leaked');
    expect(await reasonOf(service, second.accessToken)).toBeNull();
    expect(await service.mailsTo(owner.email)).toHaveLength(1);
    await reportAndWait(service, second.accessToken);
    expect(await reasonOf(service, second.refreshToken)).toBe('reported_leaked');
    expect(await reasonOf(service, owner.tokens.accessToken)).toBeNull();
    expect(await service.mailsTo(owner.email)).toHaveLength(2);
  });

  it('of an MCP client ends its connection', async () => {
    const owner = await newOwner(service);
    const { tokens } = await seedConnection(service.database, owner.userId, 'Client', ['mcp:whoami']);
    await reportAndWait(service, tokens.refreshToken);
    expect(await reasonOf(service, tokens.accessToken)).toBe('reported_leaked');
    expect(await reasonOf(service, owner.tokens.accessToken)).toBeNull();
  });

  it('that was spent before the report does nothing: its session goes on', async () => {
    const owner = await newOwner(service);
    const renewed = tokensOf(await post(service.url, operations.refresh, { ...owner.tokens }));
    const before = await allCredentials(service);
    expect(await reportAndWait(service, owner.tokens.refreshToken, owner.tokens.accessToken)).toMatchObject(accepted);
    expect(await allCredentials(service)).toEqual(before);
    // As a process of the version before stores it.
    await storeReport(service, owner.tokens.refreshToken, owner.tokens.accessToken);
    await makeReportsDue(service);
    await service.flush();
    // The service's own round may have claimed them, and be at work.
    await expect.poll(() => reportsWaiting(service)).toBe(0);
    expect(await allCredentials(service)).toEqual(before);
    expect(await reasonOf(service, renewed.accessToken)).toBeNull();
    expect(await service.mailsTo(owner.email)).toEqual([]);
  });

  it('that was replaced after the report, by a refresh or a switch of organization, ends what replaced it', async () => {
    const owner = await newOwner(service);
    const other = await newOwner(service);
    await addTo(service, owner.userId, other.organizationId);
    const switching = await seedSession(service.database, owner.userId);
    // The report waits, as if the process that accepted it had died.
    await storeReport(service, owner.tokens.accessToken, switching.accessToken);
    const refreshed = tokensOf(await post(service.url, operations.refresh, { ...owner.tokens }));
    const answer = await runAs(service, { tokens: switching }, operations.switchOrganization, {
      id: other.organizationId,
    });
    expect(answer.code).toBeNull();
    await makeReportsDue(service);
    await service.flush();
    // The service's own round may have claimed them, and be at work.
    await expect.poll(() => reportsWaiting(service)).toBe(0);
    expect(await reasonOf(service, refreshed.accessToken)).toBe('reported_leaked');
    const live = await service.sql(
      'SELECT id FROM credentials WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > now()',
      [owner.userId],
    );
    expect(live).toEqual([]);
    expect(await service.mailsTo(owner.email)).toHaveLength(2);
    expect(await reportsWaiting(service)).toBe(0);
  });
});

const mebibyte = 1024 * 1024;

/** A list with one token that has exactly so many bytes. */
const ofLength = (token: string, bytes: number): string => {
  const text = JSON.stringify([entry(token, { type: '' })]);
  return text.replace('"type":""', `"type":"${'t'.repeat(bytes - text.length)}"`);
};

describe('A malformed report', () => {
  it.each<readonly [string, (token: string) => unknown]>([
    ['that is no JSON', (token) => `[{"token":"${token}"`],
    ['without a body', () => ''],
    ['that is a text', (token) => JSON.stringify(token)],
    ['that is null', () => 'null'],
    ['that is one object', (token) => entry(token)],
    ['whose list is an object', (token) => ({ credentials: { 0: entry(token) } })],
    ['whose list is in lists', (token) => [[entry(token)]]],
    ['with an entry that is a text', (token) => [entry(token), token]],
    ['with an entry that is null', (token) => [entry(token), null]],
    ['with an entry without a token', (token) => [entry(token), { url: 'https://x.example' }]],
    ['with a token that is no text', (token) => [entry(token), { token: [token] }]],
    ['with a url that is no text', (token) => [entry(token, { url: { href: 'x' } })]],
    ['with a source that is no text', (token) => [entry(token, { source: 1 })]],
    ['with a type that is no text', (token) => [entry(token, { type: false })]],
    ['of a hundred thousand nested lists', () => `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['of 1,001 entries', (token) => Array.from({ length: 1001 }, () => entry(token))],
  ])('%s is 400 and ends nothing', async (_what, bodyOf) => {
    const owner = await newOwner(service);
    const live = await seedPersonalToken(service, owner);
    const reply = await report(service, bodyOf(live.secret));
    expect([reply.status, JSON.parse(reply.body)]).toMatchObject([400, { error: { code: 'BAD_USER_INPUT' } }]);
    expect(reply.body).not.toContain('gate_');
    await service.flush();
    expect(await reasonOf(service, live.secret)).toBeNull();
    expect(await service.mailsTo(owner.email)).toEqual([]);
  });

  it.each([
    ['a form', 'application/x-www-form-urlencoded'],
    ['plain text', 'text/plain'],
    ['JSON in another character set', 'application/json; charset=latin1'],
  ])('as %s is 400 and ends nothing', async (_what, type) => {
    const live = await seedPersonalToken(service, await newOwner(service));
    const reply = await report(service, [entry(live.secret)], [['content-type', type]]);
    expect(reply.status).toBe(400);
    await service.flush();
    expect(await reasonOf(service, live.secret)).toBeNull();
  });

  it('of more than a mebibyte is 413 and ends nothing, one of a mebibyte is accepted', async () => {
    const live = await seedPersonalToken(service, await newOwner(service));
    const tooLarge = await report(service, ofLength(live.secret, mebibyte + 1));
    expect(tooLarge.status).toBe(413);
    await service.flush();
    expect(await reasonOf(service, live.secret)).toBeNull();
    expect(await report(service, ofLength(live.secret, mebibyte))).toMatchObject(accepted);
    await service.flush();
    expect(await reasonOf(service, live.secret)).toBe('reported_leaked');
  });
});

describe('The endpoint', () => {
  it('is not shared with other origins, and takes no other method', async () => {
    const { status, headers } = await report(service, [], [json, ['origin', 'https://other.example']]);
    expect(status).toBe(202);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    expect((await fetch(`${service.url}/auth/tokens/report`)).status).toBe(404);
    expect((await fetch(`${service.url}/auth/tokens/report`, { method: 'OPTIONS' })).status).toBe(404);
  });

  it('logs how many strings a report had, and none of them', async () => {
    const live = await seedPersonalToken(service, await newOwner(service));
    const unknown = randomBytes(20).toString('hex');
    await reportAndWait(service, live.secret, unknown);
    const lines = service.logs.filter((line) => line.includes('"event":"token.report_accepted"'));
    expect(JSON.parse(lines.at(-1) ?? '{}')).toMatchObject({ strings: 2, wellFormed: 1, security: true });
    const ended = service.logs.filter((line) => line.includes(live.id));
    expect(ended.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ event: 'token.reported_leaked', level: 'warn', revoked: 1 }),
    ]);
    expect(service.logs.join('\n')).not.toContain(live.secret);
    expect(service.logs.join('\n')).not.toContain(unknown);
  });

  describe('while machine tokens are off', () => {
    const off = serviceFixture({ MACHINE_TOKENS_ENABLED: 'false' });

    it('is there all the same', async () => {
      const owner = await newOwner(off);
      const ofService = await seedServiceToken(off, owner.organizationId);
      expect(await reportAndWait(off, ofService.secret, owner.tokens.accessToken)).toMatchObject(accepted);
      expect(await reasonOf(off, ofService.secret)).toBe('reported_leaked');
      expect(await reasonOf(off, owner.tokens.refreshToken)).toBe('reported_leaked');
      expect(await off.mailsTo(owner.email)).toHaveLength(2);
    });
  });

  describe('within limits', () => {
    const limited = serviceFixture({ RATE_LIMITS_ENABLED: 'true' });

    it('is refused with 429 once its network has reported too often, and then ends nothing', async () => {
      const { name, burst, perHour } = rateLimits.tokenReport;
      expect([burst, perHour]).toEqual([60, 60]);
      const live = await seedPersonalToken(limited, await newOwner(limited));
      const first = await report(limited, []);
      expect([first.status, first.headers['ratelimit']]).toEqual([202, expect.stringContaining(`"${name}";r=59`)]);
      await takePermits(limited, rateLimits.tokenReport, 60);
      const refused = await report(limited, [entry(live.secret)]);
      expect([refused.status, JSON.parse(refused.body)]).toMatchObject([429, { error: { code: 'RATE_LIMITED' } }]);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      await limited.flush();
      expect(await reasonOf(limited, live.secret)).toBeNull();
    });

    it('is refused with 429 once its site has reported too often, and then ends nothing', async () => {
      const live = await seedPersonalToken(limited, await newOwner(limited));
      await takePermits(limited, rateLimits.tokenReport, 0);
      expect((await report(limited, [])).status).toBe(202);
      expect(await takePermits(limited, rateLimits.tokenReportOfSite, 600)).toBe(1);
      const refused = await report(limited, [entry(live.secret)]);
      expect([refused.status, JSON.parse(refused.body)]).toMatchObject([429, { error: { code: 'RATE_LIMITED' } }]);
      await limited.flush();
      expect(await reasonOf(limited, live.secret)).toBeNull();
    });
  });
});
