/** The state table "Credential pair", first part: a pair is issued, stored, rotated, expires and is refused. */

import { describe, expect, it } from 'vitest';
import { LastSeenRecorder } from '../../src/domain/credentials/last-seen.ts';
import { newToken } from '../../src/domain/credentials/token.ts';
import { sha256 } from '../../src/kernel/secrets.ts';
import {
  ageRotation,
  alter,
  credentialsOf,
  expire,
  familyOf,
  liveOf,
  me,
  refresh,
} from '../support/actors/credentials.ts';
import { newOwner } from '../support/actors/tenants.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import {
  goodPassword,
  operations,
  post,
  register,
  registerAndSignIn,
  signIn,
  tokensOf,
} from '../support/clients/clients.ts';
import { everythingStored } from '../support/database/stored-rows.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';

const service = serviceFixture();

const idOf = async (token: string): Promise<string> =>
  (await service.sql.value<string>('SELECT id FROM credentials WHERE token_hash = $1', [sha256(token)])) ?? '';

const seen = async (email: string): Promise<string | undefined> =>
  (await liveOf(service, email))[0]?.seenAt?.toISOString();

describe('Credential pair', () => {
  // Contract: credentials#pair-and-session-family — none → active pair, signInWithPassword; the pair shares
  //   session_family_id
  it('issues an access and a refresh token that share a session family', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    expect(await credentialsOf(service, email)).toMatchObject([
      { kind: 'user_session', live: true, audience: 'api', method: 'password', hash: sha256(tokens.accessToken) },
      { kind: 'user_refresh', live: true, audience: 'api', method: 'password', hash: sha256(tokens.refreshToken) },
    ]);
    expect(await familyOf(service, tokens.accessToken)).toBe(await familyOf(service, tokens.refreshToken));
  });

  // Contract: credentials#stored-credential — token_hash: the raw token is never stored
  it('stores SHA-256 hashes and neither token of the pair', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    const hashes = (await credentialsOf(service, email)).map(({ hash }) => hash);
    expect(hashes).toEqual([sha256(tokens.accessToken), sha256(tokens.refreshToken)]);
    const places = [...(await everythingStored(service)), ...service.logs].join('\n');
    for (const token of [tokens.accessToken, tokens.refreshToken]) expect(places).not.toContain(token.slice(7));
    expect(places).not.toContain(goodPassword);
  });

  // Contract: credentials#stored-credential — organization_id, membership_id, issue IP and user agent: snapshot at
  //   issue time
  it('records organization, membership, address and user agent at the time of issue', async () => {
    const email = await register(service);
    const input = { email, password: goodPassword };
    const headers = { 'user-agent': `Test\tAgent/1.0 ${'x'.repeat(600)}`, 'x-forwarded-for': '203.0.113.9' };
    await post(service.url, operations.signIn, { input }, headers);
    const [person] = await service.sql<{ membership: string; organization: string }>(
      `SELECT m.id AS membership, m.organization_id AS organization FROM users u
       JOIN organization_members m ON m.id = u.current_membership WHERE u.email = $1`,
      [email],
    );
    for (const row of await credentialsOf(service, email)) {
      expect(row).toMatchObject({ ...person, ip: '127.0.0.1', seenAt: null });
      expect(row.agent).toMatch(/^TestAgent\/1\.0 x{498}$/);
    }
  });

  // Contract: credentials#stored-credential — last_seen_at, last_seen_ip: updated with throttling
  it('updates when and where a credential was last seen at most once a minute', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    await me(service, tokens.accessToken);
    await service.flush();
    const first = await seen(email);
    expect(first).toBeDefined();
    const id = await idOf(tokens.accessToken);
    const noteIn = async (recorder: LastSeenRecorder): Promise<void> => {
      recorder.note(id, '192.0.2.7');
      await recorder.flush();
    };
    const elsewhere = new LastSeenRecorder(service.database, silentLogger);
    await noteIn(elsewhere);
    expect(await seen(email)).toBe(first);
    await alter(service, tokens.accessToken, `last_seen_at = last_seen_at - interval '61 seconds'`);
    await noteIn(elsewhere);
    expect(await liveOf(service, email)).toMatchObject([{ seenIp: '127.0.0.1' }, {}]);
    await noteIn(new LastSeenRecorder(service.database, silentLogger));
    expect(await liveOf(service, email)).toMatchObject([{ seenIp: '192.0.2.7' }, { seenAt: null }]);
  });

  // Contract: credentials#rotation — active pair → rotated, refreshAccessToken with the refresh token and its paired
  //   access token
  it('rotates the pair and refuses both old tokens', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    const fresh = tokensOf(await refresh(service, tokens));
    await expectRefusal(service, 'UNAUTHENTICATED', () => me(service, tokens.accessToken));
    await expectRefusal(service, 'REFRESH_SUPERSEDED', () => refresh(service, tokens));
    expect((await me(service, fresh.accessToken)).data).toMatchObject({ me: { email } });
    const rows = await credentialsOf(service, email);
    expect(rows.map(({ live, reason }) => [live, reason])).toEqual([
      ...[0, 1].map(() => [false, 'rotated']),
      ...[0, 1].map(() => [true, null]),
    ]);
    expect(new Set(rows.map(({ family }) => family)).size).toBe(1);
  });

  // Contract: credentials#rotation — The paired access token may be expired
  it('rotates a pair whose access token has expired', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    await expire(service, tokens.accessToken);
    const fresh = tokensOf(await refresh(service, tokens));
    expect((await me(service, fresh.accessToken)).data).toMatchObject({ me: { email } });
  });

  // Contract: credentials#rotation — Only the single winner of a race mints the new pair
  it('rotates for the first caller and refuses the second', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(service, tokens)));
    const losers = answers.filter(({ code }) => code === 'REFRESH_SUPERSEDED');
    expect(losers.map(({ status }) => status)).toEqual(Array(7).fill(409));
    const [winner] = answers.filter(({ code }) => code === null).map(tokensOf);
    const live = (await liveOf(service, email)).map(({ hash }) => hash);
    expect(live).toEqual([sha256(winner?.accessToken ?? ''), sha256(winner?.refreshToken ?? '')]);
    expect(await credentialsOf(service, email)).toHaveLength(4);
  });

  // Contract: credentials#retired-refresh-token — A rotated refresh token within 10 seconds: REFRESH_SUPERSEDED,
  //   nothing revoked
  it('answers REFRESH_SUPERSEDED within ten seconds of the rotation and revokes nothing', async () => {
    const { tokens } = await registerAndSignIn(service);
    const fresh = tokensOf(await refresh(service, tokens));
    await ageRotation(service, tokens, 8);
    await expectRefusal(service, 'REFRESH_SUPERSEDED', () => refresh(service, tokens));
    expect((await me(service, fresh.accessToken)).code).toBeNull();
  });

  // Contract: credentials#theft-of-a-refresh-token — A rotated refresh token later is theft
  it('revokes the one family whose rotated refresh token is presented again after ten seconds', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    const [fresh, other] = [tokensOf(await refresh(service, tokens)), await signIn(service, email)];
    const family = await familyOf(service, tokens.refreshToken);
    await me(service, fresh.accessToken);
    await ageRotation(service, tokens, 11);
    const answer = await refresh(service, tokens);
    expect([answer.status, answer.code]).toEqual([401, 'REFRESH_REFUSED']);
    await expectRefusal(service, 'UNAUTHENTICATED', () => me(service, fresh.accessToken));
    await expectRefusal(service, 'REFRESH_REFUSED', () => refresh(service, fresh));
    expect((await me(service, other.accessToken)).code).toBeNull();
    const alarms = service.logs.filter((line) => line.includes('auth.refresh.reuse') && line.includes(family));
    expect(alarms).toHaveLength(1);
  });

  // Contract: credentials#rotation — A refresh token with someone else's access token revokes nothing
  it('refuses a refresh token with the access token of another family and revokes nothing', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    const [sibling, outsider] = [await signIn(service, email), (await registerAndSignIn(service)).tokens];
    const older = tokens.accessToken;
    const fresh = tokensOf(await refresh(service, tokens));
    for (const accessToken of [sibling.accessToken, outsider.accessToken, older, newToken('user_session')]) {
      await expectRefusal(service, 'REFRESH_REFUSED', () => refresh(service, { ...fresh, accessToken }));
    }
    await ageRotation(service, tokens, 11);
    const { accessToken } = outsider;
    await expectRefusal(service, 'REFRESH_REFUSED', () => refresh(service, { ...tokens, accessToken }));
  });

  // Contract: credentials#rotation — A missing refresh or access token
  it('answers REFRESH_REFUSED when either token is missing', async () => {
    const { accessToken, refreshToken } = (await registerAndSignIn(service)).tokens;
    await expectRefusal(service, 'REFRESH_REFUSED', () => refresh(service, { refreshToken }));
    await expectRefusal(service, 'REFRESH_REFUSED', () => refresh(service, { accessToken }));
    await expectRefusal(service, 'REFRESH_REFUSED', () => refresh(service, {}));
  });

  // Contract: credentials#rotation — expired by TTL, refresh
  it('refuses an expired refresh token', async () => {
    const { tokens } = await registerAndSignIn(service);
    await expire(service, tokens.refreshToken);
    await expectRefusal(service, 'REFRESH_REFUSED', () => refresh(service, tokens));
  });

  // Contract: credentials#pair-and-session-family — A family never outlives its first expiry
  it('never extends a family beyond its first expiry', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    for (const token of [tokens.accessToken, tokens.refreshToken]) {
      const end = `now() + interval '100 seconds'`;
      await alter(service, token, `expires_at = ${end}, family_expires_at = ${end}`);
    }
    await refresh(service, tokensOf(await refresh(service, tokens)));
    for (const { life, familyLife } of await liveOf(service, email)) {
      expect(life).toBe(familyLife);
      expect(life).toBeLessThanOrEqual(100);
    }
  });

  // Contract: credentials#durable-look-up-on-every-request — Lookup always re-checks revoked_at in durable storage
  it('refuses a credential on the very next request after its revocation', async () => {
    const { tokens } = await registerAndSignIn(service);
    expect((await me(service, tokens.accessToken)).code).toBeNull();
    await alter(service, tokens.accessToken, `revoked_at = now(), revocation_reason = 'signed_out'`);
    await expectRefusal(service, 'UNAUTHENTICATED', () => me(service, tokens.accessToken));
  });

  // Contract: credentials#refusals-of-an-access-token — me while logged out: GraphQL 401
  it('answers me with UNAUTHENTICATED when logged out', async () => {
    const answer = await expectRefusal(service, 'UNAUTHENTICATED', () => post(service.url, operations.me));
    expect(answer.data).toBeNull();
    await expectRefusal(service, 'UNAUTHENTICATED', () => me(service, newToken('user_session')));
  });

  // Contract: credentials#refusals-of-an-access-token — ACCESS_EXPIRED when the access credential is only expired
  it('answers ACCESS_EXPIRED to an access token that is only expired', async () => {
    const { tokens } = await registerAndSignIn(service);
    expect((await me(service, tokens.accessToken)).code).toBeNull();
    await expire(service, tokens.accessToken);
    await expectRefusal(service, 'ACCESS_EXPIRED', () => me(service, tokens.accessToken));
    await alter(service, tokens.accessToken, `revoked_at = now(), revocation_reason = 'signed_out'`);
    await expectRefusal(service, 'UNAUTHENTICATED', () => me(service, tokens.accessToken));
  });

  // Contract: credentials#refusals-of-an-access-token — GraphQL accepts only its configured audiences
  it('refuses a credential of an audience that is not accepted', async () => {
    // Not cached, as it would be after a sign-in: the audience of a credential never changes.
    const { tokens } = await newOwner(service);
    for (const token of [tokens.accessToken, tokens.refreshToken])
      await alter(service, token, `audience = 'elsewhere'`);
    await expectRefusal(service, 'UNAUTHENTICATED', () => me(service, tokens.accessToken));
    await expectRefusal(service, 'REFRESH_REFUSED', () => refresh(service, tokens));
    // A refresh would not help, so the answer does not suggest one.
    await expire(service, tokens.accessToken);
    await expectRefusal(service, 'UNAUTHENTICATED', () => me(service, tokens.accessToken));
  });

  // Contract: credentials#access-credential-alone — A refresh token is not an access token
  it('refuses a refresh token as a bearer', async () => {
    const { accessToken, refreshToken } = (await registerAndSignIn(service)).tokens;
    await expectRefusal(service, 'UNAUTHENTICATED', () => me(service, refreshToken));
    const swapped = { accessToken: refreshToken, refreshToken: accessToken };
    await expectRefusal(service, 'REFRESH_REFUSED', () => refresh(service, swapped));
  });
});
