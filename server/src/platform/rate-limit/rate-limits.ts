/**
 * Owns: the table of rate limits, their algorithm, and their stores in Redis and the database.
 * Promises: A permit is counted once for all processes; a limit shared by strangers reveals nothing about them.
 *
 * Permits are counted in Redis if configured (`redis-rate-limits.ts`), else in the database
 * (`database-rate-limits.ts`). The limits are in `rate-limit-table.ts`.
 */
import { Refusal } from '../../kernel/errors.ts';
import type { Keyring } from '../../kernel/secrets.ts';
import type { Queryable } from '../database/database.ts';
import { settlesBeforeDeadline, withNewDeadline } from '../database/deadlines.ts';
import type { Logger } from '../observability/logger.ts';
import { consumePermitIn, isRemembered, remember } from './database-rate-limits.ts';
import { type Count, type KeyedPermit, type LimitState, limitStateOf, paceOf, type RateLimitStore } from './gcra.ts';
import type { RateLimit } from './rate-limit-table.ts';

/** The subject that permits are counted for: stored as a keyed digest, so it may be personal data. */
type Subject = string | readonly string[];

/** A limit that is refilled evenly. */
export type EvenLimit = RateLimit & { readonly isSliding?: never };

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
   * Consumes a permit of each of several different limits, or none when one refuses. Not inside a transaction.
   * @throws RATE_LIMITED: with the seconds until all of them have a permit
   * @throws DatabaseUnavailable
   */
  consumeAll(limits: readonly Permit[]): Promise<void>;
  /**
   * As {@link consumeAll}. When the limit `exemptible` has none left, asks `isExempt`; an exempt caller needs only the
   * other permits, and nothing is reported of that limit.
   * @returns the permits that were consumed
   * @throws RATE_LIMITED, DatabaseUnavailable: as {@link consumeAll}
   */
  consumeAllUnless(
    limits: readonly Permit[],
    exemptible: RateLimit,
    isExempt: () => Promise<boolean>,
  ): Promise<readonly Permit[]>;
  /**
   * Consumes a permit that is committed or rolled back with a transaction. Always in the database.
   * @param limit none with a sliding hour, which no transaction needs
   * @throws RATE_LIMITED: with the seconds until the next permit
   * @throws DatabaseUnavailable
   */
  consumeIn(transaction: Pick<Queryable, 'one'>, limit: EvenLimit, subject: Subject): Promise<void>;
  /** Refunds permits of different limits, of an action that proved not to be abuse. @throws DatabaseUnavailable */
  refundAll(permits: readonly Permit[]): Promise<void>;
  /** Remembers a subject, always in the database. @param kind a distinct word for each use */
  remember(kind: string, subject: Subject, seconds: number): Promise<void>;
  remembers(kind: string, subject: Subject): Promise<boolean>;
  /**
   * The same limits, reporting the state after each permit to `watch`. Limits shared between unrelated clients report
   * refusals only, so that no client can observe the others.
   */
  watchedBy(watch: Watcher): RateLimits;
}

type Watcher = (limitState: LimitState) => void;

export interface RateLimitParts {
  readonly keyring: Keyring;
  readonly isEnabled: boolean;
  readonly store: RateLimitStore;
  readonly database: Pick<Queryable, 'one' | 'execute'>;
  readonly refused?: ((limit: RateLimit) => void) | undefined;
}

export const createRateLimits = (parts: RateLimitParts): RateLimits =>
  parts.isEnabled ? new CountedLimits(parts, null) : unlimited;

/**
 * No limits at all.
 * @internal A test runs it alone.
 */
