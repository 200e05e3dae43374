/**
 * Redis fails in every way that it can while two processes serve: nobody is let in who should not be, whoever needs no
 * Redis does not notice, and what needs it is refused at once and comes back by itself.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rateLimits } from '../../src/platform/rate-limit-table.ts';
import { operations as graphql } from '../support/clients.ts';
import { attempt, inParallel, outcomeOf, range, until } from '../support/concurrency.ts';
import { type IdentityProviderUnderTest, startIdentityProvider } from '../support/identity-provider.ts';
import { signInAtProvider, TravellingBrowser } from '../support/provider-browser.ts';
import { newOwner, type Tenant } from '../support/tenants.ts';
import { longestWait, type Operation, recoveryMillis, successRate } from './support/history.ts';
import { calling, type Load, refreshing, signingOut, using } from './support/lanes.ts';
import { percentile } from './support/percentile.ts';
import { type RedisFault, redisFaults } from './support/redis-faults.ts';
import { RedisServer } from './support/redis-server.ts';
import { keepResult } from './support/results.ts';
import { Site } from './support/site.ts';
import { sized } from './support/size.ts';
import { Visits } from './support/visiting.ts';

const calmSeconds = sized(1, 10);
const faultSeconds = sized(3.5, 30);
const leastSuccess = 0.999;
const mostAddedMillis = 100;
/** Of the waits in a window: a short one, on a machine that others use as well, has no hundredth part to go by. */
const quantile = sized(0.9, 0.99);
/** Failures that an account allows at once; one more may come back while a fault lasts. */
const guessesEach = rateLimits.signInAccount.burst;
/** Within this time the first process knows that Redis is away, and within another one each of them. */
const mostOpeningMillis = 1500;

const between = (operations: readonly Operation[], from: number, to: number): Operation[] =>
  operations.filter(({ invokedAt }) => invokedAt >= from && invokedAt < to);

/** Infinity when nobody was refused. */
const firstRefusedAfter = (operations: readonly Operation[], from: number): number =>
  Math.min(
    ...operations
      .filter(({ outcome, returnedAt }) => outcome === 'unknown' && returnedAt > from)
      .map(({ returnedAt }) => returnedAt),
  );

