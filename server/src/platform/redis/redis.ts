/**
 * The one connection to Redis or Valkey that a process has (REDIS_URL), for everything that is kept there. It comes and
 * goes in the background: the process starts and lives without it, and what needs it is refused meanwhile.
 *
 * The client library holds one connection and does not make it anew; that is done here, because it waits without end
 * for answers on a connection that fell silent.
 */
import { isIP } from 'node:net';
import { createClient, ErrorReply } from '@redis/client';
import { Refusal } from '../../kernel/errors.ts';
import type { Logger } from '../database/logger.ts';
import { type RedisTrouble, RedisTroubles, troubleOf } from './redis-troubles.ts';

export type RedisCommand = readonly [verb: string, ...parameters: string[]];

export interface Redis {
  /**
   * Sends one command and answers the reply. A key that holds another type of value than the command reads is not ours,
   * and answered with null, as if it were not there.
   * @throws Refusal UNAVAILABLE when no answer came in time, or Redis refused; what was sent may have been done
   */
  send(command: RedisCommand): Promise<unknown>;
  /** Whether there is a connection that can be used, as far as is known. */
  readonly isAvailable: boolean;
  /** Ends the connection and whatever waits for it. Idempotent. */
  close(): void;
}

export interface RedisOptions {
  /** redis: or rediss:, with user, password and number of the database in it. */
  readonly url: string;
  readonly logger: Logger;
}

/** Begins to connect; never waits for it and never fails. */
export const connectRedis = (options: RedisOptions): Redis => new Connection(options);

/** For a connection that can be used, from its beginning. */
export const connectMilliseconds = 2000;
/** For an answer, together with the wait for the connection. */
export const answerMilliseconds = 1000;
/** Waiting for an answer at once; more are refused, so that a Redis that is silent costs no memory. */
const maxWaiting = 1000;
/** A connection that lasted less long than this did not work. */
const leastLifeMilliseconds = 1000;
const maxPauseMilliseconds = 5000;

/** One connection, from the attempt to its end. */
interface Link {
  readonly client: ReturnType<typeof newClient>;
  readonly ready: Promise<unknown>;
  /** By `performance.now()`; null while it is an attempt. */
  readySince: number | null;
}

class Connection implements Redis {
  readonly #url: string;
  readonly #troubles: RedisTroubles;
  /** Null between two attempts, and in the end. */
  #link: Link | null = null;
  /** In a row. */
  #failures = 0;
  #waiting = 0;
  #isClosed = false;

  constructor({ url, logger }: RedisOptions) {
    this.#url = url;
    this.#troubles = new RedisTroubles(logger);
    this.#open();
  }

