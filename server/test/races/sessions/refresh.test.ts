/** One winner for each refresh token, for any number of callers and processes. */
import { beforeAll, describe, expect, it } from 'vitest';
import { seedSessions } from '../../support/actors/seeding.ts';
import { inParallel, outcomeOf, range, tally } from '../../support/checks/concurrency.ts';
import { type Answer, bearer, operations, post, type Tokens, tokensOf } from '../../support/clients/clients.ts';
import { isOnPostgres } from '../../support/database/engines.ts';
import { fixture } from '../../support/fixture.ts';
import { setting, startCluster, urlOf } from '../../support/gatehouse/cluster.ts';

const tokenCount = isOnPostgres ? 1000 : 200;
const callers = 8;
const tokensAtOnce = 12;

describe(`${tokenCount} refresh tokens with ${callers} callers each, ${setting}`, () => {
  const cluster = fixture(startCluster);
  let answers: Answer[][];

  const present = (url: string, tokens: Tokens): Promise<Answer> => post(url, operations.refresh, { ...tokens });

  beforeAll(async () => {
    const sessions = await seedSessions(cluster.database, tokenCount, 20);
    answers = await inParallel(sessions, tokensAtOnce, (tokens) =>
      Promise.all(range(callers).map((caller) => present(urlOf(cluster, caller), tokens))),
    );
  });

  // Contract: credentials#callers-with-one-refresh-token — 1000 refresh tokens with 8 callers each, over two processes:
  //   one winner each
  it('has one winner for each token, and answers all others REFRESH_SUPERSEDED', () => {
    expect(tally(answers.flat().map(outcomeOf))).toEqual({
      OK: tokenCount,
      REFRESH_SUPERSEDED: tokenCount * (callers - 1),
    });
    const winnersEach = answers.map((ofToken) => ofToken.filter((answer) => outcomeOf(answer) === 'OK').length);
    expect(tally(winnersEach.map(String))).toEqual({ 1: tokenCount });
    expect(cluster.defects()).toEqual([]);
  });

  // Contract: credentials#callers-with-one-refresh-token — No second pair
  it('has issued one second pair in every family, the only live one', async () => {
    const families = await cluster.sql.column<string>(
      `SELECT concat_ws(' ', count(*), 'rows,', count(*) FILTER (WHERE revoked_at IS NULL), 'live in',
         count(DISTINCT pair_id) FILTER (WHERE revoked_at IS NULL), 'pair,',
         count(*) FILTER (WHERE revocation_reason = 'rotated'), 'rotated') AS shape
       FROM credentials GROUP BY session_family_id`,
    );
    expect(tally(families)).toEqual({ '4 rows, 2 live in 1 pair, 2 rotated': tokenCount });
  });

  // Contract: credentials#callers-with-one-refresh-token — Every winner's pair is alive afterwards
  it("accepts every winner's pair on every process, and rotates it once more", async () => {
    const winners = answers.flat().filter((answer) => outcomeOf(answer) === 'OK');
    const seen = await inParallel(winners, 32, async (answer, index) => {
      const pair = tokensOf(answer);
      const uses = await Promise.all(cluster.urls.map((url) => post(url, operations.me, {}, bearer(pair))));
      const next = await present(urlOf(cluster, index), pair);
      const last = await post(urlOf(cluster, index + 1), operations.me, {}, bearer(tokensOf(next)));
      return [...uses, next, last].map(outcomeOf).join(' ');
    });
    const all = ['OK', ...cluster.urls.map(() => 'OK'), 'OK'].join(' ');
    expect(tally(seen)).toEqual({ [all]: tokenCount });
  });
});
