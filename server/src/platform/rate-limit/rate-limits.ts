/**
 * Owns: the table of rate limits, their algorithm, and their stores in Redis and the database.
 * Promises: A permit is counted once for all processes; a limit shared by strangers reveals nothing about them.
 *
 * Owns rate limits. Permits are counted where all processes share a store: in Redis if configured
 * (`redis-rate-limits.ts`), else in the database (`database-rate-limits.ts`). The limits are in `rate-limit-table.ts`.
 */
import { Refusal } from '../../kernel/errors.ts';
import type { Keyring } from '../../kernel/secrets.ts';
import type { Queryable } from '../database/database.ts';
import { settlesBeforeDeadline, withNewDeadline } from '../database/deadlines.ts';
import type { Logger } from '../observability/logger.ts';
import { consumePermitIn, isRemembered, remember } from './database-rate-limits.ts';
import { type Count, type LimitState, limitStateOf, paceOf, type RateLimitStore } from './gcra.ts';
import type { RateLimit } from './rate-limit-table.ts';

/** The subject that permits are counted for: stored as a keyed digest, so it may be personal data. */
type Subject = string | readonly string[];

/** A permit of a limit, for the subject that it is counted for. */
export interface Permit {
  readonly limit: RateLimit;
  readonly subject: Subject;
}

export interface RateLimits {
  /** False disables all limits, for tests and load. */
  readonly isEnabled: boolean;
  /**
   * Consumes a permit; a refused call takes none. Not inside a transaction: use {@link consumeIn} there.
   * @throws RATE_LIMITED: with the seconds until the next permit
   * @throws DatabaseUnavailable
   */
  consume(limit: RateLimit, subject: Subject): Promise<void>;
  /**
   * Consumes a permit of each of several limits, or none when one refuses. Not inside a transaction.
   * @param limits different ones
   * @throws RATE_LIMITED: with the seconds until all of them have a permit
   * @throws DatabaseUnavailable
   */
  consumeAll(limits: readonly Permit[]): Promise<void>;
  /**
   * Consumes a permit. When none is left, asks `isExempt`; exempt callers pass, and nothing is reported.
   * @returns whether a permit was taken
   * @throws RATE_LIMITED: when none is left and the caller is not exempt
   * @throws DatabaseUnavailable
   */
  consumeUnless(limit: RateLimit, subject: Subject, isExempt: () => Promise<boolean>): Promise<boolean>;
  /**
   * Consumes a permit that is committed or rolled back with a transaction. Always in the database.
   * @throws RATE_LIMITED: with the seconds until the next permit
   * @throws DatabaseUnavailable
   */
  consumeIn(transaction: Pick<Queryable, 'one'>, limit: RateLimit, subject: Subject): Promise<void>;
  /**
   * Refunds the permit of an action that proved not to be abuse.
   * @throws DatabaseUnavailable
   */
  refund(limit: RateLimit, subject: Subject): Promise<void>;
  /**
   * Remembers a subject for `seconds`; always in the database.
   * @param kind a distinct word for each use
   */
  remember(kind: string, subject: Subject, seconds: number): Promise<void>;
  remembers(kind: string, subject: Subject): Promise<boolean>;
  /**
   * The same limits, reporting the state after each permit taken, refused or refunded to `watch`. Limits shared between
   * unrelated clients report refusals only, so that no client can observe the others.
   */
  watchedBy(watch: Watcher): RateLimits;
}

type Watcher = (limitState: LimitState) => void;

export interface RateLimitParts {
  readonly keyring: Keyring;
  readonly isEnabled: boolean;
  readonly store: RateLimitStore;
  readonly database: Pick<Queryable, 'one' | 'execute'>;
  /** Called for each refusal. */
  readonly refused?: ((limit: RateLimit) => void) | undefined;
}

export const createRateLimits = (parts: RateLimitParts): RateLimits =>
  parts.isEnabled ? new CountedLimits(parts, null) : unlimited;

/** No limits at all. */
export const unlimited: RateLimits = {
  isEnabled: false,
  consume: async () => undefined,
  consumeAll: async () => undefined,
  consumeUnless: async () => true,
  consumeIn: async () => undefined,
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

  async consume(limit: RateLimit, subject: Subject): Promise<void> {
    this.#require(limit, await this.#parts.store.consume(this.#keyOf(limit.name, subject), paceOf(limit)));
  }

  async consumeAll(limits: readonly Permit[]): Promise<void> {
    const permits = limits.map(({ limit, subject }) => ({
      key: this.#keyOf(limit.name, subject),
      pace: paceOf(limit),
    }));
    const counts = await this.#parts.store.consumeAll(permits);
    const counted = limits.flatMap(({ limit }, index) => {
      const count = counts[index];
      return count === undefined ? [] : [{ limit, count }];
    });
    const refusing = counted.filter(({ count }) => !count.isTaken);
    for (const { limit, count } of refusing.length > 0 ? refusing : counted) this.#tell(limit, count);
    if (refusing.length > 0) throw this.#refusalOf(refusing);
  }

  async consumeUnless(limit: RateLimit, subject: Subject, isExempt: () => Promise<boolean>): Promise<boolean> {
    const count = await this.#parts.store.consume(this.#keyOf(limit.name, subject), paceOf(limit));
    if (!count.isTaken && (await isExempt())) return false;
    this.#require(limit, count);
    return true;
  }

  async consumeIn(transaction: Pick<Queryable, 'one'>, limit: RateLimit, subject: Subject): Promise<void> {
    this.#require(limit, await consumePermitIn(transaction, this.#keyOf(limit.name, subject), paceOf(limit)));
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
    return new Refusal('RATE_LIMITED', 'Too many attempts. Wait a moment, then try again.', {
      retryAfterSeconds: Math.max(...refusing.map(({ limit, count }) => limitStateOf(limit, count).nextSeconds)),
    });
  }

  #tell(limit: RateLimit, count: Count): void {
    if (limit.isShared !== true || !count.isTaken) this.#watch?.(limitStateOf(limit, count));
  }

  /** The key of a subject; a list is encoded as JSON, so that different lists never share a key. */
  #keyOf(name: string, subject: Subject): string {
    const text = typeof subject === 'string' ? subject : JSON.stringify(subject);
    return `${name}:${this.#parts.keyring.mac('rate limit', text)}`;
  }
}

interface RefundDeps {
  readonly limits: Pick<RateLimits, 'refund'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Refunds rate-limit permits of an attempt that did no harm, even after the request's database deadline. Resolves when
 * all are refunded or the deadline has passed. Never throws; failures are logged, so that they do not replace the
 * caller's own answer or error.
 */
export const refundPermits = async ({ limits, logger }: RefundDeps, permits: readonly Permit[]): Promise<void> => {
  const refundAll = async (): Promise<void> => {
    for (const { limit, subject } of permits) await orLogged(logger, () => limits.refund(limit, subject));
  };
  await settlesBeforeDeadline(withNewDeadline(refundAll));
};

/** Runs a change of counts that is secondary to the answer, and logs its failure. */
export const orLogged = async (logger: Pick<Logger, 'warn'>, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    logger.warn({ event: 'rate_limits.not_given_back', err: error }, 'A rate-limit count could not be corrected');
  }
};
