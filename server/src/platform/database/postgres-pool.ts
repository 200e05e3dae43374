/**
 * Owns the pool of PostgreSQL connections (DATABASE_POOL_SIZE): how each begins, who gets one, which are trusted.
 *
 * A network drops connections without notice, and each would cost one request its whole timeout. So once the server
 * goes silent on one connection, or a session ends (a restart usually kills all), those that answered last before that
 * are closed unused. Connections in use at that moment are not reused either: a server that has become a standby still
 * answers on them.
 */
import { callbackify } from 'node:util';
import pg from 'pg';
import { outsideContext } from '../observability/context.ts';
import type { Logger } from '../observability/logger.ts';
import { type DatabaseStats, DatabaseUnavailable, postgresSettings } from './database.ts';
import { idleConnectionMillis, waitLimits } from './deadlines.ts';
import { NoSession, type SessionState, toFailure, wasRefused, wasSilent } from './failure.ts';
import { clientConfig } from './postgres-client.ts';
import { readHistory, type ServerHistory } from './postgres-session.ts';
import type { Fence, Term } from './primary/fence.ts';
import type { JudgedSession, Primary } from './primary/primary.ts';
import { clientClass, type PoolerOptions } from './primary-host.ts';
import { type Claim, shared, Turns } from './turns/turns.ts';

/** @param begun called with each new connection and its server's history, once the server has passed its checks */
const openPool = (
  url: string,
  options: PoolerOptions,
  size: number,
  logger: Logger,
  watch: Pick<PoolWatch, 'begin'>,
  begun: (client: pg.PoolClient, session: PooledSession) => void,
): pg.Pool => {
  const pool = new pg.Pool({
    ...clientConfig(url),
    Client: clientClass(url, options),
    // Statements of a transaction that do not wait for each other share a round trip.
    pipeline: true,
    max: size,
    idleTimeoutMillis: idleConnectionMillis,
    // Runs once on each new connection, before its first use.
    verify: callbackify(async (client: pg.PoolClient) => {
      const [session, history] = await Promise.all([
        watch.begin(client, postgresSettings, waitLimits.answerMillis),
        readHistory(client, waitLimits.answerMillis),
      ]);
      begun(client, { session, history });
    }),
  });
  // Each client keeps a listener while it is checked out: an 'error' event without a listener ends the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => {
      logger.warn({ event: 'database.connection_cut', err: error }, 'A database connection was lost');
    });
  });
  pool.on('error', (error) => {
    logger.warn(
      { event: 'database.connection_cut', err: error },
      'An idle database connection was lost and removed from the pool',
    );
  });
  return pool;
};

/** Gets a connection. Every failure to do so is the server's or the operator's and may pass, so it is never a 500. */
const connect = async (pool: pg.Pool): Promise<pg.PoolClient> => {
  try {
    // A connection opened now outlives the request that asked for it.
    return await outsideContext(() => pool.connect());
  } catch (error) {
    const failure = toFailure(error);
    if (failure instanceof NoSession) throw failure;
    if (failure instanceof DatabaseUnavailable) throw new NoSession(failure.message, { cause: failure.cause });
    throw new NoSession(`No connection to the database: ${failure.message}`, { cause: failure });
  }
};

interface PooledSession {
  readonly session: JudgedSession;
  readonly history: ServerHistory | null;
}

/** The questions and reports of the pool about the server of its sessions. */
type PoolWatch = Pick<Primary, 'begin' | 'suspect' | 'abandon'> & { readonly fence: Pick<Fence, 'isCurrent'> };

export class PostgresPool {
  readonly #pool: pg.Pool;
  readonly #turns: Turns;
  /** Ends the turn in which each connection was taken. */
  readonly #endTurns = new WeakMap<pg.PoolClient, () => void>();
  readonly #lastAnswers = new WeakMap<pg.PoolClient, number>();
  /** Connections on which the server last answered before this moment are not reused. */
  #trustedSince = Number.NEGATIVE_INFINITY;
  /** When each connection was last taken. */
  readonly #taken = new WeakMap<pg.PoolClient, number>();
  /** When a session last ended. On connections taken before, an answer proves nothing. */
  #endedAt = Number.NEGATIVE_INFINITY;
  readonly #watch: PoolWatch;
  readonly #sessions = new WeakMap<pg.PoolClient, PooledSession>();

