/**
 * Limits on how often something is done. Turns are counted where all processes count together: in Redis where there is
 * one (`redis-rate-limits.ts`), else in the database (`database-rate-limits.ts`). What they are stands in
 * `rate-limit-table.ts`.
 */
import { Refusal } from '../../kernel/errors.ts';
import type { Keyring } from '../../kernel/secrets.ts';
import type { Queryable } from '../database/database.ts';
import { settlesBeforeDeadline, withNewDeadline } from '../database/request-deadline.ts';
import type { Logger } from '../observability/logger.ts';
import { countedIn, isRemembered, remember } from './database-rate-limits.ts';
import { type Count, type LimitState, limitStateOf, paceOf, type RateLimitStore } from './gcra.ts';
import type { RateLimit } from './rate-limit-table.ts';

/** For whom turns are counted: stored as a keyed digest, so it may be personal. */
type Subject = string | readonly string[];

/** A limit, and for whom it is counted. */
export interface CountedLimit {
  readonly limit: RateLimit;
  readonly subject: Subject;
}

export interface RateLimits {
  /** False lets everybody do everything, for tests and load. */
  readonly isEnabled: boolean;
  /**
   * Takes a turn; a refused call takes none. Not inside of a transaction: there, {@link takeIn}.
   * @throws Refusal RATE_LIMITED with the seconds until the next turn; DatabaseUnavailable
   */
  take(limit: RateLimit, subject: Subject): Promise<void>;
  /**
   * Takes a permit of each of several limits, or of none when one refuses. Not inside of a transaction.
   * @param limits different ones
   * @throws Refusal RATE_LIMITED with the seconds until all of them have a permit; DatabaseUnavailable
   */
  takeAll(limits: readonly CountedLimit[]): Promise<void>;
  /**
   * Takes a turn of whoever is not exempt, which is asked only when none is left; then nothing is told either.
   * @returns whether a turn was taken
   * @throws Refusal RATE_LIMITED; DatabaseUnavailable
   */
  takeUnless(limit: RateLimit, subject: Subject, isExempt: () => Promise<boolean>): Promise<boolean>;
  /**
   * Takes a turn that stands or falls with a transaction, for what the transaction stores. Always in the database.
   * @throws Refusal RATE_LIMITED with the seconds until the next turn; DatabaseUnavailable
   */
  takeIn(transaction: Pick<Queryable, 'one'>, limit: RateLimit, subject: Subject): Promise<void>;
  /** Gives a turn back, of what turned out to be no abuse. @throws DatabaseUnavailable */
  refund(limit: RateLimit, subject: Subject): Promise<void>;
  /** Keeps something in mind for that long; always in the database. @param kind a word of its own for each use */
  remember(kind: string, subject: Subject, seconds: number): Promise<void>;
  remembers(kind: string, subject: Subject): Promise<boolean>;
  /**
   * The same limits; whoever watches is told after each turn that was taken, refused or given back, of one that strangers
   * share only when it was refused.
   */
  watchedBy(watch: Watcher): RateLimits;
}

type Watcher = (limitState: LimitState) => void;

export interface RateLimitParts {
  readonly keyring: Keyring;
  readonly isEnabled: boolean;
  readonly store: RateLimitStore;
  readonly database: Pick<Queryable, 'one' | 'execute'>;
  /** Told of each refusal. */
  readonly refused?: ((limit: RateLimit) => void) | undefined;
}

export const createRateLimits = (parts: RateLimitParts): RateLimits =>
  parts.isEnabled ? new CountedLimits(parts, null) : unlimited;

/** Everybody does everything. */
export const unlimited: RateLimits = {
  isEnabled: false,
  take: async () => undefined,
  takeAll: async () => undefined,
  takeUnless: async () => true,
  takeIn: async () => undefined,
  refund: async () => undefined,
  remember: async () => undefined,
  remembers: async () => false,
  watchedBy: () => unlimited,
};

class CountedLimits implements RateLimits {
  readonly isEnabled = true;
  readonly #parts: RateLimitParts;
  readonly #watch: Watcher | null;

  constructor(parts: RateLimitParts, watch: Watcher | null) {
    this.#parts = parts;
    this.#watch = watch;
  }

