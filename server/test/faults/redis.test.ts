/** Redis fails in every way while two processes serve: no unauthorized request is admitted, others are unaffected. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rateLimits } from '../../src/platform/rate-limit/rate-limit-table.ts';
import { newOwner, type Tenant } from '../support/actors/tenants.ts';
import { attempt, inParallel, outcomeOf, range, until } from '../support/checks/concurrency.ts';
import { operations as graphql } from '../support/clients/clients.ts';
import { ProviderBrowser, signInAtProvider } from '../support/clients/provider-browser.ts';
import type { ServerProcess } from '../support/gatehouse/processes.ts';
import { waitAsInTests } from '../support/gatehouse/wait-limits.ts';
import { type IdentityProviderUnderTest, startIdentityProvider } from '../support/servers/identity-provider.ts';
import { type RedisFault, redisFaults } from './support/faults/redis-faults.ts';
import { Visits } from './support/load/consent-load.ts';
import { percentile } from './support/load/percentile.ts';
import { atNight, isNightly, sized } from './support/load/size.ts';
import {
  accepting,
  calling,
  inTurns,
  type Load,
  refreshing,
  signingOut,
  switching,
  using,
} from './support/load/workloads.ts';
import { RedisServer } from './support/sites/redis-server.ts';
import { Site } from './support/sites/site.ts';
import { maxWait, type Operation, recoveryMillis, successRate } from './support/verdicts/history.ts';
import { keepResult } from './support/verdicts/results.ts';

const baselineSeconds = sized(2, 10);
const faultSeconds = sized(5, 30);
const leastSuccess = 0.999;
const mostAddedMillis = 100;
/**
 * Percentile of the waits in a window: below a thousand, a single stall of the machine would be the slowest hundredth.
 */
const quantileOf = ({ length }: readonly Operation[]): number => (length < 1000 ? 0.95 : 0.99);
/** Fewer would prove nothing. */
const leastEachSecond = sized(1, 20);
/** At a workload's rate a session of Platform MCP is far from its limit after this time. */
const mcpSeconds = 5;
/** Failures that an account allows at once, and the time in which one more becomes available. */
const guessesEach = rateLimits.signInAccount.burst;
const nextGuessMillis = 3_600_000 / rateLimits.signInAccount.perHour;
/** Within this time the first process detects that Redis is down, and within another one each of them. */
const mostOpeningMillis = 1500;

const between = (operations: readonly Operation[], from: number, to: number): Operation[] =>
  operations.filter(({ invokedAt }) => invokedAt >= from && invokedAt < to);

/** Operations with any part between two instants. */
const touching = (operations: readonly Operation[], from: number, to: number): Operation[] =>
  operations.filter(({ invokedAt, returnedAt }) => returnedAt >= from && invokedAt < to);

/** No client here exceeds a limit except the guessing one, which is not in this history. */
const isLimited = ({ code }: Operation): boolean => code === 'RATE_LIMITED' || code === 'status 429';

/** The share of the operations answered otherwise than by a rate limit. */
const servedRate = (operations: readonly Operation[]): number =>
  successRate(operations) - operations.filter(isLimited).length / Math.max(operations.length, 1);

const firstRefusedAfter = (operations: readonly Operation[], from: number): number =>
  Math.min(
    ...operations
      .filter(({ outcome, returnedAt }) => outcome === 'unknown' && returnedAt > from)
      .map(({ returnedAt }) => returnedAt),
  );

