/** A pair whose answer was lost: the pair before it gets another one, until the first use of the lost one. */
import { afterEach, describe, expect, it } from 'vitest';
import { DatabaseUnavailable } from '../../src/platform/database/database.ts';
import { ageRotation, alter, credentialsOf, familyOf, liveOf, me, refresh } from '../support/actors/credentials.ts';
import { activeOrganization, addTo, newOwner, runAs } from '../support/actors/tenants.ts';
import { outcomeOf, range, tally } from '../support/checks/concurrency.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { expectEnded, expectLive } from '../support/checks/sessions.ts';
import { operations, post, registerAndSignIn, type Tokens, tokensOf } from '../support/clients/clients.ts';
import { clientTokensOf, connect, expectErrorAnswer, expectOAuthRefusal, refreshAs } from '../support/clients/oauth.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { watchService } from '../support/gatehouse/watched-gatehouse.ts';

const service = serviceFixture();
const watched = fixture(() => watchService(service));
afterEach(() => watched.failWith(null));

const logged = async (event: string, { refreshToken }: Tokens): Promise<number> => {
  const family = await familyOf(service, refreshToken);
  return service.logs.filter((line) => line.includes(`"${event}"`) && line.includes(family)).length;
};

/** A person whose answer to a refresh was lost so many seconds ago: the pair that they have, and the lost one. */
const withLostAnswer = async (seconds: number) => {
  const { email, tokens } = await registerAndSignIn(service);
  const lost = tokensOf(await refresh(service, tokens));
  await ageRotation(service, tokens, seconds);
  return { email, tokens, lost };
};

describe('A refresh whose answer was lost', () => {
  // Contract: credentials#lost-answer-to-a-refresh — A refresh whose answer was lost gives another pair after ten
  //   seconds
  it('is superseded within ten seconds, and gives another pair after them', async () => {
    const { email, tokens, lost } = await withLostAnswer(5);
    await expectRefusal(service, 'REFRESH_SUPERSEDED', () => refresh(service, tokens));
    await ageRotation(service, tokens, 11);
    const answer = await refresh(service, tokens);
    const fresh = tokensOf(answer);
    expect((await me(service, fresh.accessToken)).data).toMatchObject({ me: { email } });
    await expectRefusal(service, 'UNAUTHENTICATED', () => me(service, lost.accessToken));
    expect(await liveOf(service, email)).toHaveLength(2);
    expect(await logged('auth.refresh.recovered', tokens)).toBe(1);
    expect(await logged('auth.refresh.reuse', tokens)).toBe(0);
    await expectLive(service, fresh);
  });

  it('gives the holder and the lists that are asked for', async () => {
    const { email, tokens } = await withLostAnswer(11);
    const text =
      'mutation ($r: String!, $a: String!) { refreshAccessToken(refreshToken: $r, accessToken: $a) { accessToken user { email memberships { role } } } }';
    expect((await post(service.url, text, { r: tokens.refreshToken, a: tokens.accessToken })).data).toMatchObject({
      refreshAccessToken: { user: { email, memberships: [{ role: 'OWNER' }] } },
    });
  });

  it.each([
    ['its access token', (lost: Tokens) => me(service, lost.accessToken)],
    ['its refresh token', (lost: Tokens) => refresh(service, lost)],
  ])('counts as stolen once the new pair was used by %s', async (_what, use) => {
    const { tokens, lost } = await withLostAnswer(11);
    const used = await use(lost);
    expect(used.code).toBeNull();
    expect((await refresh(service, tokens)).code).toBe('REFRESH_REFUSED');
    expect(await logged('auth.refresh.reuse', tokens)).toBe(1);
    await expectEnded(service, lost);
  });

  it('counts as stolen after a minute', async () => {
    const { tokens, lost } = await withLostAnswer(59);
    await ageRotation(service, tokens, 61);
    expect((await refresh(service, tokens)).code).toBe('REFRESH_REFUSED');
    expect(await logged('auth.refresh.reuse', tokens)).toBe(1);
    await expectEnded(service, lost);
  });

  it.each([['its refresh token', (lost: Tokens) => refresh(service, lost)]])(
    'ends the session when the lost pair is presented after all, by %s',
    async (_what, present) => {
      const { tokens, lost } = await withLostAnswer(11);
      const fresh = tokensOf(await refresh(service, tokens));
      expect((await present(lost)).code).toBe('REFRESH_REFUSED');
      expect(await logged('auth.refresh.reuse', tokens)).toBe(1);
      await expectEnded(service, fresh);
    },
  );

  it('is told apart from the pair before it, which is stolen', async () => {
    const { tokens: first } = await registerAndSignIn(service);
    const second = tokensOf(await refresh(service, first));
    await refresh(service, second);
    await ageRotation(service, first, 30);
    expect((await refresh(service, first)).code).toBe('REFRESH_REFUSED');
    await expectEnded(service, second);
  });

  it('can be lost again: another pair at most every ten seconds', async () => {
    const { tokens } = await withLostAnswer(11);
    const again = tokensOf(await refresh(service, tokens));
    await expectRefusal(service, 'REFRESH_SUPERSEDED', () => refresh(service, tokens));
    for (const token of [again.accessToken, again.refreshToken]) {
      await alter(service, token, `recovered_at = now() - interval '11 seconds'`);
    }
    await expectLive(service, tokensOf(await refresh(service, tokens)));
    expect((await refresh(service, again)).code).toBe('REFRESH_REFUSED');
  });

  it('gives one pair to concurrent callers', async () => {
    const { email, tokens } = await withLostAnswer(11);
    const answers = await Promise.all(range(8).map(() => refresh(service, tokens)));
    expect(tally(answers.map(outcomeOf))).toEqual({ OK: 1, REFRESH_SUPERSEDED: 7 });
    expect(await liveOf(service, email)).toHaveLength(2);
    const [winner] = answers.filter(({ code }) => code === null).map(tokensOf);
    await expectLive(service, winner ?? tokens);
  });

  it('needs the access token of the pair, and a person who is not suspended', async () => {
    const { email, tokens } = await withLostAnswer(11);
    const stranger = (await registerAndSignIn(service)).tokens;
    await expectRefusal(service, 'REFRESH_REFUSED', () =>
      refresh(service, { ...tokens, accessToken: stranger.accessToken }),
    );
    await service.sql('UPDATE users SET suspended_at = now() WHERE email = $1', [email]);
    expect((await refresh(service, tokens)).code).not.toBeNull();
    expect(await credentialsOf(service, email)).toHaveLength(4);
  });
});