  async take(limit: RateLimit, subject: Subject): Promise<void> {
    this.#require(limit, await this.#parts.store.take(this.#keyOf(limit.name, subject), paceOf(limit)));
  }

  async takeAll(limits: readonly CountedLimit[]): Promise<void> {
    const permits = limits.map(({ limit, subject }) => ({
      key: this.#keyOf(limit.name, subject),
      pace: paceOf(limit),
    }));
    const counts = await this.#parts.store.takeAll(permits);
    const counted = limits.flatMap(({ limit }, index) => {
      const count = counts[index];
      return count === undefined ? [] : [{ limit, count }];
    });
    const refusing = counted.filter(({ count }) => !count.isTaken);
    for (const { limit, count } of refusing.length > 0 ? refusing : counted) this.#tell(limit, count);
    if (refusing.length > 0) throw this.#refusalOf(refusing);
  }

  async takeUnless(limit: RateLimit, subject: Subject, isExempt: () => Promise<boolean>): Promise<boolean> {
    const count = await this.#parts.store.take(this.#keyOf(limit.name, subject), paceOf(limit));
    if (!count.isTaken && (await isExempt())) return false;
    this.#require(limit, count);
    return true;
  }

  async takeIn(transaction: Pick<Queryable, 'one'>, limit: RateLimit, subject: Subject): Promise<void> {
    this.#require(limit, await countedIn(transaction, this.#keyOf(limit.name, subject), paceOf(limit)));
  }

  async refund(limit: RateLimit, subject: Subject): Promise<void> {
    const count = await this.#parts.store.refund(this.#keyOf(limit.name, subject), paceOf(limit));
    this.#tell(limit, count);
  }

  async remember(kind: string, subject: Subject, seconds: number): Promise<void> {
    await this.#parts.database.execute(remember, [this.#keyOf(kind, subject), seconds]);
  }

  async remembers(kind: string, subject: Subject): Promise<boolean> {
    return (await this.#parts.database.one(isRemembered, [this.#keyOf(kind, subject)])).is;
  }

  watchedBy(watch: Watcher): RateLimits {
    return new CountedLimits(this.#parts, watch);
  }

  #require(limit: RateLimit, count: Count): void {
    this.#tell(limit, count);
    if (!count.isTaken) throw this.#refusalOf([{ limit, count }]);
  }

  #refusalOf(refusing: readonly { readonly limit: RateLimit; readonly count: Count }[]): Refusal {
    for (const { limit } of refusing) this.#parts.refused?.(limit);
    return new Refusal('RATE_LIMITED', 'That was tried too often. Wait a little, then try again.', {
      retryAfterSeconds: Math.max(...refusing.map(({ limit, count }) => limitStateOf(limit, count).nextSeconds)),
    });
  }

  #tell(limit: RateLimit, count: Count): void {
    if (limit.isShared !== true || !count.isTaken) this.#watch?.(limitStateOf(limit, count));
  }

  /** Of a text, or of several that are never taken for others. */
  #keyOf(name: string, subject: Subject): string {
    const text = typeof subject === 'string' ? subject : JSON.stringify(subject);
    return `${name}:${this.#parts.keyring.mac('rate limit', text)}`;
  }
}

// Gives back the turns of what came to nothing, although its request may wait for the database no longer.

export interface Permit {
  readonly limit: RateLimit;
  readonly subject: string | readonly string[];
}

export interface GivingBackDeps {
  readonly limits: Pick<RateLimits, 'refund'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Resolves when all are given back, or when the request may wait no longer; what fails is logged. Never throws: whoever is
 * answered, or refused for a reason of its own, is not told something else because of this.
 */
export const refundPermits = async ({ limits, logger }: GivingBackDeps, turns: readonly Permit[]): Promise<void> => {
  const refundAll = async (): Promise<void> => {
    for (const { limit, subject } of turns) await orLogged(logger, () => limits.refund(limit, subject));
  };
  await settlesBeforeDeadline(withNewDeadline(refundAll));
};

/** Runs what is done to the counts of limits beside an answer, and logs why it failed. */
export const orLogged = async (logger: Pick<Logger, 'warn'>, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    logger.warn({ event: 'rate_limits.not_given_back', err: error }, 'A count of a limit could not be corrected');
  }
};
