/** Revocations of many sessions against rotations of these sessions and against each other, over two processes. */
import { describe, expect, it } from 'vitest';
import { seedPerson, seedSession } from '../../support/actors/seeding.ts';
import { newSuperAdmin, runAs } from '../../support/actors/tenants.ts';
import { inParallel, outcomeOf, pauseUpTo, range, tally } from '../../support/checks/concurrency.ts';
import { type Answer, bearer, operations, post, type Tokens, tokensOf } from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';
import { setting, startCluster, urlOf } from '../../support/gatehouse/cluster.ts';
import { roundsOf } from '../../support/random/rounds.ts';

const rounds = roundsOf(60);
const roundsAtOnce = 4;
const longestChain = 2000;
const sessionsEach = 3;

describe(`Revocation of many sessions, ${rounds} rounds of each kind, ${setting}`, () => {
  const cluster = fixture(startCluster);
  const root = fixture(() => newSuperAdmin(cluster));

  const at = (index: number) => ({ url: urlOf(cluster, index) });

  const revoke = (index: number, filter: object, expectedCount: number): Promise<Answer> =>
    runAs(at(index), root, operations.revokeSessions, { filter, expectedCount });

  const liveOf = async (userId: string): Promise<number> =>
    (await cluster.sql('SELECT id FROM credentials WHERE user_id = $1 AND revoked_at IS NULL', [userId])).length;

  const countOf = ({ data }: Answer): string => {
    const [receipt] = Object.values(data ?? {}) as { readonly sessions: number; readonly revokedCredentials: number }[];
    return receipt === undefined ? '' : `${receipt.sessions} ${receipt.revokedCredentials}`;
  };

  /** Refreshes until it is refused, or the revocation is. @returns every pair */
  const refreshUntilRefused = async (tokens: Tokens, index: number, revoked: Promise<Answer>): Promise<Tokens[]> => {
    const pairs = [tokens];
    let isOver = false;
    revoked.then(
      (answer) => {
        isOver = outcomeOf(answer) !== 'OK';
      },
      () => {
        isOver = true;
      },
    );
    for (const step of range(longestChain)) {
      if (isOver) return pairs;
      const answer = await post(urlOf(cluster, index + step), operations.refresh, { ...(pairs.at(-1) ?? tokens) });
      if (outcomeOf(answer) !== 'OK') return pairs;
      pairs.push(tokensOf(answer));
    }
    throw new Error('The chain was never refused');
  };

  // Contract: incidents#concurrent-rotations-and-sign-ins — revokeSessions against rotation: no pair survives
  it('leaves nothing of sessions that rotate meanwhile', async () => {
    const seen = await inParallel(range(rounds), roundsAtOnce, async (index) => {
      const userId = await seedPerson(cluster.database);
      const tokens = await Promise.all(range(sessionsEach).map(() => seedSession(cluster.database, userId)));
      const revoked = pauseUpTo(12).then(() => revoke(index, { userId }, sessionsEach));
      const [answer, ...chains] = await Promise.all([
        revoked,
        ...tokens.map((pair, step) => refreshUntilRefused(pair, index + step, revoked)),
      ]);
      const uses = await Promise.all(
        chains.flat().flatMap((pair) => cluster.urls.map((url) => post(url, operations.me, {}, bearer(pair)))),
      );
      const accepted = uses.filter((use) => outcomeOf(use) === 'OK').length;
      return `${outcomeOf(answer)} ${countOf(answer)}: ${accepted} accepted, ${await liveOf(userId)} live`;
    });
    expect(tally(seen)).toEqual({ [`OK ${sessionsEach} ${sessionsEach * 2}: 0 accepted, 0 live`]: rounds });
    expect(cluster.defects()).toEqual([]);
  });

  // Contract: incidents#concurrent-rotations-and-sign-ins — Two revocations of the same sessions: one of them ends each
  it('ends each session by one of two concurrent calls, and the other one is refused with what is left', async () => {
    const seen = await inParallel(range(rounds), roundsAtOnce, async (index) => {
      const userId = await seedPerson(cluster.database);
      for (const _session of range(sessionsEach)) await seedSession(cluster.database, userId);
      const answers = await Promise.all([
        revoke(index, { userId }, sessionsEach),
        revoke(index + 1, { userId }, sessionsEach),
      ]);
      const shown = answers.map(
        (answer) => `${outcomeOf(answer)} ${countOf(answer)}${JSON.stringify(answer.extensions['count']) ?? ''}`,
      );
      return `${shown.sort().join(', ')}: ${await liveOf(userId)} live`;
    });
    expect(tally(seen)).toEqual({ [`CONFLICT 0, OK ${sessionsEach} ${sessionsEach * 2}: 0 live`]: rounds });
    expect(cluster.defects()).toEqual([]);
  });
});
