/** Permits while Redis is silent or slow: one request probes it, and no other waits for it. */
import { expect, it } from 'vitest';
import type { RateLimitStore } from '../../src/platform/rate-limit/gcra.ts';
import { createRedisRateLimits } from '../../src/platform/rate-limit/redis-rate-limits.ts';
import { range, until } from '../support/checks/concurrency.ts';
import { waitAsInProduction } from '../support/gatehouse/wait-limits.ts';

waitAsInProduction();

const pace = { each: 1, maxAhead: 9, mostInWindow: 0 };
const inTime: readonly number[] = [1, 1000, -1];

/** Holds the answers until the test sends them; only this decides whether it is quick. */
const newRedis = () => {
  let asked = 0;
  let answer: () => Promise<unknown> = () => new Promise(() => undefined);
  return {
    isAvailable: true,
    eviction: 'refuses' as const,
    send: () => {
      asked += 1;
      return answer();
    },
    asked: () => asked,
    answerFromNowOn: () => {
      answer = async () => inTime;
    },
  };
};

const newDatabase = () => {
  const counted: string[] = [];
  const count = async (key: string) => {
    counted.push(key);
    return { isTaken: true, secondsAhead: 1, inWindow: null };
  };
  const consumeAll: RateLimitStore['consumeAll'] = (permits) => Promise.all(permits.map(({ key }) => count(key)));
  return { counted, store: { consume: count, consumeAll, refundAll: consumeAll } satisfies RateLimitStore };
};

// Contract: requests#trouble-with-redis — A slow Redis is probed by one request
it('A silent Redis is probed by one request at a time after a timeout, until it answers', async () => {
  const [redis, database] = [newRedis(), newDatabase()];
  const limits = createRedisRateLimits(redis, database.store);
  const takeAtOnce = (): Promise<unknown> => Promise.all(range(20).map((turn) => limits.consume(`turn ${turn}`, pace)));
  await takeAtOnce();
  expect([redis.asked(), database.counted.length]).toEqual([20, 20]);
  await takeAtOnce();
  expect([redis.asked(), database.counted.length]).toEqual([20, 40]);
  await until('another request probes it', async () => {
    await takeAtOnce();
    return redis.asked() > 20;
  });
  expect(redis.asked()).toBe(21);
  redis.answerFromNowOn();
  await until('it is asked again', async () => {
    await limits.consume('a probe', pace);
    return redis.asked() > 21;
  });
  const before = database.counted.length;
  await takeAtOnce();
  expect([redis.asked(), database.counted.length]).toEqual([42, before]);
});
