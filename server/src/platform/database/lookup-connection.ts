/**
 * Owns the one pipelined connection that look-ups run on: many statements on the wire at once, answered in order,
 * never behind a commit. It comes back by itself after a cut.
 */
import pg from 'pg';
import { apart } from '../observability/context.ts';
import { type Answer, type NamedText, queryable, runStatement } from './connection.ts';
import { DatabaseUnavailable, lookupSettings } from './database.ts';
import { lookupLimits } from './deadlines.ts';
import { DatabaseRefused, endingAfter, retryOnDisconnect, toFailure, wasCutOff } from './failure.ts';
import type { Logger } from './logger.ts';
import { beginSession } from './postgres-session.ts';
import { type SqlValue, statement } from './statement.ts';

const firstDelayMillis = 50;
const maxDelayMillis = 400;

const standby = statement<{ isStandby: boolean }>('database.standby', 'SELECT pg_is_in_recovery() AS "isStandby"');

export class LookupConnection {
  readonly #config: () => pg.ClientConfig;
  readonly #logger: Logger;
  #client: pg.Client | null = null;
  /** The attempt in progress; settles either way, never rejects. */
  #attempt: Promise<void> | null = null;
  #retry: NodeJS.Timeout | null = null;
  #delayMillis = firstDelayMillis;
  /** How often the server was doubted since the first look of those under way. */
  #doubts = 0;
  #closed = false;

  /** @param config made anew for each connection; `pg` keeps what it is given */
  constructor(config: () => pg.ClientConfig, logger: Logger) {
    this.#config = config;
    this.#logger = logger;
  }

  /** How long a look-up takes at most that begins now. */
  get longestMillis(): number {
    return lookupLimits.answerMillis + (this.#client === null ? lookupLimits.connectionMillis : 0);
  }

  /** The first connection. Rejects with the driver's error; later cuts are mended without a caller. */
  async open(): Promise<void> {
    this.#client = await this.#connect();
  }

  /** Runs one look-up; rejects with DatabaseUnavailable within two seconds when there is no connection. */
  run(asked: NamedText, params: readonly SqlValue[]): Promise<Answer> {
    return retryOnDisconnect(
      () => this.#runOnce(asked, params),
      wasCutOff,
      (spentMillis) => this.#runAgain(asked, params, lookupLimits.answerMillis - spentMillis),
    );
  }

  async #runOnce(asked: NamedText, params: readonly SqlValue[]): Promise<Answer> {
    const client = this.#client ?? (await this.#awaitClient());
    try {
      return await runStatement(client, asked, params, lookupLimits.answerMillis);
    } catch (error) {
      // The server may say that it ends a session before the session's end is seen.
      if (endingAfter(error) === 'unusable') this.#lost(client, error instanceof Error ? error : null);
      throw error;
    }
  }

