/**
 * Owns: the connection to Redis or Valkey and its failures.
 * Promises: The process starts and runs without Redis; each command is answered or refused in bounded time.
 *
 * The process's only connection (REDIS_URL), which connects and reconnects in the background: the client library would
 * wait without limit for answers on a connection that went silent.
 */
import { isIP } from 'node:net';
import { createClient, ErrorReply } from '@redis/client';
import { Refusal } from '../../kernel/errors.ts';
import { scaledMillis } from '../../kernel/waits/wait-scale.ts';
import { within } from '../../kernel/waits/within.ts';
import type { Logger } from '../observability/logger.ts';
import { type RedisEviction, type RedisTrouble, RedisTroubles, troubleOf } from './redis-troubles.ts';

type RedisCommand = readonly [verb: string, ...parameters: string[]];

export interface Redis {
  /**
   * Sends one command and returns the reply. A key with a value of another type is not ours, and yields null.
   * @throws UNAVAILABLE: when no answer came in time, or Redis refused; the command may have been executed
   */
  send(command: RedisCommand): Promise<unknown>;
  /** Whether there is a usable connection, as far as known. */
  readonly isAvailable: boolean;
  /** As last found out, at each new connection and every five minutes; null until the first answer. */
  readonly eviction: RedisEviction | null;
  /** Closes the connection and rejects all waiting calls. Idempotent. */
  close(): void;
}

interface RedisOptions {
  /** redis: or rediss: URL, which may contain user, password and database number. */
  readonly url: string;
  readonly logger: Logger;
  /** How often a connection asks again what Redis does when its memory is full. */
  readonly evictionMillis?: number;
}

/** Starts connecting; never waits for it and never fails. */
export const connectRedis = (options: RedisOptions): Redis => new Connection(options);

const limits = scaledMillis({
  connectMilliseconds: 2000,
  /** Timeout of an answer, including the wait for the connection. */
  answerMilliseconds: 1000,
});
/** Limit of waiting commands; more are refused, so that a silent Redis costs no memory. */
const maxWaiting = 1000;
/** A connection that lasted less than this counts as failed. */
const leastLifeMilliseconds = 1000;
const maxPauseMilliseconds = 5000;

/** One connection, from the attempt to its end. */
interface Link {
  readonly client: ReturnType<typeof newClient>;
  readonly ready: Promise<unknown>;
  /** By `performance.now()`; null until ready. */
  readySince: number | null;
}

class Connection implements Redis {
  readonly #url: string;
  readonly #troubles: RedisTroubles;
  /** Null between two attempts, and after closing. */
  #link: Link | null = null;
  #failures = 0;
  #waiting = 0;
  #isClosed = false;
  readonly #asking: NodeJS.Timeout;

  constructor({ url, logger, evictionMillis = 5 * 60_000 }: RedisOptions) {
    this.#url = url;
    this.#troubles = new RedisTroubles(logger);
    this.#open();
    this.#asking = setInterval(() => this.#askAgain(), evictionMillis).unref();
  }

