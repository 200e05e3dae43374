/** Gives back the turns of what came to nothing, although its request may wait for the database no longer. */
import { endsInTime, onOwnTime } from './database/request-budget.ts';
import type { Logger } from './logger.ts';
import type { RateLimit } from './rate-limit-table.ts';
import type { RateLimits } from './rate-limits.ts';

export interface Turn {
  readonly limit: RateLimit;
  readonly subject: string | readonly string[];
}

export interface GivingBackDeps {
  readonly limits: Pick<RateLimits, 'giveBack'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Resolves when all are given back, or when the request may wait no longer; what fails is logged. Never throws: whoever is
 * answered, or refused for a reason of its own, is not told something else because of this.
 */
export const giveBackTurns = async ({ limits, logger }: GivingBackDeps, turns: readonly Turn[]): Promise<void> => {
  const giveBackAll = async (): Promise<void> => {
    for (const { limit, subject } of turns) await orLogged(logger, () => limits.giveBack(limit, subject));
  };
  await endsInTime(onOwnTime(giveBackAll));
};

/** Runs what is done to the counts of limits beside an answer, and logs why it failed. */
export const orLogged = async (logger: Pick<Logger, 'warn'>, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    logger.warn({ event: 'rate_limits.not_given_back', err: error }, 'A count of a limit could not be corrected');
  }
};
