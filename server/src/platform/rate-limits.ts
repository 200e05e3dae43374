/**
 * Limits on how often something is done, counted in the database, so that all processes count together and a restart
 * forgets nothing.
 */
import { Refusal } from '../kernel/errors.ts';
import type { Keyring } from '../kernel/secrets.ts';
import type { Queryable } from './database/database.ts';
import type { RateLimitSweep } from './rate-limit-sweep.ts';
import { takeTurn } from './rate-limits-store.ts';

export interface RateLimit {
  /** Unique among the limits. */
  readonly name: string;
  /** Turns in an hour, evenly spread, once the burst is used up. */
  readonly perHour: number;
  /** Turns that may be taken at once after a rest. */
  readonly burst: number;
}

const secondsPerHour = 3600;

export interface RateLimits {
  /**
   * Takes a turn; a refused call takes none, and neither does one whose transaction rolls back.
   * @param subject whose turns are counted; it is stored as a keyed digest, so it may be personal
   * @throws Refusal RATE_LIMITED with the seconds until the next turn
   */
  take(queryable: Pick<Queryable, 'one'>, limit: RateLimit, subject: string): Promise<void>;
}

/**
 * @param enabled false lets everybody do everything, for tests and load
 * @param sweep hears of each turn, so that rows which mean nothing any more go
 */
export const createRateLimits = (
  keyring: Keyring,
  enabled: boolean,
  sweep: Pick<RateLimitSweep, 'note'> | null,
): RateLimits => ({
  take: async (queryable, limit, subject) => {
    if (!enabled) return;
    sweep?.note();
    await take(queryable, limit, keyring.mac('rate limit', subject));
  },
});

const take = async (
  queryable: Pick<Queryable, 'one'>,
  { name, perHour, burst }: RateLimit,
  digest: string,
): Promise<void> => {
  const secondsEach = secondsPerHour / perHour;
  const secondsAhead = secondsEach * (burst - 1);
  const { waitSeconds } = await queryable.one(takeTurn, [`${name}:${digest}`, secondsEach, secondsAhead]);
  if (waitSeconds === 0) return;
  throw new Refusal('RATE_LIMITED', 'That was tried too often. Wait a little, then try again.', {
    retryAfterSeconds: waitSeconds,
  });
};