  async send(command: RedisCommand): Promise<unknown> {
    const link = this.#link;
    // The first attempt, and the one after a loss, are worth waiting for; while Redis is away, nobody waits.
    if (link === null || this.#troubles.isAway || this.#waiting >= maxWaiting) throw unavailable();
    this.#waiting += 1;
    try {
      const reply = await within(answerMilliseconds, ask(link, command));
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

  close(): void {
    this.#isClosed = true;
    this.#link?.client.destroy();
    this.#link = null;
  }

  #open(): void {
    if (this.#isClosed) return;
    const client = newClient(this.#url);
    // What is under way keeps the process alive by its own clock.
    client.unref();
    client.on('error', (error: unknown) => this.#lose(link, error));
    // An attempt that is given up while TCP connects goes on by itself, and would stay.
    client.on('connect', () => {
      if (this.#link !== link) client.destroy();
    });
    const link: Link = { client, ready: within(connectMilliseconds, client.connect()), readySince: null };
    this.#link = link;
    link.ready.then(
      () => this.#welcome(link),
      (error: unknown) => this.#lose(link, error),
    );
  }

  #welcome(link: Link): void {
    if (this.#link !== link) return;
    link.readySince = performance.now();
    this.#troubles.end('connection');
  }

  /** A connection that worked is made anew at once, and nobody needs to know; anything else is worth a word and a pause. */
  #lose(link: Link, error: unknown): void {
    if (this.#link !== link) return;
    this.#link = null;
    link.client.destroy();
    const hasWorked = link.readySince !== null && performance.now() - link.readySince >= leastLifeMilliseconds;
    this.#failures = hasWorked ? 0 : this.#failures + 1;
    if (hasWorked && !(error instanceof TimeoutError)) {
      this.#open();
      return;
    }
    this.#troubles.begin('connection', troubleOf(error));
    setTimeout(() => this.#open(), pauseAfter(this.#failures)).unref();
  }

  /** @throws Refusal UNAVAILABLE */
  #explain(link: Link, [verb]: RedisCommand, error: unknown): null {
    if (error instanceof ErrorReply && link.readySince !== null) {
      const trouble = troubleOf(error);
      if (trouble.reason === 'WRONGTYPE') return null;
      this.#refused(link, verb, trouble, error);
    } else if (error instanceof TimeoutError && link.readySince !== null) {
      this.#lose(link, error);
    }
    throw unavailable(error);
  }

  #refused(link: Link, verb: string, trouble: RedisTrouble, error: ErrorReply): void {
    this.#troubles.begin(verb, trouble);
    // After a failover the name leads to another server, and this connection still to the old one.
    if (trouble.reason === 'READONLY') this.#lose(link, error);
  }
}

export const newClient = (url: string) =>
  createClient({
    url,
    socket: socketOptions(new URL(url)),
    disableOfflineQueue: true,
    // Waiting is bounded here, on the wire as well as before it.
    commandOptions: { timeout: 0 },
    // A server could send the process elsewhere by them.
    maintNotifications: 'disabled',
    name: 'gatehouse',
  });

const socketOptions = ({ protocol, hostname }: URL) => {
  const timeLimit = { connectTimeout: connectMilliseconds, reconnectStrategy: false } as const;
  if (protocol !== 'rediss:') return timeLimit;
  // Of several servers at one address, TLS reaches the one that is named; an address is no name (RFC 6066, section 3).
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[');
  return { ...timeLimit, tls: true as const, ...(isAddress ? {} : { servername: hostname }) };
};

const ask = async ({ client, ready }: Link, command: RedisCommand): Promise<unknown> => {
  await ready;
  return client.sendCommand(command);
};

/** No answer came in time. */
class TimeoutError extends Error {
  override readonly name = 'Silence';
  /** As the log tells it. */
  readonly code = 'timeout';
}

export const within = async <T>(milliseconds: number, work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TimeoutError('Redis did not answer in time')), milliseconds);
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
};

/** Doubles from 50 ms on, each time a little different, so that many processes do not come at once. */
const pauseAfter = (failures: number): number =>
  Math.min(maxPauseMilliseconds, 50 * 2 ** Math.min(failures, 10)) * (0.5 + Math.random() / 2);

const unavailable = (cause?: unknown): Refusal =>
  new Refusal('UNAVAILABLE', 'The service is briefly unavailable. Try again in a moment.', {}, { cause });

// Asks Redis as the service does, once, for `gatehouse doctor`.

/**
 * Reads, takes what nobody ever put there, and runs a script that counts nothing: a replica or a user who may only read
 * refuses that.
 */
const commands = [['GET', 'gatehouse:doctor'], ['GETDEL', 'gatehouse:doctor'], ['EVAL', 'return 1', '0'], ['TIME']];

/**
 * Writes nothing.
 * @param url as in REDIS_URL
 * @returns what is wrong; null when nothing is
 */
export const examineRedis = async (url: string): Promise<RedisTrouble | null> => {
  const client = newClient(url);
  // What happens to the connection fails the attempt below.
  client.on('error', () => undefined);
  try {
    await within(connectMilliseconds, client.connect());
    for (const command of commands) await within(answerMilliseconds, client.sendCommand(command));
    return null;
  } catch (error) {
    return troubleOf(error);
  } finally {
    client.destroy();
  }
};