  /** A look-up changes nothing: it is asked once more, within its time. */
  async #runAgain(asked: NamedText, params: readonly SqlValue[], leftMillis: number): Promise<Answer> {
    const begun = performance.now();
    const client = await this.#awaitClient();
    return runStatement(client, asked, params, Math.max(leftMillis - (performance.now() - begun), 1));
  }

  /**
   * To be called when another session ended, as all do that write when their primary becomes a standby: what only reads is
   * answered on, with what was true a moment ago. The server is asked once what it is.
   */
  markSuspect(): void {
    this.#doubts += 1;
    if (this.#doubts === 1) apart(() => void this.#resolveDoubts());
  }

  /** One look at a time. One that was under way at the last doubt may have been answered before its cause. */
  async #resolveDoubts(): Promise<void> {
    for (let seen = 0; seen < this.#doubts; ) {
      seen = this.#doubts;
      await this.#look();
    }
    this.#doubts = 0;
  }

  /** A client that is being made may have had its look before the doubt; one that is made later begins with a look. */
  async #look(): Promise<void> {
    await this.#attempt;
    const client = this.#client;
    if (client === null) return;
    const reason = await whyLeave(client);
    if (reason !== null) this.#lost(client, reason);
  }

  /** Waits for the look-ups on the wire, then closes for good. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#retry !== null) clearTimeout(this.#retry);
    await this.#attempt;
    const client = this.#client;
    this.#client = null;
    if (client !== null) await end(client);
  }

  async #awaitClient(): Promise<pg.Client> {
    if (this.#closed) throw new DatabaseUnavailable('The database is closed');
    if (this.#attempt !== null) await withTimeout(this.#attempt);
    if (this.#client === null) throw new DatabaseUnavailable('The connection for look-ups is being made again');
    return this.#client;
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      ...this.#config(),
      pipeline: true,
      lock_timeout: lookupLimits.lockMillis,
      statement_timeout: lookupLimits.statementMillis,
    });
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, null));
    try {
      await client.connect();
      await beginSession(client, lookupSettings, lookupLimits.answerMillis);
      return client;
    } catch (error) {
      this.#dismiss(client);
      throw error;
    }
  }

  /** Called once or twice for each cut, by 'error' and by 'end'; only the first finds the client in place. */
  #lost(client: pg.Client, error: Error | null): void {
    if (this.#client !== client) return;
    this.#client = null;
    this.#logger.warn({ event: 'database.lookups_cut', err: error }, 'The connection for look-ups was cut');
    // A client that reported an error may still hold its socket.
    this.#dismiss(client);
    // Many requests share it: what is logged of it is none's.
    apart(() => this.#reconnect());
  }

  /** Ends a client that nobody uses; its peer may take its time. */
  #dismiss(client: pg.Client): void {
    end(client).catch((error: unknown) => {
      this.#logger.warn(
        { event: 'database.lookups_not_closed', err: error },
        'The cut connection for look-ups did not close cleanly',
      );
    });
  }

  #reconnect(): void {
    if (this.#closed) return;
    this.#attempt = this.#connect().then(
      (client) => this.#recovered(client),
      (error: unknown) => this.#failed(error),
    );
  }

  async #recovered(client: pg.Client): Promise<void> {
    this.#attempt = null;
    this.#delayMillis = firstDelayMillis;
    if (this.#closed) return end(client);
    this.#client = client;
    this.#logger.info({ event: 'database.lookups_back' }, 'The connection for look-ups is back');
  }

  #failed(error: unknown): void {
    this.#attempt = null;
    if (this.#closed) return;
    const delayMillis = this.#delayMillis * (0.5 + Math.random() / 2);
    this.#delayMillis = Math.min(this.#delayMillis * 2, maxDelayMillis);
    this.#logger.warn(
      { event: 'database.lookups_unreachable', err: toFailure(error), delayMillis },
      'No connection for look-ups yet',
    );
    this.#retry = setTimeout(() => this.#reconnect(), delayMillis);
  }
}

/** Resolves once the socket is closed: by the peer, or by us when no look-up on the wire can be waited for any more. */
const end = async (client: pg.Client): Promise<void> => {
  const timer = setTimeout(() => client.connection.stream.destroy(), lookupLimits.answerMillis).unref();
  await client.end();
  clearTimeout(timer);
};

/** Null when the server answers that it is a primary. Without an answer nobody knows, and a new session asks again. */
const whyLeave = async (client: pg.Client): Promise<Error | null> => {
  try {
    const session = queryable((asked, params) => runStatement(client, asked, params, lookupLimits.answerMillis));
    const { isStandby } = await session.one(standby, []);
    return isStandby ? new DatabaseRefused('The server has become a read-only standby.') : null;
  } catch (error) {
    return toFailure(error);
  }
};

/** Resolves when `attempt` settles or the patience of a look-up is over, whichever is first. */
const withTimeout = async (attempt: Promise<void>): Promise<void> => {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, lookupLimits.connectionMillis);
  await Promise.race([attempt, over]);
  clearTimeout(timer);
};
