/** Owns Redis's failures, and what it does when its memory is full; begin and end of each are logged once. */
import type { Logger } from '../observability/logger.ts';

export interface RedisTrouble {
  /** A code of Redis or of the network; never what an address holds. */
  readonly reason: string;
  readonly kind: 'away' | 'credentials' | 'rights' | 'refused';
}

const sentences: Readonly<Record<RedisTrouble['kind'], string>> = {
  away: 'Redis cannot be reached; until it can, the database counts rate limits, and other work that needs Redis is refused',
  credentials: 'Redis does not accept the user or the password in REDIS_URL',
  rights: 'The user in REDIS_URL lacks permissions on Redis that Gatehouse needs',
  refused: 'Redis answered with an error; a rate-limit permit was counted in the database, anything else was refused',
};

/** The policy of Redis for a full memory: it refuses writes, deletes keys to make room, or does not tell. */
export type RedisEviction = 'refuses' | 'evicts' | 'unknown';

const evictions = {
  refuses: 'Redis deletes no keys when its memory is full: it counts rate limits',
  evicts:
    'Redis deletes keys when its memory is full (maxmemory-policy is not noeviction): the database counts rate limits',
  unknown:
    'Redis does not tell whether it deletes keys when its memory is full, which would reset rate limits: grant +info to the user in REDIS_URL',
} as const;

/** Code of an error reply, such as "NOAUTH HELLO must be called with …". */
const replyCode = /^([A-Z]{2,30})(?: |$)/;

const kinds: Readonly<Record<string, RedisTrouble['kind']>> = {
  WRONGPASS: 'credentials',
  NOAUTH: 'credentials',
  NOPERM: 'rights',
};

/** @param error of the connection, or a command's error reply */
export const troubleOf = (error: unknown): RedisTrouble => {
  if (!(error instanceof Error)) return { reason: 'unknown', kind: 'away' };
  const code = replyCode.exec(error.message)?.[1];
  if (code !== undefined) return { reason: code, kind: kinds[code] ?? 'refused' };
  const isCoded = 'code' in error && typeof error.code === 'string';
  return { reason: isCoded ? String(error.code) : error.constructor.name, kind: 'away' };
};

/** `connection`, or the verb of a command. */
type Subject = string;

export class RedisTroubles {
  readonly #logger: Logger;
  readonly #present = new Map<Subject, RedisTrouble['kind']>();
  #eviction: RedisEviction | null = null;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Whether there is no connection, so that commands are not attempted. */
  get isAway(): boolean {
    return this.#present.has('connection');
  }

  /** As last found; null before that. */
  get eviction(): RedisEviction | null {
    return this.#eviction;
  }

  found(eviction: RedisEviction): void {
    const before = this.#eviction;
    this.#eviction = eviction;
    if (eviction === (before ?? 'refuses')) return;
    const level = eviction === 'refuses' ? 'info' : 'warn';
    this.#logger[level]({ event: 'redis.may_evict', eviction }, evictions[eviction]);
  }

  /** Records a failure; another one of the same kind is not logged. */
  begin(subject: Subject, { reason, kind }: RedisTrouble): void {
    if (this.#present.get(subject) === kind) return;
    this.#present.set(subject, kind);
    const level = kind === 'away' ? 'warn' : 'error';
    this.#logger[level]({ event: 'redis.unavailable', subject, reason }, sentences[kind]);
  }

  end(subject: Subject): void {
    if (!this.#present.delete(subject)) return;
    this.#logger.info({ event: 'redis.available', subject }, 'Redis works again');
  }
}
