/** Permits counted in the database and in Redis: alike, exactly, and by all processes together. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Refusal } from '../../src/kernel/errors.ts';
import { Keyring } from '../../src/kernel/secrets.ts';
import { type Database, statement } from '../../src/platform/database/database.ts';
import { openDatabase } from '../../src/platform/database/open.ts';
import { createDatabaseRateLimits } from '../../src/platform/rate-limit/database-rate-limits.ts';
import type { LimitState, RateLimitStore } from '../../src/platform/rate-limit/gcra.ts';
import type { RateLimit } from '../../src/platform/rate-limit/rate-limit-table.ts';
import { createRateLimits, type RateLimits } from '../../src/platform/rate-limit/rate-limits.ts';
import { createRedisRateLimits } from '../../src/platform/rate-limit/redis-rate-limits.ts';
import { connectRedis, type Redis } from '../../src/platform/redis/redis.ts';
import { range, tally, until } from '../support/checks/concurrency.ts';
import { createTestDatabase } from '../support/database/databases.ts';
import { embedded, redisOnly, redisUrl } from '../support/database/engines.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';

const limit: RateLimit = { name: 'test', perHour: 60, burst: 3, counts: 'tests' };
const hourly: RateLimit = { name: 'test_hourly', perHour: 4, burst: 4, isSliding: true, counts: 'tests' };
const slow: RateLimit = { name: 'test_slow', perHour: 7, burst: 5, counts: 'tests' };

interface Place {
  /** Two, as in two processes. */
  readonly stores: readonly [RateLimitStore, RateLimitStore];
  readonly database: Database;
  /** As if every permit of a window had been taken so many seconds earlier. */
  age(key: string, seconds: number): Promise<void>;
  close(): Promise<void>;
}

const databasePlace = async (): Promise<Place> => {
  const stored = await createTestDatabase();
  const open = () =>
    openDatabase({ url: stored.url, dataDirectory: stored.dataDirectory, logger: silentLogger, poolSize: 4 });
  const [first, second] = [await open(), embedded ? null : await open()];
  return {
    stores: [createDatabaseRateLimits(first), createDatabaseRateLimits(second ?? first)],
    database: first,
    age: async (key, seconds) => void (await first.execute(agePermits, [key, seconds])),
    close: async () => {
      await second?.close();
      await first.close();
      await stored.drop();
    },
  };
};

const agePermits = statement<unknown, [key: string, seconds: number]>(
  'test.age_permits',
  `UPDATE rate_limits SET due_at = due_at - passed.time,
     taken_at = ARRAY(SELECT e.at - passed.time FROM unnest(taken_at) WITH ORDINALITY AS e (at, n) ORDER BY n)
   FROM (SELECT $2::float8 * interval '1 second' AS time) AS passed WHERE key = $1`,
);

/** A request to the database would be a failure. */
const noStore: RateLimitStore = {
  consume: () => Promise.reject(new Error('The database was asked')),
  consumeAll: () => Promise.reject(new Error('The database was asked')),
  refundAll: () => Promise.reject(new Error('The database was asked')),
};

const redisPlace = async (): Promise<Place> => {
  const inDatabase = await databasePlace();
  const connections: Redis[] = [];
  const open = async (): Promise<RateLimitStore> => {
    const redis = connectRedis({ url: redisUrl ?? '', logger: silentLogger });
    connections.push(redis);
    await until('Redis is there', async () => redis.isAvailable);
    return createRedisRateLimits(redis, noStore);
  };
  return {
    stores: [await open(), await open()],
    database: inDatabase.database,
    age: async (key, seconds) => {
      const [redis] = connections;
      const value = String(await redis?.send(['GET', `gatehouse:limit:${key}`]));
      const instants = value.split(' ').map((at) => Number(at) - seconds * 1000);
      await redis?.send(['SET', `gatehouse:limit:${key}`, instants.join(' '), 'PX', '60000']);
    },
    close: async () => {
      for (const redis of connections) redis.close();
      await inDatabase.close();
    },
  };
};

