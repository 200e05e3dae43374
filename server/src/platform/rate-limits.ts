/**
 * Limits on how often something is done, counted in the database, so that all processes count together and a restart
 * forgets nothing.
 */
import { Refusal } from '../kernel/errors.ts';
import type { Database } from './database/database.ts';
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

/**
 * Takes a turn; a refused call takes none.
 * @param subject whose turns are counted: an identifier, or the hash of whatever is none; never personal data
 * @throws Refusal RATE_LIMITED with the seconds until the next turn
 */
export const takeTurnOf = async (
  database: Pick<Database, 'one'>,
  { name, perHour, burst }: RateLimit,
  subject: string,
): Promise<void> => {
  const secondsEach = secondsPerHour / perHour;
  const secondsAhead = secondsEach * (burst - 1);
  const { waitSeconds } = await database.one(takeTurn, [`${name}:${subject}`, secondsEach, secondsAhead]);
  if (waitSeconds === 0) return;
  throw new Refusal('RATE_LIMITED', 'That was tried too often. Wait a little, then try again.', {
    retryAfterSeconds: waitSeconds,
  });
};