  /** @param watch hears of sessions that begin, end or are given up, and of one refused for its server's role */
  constructor(url: string, size: number, logger: Logger, watch: PoolWatch, options: PoolerOptions = {}) {
    this.#pool = openPool(url, options, size, logger, watch, (client, session) => {
      this.#lastAnswers.set(client, performance.now());
      this.#sessions.set(client, session);
    });
    this.#watch = watch;
    this.#turns = new Turns(size);
  }

  get stats(): DatabaseStats {
    const { totalCount: size, idleCount: idle, options } = this.#pool;
    const { waiting, heldBack, refused } = this.#turns.stats;
    return { turns: { heldBack, refused }, pool: { size, most: options.max, idle, waiting: waiting - heldBack } };
  }

  /**
   * Takes a connection, to be returned by {@link give} or {@link putBack}.
   * @param claim whose turn it is; by default that of work which many wait for
   * @throws DatabaseUnavailable: when it is not its turn, or none can be opened, in time
   */
  async take(claim: Claim = shared): Promise<pg.PoolClient> {
    const endTurn = await this.#turns.take(claim);
    try {
      const client = await this.#takeTrusted();
      this.#endTurns.set(client, endTurn);
      return client;
    } catch (error) {
      endTurn();
      throw error;
    }
  }

  async #takeTrusted(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await this.#connect();
      const lastAnswer = this.#lastAnswers.get(client) ?? Number.NEGATIVE_INFINITY;
      if (lastAnswer >= this.#trustedSince && this.#isCurrent(client)) {
        this.#taken.set(client, performance.now());
        return client;
      }
      client.release(true);
    }
  }

  #isCurrent(client: pg.PoolClient): boolean {
    const known = this.#sessions.get(client);
    return known !== undefined && this.#watch.fence.isCurrent(known.session.term);
  }

  /**
   * Opens half of the connections. Idle ones are closed after a minute, as always.
   * @param until instant by performance.now() at which a silent server is left to the requests
   */
  async openAhead(until: number): Promise<void> {
    const opened: pg.PoolClient[] = [];
    let isUsable = true;
    while (isUsable && opened.length < this.#pool.options.max / 2) {
      try {
        opened.push(await this.take());
      } catch (error) {
        isUsable = wasSilent(error) && performance.now() < until;
      }
    }
    for (const client of opened) this.putBack(client);
  }

  /** When a new session is refused because its server is a standby, older ones may be connected to a standby too. */
  async #connect(): Promise<pg.PoolClient> {
    try {
      return await connect(this.#pool);
    } catch (error) {
      if (error instanceof NoSession && wasRefused(error.cause)) this.#watch.suspect();
      throw error;
    }
  }

  /** The history that the connection's server writes; null if unknown. */
  historyOf(client: pg.PoolClient): ServerHistory | null {
    return this.#sessions.get(client)?.history ?? null;
  }

  termOf(client: pg.PoolClient): Term {
    const known = this.#sessions.get(client);
    if (known === undefined) throw new Error('A connection that did not begin');
    return known.session.term;
  }

  /** Returns an unused connection, on which the server did not answer. */
  putBack(client: pg.PoolClient): void {
    this.#release(client, 'usable');
  }

  /** @param state state in which the last use left the session */
  give(client: pg.PoolClient, state: SessionState): void {
    if (state === 'silent') this.#wasSilent(client);
    if (state === 'unusable') this.#sessionEnded();
    if (state === 'usable') this.#answered(client);
    this.#release(client, state);
  }

  #release(client: pg.PoolClient, state: SessionState): void {
    client.release(state !== 'usable');
    this.#endTurns.get(client)?.();
  }

  #wasSilent(client: pg.PoolClient): void {
    this.#markSuspect(performance.now() - waitLimits.answerMillis);
    const known = this.#sessions.get(client);
    if (known !== undefined) this.#watch.abandon(client, known.session);
  }

  #sessionEnded(): void {
    this.#endedAt = performance.now();
    this.#markSuspect(this.#endedAt);
    this.#watch.suspect();
  }

  /** After a silence, an answer shows that the network works; after an ended session it shows nothing. */
  #answered(client: pg.PoolClient): void {
    const taken = this.#taken.get(client) ?? Number.NEGATIVE_INFINITY;
    if (taken >= this.#endedAt) this.#lastAnswers.set(client, performance.now());
  }

  #markSuspect(answeredBefore: number): void {
    this.#trustedSince = Math.max(this.#trustedSince, answeredBefore);
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}

// Shutdown: admitted work is awaited, later work refused. The driver's pool forgets callers that wait just then.

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

  /** Refuses new work; resolves when all admitted work has ended. */
  close(): Promise<void> {
    this.#closed = true;
    this.#settle();
    return this.#empty.promise;
  }

  #settle(): void {
    if (this.#closed && this.#inside === 0) this.#empty.resolve();
  }
}