  async send(command: RedisCommand): Promise<unknown> {
    const link = this.#link;
    // The first attempt, and that after a loss, are worth waiting for; while Redis is unavailable, calls fail at once.
    if (link === null || this.#troubles.isAway || this.#waiting >= maxWaiting) throw unavailable();
    this.#waiting += 1;
    try {
      const reply = await answered(limits.answerMilliseconds, ask(link, command));
      this.#troubles.end(command[0]);
      return reply;
    } catch (error) {
      return this.#explain(link, command, error);
    } finally {
      this.#waiting -= 1;
    }
  }

  get isAvailable(): boolean {
    return (this.#link?.readySince ?? null) !== null && !this.#troubles.isAway;
  }

  get eviction(): RedisEviction | null {
    return this.#troubles.eviction;
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#asking);
    this.#link?.client.destroy();
    this.#link = null;
  }

  #open(): void {
    if (this.#isClosed) return;
    const client = newClient(this.#url);
    // Pending calls keep the process alive by their own timers.
    client.unref();
    client.on('error', (error: unknown) => this.#lose(link, error));
    // An attempt abandoned while TCP connects continues by itself, and the connection would leak.
    client.on('connect', () => {
      if (this.#link !== link) client.destroy();
    });
    const ready = answered(
      limits.connectMilliseconds,
      client.connect().then(() => askEviction(client)),
    );
    const link: Link = { client, ready, readySince: null };
    this.#link = link;
    ready.then(
      (eviction) => this.#welcome(link, eviction),
      (error: unknown) => this.#lose(link, error),
    );
  }

  #welcome(link: Link, eviction: RedisEviction): void {
    if (this.#link !== link) return;
    link.readySince = performance.now();
    this.#troubles.end('connection');
    this.#troubles.found(eviction);
  }

  /** Without an answer, the one before holds. */
  #askAgain(): void {
    const link = this.#link;
    if (link === null || link.readySince === null) return;
    answered(limits.answerMilliseconds, askEviction(link.client)).then(
      (eviction) => this.#troubles.found(eviction),
      (error: unknown) => {
        if (error instanceof RedisTimeout) this.#lose(link, error);
      },
    );
  }

  /** Reconnects after a loss: at once and silently when the connection had worked, else with a log line and a pause. */
  #lose(link: Link, error: unknown): void {
    if (this.#link !== link) return;
    this.#link = null;
    link.client.destroy();
    const hasWorked = link.readySince !== null && performance.now() - link.readySince >= leastLifeMilliseconds;
    this.#failures = hasWorked ? 0 : this.#failures + 1;
    if (hasWorked && !(error instanceof RedisTimeout)) {
      this.#open();
      return;
    }
    this.#troubles.begin('connection', troubleOf(error));
    setTimeout(() => this.#open(), pauseAfter(this.#failures)).unref();
  }

  /** Null for a value of another type. @throws UNAVAILABLE: otherwise */
  #explain(link: Link, [verb]: RedisCommand, error: unknown): null {
    if (error instanceof ErrorReply && link.readySince !== null) {
      const trouble = troubleOf(error);
      if (trouble.reason === 'WRONGTYPE') return null;
      this.#refused(link, verb, trouble, error);
    } else if (error instanceof RedisTimeout && link.readySince !== null) {
      this.#lose(link, error);
    }
    throw unavailable(error);
  }

  #refused(link: Link, verb: string, trouble: RedisTrouble, error: ErrorReply): void {
    this.#troubles.begin(verb, trouble);
    // After a failover the name resolves to another server, but this connection still reaches the old one.
    if (trouble.reason === 'READONLY') this.#lose(link, error);
  }
}

const newClient = (url: string) =>
  createClient({
    url,
    socket: socketOptions(new URL(url)),
    disableOfflineQueue: true,
    // Waiting is bounded here, before sending as well as on the wire.
    commandOptions: { timeout: 0 },
    // A server could send the process elsewhere by them.
    maintNotifications: 'disabled',
    name: 'gatehouse',
  });

const socketOptions = ({ protocol, hostname }: URL) => {
  const timeLimit = { connectTimeout: limits.connectMilliseconds, reconnectStrategy: false } as const;
  if (protocol !== 'rediss:') return timeLimit;
  // SNI: of several servers at one address, TLS reaches the named one; an IP address is no name (RFC 6066, section 3).
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[');
  return { ...timeLimit, tls: true as const, ...(isAddress ? {} : { servername: hostname }) };
};

const ask = async ({ client, ready }: Link, command: RedisCommand): Promise<unknown> => {
  await ready;
  return client.sendCommand(command);
};

class RedisTimeout extends Error {
  override readonly name = 'RedisTimeout';
  /** The code that the log shows. */
  readonly code = 'timeout';
}

const answered = <T>(milliseconds: number, work: Promise<T>): Promise<T> =>
  within(milliseconds, work, () => {
    throw new RedisTimeout('Redis did not answer in time');
  });

/** Exponential backoff from 50 ms with jitter, so that many processes do not reconnect at once. */
const pauseAfter = (failures: number): number =>
  Math.min(maxPauseMilliseconds, 50 * 2 ** Math.min(failures, 10)) * (0.5 + Math.random() / 2);

const unavailable = (cause?: unknown): Refusal =>
  new Refusal('UNAVAILABLE', 'The service is briefly unavailable. Try again in a moment.', { cause });

/**
 * For `gatehouse doctor`: they read, take a key that is never written, and run a script that counts nothing. A replica
 * or a read-only user refuses them.
 */
const commands = [['GET', 'gatehouse:doctor'], ['GETDEL', 'gatehouse:doctor'], ['EVAL', 'return 1', '0'], ['TIME']];

interface RedisFindings {
  readonly trouble: RedisTrouble | null;
  readonly eviction: RedisEviction;
}

/** Runs the service's commands once; writes nothing. */
export const examineRedis = async (url: string): Promise<RedisFindings> => {
  const client = newClient(url);
  // An error of the connection fails the attempt below.
  client.on('error', () => undefined);
  try {
    await answered(limits.connectMilliseconds, client.connect());
    for (const command of commands) await answered(limits.answerMilliseconds, client.sendCommand(command));
    return { trouble: null, eviction: await answered(limits.answerMilliseconds, askEviction(client)) };
  } catch (error) {
    return { trouble: troubleOf(error), eviction: 'unknown' };
  } finally {
    client.destroy();
  }
};

/** An error reply tells nothing: a user may lack this one right, which no command of the service needs. */
const askEviction = async (client: Link['client']): Promise<RedisEviction> =>
  evictionOf(
    await client.sendCommand(['INFO', 'memory']).catch((error: unknown) => {
      if (error instanceof ErrorReply) return null;
      throw error;
    }),
  );

/** @param info the section `memory` of INFO; anything else tells nothing */
const evictionOf = (info: unknown): RedisEviction => {
  const text = typeof info === 'string' ? info : '';
  const policy = /^maxmemory_policy:(\S+)/m.exec(text)?.[1];
  const most = /^maxmemory:(\d+)/m.exec(text)?.[1];
  if (policy === undefined || most === undefined) return 'unknown';
  return most === '0' || policy === 'noeviction' ? 'refuses' : 'evicts';
};
