/**
 * Owns rate limits counted in Redis, where all processes count together without a write to the database. While Redis is
 * unavailable or too slow, the database counts: a caller that used up its permits in one has the same number again in
 * the other, and no more.
 */

import { scaledMillis } from '../../kernel/wait-scale.ts';
import { within } from '../../kernel/within.ts';
import type { Redis } from '../redis/redis.ts';
import type { Count, KeyedPermit, Pace, RateLimitStore } from './gcra.ts';

/** Timeout of a reply. */
const limits = scaledMillis({ replyMilliseconds: 300 });
/**
 * Pause after a timeout, in which no caller asks; after it, a single caller tries. The connection detects by itself
 * whether it is dead.
 */
const restMilliseconds = 1000;
/** How far the clock of Redis may go back, for example after a failover to another server. */
const clockMilliseconds = 60_000;

/**
 * Due instants of the keys, in milliseconds by Redis's clock, each advanced by one permit, or none of them when one key
 * has no permit left; one script, so that calls are serialized. Keys without effect expire by themselves.
 *
 * A due instant slightly further ahead than permits can advance it comes from a clock that went back, and is capped so
 * that it refuses no longer than the limit would. A value beyond that, or one that is not a number, was not written by
 * this script and is ignored: a writer with that access could delete keys as well, and must not be able to block all
 * callers with a single key.
 *
 * ARGV: the action, then two numbers for each key. The reply: two numbers for each key, whether it had a permit and how
 * far its due instant is ahead.
 */
const script = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local isRefund = ARGV[1] == 'refund'
local known, due, free, all = {}, {}, {}, true
for i = 1, #KEYS do
  local each, most = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
  local at = tonumber(redis.call('GET', KEYS[i])) or now
  if at ~= at or at < now or at > now + most + each + ${clockMilliseconds} then at = now end
  known[i], due[i] = at, math.min(at, now + most + each)
  free[i] = isRefund or due[i] - now <= most
  all = all and free[i]
end
local reply = {}
for i = 1, #KEYS do
  local each = tonumber(ARGV[2 * i])
  if isRefund then
    due[i] = math.max(now, due[i] - each)
  elseif all then
    due[i] = due[i] + each
  end
  if all or due[i] ~= known[i] then
    redis.call('SET', KEYS[i], string.format('%.0f', due[i]), 'PX', string.format('%.0f', due[i] - now + 1000))
  end
  reply[2 * i - 1], reply[2 * i] = free[i] and 1 or 0, due[i] - now
end
return reply`;

type Action = 'consume' | 'refund';

/** @param database counts while Redis does not */
export const createRedisRateLimits = (
  redis: Pick<Redis, 'send' | 'isAvailable'>,
  database: RateLimitStore,
): RateLimitStore => {
  let resumesAt = 0;
  /** Redis was slow and has not answered in time since. */
  let isSuspect = false;
  const judge = (reply: unknown): void => {
    if (reply === failed) return;
    isSuspect = reply === tooLate;
    resumesAt = isSuspect ? performance.now() + restMilliseconds : 0;
  };
  const count = async (act: Action, permits: readonly KeyedPermit[]): Promise<readonly Count[] | null> => {
    if (!redis.isAvailable || performance.now() < resumesAt) return null;
    if (isSuspect) resumesAt = performance.now() + limits.replyMilliseconds + restMilliseconds;
    const keys = permits.map(({ key }) => `gatehouse:limit:${key}`);
    const paces = permits.flatMap(({ pace }) => paceInMilliseconds(pace));
    const reply = await replyInTime(
      redis.send(['EVAL', script, String(keys.length), ...keys, act, ...paces.map(String)]),
    );
    judge(reply);
    return countsIn(reply, permits.length);
  };
  return {
    consume: async (key, pace) => (await count('consume', [{ key, pace }]))?.[0] ?? database.consume(key, pace),
    consumeAll: async (permits) => (await count('consume', permits)) ?? database.consumeAll(permits),
    refundAll: async (permits) => (await count('refund', permits)) ?? database.refundAll(permits),
  };
};

/** Paces in whole milliseconds; a burst is an exact multiple of `each`. */
const paceInMilliseconds = ({ each, maxAhead }: Pace): readonly [each: number, maxAhead: number] => {
  const eachMilliseconds = Math.ceil(each * 1000);
  return [eachMilliseconds, Math.round(maxAhead / each) * eachMilliseconds];
};

const tooLate = Symbol('too late');
const failed = Symbol('failed');

/** Resolves with the reply, `failed` or `tooLate`. The connection logs failures. */
const replyInTime = (reply: Promise<unknown>): Promise<unknown> =>
  within(
    limits.replyMilliseconds,
    reply.catch(() => failed),
    () => tooLate,
  );

/** Null for any reply that the script does not produce. */
const countsIn = (reply: unknown, length: number): readonly Count[] | null => {
  if (!Array.isArray(reply) || reply.length !== 2 * length) return null;
  const numbers = reply.map(Number);
  if (!numbers.every(Number.isFinite)) return null;
  return Array.from({ length }, (_, index) => ({
    isTaken: numbers[2 * index] === 1,
    secondsAhead: (numbers[2 * index + 1] ?? 0) / 1000,
  }));
};
