/** Limits of the other operations and endpoints: a client past a limit is asked to wait, and nothing happens. */
import { describe, expect, it } from 'vitest';
import { type RateLimit, rateLimits } from '../../src/platform/rate-limit/rate-limit-table.ts';
import {
  createPersonalToken,
  createServiceAccount,
  inDays,
  plainToken,
  rotate,
  setPolicy,
  tokenOperations,
} from '../support/actors/machines/token-operations.ts';
import { newOwner, runAs } from '../support/actors/tenants.ts';
import { range } from '../support/checks/concurrency.ts';
import { expectNoEffect, expectNothingStored, expectRefusal } from '../support/checks/refusals.ts';
import {
  type Answer,
  goodPassword,
  newAddress,
  operations,
  post,
  signUp,
  type Variables,
} from '../support/clients/clients.ts';
import { auditRows, authorization, exchange, jsonHeaders, newMcpClient } from '../support/clients/mcp.ts';
import { postForm } from '../support/clients/oauth.ts';
import { fixture, testFixture } from '../support/fixture.ts';
import { serviceFixture, startService } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture({ RATE_LIMITS_ENABLED: 'true', TRUST_PROXY: '1' });
const person = fixture(() => newOwner(service));
const client = fixture(() => newMcpClient(service));

const secondsEach = ({ perHour }: RateLimit): number => 3600 / perHour;

/** More permits than a burst by those of ten minutes, in which a limit regains some however slow the machine is. */
const overBurst = (limit: RateLimit): number => limit.burst + 1 + Math.ceil(600 / secondsEach(limit));

/** As if this many permits of a limit had been consumed by each of its subjects. */
const consumePermits = async (limit: RateLimit, turns: number): Promise<void> => {
  const rows = await service.sql(
    `UPDATE rate_limits SET due_at = now() + $1 * interval '1 second' WHERE key LIKE $2 RETURNING key`,
    [turns * secondsEach(limit), `${limit.name}:%`],
  );
  expect(rows.length).toBeGreaterThan(0);
};

const policyOf = ({ name, burst, ...pace }: RateLimit): string =>
  `"${name}";q=${burst};w=${Math.ceil((burst * 3600) / pace.perHour)}`;

