/** The faults of Redis, injected into the test's own server; each ends with the repair. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { range } from '../../../support/checks/concurrency.ts';
import type { RedisServer } from '../sites/redis-server.ts';

export interface RedisFault {
  readonly name: string;
  /** Whether nothing in it can be read or written during the fault. */
  readonly isAway?: boolean;
  /** Whether its entries may be lost. */
  readonly forgets?: boolean;
  /** Whether its entries may be old or forged. */
  readonly lies?: boolean;
  /** Maximum number of independent counts of one limit; null when Redis loses them repeatedly. */
  readonly countsOfGuesses: number | null;
  /** Continues until the fault is to end. */
  inject(redis: RedisServer, isOver: () => boolean): Promise<void>;
  repair(redis: RedisServer): Promise<void>;
}

const nothing = async (): Promise<void> => undefined;
const everyMillis = 150;

const repeat = async (isOver: () => boolean, work: () => Promise<unknown>): Promise<void> => {
  while (!isOver()) {
    await work();
    await sleep(everyMillis);
  }
};

const garbage = (): string => randomBytes(48).toString('base64');

/** More data than fits, a few keys at a time: it is sent by the process that measures. */
const filler = (): string[][] => range(100).map(() => ['SET', `filler:${garbage()}`, 'x'.repeat(10_000)]);

const fill = (redis: RedisServer, policy: string): Promise<unknown> =>
  redis.send(['CONFIG', 'SET', 'maxmemory-policy', policy], ['CONFIG', 'SET', 'maxmemory', '1500kb'], ...filler());

/** Puts another value under a key: text, another type, the value of another key, or none. */
const garble = (key: string, other: string): string[][] => {
  const ways = [
    [['SET', key, garbage()]],
    [['SET', key, '']],
    [['SET', key, '9007199254740993']],
    // In one command: in between, the service may write a text there, to which RPUSH does not apply.
    [['EVAL', "redis.call('DEL', KEYS[1]) return redis.call('RPUSH', KEYS[1], ARGV[1])", '1', key, garbage()]],
    other === key ? [] : [['COPY', other, key, 'REPLACE']],
    [['DEL', key]],
  ];
  return ways[Math.floor(Math.random() * ways.length)] ?? [];
};

const poison = async (redis: RedisServer): Promise<void> => {
  await redis.bringBack();
  const keys = await redis.keys();
  const overwritten = keys.filter(() => Math.random() < 0.3);
  await redis.send(...overwritten.flatMap((key, index) => garble(key, keys[(index * 7) % keys.length] ?? key)));
};

export const redisFaults: readonly RedisFault[] = [
  {
    name: 'Redis down',
    isAway: true,
    forgets: true,
    countsOfGuesses: 3,
    inject: (redis) => redis.kill(),
    repair: (redis) => redis.restart(),
  },
  {
    name: 'Redis hung',
    isAway: true,
    countsOfGuesses: 2,
    inject: async (redis) => redis.hang(),
    repair: async (redis) => redis.wake(),
  },
  {
    name: 'Redis flushed',
    forgets: true,
    countsOfGuesses: null,
    inject: (redis, isOver) => repeat(isOver, () => redis.send(['FLUSHALL'])),
    repair: nothing,
  },
  {
    name: 'Redis evicting',
    forgets: true,
    countsOfGuesses: null,
    inject: (redis, isOver) => repeat(isOver, () => fill(redis, 'allkeys-random')),
    repair: async (redis) => void (await redis.send(['CONFIG', 'SET', 'maxmemory', '0'], ['FLUSHALL'])),
  },
  {
    name: 'Redis poisoned',
    forgets: true,
    lies: true,
    countsOfGuesses: null,
    inject: (redis, isOver) => repeat(isOver, () => poison(redis)),
    repair: async (redis) => void (await redis.send(['FLUSHALL'])),
  },
];