describe.each([
  ['The database', databasePlace, true],
  [`Redis${redisOnly}`, redisPlace, redisUrl !== undefined],
] as const)('%s', (_name, openPlace, isRun) => {
  let place: Place;
  let keyring: Keyring;
  beforeAll(async () => {
    if (isRun) place = await openPlace();
    // Entries of an earlier run in Redis have other keys.
    keyring = new Keyring([`a secret of this run alone ${crypto.randomUUID()}`]);
  });
  afterAll(async () => {
    if (isRun) await place.close();
  });

  const limitsOf = (process = 0): RateLimits => {
    const store = place.stores[process === 0 ? 0 : 1];
    return createRateLimits({ keyring, isEnabled: true, store, database: place.database });
  };

  const outcomeOf = (taking: Promise<void>): Promise<string> =>
    taking.then(
      () => 'OK',
      (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
    );

  const takeOne = (subject: string): Promise<string> => outcomeOf(limitsOf().consume(limit, subject));

  // Contract: requests#rate-limits — Processes count together in the database and in Redis
  it.runIf(isRun)('grants exactly a burst at once, in any process', async () => {
    const taking = range(20).map((turn) => outcomeOf(limitsOf(turn % 2).consume(limit, 'a caller')));
    expect(tally(await Promise.all(taking))).toEqual({ OK: 3, RATE_LIMITED: 17 });
    expect(await outcomeOf(limitsOf().consume(limit, 'another caller'))).toBe('OK');
  });

  it.runIf(isRun)('reports how many permits are left, and when there is one more', async () => {
    const reported: Omit<LimitState, 'limit'>[] = [];
    const limits = limitsOf().watchedBy(({ remaining, nextSeconds }) => reported.push({ remaining, nextSeconds }));
    for (const _turn of range(6)) await outcomeOf(limits.consume(slow, 'who watches'));
    await limits.refundAll([{ limit: slow, subject: 'who watches' }]);
    expect(reported.map(({ remaining }) => remaining)).toEqual([4, 3, 2, 1, 0, 0, 1]);
    for (const { nextSeconds } of reported) expect(nextSeconds).toBeGreaterThan(500);
    for (const { nextSeconds } of reported) expect(nextSeconds).toBeLessThanOrEqual(515);
  });

  it.runIf(isRun)('refuses with the correct seconds until a permit is available', async () => {
    const subject = 'a waiting caller';
    const age = (seconds: number) => place.age(`${limit.name}:${keyring.mac('rate limit', subject)}`, seconds);
    for (const _turn of range(3)) await limitsOf().consume(limit, subject);
    const refusal: unknown = await limitsOf()
      .consume(limit, subject)
      .catch((error: unknown) => error);
    const details = refusal instanceof Refusal ? refusal.details : {};
    const { retryAfterSeconds: seconds = Number.NaN } = details;
    expect(seconds).toBeGreaterThan(30);
    expect(seconds).toBeLessThanOrEqual(60);
    await age(seconds - 30);
    expect(await takeOne(subject)).toBe('RATE_LIMITED');
    await age(30);
    expect(await takeOne(subject)).toBe('OK');
  });

  it.runIf(isRun)('refunds consumed permits and never more', async () => {
    const limits = limitsOf();
    await limits.refundAll([{ limit: slow, subject: 'who gives' }]);
    for (const _turn of range(5)) await limits.consume(slow, 'who gives');
    expect(await outcomeOf(limits.consume(slow, 'who gives'))).toBe('RATE_LIMITED');
    await limits.refundAll([{ limit: slow, subject: 'who gives' }]);
    expect(await outcomeOf(limits.consume(slow, 'who gives'))).toBe('OK');
    for (const _turn of range(20)) await limits.refundAll([{ limit: slow, subject: 'who gives' }]);
    const taking = range(8).map(() => outcomeOf(limits.consume(slow, 'who gives')));
    expect(tally(await Promise.all(taking))).toEqual({ OK: 5, RATE_LIMITED: 3 });
  });

  it.runIf(isRun)(
    'asks for an exemption only when no permit is left, and neither refuses exempt callers nor reports them',
    async () => {
      const reported: string[] = [];
      const store = place.stores[0];
      const refused = ({ name }: RateLimit): void => void reported.push(`refused by ${name}`);
      const limits = createRateLimits({ keyring, isEnabled: true, store, database: place.database, refused }).watchedBy(
        ({ remaining }) => reported.push(`${remaining} left`),
      );
      const take = (isExempt: boolean): Promise<string> =>
        limits
          .consumeAllUnless(
            [
              { limit, subject: 'who is exempt' },
              { limit: slow, subject: 'all' },
            ],
            limit,
            async () => {
              reported.push('asked');
              return isExempt;
            },
          )
          .then(
            (taken) => taken.map(({ limit: { name } }) => name).join(' and '),
            (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
          );
      const both = `${limit.name} and ${slow.name}`;
      for (const _turn of range(3)) expect(await take(true)).toBe(both);
      expect(reported).toEqual(['2 left', '4 left', '1 left', '3 left', '0 left', '2 left']);
      expect([await take(true), await take(false)]).toEqual([slow.name, 'RATE_LIMITED']);
      // The refused caller took nothing of the other limit.
      expect(reported.slice(6)).toEqual(['asked', '1 left', 'asked', '0 left', `refused by ${limit.name}`]);
      expect(await take(true)).toBe(slow.name);
      expect(reported.slice(11)).toEqual(['asked', '0 left']);
    },
  );

  // Contract: platform-mcp#limits-for-strangers — Two limits take both permits or neither, in the database and in Redis
  it.runIf(isRun)('consumes permits of several limits at once, all or none, for any number of callers', async () => {
    const [first, second] = [`first ${crypto.randomUUID()}`, `second ${crypto.randomUUID()}`];
    const take = (process: number, subject: string): Promise<string> =>
      outcomeOf(
        limitsOf(process).consumeAll([
          { limit, subject },
          { limit: slow, subject: 'the site of both' },
        ]),
      );
    const taking = range(20).map((turn) => take(turn % 2, turn % 4 < 2 ? first : second));
    expect(tally(await Promise.all(taking))).toEqual({ OK: 5, RATE_LIMITED: 15 });
    // Three of one network and two of the other: a refusal by the site consumed nothing of either.
    const left = await Promise.all([first, second].flatMap((name) => range(3).map(() => takeOne(name))));
    expect(tally(left)).toEqual({ OK: 1, RATE_LIMITED: 5 });
  });

  it.runIf(isRun)('consumes none of a site for a network without permits', async () => {
    const reported: string[] = [];
    const limits = createRateLimits({
      keyring,
      isEnabled: true,
      store: place.stores[0],
      database: place.database,
      refused: ({ name }) => reported.push(`refused by ${name}`),
    }).watchedBy(({ limit: { name }, remaining }) => reported.push(`${name} ${remaining}`));
    const take = (): Promise<string> =>
      outcomeOf(
        limits.consumeAll([
          { limit, subject: 'a network' },
          { limit: slow, subject: 'its site' },
        ]),
      );
    const outcomes = [];
    for (const _turn of range(6)) outcomes.push(await take());
    expect(outcomes).toEqual(['OK', 'OK', 'OK', 'RATE_LIMITED', 'RATE_LIMITED', 'RATE_LIMITED']);
    expect(reported.slice(0, 6)).toEqual(['test 2', 'test_slow 4', 'test 1', 'test_slow 3', 'test 0', 'test_slow 2']);
    expect(reported.slice(6)).toEqual(range(3).flatMap(() => ['test 0', 'refused by test']));
    expect(await outcomeOf(limits.consume(slow, 'its site'))).toBe('OK');
    expect(reported.at(-1)).toBe('test_slow 1');
  });

  describe('in a sliding window', () => {
    const minutes = 60;
    const age = (subject: string, seconds: number): Promise<void> =>
      place.age(`${hourly.name}.hour:${keyring.mac('rate limit', subject)}`, seconds);
    const take = (subject: string, process = 0): Promise<string> =>
      outcomeOf(limitsOf(process).consume(hourly, subject));
    const takeEach = async (subject: string, times: number): Promise<string[]> => {
      const outcomes: string[] = [];
      for (const _turn of range(times)) outcomes.push(await take(subject));
      return outcomes;
    };

    // Contract: requests#rate-limits — No hour has more permits than a limit of so many an hour, whenever it begins
    it.runIf(isRun)('grants no more in any hour, and as many in each', async () => {
      const subject = 'who comes again and again';
      const waits = [0, 0, 20, 0, 15, 0, 25, 0, 0, 5, 15, 15, 5, 20, 0, 60, 0, 0, 0, 0, 59, 1, 0];
      let now = 0;
      let granted: number[] = [];
      for (const [turn, wait] of waits.entries()) {
        if (wait > 0) await age(subject, wait * minutes);
        now += wait;
        granted = granted.filter((at) => at > now - 60);
        const isFree = granted.length < hourly.burst;
        expect([turn, await take(subject, turn % 2)]).toEqual([turn, isFree ? 'OK' : 'RATE_LIMITED']);
        if (isFree) granted.push(now);
      }
    });

    it.runIf(isRun)('grants exactly its number at once, in any process', async () => {
      const outcomes = await Promise.all(range(20).map((turn) => take('a crowd', turn % 2)));
      expect(tally(outcomes)).toEqual({ OK: 4, RATE_LIMITED: 16 });
    });

    // Contract: requests#rate-limits — A process of before the sliding hour neither erases its permits nor is refused
    //   by them
    it.runIf(isRun)(
      'counts apart from a process of the former version, which refills the same limit evenly',
      async () => {
        const { isSliding: _, ...refilled } = hourly;
        const outcomes: string[] = [];
        for (const turn of range(16)) {
          const limits = turn % 2 === 0 ? hourly : refilled;
          const outcome = await outcomeOf(limitsOf(turn % 2).consume(limits, 'who meets old and new'));
          outcomes.push(`${turn % 2 === 0 ? 'new' : 'old'} ${outcome}`);
        }
        expect(tally(outcomes)).toEqual({ 'new OK': 4, 'new RATE_LIMITED': 4, 'old OK': 4, 'old RATE_LIMITED': 4 });
      },
    );

    it.runIf(isRun)('refuses until its oldest permit is an hour old', async () => {
      const subject = 'who waits';
      const reported: Omit<LimitState, 'limit'>[] = [];
      const limits = limitsOf().watchedBy(({ remaining, nextSeconds }) => reported.push({ remaining, nextSeconds }));
      const consume = (): Promise<string> => outcomeOf(limits.consume(hourly, subject));
      await consume();
      await age(subject, 40 * minutes);
      for (const _turn of range(4)) await consume();
      expect(reported.map(({ remaining }) => remaining)).toEqual([3, 2, 1, 0, 0]);
      const waits = reported.map(({ nextSeconds }) => Math.ceil(nextSeconds / minutes));
      expect(waits).toEqual([60, 20, 20, 20, 20]);
      await age(subject, 20 * minutes);
      expect([await consume(), await consume()]).toEqual(['OK', 'RATE_LIMITED']);
      expect(Math.ceil((reported.at(-1)?.nextSeconds ?? 0) / minutes)).toBe(40);
    });

    it.runIf(isRun)('is refunded of what was taken in the last minute, and of nothing else', async () => {
      const subject = 'who is right';
      const refund = (): Promise<void> => limitsOf().refundAll([{ limit: hourly, subject }]);
      await refund();
      expect(await take(subject)).toBe('OK');
      await age(subject, 30 * minutes);
      await refund();
      for (const _turn of range(10)) {
        expect(await take(subject)).toBe('OK');
        await refund();
      }
      expect(await takeEach(subject, 4)).toEqual(['OK', 'OK', 'OK', 'RATE_LIMITED']);
      // The refunds left the permit of before where it was.
      await age(subject, 30 * minutes);
      expect(await takeEach(subject, 2)).toEqual(['OK', 'RATE_LIMITED']);
    });

    it.runIf(isRun)('is counted with other limits, all or none', async () => {
      const both = (subject: string): Promise<string> =>
        outcomeOf(
          limitsOf().consumeAll([
            { limit: hourly, subject: 'the site of two' },
            { limit, subject },
          ]),
        );
      const outcomes: string[] = [];
      for (const turn of range(8)) outcomes.push(await both(turn < 5 ? 'a first network' : 'a second network'));
      expect(outcomes).toEqual([
        'OK',
        'OK',
        'OK',
        'RATE_LIMITED',
        'RATE_LIMITED',
        'OK',
        'RATE_LIMITED',
        'RATE_LIMITED',
      ]);
      expect(await takeOne('a second network')).toBe('OK');
      expect(await take('the site of two')).toBe('RATE_LIMITED');
    });
  });

  it.runIf(isRun)('distinguishes all texts', async () => {
    for (const _turn of range(3)) await limitsOf().consume(limit, ['a', 'b']);
    expect(await outcomeOf(limitsOf().consume(limit, ['a', 'b']))).toBe('RATE_LIMITED');
    for (const subject of [['ab'], ['a b'], ['a', 'b', ''], ['a,b']]) {
      expect(await outcomeOf(limitsOf().consume(limit, subject))).toBe('OK');
    }
  });

  it.runIf(isRun)('keeps a count for the given time', async () => {
    const limits = limitsOf();
    expect(await limits.remembers('place', ['a caller', 'here'])).toBe(false);
    await limits.remember('place', ['a caller', 'here'], 60);
    await limits.remember('place', ['a caller', 'there'], 0);
    expect(await limits.remembers('place', ['a caller', 'here'])).toBe(true);
    expect(await limits.remembers('place', ['a caller', 'there'])).toBe(false);
    expect(await limits.remembers('other', ['a caller', 'here'])).toBe(false);
  });
});
