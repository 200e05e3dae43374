/** How turns of a limit are counted, wherever that is: the generic cell rate algorithm. Pure, but for the stores it names. */
import type { RateLimit } from './rate-limit-table.ts';

/** Seconds. */
export interface Pace {
  /** By which each turn moves the due instant on. */
  readonly each: number;
  /** How far that may lie ahead before another turn is taken. */
  readonly maxAhead: number;
}

const secondsPerHour = 3600;

export const paceOf = ({ perHour, burst }: RateLimit): Pace => {
  const each = secondsPerHour / perHour;
  return { each, maxAhead: each * (burst - 1) };
};

export interface Count {
  /** False: nothing was counted. */
  readonly isTaken: boolean;
  /** How far the due instant lies ahead, in seconds. */
  readonly secondsAhead: number;
}

/** A permit of one limit for one subject. */
export interface Permit {
  readonly key: string;
  readonly pace: Pace;
}

/** Where turns are counted. Each call is one step: of several callers at once, each sees what another did before. */
export interface RateLimitStore {
  take(key: string, pace: Pace): Promise<Count>;
  /**
   * Takes all of the permits, or none of them when one is not free.
   * @param permits of different keys
   * @returns a count for each, in the order of the permits; `isTaken` says whether that one was free
   */
  takeAll(permits: readonly Permit[]): Promise<readonly Count[]>;
  refund(key: string, pace: Pace): Promise<Count>;
}

/** How a caller stands with a limit after a turn. */
export interface LimitState {
  readonly limit: RateLimit;
  /** Turns that could be taken at once now. */
  readonly remaining: number;
  /** Whole seconds until there is one more; 0 when all are there. */
  readonly nextSeconds: number;
}

/** The clocks count in microseconds or milliseconds, so a whole turn may seem to lack a little. */
const tolerance = 0.01;

export const limitStateOf = (limit: RateLimit, { isTaken, secondsAhead }: Count): LimitState => {
  const { each } = paceOf(limit);
  const free = Math.floor(limit.burst - secondsAhead / each + tolerance);
  const remaining = isTaken ? Math.min(limit.burst, Math.max(0, free)) : 0;
  if (remaining === limit.burst) return { limit, remaining, nextSeconds: 0 };
  const seconds = Math.ceil(secondsAhead - (limit.burst - remaining - 1) * each);
  return { limit, remaining, nextSeconds: Math.max(1, seconds) };
};