const expectReported = (headers: Headers, limit: RateLimit): void => {
  expect(headers.get('ratelimit-policy')?.split(', ')).toContain(policyOf(limit));
  expect(headers.get('ratelimit')).toContain(`"${limit.name}";r=0;t=`);
  const seconds = Number(headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(headers.get('ratelimit')).toContain(`t=${seconds}`);
};

const ip = '198.18.200.1';
const anonymous = (query: string, variables: Variables = {}): Promise<Answer> =>
  post(service.url, query, variables, { 'x-forwarded-for': ip });
const byPerson = (query: string, variables: Variables): Promise<Answer> => runAs(service, person, query, variables);

const profile = {
  invitationToken: crypto.randomUUID(),
  vToken: 'x'.repeat(43),
  name: 'A Stranger',
  password: goodPassword,
};

/** Deletes the person's organization, and restores it where that succeeds. */
const deleteForAMoment = async (): Promise<Answer> => {
  const { organizationId } = person;
  const name = await service.sql.value<string>('SELECT name FROM organizations WHERE id = $1', [organizationId]);
  const answer = await byPerson(operations.deleteOrganization, { input: { organizationId, name: name ?? '' } });
  if (answer.code === null) await byPerson(operations.restoreOrganization, { id: organizationId });
  return answer;
};

/** Each has a limit of their own for what they do with tokens. */
const another = () => fixture(() => newOwner(service));
const [creator, rotator, policyMaker, founder, issuer] = [another(), another(), another(), another(), another()];
const made: { token?: string; accounts: string[]; days: number } = { accounts: [], days: 300 };

/** The first call also creates the token, which takes a permit too. */
const rotateOften = async (): Promise<Answer> => {
  made.token ??= (await createPersonalToken(service, rotator)).token.id;
  return rotate(service, rotator, { tokenId: made.token });
};

const changePolicy = (): Promise<Answer> => {
  made.days -= 1;
  return setPolicy(service, policyMaker, { maxTokenLifetimeDays: made.days });
};

/** Of another account each, since one has two tokens at most. The first call also creates the accounts. */
const issueToAccount = async (): Promise<Answer> => {
  if (made.accounts.length === 0)
    for (const _ of range(3)) made.accounts.push((await createServiceAccount(service, issuer)).id);
  const id = made.accounts.pop();
  return runAs(service, issuer, tokenOperations.createServiceToken, { id, expiresAt: inDays(30) });
};

const limited: readonly (readonly [string, RateLimit, () => Promise<Answer>])[] = [
  [
    'signUpWithPassword',
    rateLimits.signUp,
    () => anonymous(operations.signUp, { input: { email: newAddress(), name: 'Somebody', password: goodPassword } }),
  ],
  ['validateEmail', rateLimits.validateEmail, () => anonymous(operations.validate, { token: 'a'.repeat(64) })],
  [
    'resendVerification',
    rateLimits.resendVerification,
    () => anonymous(operations.resendVerification, { email: newAddress() }),
  ],
  [
    'verificationLink',
    rateLimits.verificationLink,
    () => anonymous(operations.verificationLink, { token: 'a'.repeat(64) }),
  ],
  ['rejectSignUp', rateLimits.rejectSignUp, () => anonymous(operations.rejectSignUp, { token: 'a'.repeat(64) })],
  [
    'undoEmailChange',
    rateLimits.emailChangeLink,
    () => anonymous(operations.undoEmailChange, { token: 'a'.repeat(64) }),
  ],
  [
    'confirmEmailChange',
    rateLimits.emailChangeLink,
    () => byPerson(operations.confirmEmailChange, { token: 'a'.repeat(64) }),
  ],
  [
    'requestEmailChange',
    rateLimits.emailChange,
    () => byPerson(operations.requestEmailChange, { newEmail: newAddress() }),
  ],
  ['refreshAccessToken', rateLimits.refresh, () => anonymous(operations.refresh, { refreshToken: 'no token' })],
  ['invitation', rateLimits.invitationPreview, () => anonymous(operations.invitation, { token: crypto.randomUUID() })],
  [
    'completeInvitedProfile',
    rateLimits.invitationComplete,
    () => anonymous(operations.completeInvitedProfile, { input: profile }),
  ],
  [
    'acceptInvitation',
    rateLimits.invitationAccept,
    () => byPerson(operations.acceptInvitation, { token: crypto.randomUUID() }),
  ],
  [
    'switchOrganization',
    rateLimits.switchOrganization,
    () => byPerson(operations.switchOrganization, { id: crypto.randomUUID() }),
  ],
  [
    'createOrganization',
    rateLimits.organization,
    () => byPerson(operations.createOrganization, { input: { name: 'Another' } }),
  ],
  ['exportMyData', rateLimits.dataExport, () => byPerson(operations.exportMyData, {})],
  ['organizationAuditCsv', rateLimits.auditExport, () => byPerson(operations.organizationAuditCsv, {})],
  ['deleteOrganization', rateLimits.organizationDeletion, deleteForAMoment],
  [
    'createPersonalToken',
    rateLimits.tokenIssue,
    () => runAs(service, creator, tokenOperations.createPersonalToken, { input: plainToken }),
  ],
  ['createServiceToken', rateLimits.tokenIssue, issueToAccount],
  ['rotateToken', rateLimits.tokenIssue, rotateOften],
  ['setTokenPolicy', rateLimits.tokenIssue, changePolicy],
  [
    'createServiceAccount',
    rateLimits.tokenIssue,
    () =>
      runAs(service, founder, tokenOperations.createServiceAccount, {
        input: { name: 'Importer', scopes: ['MEMBERS_VIEW'] },
      }),
  ],
  [
    'inviteMembers',
    rateLimits.invitationList,
    () => byPerson(operations.inviteMembers, { input: { emails: [newAddress()], role: 'MEMBER' }, dryRun: true }),
  ],
  [
    'inviteMember',
    rateLimits.invitationFrom,
    () => byPerson(operations.inviteMember, { input: { email: newAddress(), role: 'MEMBER' } }),
  ],
  [
    'exchangeAuthTokens',
    rateLimits.externalExchange,
    () =>
      post(
        service.url,
        operations.exchangeAuthTokens,
        {},
        { origin: service.url, cookie: `auth_exchange=${'x'.repeat(43)}`, 'x-forwarded-for': ip },
      ),
  ],
  [
    'recordConsent',
    rateLimits.visitorSession,
    () =>
      post(service.url, operations.recordConsent, { analytics: true }, { origin: service.url, 'x-forwarded-for': ip }),
  ],
];

describe.each(limited)('%s', (_name, limit, call) => {
  // Contract: requests#rate-limits — RATE_LIMITED, Retry-After and the headers RateLimit, for every limited operation
  it('is limited, reports it in its headers, and does nothing then', async () => {
    const first = await call();
    expect(first.code).not.toBe('RATE_LIMITED');
    expect(first.headers.get('ratelimit-policy')?.split(', ')).toContain(policyOf(limit));
    expect(first.headers.get('ratelimit')).toMatch(new RegExp(`"${limit.name}";r=\\d+;t=\\d+`));
    expect(first.headers.get('retry-after')).toBeNull();
    await consumePermits(limit, limit.burst - 1);
    expect((await call()).code).not.toBe('RATE_LIMITED');
    await consumePermits(limit, overBurst(limit));
    const refused = await expectNoEffect(service, call);
    expect(refused.extensions).toMatchObject({ code: 'RATE_LIMITED', http: { status: 429 } });
    // A refused preview is null, like one of an unknown token, and the rest of the request is answered.
    expect(refused.status).toBe(refused.data === null ? 429 : 200);
    expectReported(refused.headers, limit);
    expect(refused.headers.get('retry-after')).toBe(String(refused.extensions['retryAfterSeconds']));
  });
});

describe('Circumventions in a GraphQL request', () => {
  const from = '198.18.200.2';
  const ask = (query: string, headers = {}): Promise<Answer> =>
    post(service.url, query, {}, { 'x-forwarded-for': from, ...headers });
  const preview = (): string => `invitation(token: "${crypto.randomUUID()}") { status }`;

  // Contract: requests#rate-limits — Aliases count
  it('are counted: each alias is a call of its own', async () => {
    const limit = rateLimits.invitationPreview;
    await ask(`{ ${preview()} }`);
    await consumePermits(limit, 100);
    const dueAt = async (): Promise<number> =>
      (await service.sql.value<number>(
        'SELECT max(extract(epoch FROM due_at))::float8 AS due FROM rate_limits WHERE key LIKE $1',
        [`${limit.name}:%`],
      )) ?? 0;
    const turnsOf = async (query: string): Promise<number> => {
      const before = await dueAt();
      await ask(query);
      return Math.round(((await dueAt()) - before) / secondsEach(limit));
    };
    const aliases = range(15).map((index) => `a${index}: ${preview()}`);
    expect(await turnsOf(`{ ${aliases.join(' ')} }`)).toBe(15);
    const [first, second] = [`fragment f on Query { b0: ${preview()} }`, `fragment g on Query { b1: ${preview()} }`];
    expect(await turnsOf(`query { ...f ...g } ${first} ${second}`)).toBe(2);
    await consumePermits(limit, limit.burst - 3);
    const { data, text, status } = await ask(`{ ${aliases.join(' ')} }`);
    expect(status).toBe(200);
    expect(Object.values(data ?? {})).toHaveLength(15);
    expect(text.match(/"RATE_LIMITED"/g)?.length).toBeGreaterThanOrEqual(11);
  });

  // Contract: requests#mutations-that-stand-alone — Aliased sign-ins and batches
  it('are refused as usual: aliased sign-ins and several operations in one body', async () => {
    const signIns = range(15).map(
      (index) => `a${index}: signInWithPassword(input: { email: "x@example.com", password: "x" }) { accessToken }`,
    );
    await expectRefusal(service, 'OPERATION_TOO_COSTLY', () => ask(`mutation { ${signIns.join(' ')} }`));
    const body = JSON.stringify([{ query: '{ __typename }' }, { query: '{ __typename }' }]);
    const response = await expectNothingStored(service, () =>
      fetch(`${service.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
        body,
      }),
    );
    expect(response.status).toBe(400);
  });

  const signUpFrom = (email: string, network: string): Promise<Answer> =>
    post(
      service.url,
      operations.signUp,
      { input: { email, name: 'A Person', password: goodPassword } },
      { 'x-forwarded-for': network },
    );
  const codesOf = async (count: number, spell: (index: number) => string, network: string): Promise<unknown[]> => {
    const codes = [];
    for (const index of range(count)) codes.push((await signUpFrom(spell(index), network)).code);
    return codes;
  };

  const expectNotSignedUp = async (email: string, network: string): Promise<void> => {
    expect((await signUpFrom(email, network)).code).toBe('RATE_LIMITED');
    expect(await service.sql('SELECT id FROM users WHERE email = $1', [email])).toEqual([]);
    expect(await service.mailsTo(email)).toEqual([]);
  };

  // Contract: requests#sign-ups-of-one-mailbox — Sign-ups with one mailbox
  it('are counted: dots and a plus in an address make no other mailbox of it', async () => {
    const unique = crypto.randomUUID().slice(0, 8);
    const { burst } = rateLimits.signUpMailbox;
    const spell = (index: number): string => {
      const dotted = [...`person${unique}`].map((character, at) => (at === index + 1 ? `.${character}` : character));
      return `${dotted.join('')}+${index}@Example.com`;
    };
    const codes = await codesOf(burst + 2, spell, '198.18.200.3');
    expect(codes).toEqual([...range(burst).map(() => null), 'RATE_LIMITED', 'RATE_LIMITED']);
    expect((await signUpFrom(newAddress(), '198.18.200.3')).code).toBeNull();
  });

  // Contract: requests#sign-ups-of-one-mailbox — Sign-ups of variants of an address, from another network than its
  //   owner's
  it('do not keep an owner from signing up elsewhere: a network uses up only its own permits of a mailbox', async () => {
    const owner = `owner.${crypto.randomUUID()}@example.com`;
    const variant = (index: number): string => owner.replace('@', `+${index}@`);
    await signUpFrom(variant(0), '198.18.201.3');
    await consumePermits(rateLimits.signUpMailbox, rateLimits.signUpMailbox.burst + 1);
    await expectNotSignedUp(variant(1), '198.18.201.3');
    expect((await signUpFrom(owner, '198.18.201.4')).code).toBeNull();
    expect(await service.mailsTo(owner)).toHaveLength(1);
  });

  // Contract: requests#sign-ups-of-one-mailbox — Sign-ups of variants of an address, from many networks of one /48
  it('are bounded from one /48, however many networks it has, and refused ones are refunded', async () => {
    const owner = `owner.${crypto.randomUUID()}@example.com`;
    const variant = (index: number): string => owner.replace('@', `+${index}@`);
    const network = (index: number): string => `2001:db8:7:${index}::1`;
    await signUpFrom(variant(0), network(0));
    await consumePermits(rateLimits.signUpMailboxWide, rateLimits.signUpMailboxWide.burst + 1);
    const countsOfNetworks = (): Promise<unknown[]> =>
      service.sql(`SELECT key FROM rate_limits WHERE key LIKE 'sign_up_mailbox:%' AND due_at > now()`);
    const counts = await countsOfNetworks();
    await expectNotSignedUp(variant(1), network(1));
    expect(await countsOfNetworks()).toHaveLength(counts.length);
    expect((await signUpFrom(owner, '2001:db8:8::1')).code).toBeNull();
    expect(await service.mailsTo(owner)).toHaveLength(1);
  });

  it('are counted: a new mail can be requested as often as a sign-up, for any spelling of the mailbox', async () => {
    const unique = crypto.randomUUID().slice(0, 8);
    const ask = (tag: number): Promise<Answer> =>
      post(
        service.url,
        operations.resendVerification,
        { email: `person${unique}+${tag}@example.com` },
        { 'x-forwarded-for': '198.18.200.4' },
      );
    const { burst } = rateLimits.resendVerificationMailbox;
    const codes = [];
    for (const tag of range(burst + 1)) codes.push((await ask(tag)).code);
    expect(codes).toEqual([...range(burst).map(() => null), 'RATE_LIMITED']);
    const refused = await ask(0);
    expect(refused.headers.get('ratelimit')).toContain(`"${rateLimits.resendVerificationMailbox.name}"`);
    // A client that uses up a mailbox's permits in one network does not affect its owner in another one.
    const elsewhere = { 'x-forwarded-for': '198.18.202.4' };
    const owner = await post(
      service.url,
      operations.resendVerification,
      { email: `person${unique}@example.com` },
      elsewhere,
    );
    expect(owner.code).toBeNull();
  });

  it('are counted: a sign-up is confirmed at the rate of validateEmail, and a wrong password like one at sign-in', async () => {
    const from = { 'x-forwarded-for': '198.18.200.5' };
    const email = newAddress();
    const token = await signUp(service, email);
    const confirm = (password: string): Promise<Answer> =>
      post(service.url, operations.confirmSignUp, { input: { token, password } }, from);
    const { burst } = rateLimits.signInAccount;
    for (const _attempt of range(burst)) expect((await confirm('Wrong.horse7')).code).toBe('INVALID_CREDENTIALS');
    const refused = await confirm(goodPassword);
    expect(refused.code).toBe('RATE_LIMITED');
    expect(
      await service.sql('SELECT 1 FROM users WHERE email = $1 AND email_validated_at IS NULL', [email]),
    ).toHaveLength(1);
    const elsewhere = await post(service.url, operations.signIn, { input: { email, password: 'Wrong.horse7' } }, from);
    expect(elsewhere.code).toBe('RATE_LIMITED');
    expect(refused.headers.get('ratelimit-policy')?.split(', ')).toContain(policyOf(rateLimits.validateEmail));
  });
});

describe('The authorization server', () => {
  const form = { grant_type: 'refresh_token', client_id: crypto.randomUUID(), refresh_token: 'none' };

  // Contract: requests#limits-at-oauth-and-mcp — 429 of the token endpoint and of revocations
  it.each([
    ['token', rateLimits.oauthToken, form],
    ['revoke', rateLimits.oauthRevocation, { client_id: form.client_id, token: 'none' }],
  ] as const)(
    'answers 429 in its own format at /auth/mcp/%s, and reports the remaining requests',
    async (path, limit, fields) => {
      const first = await postForm(service, path, fields);
      expect(first.status).toBe(401);
      expect(first.headers.get('ratelimit')).toContain(`"${limit.name}";r=${limit.burst - 1}`);
      expect(first.headers.get('access-control-expose-headers')?.split(', ')).toEqual(
        expect.arrayContaining(['ratelimit', 'ratelimit-policy', 'retry-after']),
      );
      await consumePermits(limit, overBurst(limit));
      const refused = await expectNothingStored(service, () => postForm(service, path, fields));
      expect({ status: refused.status, error: refused.body['error'] }).toEqual({
        status: 429,
        error: 'temporarily_unavailable',
      });
      expectReported(refused.headers, limit);
      await service.sql('DELETE FROM rate_limits');
    },
  );
});

describe('Platform MCP', () => {
  const message = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'mcp_whoami' } });
  const call = (headers = authorization(client)) =>
    exchange(service, { headers: { ...jsonHeaders, ...headers }, body: message });

  // Contract: requests#limits-at-oauth-and-mcp — 429 of /mcp, which is not a tool call
  it('refuses a session past its limit before its message is read: it is not a call, and not in the record', async () => {
    const first = await call();
    expect(first.status).toBe(200);
    const { burst } = rateLimits.mcp;
    expect(first.headers.get('ratelimit')).toContain(`"mcp";r=${burst - 1}`);
    await consumePermits(rateLimits.mcp, overBurst(rateLimits.mcp));
    const rows = await auditRows(service);
    const refused = await expectNothingStored(service, () => call());
    expect(refused.status).toBe(429);
    expectReported(refused.headers, rateLimits.mcp);
    const retryAfterSeconds = Number(refused.headers.get('retry-after'));
    expect(refused.body).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: {
        code: -32029,
        message: expect.any(String) as unknown,
        data: { code: 'RATE_LIMITED', retryAfterSeconds },
      },
    });
    expect(await auditRows(service)).toEqual(rows);
    expect((await call(authorization(await newMcpClient(service)))).status).toBe(200);
  });

  it('refuses a network that sends many invalid tokens, and no request with a valid one', async () => {
    const outsider = { authorization: 'Bearer none' };
    expect((await call(outsider)).status).toBe(401);
    await consumePermits(rateLimits.mcpRefused, rateLimits.mcpRefused.burst + 1);
    const refused = await call(outsider);
    expect(refused.status).toBe(429);
    expectReported(refused.headers, rateLimits.mcpRefused);
    expect((await call(authorization(await newMcpClient(service)))).status).toBe(200);
  });
});

describe('With limits off', () => {
  it('nothing is counted, and no header mentions limits', async () => {
    const free = await testFixture(startService());
    const owner = await newOwner(free);
    const answer = await post(free.url, operations.signIn, {
      input: { email: owner.email, password: 'Wrong.horse7' },
    });
    for (const name of ['ratelimit', 'ratelimit-policy', 'retry-after']) expect(answer.headers.get(name)).toBeNull();
    expect(await free.sql('SELECT key FROM rate_limits')).toEqual([]);
  });
});
