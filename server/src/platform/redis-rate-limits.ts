/**
 * Turns counted in Redis, where all processes count together without a write to the database. While Redis is away, or
 * answers too late, the database counts: whoever used up their turns in the one has as many again in the other, and no
 * more than that.
 */
import type { Count, Pace, RateLimitStore } from './rate-limit-counting.ts';
import type { Redis } from './redis.ts';

/** For an answer; what takes longer is not waited for. */
const patienceMilliseconds = 300;
/** Then nobody asks for so long, and after that one alone: the connection finds out by itself whether it is dead. */
const restMilliseconds = 1000;
/** By which the clock of Redis may go back, as when another server takes over. */
const clockMilliseconds = 60_000;

/**
 * The due instant of the key, in milliseconds by Redis's clock, moved by one turn; one statement of its own, so that
 * callers come one after the other. A key that means nothing any more goes by itself.
 *
 * One a little further ahead than turns can move it is of a clock that went back, and refuses nobody for longer than the
 * limit would. What lies beyond that, or is no instant, was not put there by this script, and counts for nothing: who can
 * write there can delete as well, and must not be able to hold up everybody by a single key.
 */
const script = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local each, most = tonumber(ARGV[1]), tonumber(ARGV[2])
local known = tonumber(redis.call('GET', KEYS[1])) or now
if known ~= known or known < now or known > now + most + each + ${clockMilliseconds} then known = now end
local due, taken = math.min(known, now + most + each), 0
if ARGV[3] == 'give' then
  due, taken = math.max(now, due - each), 1
elseif due - now > most and due == known then
  return {0, due - now}
elseif due - now <= most then
  due, taken = due + each, 1
end
redis.call('SET', KEYS[1], string.format('%.0f', due), 'PX', string.format('%.0f', due - now + 1000))
return {taken, due - now}`;

/** @param database counts while Redis does not */
export const createRedisRateLimits = (
  redis: Pick<Redis, 'send' | 'isAvailable'>,
  database: RateLimitStore,
): RateLimitStore => {
  let resumesAt = 0;
  /** It was slow, and has answered nobody in time since. */
  let isDoubted = false;
  const judge = (reply: unknown): void => {
    if (reply === failed) return;
    isDoubted = reply === tooLate;
    resumesAt = isDoubted ? performance.now() + restMilliseconds : 0;
  };
  const count = async (act: 'take' | 'give', key: string, { each, mostAhead }: Pace): Promise<Count | null> => {
    if (!redis.isAvailable || performance.now() < resumesAt) return null;
    if (isDoubted) resumesAt = performance.now() + patienceMilliseconds + restMilliseconds;
    // Whole milliseconds, of which a burst is made up to the last one.
    const eachMilliseconds = Math.ceil(each * 1000);
    const pace = [eachMilliseconds, Math.round(mostAhead / each) * eachMilliseconds].map(String);
    const reply = await inTime(redis.send(['EVAL', script, '1', `gatehouse:limit:${key}`, ...pace, act]));
    judge(reply);
    return countIn(reply);
  };
  return {
    take: async (key, pace) => (await count('take', key, pace)) ?? database.take(key, pace),
    giveBack: async (key, pace) => (await count('give', key, pace)) ?? database.giveBack(key, pace),
  };
};

const tooLate = Symbol('too late');
const failed = Symbol('failed');

/** A failure is told to the log by the connection. */
const inTime = async (reply: Promise<unknown>): Promise<unknown> => {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<typeof tooLate>((resolve) => {
    // After a pause of this process the timer comes first, and then what arrived meanwhile.
    timer = setTimeout(() => setImmediate(() => resolve(tooLate)), patienceMilliseconds);
  });
  try {
    return await Promise.race([reply.catch(() => failed), end]);
  } finally {
    clearTimeout(timer);
  }
};

/** Null for anything that the script does not answer. */
const countIn = (reply: unknown): Count | null => {
  if (!Array.isArray(reply)) return null;
  const [taken, ahead] = reply.map(Number);
  if (taken === undefined || ahead === undefined || !Number.isFinite(taken) || !Number.isFinite(ahead)) return null;
  return { isTaken: taken === 1, secondsAhead: ahead / 1000 };
};
