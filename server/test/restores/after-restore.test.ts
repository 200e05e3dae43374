/** `gatehouse after-restore`: what ends, who is told, and what goes on. */
import { beforeEach, describe, expect, it } from 'vitest';
import { endAfterRestore } from '../../src/domain/restores/after-restore.ts';
import { defaultApplication } from '../../src/domain/scopes/application-definition.ts';
import { sha256 } from '../../src/kernel/secrets.ts';
import { databaseNow } from '../../src/platform/database/database.ts';
import type { MailQueue } from '../../src/platform/mail/outbox.ts';
import { reasonOf, seedPersonalToken, seedServiceToken } from '../machine-tokens/reported.ts';
import { connect } from '../support/actors/connected-clients.ts';
import { me, refresh } from '../support/actors/credentials.ts';
import { confirmChange, confirmTokenOf, requestChange } from '../support/actors/email-changes.ts';
import { isAccepted } from '../support/actors/grants.ts';
import { seedConnection, seedSession, seedSessions } from '../support/actors/seeding.ts';
import { addTo, newMember, newOwner, newSuperAdmin, runAs } from '../support/actors/tenants.ts';
import { newAddress, operations, tokensOf } from '../support/clients/clients.ts';
import { newClient, newCode, type OAuthAnswer, redeem } from '../support/clients/oauth.ts';
import { everythingStored } from '../support/database/stored-rows.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';

const service = serviceFixture();

const now = (): Promise<Date> => databaseNow(service.database);

const ended = 'ended_after_restore';

const instant: unknown = expect.any(Date);

interface Run {
  readonly until?: Date;
  readonly keepsTokens?: boolean;
  readonly mail?: MailQueue;
  /** Where the line of the log is written. */
  readonly lines?: unknown[];
}

const lineOf = (counts: object, isComplete: boolean, keepsTokens = false): object => ({
  event: 'auth.ended_after_restore',
  ...counts,
  until: instant,
  keepsTokens,
  isComplete,
});

/** Runs it as the command does. @returns its counts, which the line of the log has too */
const run = async ({ until, keepsTokens = false, mail = service.mail, lines = [] }: Run = {}) => {
  const logger = { ...silentLogger, warn: (facts: object) => void lines.push(facts) };
  const { database, config } = service;
  const deps = { application: defaultApplication, database, logger, mail, settings: config };
  const counts = await endAfterRestore(deps, { until: until ?? (await now()), keepsTokens });
  expect(lines).toEqual([lineOf(counts, true, keepsTokens)]);
  return counts;
};

const subjectsTo = async (email: string): Promise<string[]> =>
  (await service.mailsTo(email)).map(({ subject }) => subject);

const tokenIn = ({ body }: OAuthAnswer): string => String(body['access_token']);

/** Rows of steps that began at an instant and are open for five minutes. */
const seedSteps = async (userId: string, clientId: string, at: Date): Promise<void> => {
  const [hash, until] = [sha256(at.toISOString()), "$2::timestamptz + interval '5 minutes'"];
  await service.sql(
    `INSERT INTO oauth_requests (id, client_id, redirect_uri, code_challenge, audience, browser_hash, created_at, expires_at)
     VALUES (gen_random_uuid(), $3, '', '', 'mcp', $1, $2, ${until})`,
    [hash, at, clientId],
  );
  await service.sql(
    `INSERT INTO external_exchanges (secret_hash, sealed_identity, created_at, expires_at) VALUES ($1, '', $2, ${until})`,
    [hash, at],
  );
  await service.sql(
    `INSERT INTO second_factor_challenges (challenge_hash, user_id, auth_method, credentials_revision, created_at, expires_at)
     VALUES ($1, $3, 'password', 0, $2, ${until})`,
    [hash, at, userId],
  );
  const sql = `INSERT INTO passkey_challenges (challenge_hash, purpose, expires_at) VALUES ($1, 'sign_in', ${until})`;
  await service.sql(sql, [hash, at]);
};

/** How many of each are open. */
const openSteps = async (): Promise<readonly number[]> => {
  const tables = ['oauth_requests', 'external_exchanges', 'second_factor_challenges', 'passkey_challenges'];
  const counts = tables.map((table) => `(SELECT count(*)::int FROM ${table} WHERE expires_at > now())`);
  const [row] = await service.sql<{ open: number[] }>(`SELECT ARRAY[${counts.join(', ')}] AS open`);
  return row?.open ?? [];
};

const ofPerson = 'You were signed out: a backup of this service was restored';

