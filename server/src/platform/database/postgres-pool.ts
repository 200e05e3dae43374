/**
 * Owns the pool of PostgreSQL connections: how each begins, who gets one, and which are not trusted any more.
 *
 * A network that forgets a connection tells nobody: each of them would cost one request its whole patience. So once a
 * server has gone silent on one connection, those on which it was last heard before that are closed unused. The same when
 * one has ended: what ends one mostly ends all, and each would fail somebody who is about to try again. Then what is in use
 * at that moment is not used again either: a server that has become a standby still answers there.
 */
import { callbackify } from 'node:util';
import pg from 'pg';
import { apart } from '../observability/context.ts';
import { DatabaseUnavailable, postgresSettings } from './database.ts';
import { answerMillis, idleConnectionMillis } from './deadlines.ts';
import { DatabaseRefused, type Ending, NoSession, toFailure } from './failure.ts';
import type { Logger } from './logger.ts';
import { clientConfig } from './postgres-client.ts';
import { beginSession, readHistory, type ServerHistory } from './postgres-session.ts';

/** @param begun called with each new connection, and its server's history, once the server has answered as it should */
const openPool = (
  url: string,
  size: number,
  logger: Logger,
  begun: (client: pg.PoolClient, history: ServerHistory | null) => void,
): pg.Pool => {
  const pool = new pg.Pool({
    ...clientConfig(url),
    // The statements of a transaction that do not wait for each other share a round trip.
    pipeline: true,
    max: size,
    idleTimeoutMillis: idleConnectionMillis,
    // Runs once on each new connection, before anyone gets it.
    verify: callbackify(async (client: pg.PoolClient) => {
      const [, history] = await Promise.all([
        beginSession(client, postgresSettings, answerMillis),
        readHistory(client, answerMillis),
      ]);
      begun(client, history);
    }),
  });
  // Each client keeps a listener while it is checked out too: an 'error' event without one ends the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => {
      logger.warn({ event: 'database.connection_cut', err: error }, 'A database connection was cut');
    });
  });
  pool.on('error', (error) => {
    logger.warn(
      { event: 'database.connection_cut', err: error },
      'An idle database connection was cut and leaves the pool',
    );
  });
  return pool;
};

/** Every failure to get a connection is the server's, or its operator's, and may pass: never a 500. */
const connect = async (pool: pg.Pool): Promise<pg.PoolClient> => {
  try {
    // One that is made now outlives the request that asked for it.
    return await apart(() => pool.connect());
  } catch (error) {
    const failure = toFailure(error);
    if (failure instanceof DatabaseUnavailable) throw new NoSession(failure.message, { cause: failure.cause });
    throw new NoSession(`No connection to the database: ${failure.message}`, { cause: failure });
  }
};

/** Whoever waits may get a new connection by it, which is not of the work that made room. */
const release = (client: pg.PoolClient, ending: Ending): void => apart(() => client.release(ending !== 'usable'));

export class PostgresPool {
  readonly #pool: pg.Pool;
  /** When the server was last heard on each connection. */
  readonly #heard = new WeakMap<pg.PoolClient, number>();
  /** Connections on which the server was last heard before this moment are not trusted. */
  #trustedSince = Number.NEGATIVE_INFINITY;
  /** When each connection was last taken. */
  readonly #taken = new WeakMap<pg.PoolClient, number>();
  /** When a session last ended. On connections that were taken before, an answer proves nothing. */
  #endedAt = Number.NEGATIVE_INFINITY;
  readonly #ended: () => void;
  readonly #histories = new WeakMap<pg.PoolClient, ServerHistory | null>();

  /** @param ended called whenever a session is given back that has ended, and when a server is none to begin one with */
  constructor(url: string, size: number, logger: Logger, ended: () => void) {
    this.#pool = openPool(url, size, logger, (client, history) => {
      this.#heard.set(client, performance.now());
      this.#histories.set(client, history);
    });
    this.#ended = ended;
  }

  get stats() {
    const { totalCount, idleCount, waitingCount, options } = this.#pool;
    return { size: totalCount, most: options.max, idle: idleCount, waiting: waitingCount };
  }

  /**
   * A connection, to be given back by {@link give} or {@link putBack}.
   * @throws DatabaseUnavailable when none becomes free, or none can be made, in time
   */
  async take(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await this.#connect();
      const heard = this.#heard.get(client) ?? Number.NEGATIVE_INFINITY;
      if (heard >= this.#trustedSince) {
        this.#taken.set(client, performance.now());
        return client;
      }
      release(client, 'unusable');
    }
  }

  /** Where a new session is refused because its server is a standby, by now an older one may be with a standby too. */
  async #connect(): Promise<pg.PoolClient> {
    try {
      return await connect(this.#pool);
    } catch (error) {
      if (error instanceof NoSession && error.cause instanceof DatabaseRefused) this.#ended();
      throw error;
    }
  }

  /** The history that the server of a connection writes; null where it did not say. */
  historyOf(client: pg.PoolClient): ServerHistory | null {
    return this.#histories.get(client) ?? null;
  }

  /** Gives back a connection on which nothing was asked, and so the server was not heard. */
  putBack(client: pg.PoolClient): void {
    release(client, 'usable');
  }

  /** @param ending how the last use left its session */
  give(client: pg.PoolClient, ending: Ending): void {
    if (ending === 'silent') this.#distrust(performance.now() - answerMillis);
    if (ending === 'unusable') this.#sessionEnded();
    if (ending === 'usable') this.#answered(client);
    release(client, ending);
  }

  #sessionEnded(): void {
    this.#endedAt = performance.now();
    this.#distrust(this.#endedAt);
    this.#ended();
  }

  /** After a silence an answer shows that the network carries the connection; after an end it shows nothing. */
  #answered(client: pg.PoolClient): void {
    const taken = this.#taken.get(client) ?? Number.NEGATIVE_INFINITY;
    if (taken >= this.#endedAt) this.#heard.set(client, performance.now());
  }

  #distrust(heardBefore: number): void {
    this.#trustedSince = Math.max(this.#trustedSince, heardBefore);
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}

// Owns the end of a database's use: what was let in is waited for, what comes later is refused. The driver's own pool
// forgets callers that wait for a connection at that moment.

export class Admission {
  #inside = 0;
  #closed = false;
  readonly #empty = Promise.withResolvers<void>();

  /** Runs `use`, or refuses it with DatabaseUnavailable after {@link close}. */
  async admit<T>(use: () => Promise<T>): Promise<T> {
    if (this.#closed) throw new DatabaseUnavailable('The database is closed');
    this.#inside += 1;
    try {
      return await use();
    } finally {
      this.#inside -= 1;
      this.#settle();
    }
  }

  /** Refuses from now on; resolves when everything that was admitted has ended. */
  close(): Promise<void> {
    this.#closed = true;
    this.#settle();
    return this.#empty.promise;
  }

  #settle(): void {
    if (this.#closed && this.#inside === 0) this.#empty.resolve();
  }
}