describe('While Redis fails', () => {
  // For a change, the machine may be busy with other tests: the limits are those of production at night.
  if (!isNightly) waitAsInTests();
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

  interface Times {
    /** Once the first guesses, which use the machine's time, have ended. */
    readonly baselineAt: number;
    readonly faultAt: number;
    /** When every process knew that Redis was away, where it was. */
    readonly openedAt: number;
    /** When guessing starts again, shortly before the repair. */
    readonly guessedAt: number;
    readonly repairedAt: number;
    readonly begun: number;
    readonly endedAt: number;
  }

  const runClients = (people: readonly Tenant[], visits: Visits, isOver: () => boolean): Promise<unknown> => {
    const load: Load = { site, url: () => site.anyUrl(), isOver };
    const workloads = [
      ...people.map(({ tokens }) => using(tokens)),
      refreshing,
      refreshing,
      signingOut,
      signingOut,
      // These write, and have their own limits for each person.
      switching,
      accepting,
      inTurns(mcpSeconds, calling),
    ];
    return Promise.all([...workloads.map((workload) => workload(load)), ...range(3).map(() => visits.visit(load))]);
  };

  /** Guesses more passwords than an account allows, concurrently; returns the outcomes. */
  const guess = (email: string): Promise<string[]> => {
    const input = { email, password: 'Wrong.horse7' };
    return inParallel(range(guessesEach + 2), guessesEach, async () => {
      const answer = await attempt(site.anyUrl(), graphql.signIn, { input });
      return answer === null ? 'no answer' : outcomeOf(answer);
    });
  };

  /** The process reports that it cannot use Redis. */
  const isWithoutRedis = async ({ url }: ServerProcess): Promise<boolean> => {
    const { checks } = (await (await fetch(`${url}/readyz`)).json()) as { readonly checks: { readonly cache: string } };
    return checks.cache === 'unavailable';
  };

  const undergo = async (fault: RedisFault, visits: Visits): Promise<Times & { readonly guesses: string[] }> => {
    const state = { isMended: false, isOver: false };
    // Each fault starts with full limits.
    await redis.send(['FLUSHALL']);
    await site.sql('DELETE FROM rate_limits');
    const people = await Promise.all(range(3).map(() => newOwner(site)));
    const { email } = await newOwner(site);
    const begun = performance.now();
    const clients = runClients(people, visits, () => state.isOver);
    const guesses = await guess(email);
    const baselineAt = performance.now();
    await sleep(baselineSeconds * 1000);
    await redis.keep();
    visits.mayForget = fault.forgets === true;
    visits.mayBeStale = fault.lies === true;
    const faultAt = performance.now();
    const injected = fault.inject(redis, () => state.isMended);
    if (fault.isAway === true)
      await Promise.all(site.servers.map((server) => until('it knows', () => isWithoutRedis(server))));
    const openedAt = performance.now();
    await sleep(faultSeconds * 1000);
    const guessedAt = performance.now();
    guesses.push(...(await guess(email)));
    state.isMended = true;
    await injected;
    await fault.repair(redis);
    const repairedAt = performance.now();
    await until('what needs Redis works again', async () =>
      between(visits.history.operations, repairedAt, Number.POSITIVE_INFINITY).some(({ outcome }) => outcome === 'ok'),
    );
    guesses.push(...(await guess(email)));
    await sleep(baselineSeconds * 1000);
    state.isOver = true;
    await clients;
    return { begun, baselineAt, faultAt, openedAt, guessedAt, repairedAt, endedAt: performance.now(), guesses };
  };

  // Contract: operation#faults-of-redis — Redis down, hung, flushed, evicting, poisoned: no wrong acceptance, 99.9 %
  //   success, at most 100 ms added
  it.each(redisFaults)('admits no unauthorized request, and affects no other one: $name', async (fault) => {
    const visits = new Visits();
    const { begun, baselineAt, faultAt, openedAt, guessedAt, repairedAt, endedAt, guesses } = await undergo(
      fault,
      visits,
    );
    const operations = between(site.history.operations, begun, endedAt);
    const violations = await site.judge({ maxMails: 1 });
    const affected = touching(operations, faultAt, repairedAt);
    const noticedAt = fault.isAway ? firstRefusedAfter(visits.history.operations, faultAt) : faultAt;
    const meanwhile = between(operations, openedAt, guessedAt);
    const quantile = quantileOf(meanwhile);
    const during = percentile(meanwhile, quantile);
    const baseline = percentile(between(operations, baselineAt, faultAt), quantile);
    const visited = between(visits.history.operations, openedAt, repairedAt).filter(
      ({ returnedAt }) => returnedAt < repairedAt,
    );
    const visitedMeanwhile = between(visited, openedAt, guessedAt);
    const visitedQuantile = quantileOf(visitedMeanwhile);
    const visitedBaseline = percentile(between(visits.history.operations, baselineAt, faultAt), visitedQuantile);
    const visitedDuring = percentile(visitedMeanwhile, visitedQuantile);
    const worstRecoveryMillis = recoveryMillis(visits.history.operations, repairedAt);
    const guessed = guesses.filter((outcome) => outcome === 'INVALID_CREDENTIALS').length;
    const limited = operations.filter(isLimited);
    const note = [
      `${(100 * servedRate(affected)).toFixed(2)} % of ${affected.length} served meanwhile`,
      `${limited.length} asked to retry`,
      `p${quantile * 100} ${during.toFixed(0)} ms, without the fault ${baseline.toFixed(0)} ms`,
      `visitors p${visitedQuantile * 100} ${visitedDuring.toFixed(0)} ms, without the fault ${visitedBaseline.toFixed(0)} ms`,
      `longest ${maxWait(operations).toFixed(0)} ms`,
      `${guessed} of ${guesses.length} guesses tried`,
      `visitors ${(100 * successRate(visited)).toFixed(0)} % meanwhile`,
    ].join(', ');
    await keepResult({ fault: fault.name, runs: 1, violations, operations, worstRecoveryMillis, note });
    expect(noticedAt).toBeLessThan(repairedAt);
    expect(noticedAt - faultAt).toBeLessThanOrEqual(atNight(mostOpeningMillis));
    expect(openedAt - noticedAt).toBeLessThanOrEqual(atNight(mostOpeningMillis));
    expect(violations).toEqual([]);
    expect(visits.wrong).toEqual([]);
    expect(affected.length).toBeGreaterThan(faultSeconds * leastEachSecond);
    expect(servedRate(affected)).toBeGreaterThanOrEqual(leastSuccess);
    expect(servedRate(operations)).toBeGreaterThanOrEqual(leastSuccess);
    expect(during - baseline).toBeLessThanOrEqual(atNight(mostAddedMillis));
    // Requests that need Redis are refused at once while it is down, and answered otherwise.
    expect(successRate(visited)).toBe(fault.isAway ? 0 : 1);
    expect(visitedDuring - visitedBaseline).toBeLessThanOrEqual(atNight(mostAddedMillis));
    expect(new Set(guesses)).toEqual(new Set(['INVALID_CREDENTIALS', 'RATE_LIMITED']));
    const refilled = Math.ceil((endedAt - begun) / nextGuessMillis);
    if (fault.countsOfGuesses !== null)
      expect(guessed).toBeLessThanOrEqual(fault.countsOfGuesses * guessesEach + refilled);
    // A client within the limits is not refused, unless the counts are overwritten.
    if (!fault.lies) expect([...limited, ...visits.history.operations.filter(isLimited)]).toEqual([]);
    expect(site.servers.flatMap(({ defects }) => defects)).toEqual([]);
  });

  // Contract: operation#faults-of-redis — Redis down, hung, flushed, evicting, poisoned: sign-ins by the external
  //   provider
  it('a completed sign-in cannot be resumed from data kept in Redis', async () => {
    const here = { url: site.first.url, portalUrl: site.first.url };
    const [browser, thief] = [new ProviderBrowser(), new ProviderBrowser()];
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

    // An attacker who writes into Redis moves another user's attempt to a thief's browser: it was sealed for theirs.
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
