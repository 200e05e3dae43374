/** The state table "Credential pair", second part: people end their own sessions, one, another, or all of them. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { sha256 } from '../../src/kernel/secrets.ts';
import { credentialsOf, expire, familyOf, liveOf, refresh } from '../support/actors/credentials.ts';
import { seedSession } from '../support/actors/seeding.ts';
import { newOwner, runAs } from '../support/actors/tenants.ts';
import { expectNoEffect, expectRefusal } from '../support/checks/refusals.ts';
import { expectEnded, expectLive } from '../support/checks/sessions.ts';
import {
  type Answer,
  operations,
  post,
  registerAndSignIn,
  signIn,
  type Tokens,
  tokensOf,
} from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();

const run = (query: string, tokens: Tokens, variables = {}): Promise<Answer> =>
  runAs(service, { tokens }, query, variables);

const revoke = (tokens: Tokens, family: string): Promise<Answer> => run(operations.revokeMySession, tokens, { family });

/** A person with two devices. */
const withTwoDevices = async () => {
  const { email, userId, tokens } = await newOwner(service);
  return { email, userId, tokens, other: await seedSession(service.database, userId) };
};

const revisionOf = (email: string): Promise<number | undefined> =>
  service.sql.value<number>('SELECT credentials_revision AS revision FROM users WHERE email = $1', [email]);

