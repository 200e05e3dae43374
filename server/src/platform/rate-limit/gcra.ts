/**
 * Owns the arithmetic of rate limits for every store: the generic cell rate algorithm, and a sliding window of an hour
 * for the limits that no hour may exceed. Pure, except for the store interface.
 */
import type { RateLimit } from './rate-limit-table.ts';

/** Seconds. */
export interface Pace {
  /** How far each permit advances the due instant. */
  readonly each: number;
  /** How far the due instant may be ahead for another permit to be taken. */
  readonly maxAhead: number;
  /** Permits of a sliding window, which is as long as so many times `each`; 0 for a limit that is refilled evenly. */
  readonly mostInWindow: number;
}

const secondsPerHour = 3600;

export const paceOf = ({ perHour, burst, isSliding }: RateLimit): Pace => {
  const each = secondsPerHour / perHour;
  return { each, maxAhead: each * (burst - 1), mostInWindow: isSliding === true ? burst : 0 };
};

export interface Count {
  /** False: nothing was counted. */
  readonly isTaken: boolean;
  /** How far the due instant lies ahead, in seconds; in a sliding window, when its oldest permit is available again. */
  readonly secondsAhead: number;
  /** Permits in the sliding window; null for a limit that is refilled evenly. */
  readonly inWindow: number | null;
}

/** A permit of one limit for one subject. */
export interface KeyedPermit {
  readonly key: string;
  readonly pace: Pace;
}

/** Store of the counts. Each call is atomic: concurrent callers see each other's changes. */
export interface RateLimitStore {
  consume(key: string, pace: Pace): Promise<Count>;
  /**
   * Consumes all of the permits, or none of them when one is not free.
   * @param permits of different keys
   * @returns a count for each, in their order; `isTaken` says whether that one was free
   */
  consumeAll(permits: readonly KeyedPermit[]): Promise<readonly Count[]>;
  /** A count for each, in their order. @param permits of different keys */
  refundAll(permits: readonly KeyedPermit[]): Promise<readonly Count[]>;
}

/** State of a limit for a caller after a permit. */
export interface LimitState {
  readonly limit: RateLimit;
  /** Permits available at once now. */
  readonly remaining: number;
  /** Whole seconds until one more permit; 0 when all are available. */
  readonly nextSeconds: number;
}

/** Clocks count in microseconds or milliseconds, so a whole permit may appear to be slightly less. */
const tolerance = 0.01;

export const limitStateOf = (limit: RateLimit, { isTaken, secondsAhead, inWindow }: Count): LimitState => {
  if (inWindow !== null) {
    const remaining = isTaken ? Math.max(0, limit.burst - inWindow) : 0;
    return { limit, remaining, nextSeconds: inWindow === 0 ? 0 : Math.max(1, Math.ceil(secondsAhead)) };
  }
  const { each } = paceOf(limit);
  const free = Math.floor(limit.burst - secondsAhead / each + tolerance);
  const remaining = isTaken ? Math.min(limit.burst, Math.max(0, free)) : 0;
  if (remaining === limit.burst) return { limit, remaining, nextSeconds: 0 };
  const seconds = Math.ceil(secondsAhead - (limit.burst - remaining - 1) * each);
  return { limit, remaining, nextSeconds: Math.max(1, seconds) };
};