export const unlimited: RateLimits = {
  isEnabled: false,
  consume: async () => undefined,
  consumeAll: async () => undefined,
  consumeAllUnless: async (limits) => limits,
  consumeIn: async () => undefined,
  refundAll: async () => undefined,
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
    this.#require(limit, await this.#parts.store.consume(this.#keyOf(nameInKey(limit), subject), paceOf(limit)));
  }

  async consumeAll(limits: readonly Permit[]): Promise<void> {
    this.#requireAll(await this.#countAll(limits));
  }

  async consumeAllUnless(
    limits: readonly Permit[],
    exemptible: RateLimit,
    isExempt: () => Promise<boolean>,
  ): Promise<readonly Permit[]> {
    const counted = await this.#countAll(limits);
    const isRefused = counted.some(({ limit, count }) => limit === exemptible && !count.isTaken);
    if (isRefused && (await isExempt())) {
      const others = limits.filter(({ limit }) => limit !== exemptible);
      await this.consumeAll(others);
      return others;
    }
    this.#requireAll(counted);
    return limits;
  }

  async consumeIn(transaction: Pick<Queryable, 'one'>, limit: EvenLimit, subject: Subject): Promise<void> {
    this.#require(limit, await consumePermitIn(transaction, this.#keyOf(limit.name, subject), paceOf(limit)));
  }

  async refundAll(permits: readonly Permit[]): Promise<void> {
    if (permits.length === 0) return;
    const counts = await this.#parts.store.refundAll(permits.map((permit) => this.#keyed(permit)));
    for (const { limit, count } of countedOf(permits, counts)) this.#tell(limit, count);
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

  async #countAll(limits: readonly Permit[]): Promise<readonly CountedLimit[]> {
    return countedOf(limits, await this.#parts.store.consumeAll(limits.map((permit) => this.#keyed(permit))));
  }

  #requireAll(counted: readonly CountedLimit[]): void {
    const refusing = counted.filter(({ count }) => !count.isTaken);
    for (const { limit, count } of refusing.length > 0 ? refusing : counted) this.#tell(limit, count);
    if (refusing.length > 0) throw this.#rateLimited(refusing);
  }

  #require(limit: RateLimit, count: Count): void {
    this.#tell(limit, count);
    if (!count.isTaken) throw this.#rateLimited([{ limit, count }]);
  }

  #rateLimited(refusing: readonly CountedLimit[]): Refusal {
    for (const { limit } of refusing) this.#parts.refused?.(limit);
    return new Refusal('RATE_LIMITED', 'Too many attempts. Wait a moment, then try again.', {
      retryAfterSeconds: Math.max(...refusing.map(({ limit, count }) => limitStateOf(limit, count).nextSeconds)),
    });
  }

  #tell(limit: RateLimit, count: Count): void {
    if (limit.isShared !== true || !count.isTaken) this.#watch?.(limitStateOf(limit, count));
  }

  #keyed({ limit, subject }: Permit): KeyedPermit {
    return { key: this.#keyOf(nameInKey(limit), subject), pace: paceOf(limit) };
  }

  /** The key of a subject; a list is encoded as JSON, so that different lists never share a key. */
  #keyOf(name: string, subject: Subject): string {
    const text = typeof subject === 'string' ? subject : JSON.stringify(subject);
    return `${name}:${this.#parts.keyring.mac('rate limit', text)}`;
  }
}

/**
 * A sliding limit has keys of its own: during an upgrade a process of before it counts it by its plain name, in another
 * form, and each would erase what the other counted.
 */
const nameInKey = ({ name, isSliding }: RateLimit): string => (isSliding === true ? `${name}.hour` : name);

interface CountedLimit {
  readonly limit: RateLimit;
  readonly count: Count;
}

/** The limits of permits with their counts, which are in the same order. */
const countedOf = (permits: readonly Permit[], counts: readonly Count[]): readonly CountedLimit[] =>
  permits.flatMap(({ limit }, index) => {
    const count = counts[index];
    return count === undefined ? [] : [{ limit, count }];
  });

interface RefundDeps {
  readonly limits: Pick<RateLimits, 'refundAll'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Refunds permits of an attempt that did no harm, even after the request's deadline. Never throws: failures are logged,
 * so that they do not replace the caller's own answer or error.
 */
export const refundPermits = async ({ limits, logger }: RefundDeps, permits: readonly Permit[]): Promise<void> => {
  const refundAll = (): Promise<void> => orLogged(logger, () => limits.refundAll(permits));
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