describe('Credential pair: own sessions', () => {
  // Contract: credentials#sign-out — active pair → revoked (family), signOut
  it('signs out this device and keeps the others signed in', async () => {
    const { email, tokens, other } = await withTwoDevices();
    expect((await run(operations.signOut, tokens)).data).toEqual({ signOut: { success: true } });
    expect((await credentialsOf(service, email)).filter(({ reason }) => reason === 'signed_out')).toHaveLength(2);
    await expectEnded(service, tokens);
    await expectLive(service, other);
  });

  // Contract: credentials#sign-out — Guard of signOut, signOutEverywhere and mySessions: logged in
  it('refuses to sign out a signed-out caller', async () => {
    const { tokens } = await withTwoDevices();
    await run(operations.signOut, tokens);
    await expectRefusal(service, 'UNAUTHENTICATED', () => run(operations.signOut, tokens));
    await expectRefusal(service, 'UNAUTHENTICATED', () => run(operations.signOutEverywhere, tokens));
    await expectRefusal(service, 'UNAUTHENTICATED', () => post(service.url, operations.signOut));
    await expectRefusal(service, 'UNAUTHENTICATED', () => post(service.url, operations.mySessions));
  });

  // Contract: credentials#sign-out — any → revoked, credentials_revision bump
  it('signs out everywhere by a new credentials revision, this device included', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    const other = await signIn(service, email);
    const outsider = (await newOwner(service)).tokens;
    const fresh = tokensOf(await refresh(service, tokens));
    await run(operations.signOutEverywhere, fresh);
    expect(await revisionOf(email)).toBe(1);
    expect(await liveOf(service, email)).toEqual([]);
    for (const pair of [tokens, fresh, other]) await expectEnded(service, pair);
    await expectLive(service, outsider);
    await expectLive(service, await signIn(service, email));
  });

  it('signs out everywhere however many sessions there are', async () => {
    // The lock table of a server has room for some thousands: the transaction takes no lock for each session.
    const many = 300;
    await service.sql('CREATE TABLE locks_at_commit (held int)');
    await service.sql(`CREATE FUNCTION count_locks() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO locks_at_commit SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid(); RETURN NULL; END $$`);
    await service.sql(`CREATE CONSTRAINT TRIGGER counted AFTER UPDATE OF credentials_revision ON users
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_locks()`);
    const { email, tokens } = await newOwner(service);
    await service.sql(
      `INSERT INTO credentials (id, token_hash, kind, session_family_id, pair_id, user_id, credentials_revision, audience,
         auth_method, expires_at, family_expires_at)
       SELECT family, sha256(family::text::bytea), 'user_refresh', family, gen_random_uuid(), u.id, u.credentials_revision,
         'api', 'password', now() + interval '1 day', now() + interval '1 day'
       FROM (SELECT gen_random_uuid() AS family FROM generate_series(1, ${many})) AS families, users u WHERE u.email = $1`,
      [email],
    );
    const answer = await run(operations.signOutEverywhere, tokens);
    expect(answer.data).toMatchObject({ signOutEverywhere: { success: true, revokedCredentials: many + 2 } });
    const atCommit = await service.sql.value<number>('SELECT max(held) AS held FROM locks_at_commit');
    expect(atCommit).toBeGreaterThan(0);
    expect(atCommit).toBeLessThan(many);
    await service.sql('DROP TRIGGER counted ON users');
    // Later tests compare all stored rows.
    await service.sql('DELETE FROM credentials c USING users u WHERE u.id = c.user_id AND u.email = $1', [email]);
    await expectEnded(service, tokens);
  });

  // Contract: credentials#revocation-receipt — revokedCredentials: credentials that were active and are now revoked
  it('counts the credentials that were active when it signs out everywhere', async () => {
    const { tokens, other } = await withTwoDevices();
    await expire(service, other.accessToken);
    const answer = await run(operations.signOutEverywhere, tokens);
    expect(answer.data).toMatchObject({ signOutEverywhere: { success: true, revokedCredentials: 3 } });
  });

  // Contract: credentials#revocation-receipt — revokedAt: when the revocation was durable; nothing is accepted after it
  it('dates a revocation when it is durable, not when it began', async () => {
    await service.sql('CREATE TABLE seen_writes (at timestamptz)');
    await service.sql(`CREATE FUNCTION write_slowly() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_sleep(0.02); INSERT INTO seen_writes VALUES (clock_timestamp()); RETURN NULL; END $$`);
    await service.sql(
      'CREATE TRIGGER slowly AFTER UPDATE OF revoked_at ON credentials EXECUTE FUNCTION write_slowly()',
    );
    for (const operation of [operations.signOutEverywhere, operations.revokeMySession]) {
      const { tokens, other } = await withTwoDevices();
      const answer = await run(operation, tokens, { family: await familyOf(service, other.accessToken) });
      const [receipt] = Object.values(answer.data ?? {}) as { readonly revokedAt: string }[];
      const last = await service.sql.value<Date>('SELECT max(at) AS at FROM seen_writes');
      expect(Date.parse(receipt?.revokedAt ?? '')).toBeGreaterThanOrEqual(last?.getTime() ?? Number.NaN);
    }
    await service.sql('DROP TRIGGER slowly ON credentials');
  });

  // Contract: credentials#refusals-of-an-access-token — A credential of an older revision is refused
  it('refuses every credential of an older revision after the bump alone', async () => {
    const { email, tokens, other } = await withTwoDevices();
    await service.sql('UPDATE users SET credentials_revision = credentials_revision + 1 WHERE email = $1', [email]);
    await expectEnded(service, tokens);
    await expectEnded(service, other);
  });

  // Contract: credentials#sign-out — The bump is not performed by signOut
  it('keeps the credentials revision at a sign-out', async () => {
    const { email, tokens, other } = await withTwoDevices();
    await run(operations.signOut, tokens);
    await revoke(other, await familyOf(service, other.accessToken));
    expect(await revisionOf(email)).toBe(0);
  });

  // Contract: credentials#own-sessions — mySessions: isCurrent for the request's own credential
  it("lists the caller's own sessions and marks the current one", async () => {
    const { tokens, other } = await withTwoDevices();
    const fresh = tokensOf(await refresh(service, tokens));
    const outsider = (await newOwner(service)).tokens;
    const answer = await run(operations.mySessions, fresh);
    const families = [await familyOf(service, other.accessToken), await familyOf(service, fresh.accessToken)];
    expect(answer.data).toMatchObject({
      mySessions: [
        { sessionFamilyId: families[0], kind: 'user_session', audience: 'api', isCurrent: false },
        { sessionFamilyId: families[1], kind: 'user_session', authMethod: 'password', isCurrent: true },
      ],
    });
    for (const pair of [fresh, other, outsider]) {
      expect(answer.text).not.toContain(pair.accessToken);
      expect(answer.text).not.toContain(sha256(pair.accessToken).toString('hex'));
    }
  });

  // Contract: credentials#own-sessions — mySessions: active sessions only
  it('lists no session that has ended', async () => {
    const { userId, tokens, other } = await withTwoDevices();
    const expired = await seedSession(service.database, userId);
    await run(operations.signOut, other);
    await expire(service, expired.refreshToken);
    const answer = await run(operations.mySessions, tokens);
    expect(answer.data).toMatchObject({ mySessions: [{ isCurrent: true }] });
  });

  // Contract: credentials#own-sessions — revokeMySession ends one family
  it('revokes another session of the caller and reports two ended credentials', async () => {
    const { tokens, other } = await withTwoDevices();
    const answer = await revoke(tokens, await familyOf(service, other.accessToken));
    expect(answer.data).toMatchObject({ revokeMySession: { success: true, revokedCredentials: 2 } });
    await expectEnded(service, other);
    await expectLive(service, tokens);
  });

  // Contract: credentials#own-sessions — revokeMySession of a revoked family
  it('reports success with nothing revoked when the session had ended before', async () => {
    const { tokens, other } = await withTwoDevices();
    const family = await familyOf(service, other.accessToken);
    await revoke(tokens, family);
    const again = await expectNoEffect(service, async () => ({ ...(await revoke(tokens, family)), sent: [] }));
    expect(again.data).toMatchObject({ revokeMySession: { success: true, revokedCredentials: 0 } });
  });

  // Contract: credentials#own-sessions — revokeMySession of another person's family
  it('does not revoke the session of another person', async () => {
    const [{ tokens }, outsider] = [await withTwoDevices(), (await newOwner(service)).tokens];
    const family = await familyOf(service, outsider.accessToken);
    const foreign = await expectRefusal(service, 'NOT_FOUND', () => revoke(tokens, family));
    for (const unknown of [newId(), 'no identifier', `${family}\u0000`, family.toUpperCase()]) {
      const answer = await expectRefusal(service, 'NOT_FOUND', () => revoke(tokens, unknown));
      expect(answer.text).toBe(foreign.text);
    }
    await expectLive(service, outsider);
  });

  // Contract: credentials#rotation-and-revocation-at-once — Concurrent sign-out and rotation
  it('never lets a rotation outlive a concurrent sign-out', async () => {
    const { email, tokens } = await newOwner(service);
    const [ended] = await Promise.all([run(operations.signOut, tokens), refresh(service, tokens)]);
    expect(await liveOf(service, email)).toHaveLength(ended.code === null ? 0 : 2);
  });
});
