/** An acknowledged revocation ends everything of the session, including a pair that another process was minting. */
import { describe, expect, it } from 'vitest';
import { familyOf } from '../../support/actors/credentials.ts';
import { seedPerson, seedSession } from '../../support/actors/seeding.ts';
import { newSuperAdmin } from '../../support/actors/tenants.ts';
import { inParallel, outcomeOf, pauseUpTo, range, tally } from '../../support/checks/concurrency.ts';
import { type Answer, bearer, operations, post, type Tokens, tokensOf } from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';
import { setting, startCluster, urlOf } from '../../support/gatehouse/cluster.ts';
import { roundsOf } from '../../support/random/rounds.ts';

const rounds = roundsOf(150);
const roundsAtOnce = 4;
/** More rotations than a chain makes before the racing revocation is acknowledged. */
const longestChain = 2000;

describe(`Revocation against rotation, ${rounds} rounds of each kind, ${setting}`, () => {
  const cluster = fixture(startCluster);

  /**
   * Refreshes until it is refused.
   * @param known receives every returned pair
   */
  const refreshUntilRefused = async (tokens: Tokens, index: number, known: Tokens[]): Promise<string> => {
    let current = tokens;
    for (const step of range(longestChain)) {
      const answer = await post(urlOf(cluster, index + step), operations.refresh, { ...current });
      if (outcomeOf(answer) !== 'OK') return outcomeOf(answer);
      current = tokensOf(answer);
      known.push(current);
    }
    throw new Error('The chain was never refused');
  };

  /**
   * Races two chains of refreshes against a revocation. Returns every returned pair, how the chains ended, and the
   * outcome of the revocation with the number of credentials.
   */
  const race = async (tokens: Tokens, index: number, revoke: () => Promise<Answer>) => {
    const known: Tokens[] = [tokens];
    const [answer, ...ends] = await Promise.all([
      pauseUpTo(12).then(revoke),
      refreshUntilRefused(tokens, index, known),
      refreshUntilRefused(tokens, index + 1, known),
    ]);
    return { ends, known, receipt: `${outcomeOf(answer)} ${String(readCount(answer))}` };
  };

  /** The answer to every pair of the race afterwards, on every process. */
  const usesOf = async (known: readonly Tokens[], index: number): Promise<string[]> => {
    const uses = known.flatMap((pair) => [
      ...cluster.urls.map((url) => post(url, operations.me, {}, bearer(pair))),
      post(urlOf(cluster, index), operations.refresh, { ...pair }),
    ]);
    return (await Promise.all(uses)).map(outcomeOf);
  };

  const liveRows = async (column: 'session_family_id' | 'user_id', id: string): Promise<number> => {
    const rows = await cluster.sql(`SELECT id FROM credentials WHERE ${column} = $1 AND revoked_at IS NULL`, [id]);
    return rows.length;
  };

  const isDead = (use: string): boolean => use === 'UNAUTHENTICATED' || use === 'REFRESH_REFUSED';

  /** Every round ends a session of the person by the id of its family, which is also its first refresh credential's. */
  const expectNothingLeftOfSessions = async (
    userId: string,
    revoke: (family: string, index: number) => Promise<Answer>,
  ): Promise<void> => {
    const seen = await inParallel(range(rounds), roundsAtOnce, async (index) => {
      const tokens = await seedSession(cluster.database, userId);
      const family = await familyOf(cluster, tokens.refreshToken);
      const { ends, known, receipt } = await race(tokens, index, () => revoke(family, index));
      const uses = await usesOf(known, index);
      return {
        receipt,
        chains: ends.filter((end) => end === 'REFRESH_REFUSED' || end === 'REFRESH_SUPERSEDED').length,
        survivors: uses.filter((use) => !isDead(use)),
        live: await liveRows('session_family_id', family),
      };
    });
    expect(tally(seen.map(({ receipt }) => receipt))).toEqual({ 'OK 2': rounds });
    expect(seen.flatMap(({ survivors }) => survivors)).toEqual([]);
    expect(tally(seen.map(({ live, chains }) => `${live} live, ${chains} chains ended`))).toEqual({
      '0 live, 2 chains ended': rounds,
    });
    expect(cluster.defects()).toEqual([]);
  };

  const expectLive = async (tokens: Tokens): Promise<void> =>
    expect(outcomeOf(await post(urlOf(cluster, 0), operations.me, {}, bearer(tokens)))).toBe('OK');

  // Contract: credentials#rotation-and-revocation-at-once — Revocation of a session against its rotation
  it('revokeMySession from another device leaves nothing of the session', async () => {
    const userId = await seedPerson(cluster.database);
    const controller = await seedSession(cluster.database, userId);
    await expectNothingLeftOfSessions(userId, (family, index) =>
      post(urlOf(cluster, index), operations.revokeMySession, { family }, bearer(controller)),
    );
    await expectLive(controller);
  });

  // Contract: credentials#rotation-and-revocation-at-once — Super-admin revocation of a session against its rotation
  it('revokeSession by a super admin leaves nothing of the session', async () => {
    const [userId, root] = [await seedPerson(cluster.database), await newSuperAdmin(cluster)];
    await expectNothingLeftOfSessions(userId, (id, index) =>
      post(urlOf(cluster, index), operations.revokeSession, { id }, bearer(root.tokens)),
    );
    await expectLive(root.tokens);
  });

  /** Every round signs a new person out everywhere, who has three sessions and rotates one of them. */
  const expectNothingLeftOfPeople = async (
    revoke: (userId: string, controller: Tokens, index: number) => Promise<Answer>,
  ): Promise<void> => {
    const seen = await inParallel(range(rounds), roundsAtOnce, async (index) => {
      const userId = await seedPerson(cluster.database);
      const controller = await seedSession(cluster.database, userId);
      const tokens = await seedSession(cluster.database, userId);
      const other = await seedSession(cluster.database, userId);
      const { known, receipt } = await race(tokens, index, () => revoke(userId, controller, index));
      const uses = await usesOf([...known, controller, other], index);
      return {
        receipt,
        survivors: uses.filter((use) => !isDead(use)),
        live: await liveRows('user_id', userId),
      };
    });
    expect(tally(seen.map(({ receipt }) => receipt))).toEqual({ 'OK 6': rounds });
    expect(seen.flatMap(({ survivors }) => survivors)).toEqual([]);
    expect(tally(seen.map(({ live }) => String(live)))).toEqual({ 0: rounds });
    expect(cluster.defects()).toEqual([]);
  };

  // Contract: credentials#rotation-and-revocation-at-once — Revocation of a person against rotation
  it('signOutEverywhere leaves nothing of the person', async () => {
    await expectNothingLeftOfPeople((_userId, controller, index) =>
      post(urlOf(cluster, index), operations.signOutEverywhere, {}, bearer(controller)),
    );
  });

  // Contract: credentials#rotation-and-revocation-at-once — Super-admin revocation of a person against rotation
  it('revokeUserSessions by a super admin leaves nothing of the person', async () => {
    const root = await newSuperAdmin(cluster);
    await expectNothingLeftOfPeople((id, _controller, index) =>
      post(urlOf(cluster, index), operations.revokeUserSessions, { id }, bearer(root.tokens)),
    );
    await expectLive(root.tokens);
  });

  // Contract: credentials#rotation-and-revocation-at-once — Sign-out against rotation
  it('signOut ends the session, or arrives too late and changes nothing', async () => {
    const userId = await seedPerson(cluster.database);
    const seen = await inParallel(range(rounds), roundsAtOnce, async (index) => {
      const tokens = await seedSession(cluster.database, userId);
      const family = await familyOf(cluster, tokens.refreshToken);
      const [signOut, refresh] = await Promise.all([
        post(urlOf(cluster, index), operations.signOut, {}, bearer(tokens)),
        pauseUpTo(3).then(() => post(urlOf(cluster, index + 1), operations.refresh, { ...tokens })),
      ]);
      const pairs = outcomeOf(refresh) === 'OK' ? [tokens, tokensOf(refresh)] : [tokens];
      const uses = await Promise.all(
        pairs.flatMap((pair) => cluster.urls.map((url) => post(url, operations.me, {}, bearer(pair)))),
      );
      const accepted = uses.some((use) => outcomeOf(use) === 'OK');
      const live = await liveRows('session_family_id', family);
      return `${outcomeOf(signOut)}: ${accepted ? 'accepted' : 'refused'}, ${live} live`;
    });
    const counts = tally(seen);
    const { 'OK: refused, 0 live': ended = 0, 'UNAUTHENTICATED: accepted, 2 live': late = 0, ...wrong } = counts;
    expect(wrong).toEqual({});
    expect(ended + late).toBe(rounds);
    expect(ended).toBeGreaterThan(0);
    expect(cluster.defects()).toEqual([]);
  });
});

const readCount = (answer: Answer): unknown => {
  const [receipt] = Object.values(answer.data ?? {});
  return typeof receipt === 'object' && receipt !== null && 'revokedCredentials' in receipt
    ? receipt.revokedCredentials
    : null;
};