describe('While Redis fails', () => {
  let redis: RedisServer;
  let site: Site;
  let provider: IdentityProviderUnderTest;
  beforeAll(async () => {
    redis = await RedisServer.start();
    provider = await startIdentityProvider();
    site = await Site.start({
      processes: 2,
      environment: () => ({ ...provider.environment(), REDIS_URL: redis.url, RATE_LIMITS_ENABLED: 'true' }),
    });
  });
  afterAll(async () => {
    await site.close();
    await redis.close();
    await provider.close();
  });

  /** Times of one fault, by `performance.now()`. */
  interface Times {
    readonly begun: number;
    readonly struckAt: number;
    readonly mendedAt: number;
    readonly endedAt: number;
  }

  const runClients = (people: readonly Tenant[], visits: Visits, isOver: () => boolean): Promise<unknown> => {
    const load: Load = { site, url: () => site.anyUrl(), isOver };
    const lanes = [
      ...people.map(({ tokens }) => using(tokens)),
      refreshing,
      refreshing,
      signingOut,
      signingOut,
      calling,
    ];
    return Promise.all([...lanes.map((lane) => lane(load)), ...range(3).map(() => visits.visit(load))]);
  };

  /** More guesses at a password than an account allows, at once; what they came to. */
  const guess = (email: string): Promise<string[]> => {
    const input = { email, password: 'Wrong.horse7' };
    return inParallel(range(guessesEach + 2), guessesEach, async () => {
      const answer = await attempt(site.anyUrl(), graphql.signIn, { input });
      return answer === null ? 'no answer' : outcomeOf(answer);
    });
  };

  const undergo = async (fault: RedisFault, visits: Visits): Promise<Times & { readonly guesses: string[] }> => {
    const state = { isMended: false, isOver: false };
    // Each fault has the turns of a new day.
    await redis.send(['FLUSHALL']);
    await site.sql('DELETE FROM rate_limits');
    const people = await Promise.all(range(3).map(() => newOwner(site)));
    const { email } = await newOwner(site);
    const ids = people.flatMap(({ userId, memberId, organizationId }) => [userId, memberId, organizationId]);
    const begun = performance.now();
    const clients = runClients(people, visits, () => state.isOver);
    const guesses = await guess(email);
    await sleep(calmSeconds * 1000);
    await redis.keep();
    visits.mayForget = fault.forgets;
    visits.mayBeStale = fault.lies;
    const struckAt = performance.now();
    const untilOver = sleep(faultSeconds * 1000).then(async () => {
      guesses.push(...(await guess(email)));
      state.isMended = true;
    });
    await Promise.all([untilOver, fault.strike(redis, () => state.isMended, ids)]);
    await fault.mend(redis);
    const mendedAt = performance.now();
    await until('what needs Redis works again', 20, async () =>
      between(visits.history.operations, mendedAt, Number.POSITIVE_INFINITY).some(({ outcome }) => outcome === 'ok'),
    );
    guesses.push(...(await guess(email)));
    await sleep(calmSeconds * 1000);
    state.isOver = true;
    await clients;
    return { begun, struckAt, mendedAt, endedAt: performance.now(), guesses };
  };

  it.each(redisFaults)('nobody is let in who should not be, and all else goes on: $name', async (fault) => {
    const visits = new Visits();
    const { begun, struckAt, mendedAt, endedAt, guesses } = await undergo(fault, visits);
    const operations = between(site.history.operations, begun, endedAt);
    const violations = await site.judge({ mostMails: 1 });
    const calm = Math.max(
      percentile(between(operations, begun, struckAt), quantile),
      percentile(between(operations, mendedAt, endedAt), quantile),
    );
    const noticedAt = fault.isAway ? firstRefusedAfter(visits.history.operations, struckAt) : struckAt;
    const openedAt = noticedAt + (fault.isAway ? mostOpeningMillis : 0);
    const during = percentile(between(operations, openedAt, mendedAt), quantile);
    const visited = between(visits.history.operations, openedAt, mendedAt).filter(
      ({ returnedAt }) => returnedAt < mendedAt,
    );
    const worstRecoveryMillis = recoveryMillis(visits.history.operations, mendedAt);
    const guessed = guesses.filter((outcome) => outcome === 'INVALID_CREDENTIALS').length;
    const note = [
      `${(100 * successRate(operations)).toFixed(2)} % success`,
      `p${quantile * 100} ${during.toFixed(0)} ms, in calm ${calm.toFixed(0)} ms`,
      `longest ${longestWait(operations).toFixed(0)} ms`,
      `${guessed} of ${guesses.length} guesses tried`,
      `visitors ${(100 * successRate(visited)).toFixed(0)} % meanwhile`,
    ].join(', ');
    await keepResult({ fault: fault.name, runs: 1, violations, operations, worstRecoveryMillis, note });
    expect(noticedAt - struckAt).toBeLessThan(mostOpeningMillis);
    expect(violations).toEqual([]);
    expect(visits.wrong).toEqual([]);
    expect(successRate(operations)).toBeGreaterThanOrEqual(leastSuccess);
    expect(during - calm).toBeLessThan(mostAddedMillis);
    // What Redis alone can answer is refused at once while it is away, and else answered.
    expect(successRate(visited)).toBe(fault.isAway ? 0 : 1);
    expect(percentile(visited, quantile) - calm).toBeLessThan(mostAddedMillis);
    expect(new Set(guesses)).toEqual(new Set(['INVALID_CREDENTIALS', 'RATE_LIMITED']));
    if (fault.countsOfGuesses !== null) expect(guessed).toBeLessThanOrEqual(fault.countsOfGuesses * guessesEach + 1);
    // Whoever stays within the limits, as all but a tireless MCP client do, is told of none, unless somebody writes into
    // the counts.
    const limited = operations.filter(({ name, code }) => name !== 'tools/call' && code === 'RATE_LIMITED');
    if (!fault.lies) expect(limited).toEqual([]);
    expect(site.servers.flatMap(({ defects }) => defects)).toEqual([]);
  });

  it('a sign-in that is over is not begun again by what Redis kept of it', async () => {
    const here = { url: site.first.url, portalUrl: site.first.url };
    const [browser, thief] = [new TravellingBrowser(), new TravellingBrowser()];
    const way = `${here.url}/auth/google`;
    const callback = await signInAtProvider(browser, way, provider.newPerson());
    await redis.keep();
    expect((await browser.get(callback)).location).toContain('oauth_exchange=1');
    expect((await browser.run(here, graphql.exchangeAuthTokens)).code).toBeNull();
    const stored = (): Promise<unknown[]> =>
      site.sql(
        'SELECT id::text FROM credentials UNION ALL SELECT secret_hash::text FROM external_exchanges ORDER BY 1',
      );
    const before = await stored();
    expect(await redis.bringBack()).toBeGreaterThan(0);
    const again = await browser.get(callback);
    expect([again.location?.includes('oauth_exchange'), browser.valueOf('auth_exchange')]).toEqual([false, undefined]);

    // Whoever writes into Redis gives a thief's browser the attempt of somebody else: it was sealed for theirs.
    const victims = await signInAtProvider(browser, way, provider.newPerson());
    const mine = new Set(await redis.keys('gatehouse:helper:'));
    await signInAtProvider(thief, way, provider.newPerson());
    const theirs = (await redis.keys('gatehouse:helper:')).filter((key) => !mine.has(key));
    expect(theirs.length).toBeGreaterThan(0);
    for (const from of mine) await redis.send(...theirs.map((key) => ['COPY', from, key, 'REPLACE']));
    const stolen = await thief.get(victims);
    expect([stolen.location?.includes('oauth_exchange'), thief.valueOf('auth_exchange')]).toEqual([false, undefined]);
    expect(await stored()).toEqual(before);
    const result = { fault: 'Redis poisoned: sign-ins by a provider', runs: 2, violations: [], operations: [] };
    await keepResult(result);
  });
});
