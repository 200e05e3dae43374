/**
 * Owns the one pipelined connection for look-ups: many statements on the wire at once, answered in order, never behind
 * a commit. It reconnects by itself.
 */

import pg from 'pg';
import { within } from '../../kernel/within.ts';
import { outsideContext } from '../observability/context.ts';
import type { Logger } from '../observability/logger.ts';
import { type Answer, type NamedText, queryable, runStatement } from './connection.ts';
import { DatabaseUnavailable, lookupSettings } from './database.ts';
import { lookupLimits } from './deadlines.ts';
import { DatabaseRefused, retryOnDisconnect, stateAfter, toFailure, wasCutOff } from './failure.ts';
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
  /** Number of suspicions since the first of the checks in progress. */
  #doubts = 0;
  #closed = false;

  /** @param config called for each connection; `pg` keeps the object that it is given */
  constructor(config: () => pg.ClientConfig, logger: Logger) {
    this.#config = config;
    this.#logger = logger;
  }

  /** Upper bound of a look-up that begins now. */
  get maxMillis(): number {
    return lookupLimits.answerMillis + (this.#client === null ? lookupLimits.connectionMillis : 0);
  }

  /**
   * Opens the first connection. Rejects with the driver's error; later disconnections are handled by {@link
   * LookupConnection} itself.
   */
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
      // The server may announce the end of a session before the socket closes.
      if (stateAfter(error) === 'unusable') this.#lost(client, error instanceof Error ? error : null);
      throw error;
    }
  }

  /** A look-up changes nothing, so it is repeated once within its time limit. */
  async #runAgain(asked: NamedText, params: readonly SqlValue[], leftMillis: number): Promise<Answer> {
    const begun = performance.now();
    const client = await this.#awaitClient();
    return runStatement(client, asked, params, Math.max(leftMillis - (performance.now() - begun), 1));
  }

  /**
   * Call when any other session ends. A demoted primary cuts writers but keeps answering reads with stale data, so ask
   * pg_is_in_recovery() once.
   */
  markSuspect(): void {
    this.#doubts += 1;
    if (this.#doubts === 1) outsideContext(() => void this.#resolveDoubts());
  }

  /**
   * One check at a time. A check in progress at the last suspicion may have been answered before its cause, so another
   * follows.
   */
  async #resolveDoubts(): Promise<void> {
    for (let seen = 0; seen < this.#doubts; ) {
      seen = this.#doubts;
      await this.#look();
    }
    this.#doubts = 0;
  }

  /**
   * A client that is being connected may have been checked before the suspicion; one created later begins with a check.
   */
  async #look(): Promise<void> {
    await this.#attempt;
    const client = this.#client;
    if (client === null) return;
    const reason = await whyLeave(client);
    if (reason !== null) this.#lost(client, reason);
  }

  /** Waits for the look-ups on the wire, then closes permanently. */
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
    if (this.#attempt !== null) await within(lookupLimits.connectionMillis, this.#attempt, () => undefined);
    if (this.#client === null) throw new DatabaseUnavailable('The look-up connection is being restored');
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

  /** Called once or twice per disconnection, by 'error' and by 'end'; only the first finds the client in place. */
  #lost(client: pg.Client, error: Error | null): void {
    if (this.#client !== client) return;
    this.#client = null;
    this.#logger.warn({ event: 'database.lookups_cut', err: error }, 'The look-up connection was lost');
    // A client that reported an error may still hold its socket.
    this.#dismiss(client);
    // Shared by many requests: log without a correlation id.
    outsideContext(() => this.#reconnect());
  }

  /** Ends an unused client; its peer may be slow to close. */
  #dismiss(client: pg.Client): void {
    end(client).catch((error: unknown) => {
      this.#logger.warn(
        { event: 'database.lookups_not_closed', err: error },
        'The lost look-up connection did not close cleanly',
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
    this.#logger.info({ event: 'database.lookups_back' }, 'The look-up connection is restored');
  }

  #failed(error: unknown): void {
    this.#attempt = null;
    if (this.#closed) return;
    const delayMillis = this.#delayMillis * (0.5 + Math.random() / 2);
    this.#delayMillis = Math.min(this.#delayMillis * 2, maxDelayMillis);
    this.#logger.warn(
      { event: 'database.lookups_unreachable', err: toFailure(error), delayMillis },
      'The look-up connection is still lost',
    );
    this.#retry = setTimeout(() => this.#reconnect(), delayMillis);
  }
}

/** Resolves once the socket is closed: by the peer, or by us when the look-ups on the wire have timed out. */
const end = async (client: pg.Client): Promise<void> => {
  const timer = setTimeout(() => client.connection.stream.destroy(), lookupLimits.answerMillis).unref();
  await client.end();
  clearTimeout(timer);
};

/**
 * Why to leave this server; null when it reports that it is a primary. Without an answer its role is unknown, and a new
 * session asks again.
 */
const whyLeave = async (client: pg.Client): Promise<Error | null> => {
  try {
    const session = queryable((asked, params) => runStatement(client, asked, params, lookupLimits.answerMillis));
    const { isStandby } = await session.one(standby, []);
    return isStandby ? new DatabaseRefused('The server has become a read-only standby.') : null;
  } catch (error) {
    return toFailure(error);
  }
};