describe('The first use of a new pair', () => {
  // Contract: credentials#lost-answer-to-a-refresh — The first use of a new pair is recorded before its answer, or is
  //   no use
  it('is recorded before its answer: what cannot be recorded is not accepted, and the pair can still be lost', async () => {
    const { tokens, lost } = await withLostAnswer(11);
    watched.failWith(new DatabaseUnavailable('unplugged'), 'credentials.record_first_use');
    const answer = await post(watched.url, operations.me, {}, { authorization: `Bearer ${lost.accessToken}` });
    expect(answer.status).toBe(503);
    await expectLive(service, tokensOf(await refresh(service, tokens)));
  });

  it('is written once, whatever number of requests come with it', async () => {
    const { lost } = await withLostAnswer(0);
    const before = watched.asked.length;
    const authorization = `Bearer ${lost.accessToken}`;
    const use = () => post(watched.url, operations.me, {}, { authorization });
    const answers = await Promise.all(range(8).map(use));
    expect(answers.every(({ code }) => code === null)).toBe(true);
    await use();
    const asked = watched.asked.slice(before).filter((name) => name === 'credentials.record_first_use');
    expect(asked.length).toBeGreaterThan(0);
    expect(
      await service.sql.value(
        'SELECT count(*)::int FROM credentials WHERE unused_after IS NOT NULL AND session_family_id = $1',
        [await familyOf(service, lost.refreshToken)],
      ),
    ).toBe(0);
    const settled = watched.asked.length;
    await use();
    expect(watched.asked.slice(settled)).not.toContain('credentials.record_first_use');
  });

  it('or the loss of its pair: never both', async () => {
    for (const _round of range(6)) {
      const { tokens, lost } = await withLostAnswer(11);
      const [used, recovered] = await Promise.all([me(service, lost.accessToken), refresh(service, tokens)]);
      if (recovered.code === null) {
        expect(used.code).toBe('UNAUTHENTICATED');
        await expectLive(service, tokensOf(recovered));
      } else {
        expect(recovered.code).toBe('REFRESH_REFUSED');
        await expectEnded(service, lost);
      }
    }
  });
});

describe('A refresh of a client whose answer was lost', () => {
  const scopes = ['mcp:whoami', 'users:view'];

  it('gives another pair after a second, with the scopes that are asked for', async () => {
    const connection = await connect(service, scopes);
    const lost = clientTokensOf(await refreshAs(service, connection));
    await ageRotation(service, connection.tokens, -30);
    await expectOAuthRefusal(service, 'invalid_grant', () => refreshAs(service, connection));
    await ageRotation(service, connection.tokens, 2);
    const answer = await refreshAs(service, connection, { scope: 'users:view' });
    expect([answer.status, answer.body['scope']]).toEqual([200, 'users:view']);
    const fresh = clientTokensOf(answer);
    expectErrorAnswer(await refreshAs(service, { ...connection, tokens: lost }), 400, 'invalid_grant');
    expectErrorAnswer(await refreshAs(service, { ...connection, tokens: fresh }), 400, 'invalid_grant');
    expect(await logged('auth.refresh.reuse', lost)).toBe(1);
  });

  it('does not widen the scopes', async () => {
    const connection = await connect(service, scopes);
    await refreshAs(service, connection);
    await expectOAuthRefusal(service, 'invalid_scope', () =>
      refreshAs(service, connection, { scope: 'mcp:whoami sessions:view' }),
    );
  });

  it('is refused after a minute as stolen', async () => {
    const connection = await connect(service, scopes);
    const lost = clientTokensOf(await refreshAs(service, connection));
    await ageRotation(service, connection.tokens, 61);
    expectErrorAnswer(await refreshAs(service, connection), 400, 'invalid_grant');
    expectErrorAnswer(await refreshAs(service, { ...connection, tokens: lost }), 400, 'invalid_grant');
  });
});

describe('A switch of organization whose answer was lost', () => {
  it('is superseded within ten seconds, and a refresh gives a pair in the organization switched to', async () => {
    const owner = await newOwner(service);
    const { organizationId: other } = await newOwner(service);
    await addTo(service, owner.userId, other, 'ADMIN');
    const lost = tokensOf(await runAs(service, owner, operations.switchOrganization, { id: other }));
    await expectRefusal(service, 'REFRESH_SUPERSEDED', () => refresh(service, owner.tokens));
    await ageRotation(service, owner.tokens, 11);
    const fresh = tokensOf(await refresh(service, owner.tokens));
    expect(await activeOrganization(service, { tokens: fresh })).toBe(other);
    expect(await familyOf(service, fresh.refreshToken)).toBe(await familyOf(service, lost.refreshToken));
    await expectRefusal(service, 'UNAUTHENTICATED', () => me(service, lost.accessToken));
    await expectLive(service, fresh);
  });
});
