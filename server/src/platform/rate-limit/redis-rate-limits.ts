/**
 * Owns rate limits counted in Redis, without a write to the database. While Redis is unavailable or too slow, or
 * deletes keys when it is full, the database counts: a caller that used up its permits in one has the same number again
 * in the other, and no more.
 */
import { scaledMillis } from '../../kernel/waits/wait-scale.ts';
import { within } from '../../kernel/waits/within.ts';
import type { Redis } from '../redis/redis.ts';
import type { Count, KeyedPermit, Pace, RateLimitStore } from './gcra.ts';

const limits = scaledMillis({ replyMilliseconds: 300 });
/** Pause after a timeout, after which a single caller tries. The connection detects by itself whether it is dead. */
const restMilliseconds = 1000;
/** How far the clock of Redis may go back, for example after a failover to another server. */
const clockMilliseconds = 60_000;

/** A refund comes this soon after its permit, at the latest. */
const refundMilliseconds = 60_000;

/**
 * Takes or refunds a permit of each key, or takes none when one key has none left; one script, so that calls are
 * serialized. Keys without effect expire. All instants are milliseconds by Redis's clock.
 *
 * The value of a limit that is refilled evenly is its due instant, that of a sliding window the instants of its
 * permits, in order. Of those a refund removes the oldest that may be the refunded one, so that no other counts for
 * less time than it should.
 *
 * A due instant slightly further ahead than permits can advance it comes from a clock that went back, and is capped. A
 * value beyond that, or no number, was not written by this script and is ignored: a writer with that access could
 * delete keys as well, and must not be able to block all callers with a single key. So is a permit of a window later
 * than any clock that went back explains.
 *
 * ARGV: the action, then the three numbers of the pace of each key. The reply: three numbers for each key, as in a
 * count: whether it had a permit, how far its due instant is ahead, or else the end of its oldest permit, and the
 * number of permits in its window, or -1.
 */
const script = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local isRefund = ARGV[1] == 'refund'
local paces, known, due, taken, free, all = {}, {}, {}, {}, {}, true
for i = 1, #KEYS do
  local each, most, slots = tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i]), tonumber(ARGV[3 * i + 1])
  local value = redis.call('GET', KEYS[i])
  paces[i] = { each = each, slots = slots }
  if slots > 0 then
    taken[i] = {}
    for text in string.gmatch(value or '', '%d+') do
      local at = tonumber(text)
      if at > now - each * slots and at <= now + ${clockMilliseconds} then table.insert(taken[i], at) end
    end
    free[i] = isRefund or #taken[i] < slots
  else
    local at = tonumber(value) or now
    if at ~= at or at < now or at > now + most + each + ${clockMilliseconds} then at = now end
    known[i], due[i] = at, math.min(at, now + most + each)
    free[i] = isRefund or due[i] - now <= most
  end
  all = all and free[i]
end
local function set(key, value, due)
  redis.call('SET', key, value, 'PX', string.format('%.0f', due - now + 1000))
end
local function slide(key, permits, window)
  if isRefund then
    local at = 1
    while permits[at] and permits[at] <= now - ${refundMilliseconds} do at = at + 1 end
    table.remove(permits, at)
  elseif all then
    table.insert(permits, math.max(now, permits[#permits] or now))
  end
  if all then
    local texts = {}
    for n, at in ipairs(permits) do texts[n] = string.format('%.0f', at) end
    set(key, table.concat(texts, ' '), (permits[#permits] or now - window) + window)
  end
  return permits[1] and permits[1] + window - now or 0
end
local reply = {}
for i = 1, #KEYS do
  local each, slots = paces[i].each, paces[i].slots
  local ahead, inWindow
  if slots > 0 then
    ahead = slide(KEYS[i], taken[i], each * slots)
    inWindow = #taken[i]
  else
    if isRefund then
      due[i] = math.max(now, due[i] - each)
    elseif all then
      due[i] = due[i] + each
    end
    if all or due[i] ~= known[i] then set(KEYS[i], string.format('%.0f', due[i]), due[i]) end
    ahead, inWindow = due[i] - now, -1
  end
  reply[3 * i - 2], reply[3 * i - 1], reply[3 * i] = free[i] and 1 or 0, ahead, inWindow
end
return reply`;

type Action = 'consume' | 'refund';

/** @param database counts while Redis does not */
export const createRedisRateLimits = (
  redis: Pick<Redis, 'send' | 'isAvailable' | 'eviction'>,
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
    if (!redis.isAvailable || redis.eviction === 'evicts' || performance.now() < resumesAt) return null;
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

/** The three numbers of a pace, its durations in whole milliseconds; a burst is an exact multiple of `each`. */
const paceInMilliseconds = ({ each, maxAhead, mostInWindow }: Pace): readonly number[] => {
  const eachMilliseconds = Math.ceil(each * 1000);
  return [eachMilliseconds, Math.round(maxAhead / each) * eachMilliseconds, mostInWindow];
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
  if (!Array.isArray(reply) || reply.length !== 3 * length) return null;
  const numbers = reply.map(Number);
  if (!numbers.every(Number.isFinite)) return null;
  return Array.from({ length }, (_, index) => {
    const [free = 0, milliseconds = 0, inWindow = -1] = numbers.slice(3 * index, 3 * index + 3);
    return { isTaken: free === 1, secondsAhead: milliseconds / 1000, inWindow: inWindow < 0 ? null : inWindow };
  });
};