describe('After a backup was restored', () => {
  beforeEach(async () => {
    await run();
  });

  // Contract: operation#after-a-restore — after-restore ends every session, pair and token of before, audited and told
  //   by mail
  it('every session, pair of a client and token ends, and each person gets one mail in their language', async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.organizationId);
    await service.sql("UPDATE users SET language = 'de' WHERE id = $1", [member.userId]);
    const second = await seedSession(service.database, owner.userId);
    const personal = await seedPersonalToken(service, member);
    const ofService = await seedServiceToken(service, owner.organizationId);
    const grant = await connect(service, member);
    const admin = await newSuperAdmin(service);
    const platform = await seedConnection(service.database, admin.userId, 'Editor', ['mcp:whoami']);
    expect(await run()).toEqual({ sessions: 6, tokens: 2, people: 3, organizations: 1 });

    const pairs = [owner.tokens, second, member.tokens, admin.tokens, grant.tokens, platform.tokens];
    for (const { accessToken, refreshToken } of pairs)
      for (const token of [accessToken, refreshToken]) expect(await reasonOf(service, token)).toBe(ended);
    for (const { secret } of [personal, ofService]) expect(await reasonOf(service, secret)).toBe(ended);
    expect(await me(service, owner.tokens.accessToken)).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect((await refresh(service, second)).code).not.toBeNull();
    expect(await isAccepted(service, grant)).toBe(false);

    expect((await subjectsTo(owner.email)).toSorted()).toEqual([
      expect.stringMatching(/^The tokens of a service account of “.+” ended: a backup of this service was restored$/),
      ofPerson,
    ]);
    expect(await subjectsTo(member.email)).toEqual([
      'Sie wurden abgemeldet: Eine Sicherung dieses Dienstes wurde wiederhergestellt',
    ]);
    const [mail] = await service.mailsTo(member.email);
    expect(mail?.text).toContain('Auch Ihr persönliches Token wurde beendet');
    expect(await subjectsTo(admin.email)).toEqual([ofPerson]);
    const audits = await service.sql<{ event: string; details: string; actor: string | null }>(
      `SELECT event, details, actor_id AS actor FROM organization_audits WHERE organization_id = $1 ORDER BY event`,
      [owner.organizationId],
    );
    expect(audits.map(({ event, actor }) => [event, actor])).toEqual([
      ['MCP_CLIENT_ENDED', null],
      ['TOKEN_REVOKED', null],
      ['TOKEN_REVOKED', null],
    ]);
    for (const { details } of audits) expect(JSON.parse(details)).toMatchObject({ reason: ended });
  });

  it('a second run ends what is left, and nothing without a mail of its own', async () => {
    const owner = await newOwner(service);
    await run();
    expect(await subjectsTo(owner.email)).toEqual([ofPerson]);
    const before = await everythingStored(service);
    expect(await run()).toEqual({ sessions: 0, tokens: 0, people: 0, organizations: 0 });
    expect(await everythingStored(service)).toEqual(before);
    const later = await seedSession(service.database, owner.userId);
    expect(await run()).toMatchObject({ sessions: 1, people: 1 });
    expect(await reasonOf(service, later.accessToken)).toBe(ended);
    expect(await subjectsTo(owner.email)).toEqual([ofPerson, ofPerson]);
  });

  // Contract: operation#after-a-restore — after-restore --since ends what began before, whatever became of it since
  it('with the instant of the backup, what began before ends and what began after goes on', async () => {
    const owner = await newOwner(service);
    const other = await newOwner(service);
    await addTo(service, owner.userId, other.organizationId);
    const [refreshed, switched] = [await seedSession(service.database, owner.userId), owner.tokens];
    const token = await seedPersonalToken(service, other);
    const until = await now();
    const rotated = tokensOf(await refresh(service, refreshed));
    const there = tokensOf(
      await runAs(service, { tokens: switched }, operations.switchOrganization, { id: other.organizationId }),
    );
    await service.sql('UPDATE credentials SET issued_at = clock_timestamp() WHERE session_family_id = $1', [token.id]);
    const signedIn = await seedSession(service.database, owner.userId);
    const later = await seedPersonalToken(service, owner);
    expect(await run({ until })).toMatchObject({ sessions: 3, tokens: 1, people: 2 });
    for (const dead of [rotated.accessToken, there.accessToken, other.tokens.accessToken, token.secret])
      expect(await reasonOf(service, dead)).toBe(ended);
    for (const live of [signedIn.accessToken, later.secret]) expect(await reasonOf(service, live)).toBeNull();
  });

  // Contract: operation#after-a-restore — after-restore --keep-machine-tokens keeps the tokens of machines alone
  it('tokens of machines go on where they are kept, and nothing else does', async () => {
    const owner = await newOwner(service);
    const personal = await seedPersonalToken(service, owner);
    const ofService = await seedServiceToken(service, owner.organizationId);
    const grant = await connect(service, owner);
    expect(await run({ keepsTokens: true })).toMatchObject({ sessions: 2, tokens: 0, people: 1, organizations: 0 });
    for (const { secret } of [personal, ofService]) expect(await reasonOf(service, secret)).toBeNull();
    for (const { accessToken } of [owner.tokens, grant.tokens])
      expect(await reasonOf(service, accessToken)).toBe(ended);
    expect(await subjectsTo(owner.email)).toEqual([ofPerson]);
  });

  it('a code of a client yields no pair', async () => {
    const person = await newSuperAdmin(service);
    const code = await newCode(service, { clientId: await newClient(service), userId: person.userId });
    await run();
    expect(await redeem(service, code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('a code that is redeemed meanwhile yields a pair that ends, a later one a pair that goes on', async () => {
    const until = new Date((await now()).getTime() - 10_000);
    const person = await newSuperAdmin(service);
    const clientId = await newClient(service);
    const codes = [
      await newCode(service, { clientId, userId: person.userId }),
      await newCode(service, { clientId, userId: person.userId }),
    ] as const;
    const age = `UPDATE oauth_codes SET created_at = $1::timestamptz + $3 * interval '1 second' WHERE code_hash = $2`;
    await service.sql(age, [until, sha256(codes[0].code), -1]);
    await service.sql(age, [until, sha256(codes[1].code), 1]);
    const [ends, goesOn] = [tokenIn(await redeem(service, codes[0])), tokenIn(await redeem(service, codes[1]))];
    expect(await run({ until })).toMatchObject({ sessions: 1, people: 1 });
    expect(await reasonOf(service, ends)).toBe(ended);
    expect(await reasonOf(service, goesOn)).toBeNull();
  });

  // Contract: operation#after-a-restore — after-restore ends what a link, an answer or a portal would turn into access
  it('a request for another address ends, and can be repeated', async () => {
    const owner = await newOwner(service);
    const newEmail = newAddress();
    await requestChange(service, owner, newEmail);
    await service.sql("UPDATE email_changes SET requested_at = requested_at - interval '1 second'");
    await run();
    const signedIn = { ...owner, tokens: await seedSession(service.database, owner.userId) };
    const confirm = async (token: string) => (await confirmChange(service, signedIn.tokens, token)).code;
    expect(await confirm(await confirmTokenOf(service, newEmail))).toBe('LINK_NOT_OPEN');
    await requestChange(service, signedIn, newEmail);
    expect(await confirm(await confirmTokenOf(service, newEmail))).toBeNull();
    const kept = await service.sql('SELECT * FROM email_changes');
    await run();
    expect(await service.sql('SELECT * FROM email_changes')).toEqual(kept);
  });

  it('what waits for a consent, a second factor, a passkey or the portal ends; what began later waits on', async () => {
    const { userId } = await newOwner(service);
    const clientId = await newClient(service);
    const until = await now();
    for (const seconds of [-1, 1]) await seedSteps(userId, clientId, new Date(until.getTime() + seconds * 1_000));
    expect(await openSteps()).toEqual([2, 2, 2, 2]);
    await run({ until });
    expect(await openSteps()).toEqual([1, 1, 1, 1]);
  });

  it('hundreds of people are told once each, and the rest once a failure in between is over', async () => {
    await seedSessions(service.database, 180, 1);
    const told: string[] = [];
    const queue = (failsAt: number): MailQueue => ({
      enqueue: async (transaction, { to }) => {
        if (told.length === failsAt) throw new Error('The queue is full');
        told.push(to);
        transaction.afterCommit(() => undefined);
        return { subject: '' };
      },
    });
    const lines: unknown[] = [];
    await expect(run({ mail: queue(70), lines })).rejects.toThrow('The queue is full');
    expect(lines).toEqual([lineOf({ sessions: 50, tokens: 0, people: 50, organizations: 0 }, false)]);
    // The transaction that failed ended nothing.
    const undone = told.splice(50);
    const { people } = await run({ mail: queue(Number.POSITIVE_INFINITY) });
    expect(people).toBe(130);
    expect(new Set(told).size).toBe(180);
    expect(told).toEqual(expect.arrayContaining(undone));
    const live = 'SELECT id FROM credentials WHERE revoked_at IS NULL AND expires_at > now()';
    expect(await service.sql(live)).toEqual([]);
  });
});
