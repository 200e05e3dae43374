/** Owns the pipelined connection for look-ups, answered in order, never behind a commit. It reconnects by itself. */
import type pg from 'pg';
import { within } from '../../kernel/waits/within.ts';
import { outsideContext } from '../observability/context.ts';
import type { Logger } from '../observability/logger.ts';
import { type Answer, type NamedText, runStatement } from './connection.ts';
import { DatabaseUnavailable, lookupSettings, type SqlValue } from './database.ts';
import { lookupLimits } from './deadlines.ts';
import { DatabaseRefused, NoPrimary, retryOnDisconnect, toFailure, wasCutOff } from './failure.ts';
import { endClient, type NewClient } from './postgres-client.ts';
import { outdated, type SessionKey, type Term } from './primary/fence.ts';
import type { Primary } from './primary/primary.ts';

const firstDelayMillis = 50;
const maxDelayMillis = 400;

interface LookupSession {
  readonly client: pg.Client;
  readonly term: Term;
  readonly key: SessionKey | null;
}

const settingsOfLookups = (): string =>
  `${lookupSettings}; SET statement_timeout = ${lookupLimits.statementMillis}; SET lock_timeout = ${lookupLimits.lockMillis}`;

export class LookupConnection {
  readonly #newClient: NewClient;
  readonly #logger: Logger;
  readonly #primary: Pick<Primary, 'fence' | 'begin' | 'suspect'>;
  #session: LookupSession | null = null;
  /** The attempt in progress; settles either way, never rejects. */
  #attempt: Promise<void> | null = null;
  #retry: NodeJS.Timeout | null = null;
  #delayMillis = firstDelayMillis;
  /** Why the last attempt failed, when it asked several hosts. */
  #noPrimary: NoPrimary | null = null;
  #closed = false;

  /**
   * @param newClient called for each connection, with its settings beside those of every session
   * @param primary whose confirmations decide which answers count
   */
  constructor(newClient: NewClient, primary: Pick<Primary, 'fence' | 'begin' | 'suspect'>, logger: Logger) {
    this.#newClient = newClient;
    this.#primary = primary;
    this.#logger = logger;
  }

  /** The process of the server that the present session has; null without one, and where the server does not tell. */
  get key(): SessionKey | null {
    return this.#session?.key ?? null;
  }

  /** Upper bound of a look-up that begins now. */
  get maxMillis(): number {
    const { answerMillis, connectionMillis } = lookupLimits;
    const opening = this.#session === null ? connectionMillis : 0;
    return answerMillis + opening + (this.#primary.fence.isFresh ? 0 : connectionMillis);
  }

  /** Opens the first connection; rejects with the driver's error. */
  async open(): Promise<void> {
    this.#session = await this.#connect();
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
    const session = this.#session ?? (await this.#awaitSession());
    const { fence } = this.#primary;
    try {
      const askedAt = performance.now();
      const answer = await runStatement(session.client, asked, params, lookupLimits.answerMillis);
      if (!fence.holds(session.term)) await fence.require(session.term);
      if (!fence.isOutdated(askedAt, lookupLimits.answerMillis)) return answer;
    } catch (error) {
      // The server may announce the end of a session before the socket closes; or a newer server was seen.
      if (wasCutOff(error)) this.#lost(session.client, error instanceof Error ? error : null);
      throw error;
    }
    return this.#runAgain(asked, params, lookupLimits.answerMillis);
  }

  /** A look-up changes nothing, so it is repeated once within its time limit. */
  async #runAgain(asked: NamedText, params: readonly SqlValue[], leftMillis: number): Promise<Answer> {
    const begun = performance.now();
    const { client, term } = await this.#awaitSession();
    const askedAt = performance.now();
    const limitMillis = Math.max(leftMillis - (askedAt - begun), 1);
    const answer = await runStatement(client, asked, params, limitMillis);
    const { fence } = this.#primary;
    await fence.require(term);
    if (fence.isOutdated(askedAt, limitMillis)) throw outdated();
    return answer;
  }

  /** Waits for the look-ups on the wire, then closes permanently. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#retry !== null) clearTimeout(this.#retry);
    await this.#attempt;
    const session = this.#session;
    this.#session = null;
    if (session !== null) await endClient(session.client, lookupLimits.answerMillis);
  }

  async #awaitSession(): Promise<LookupSession> {
    if (this.#closed) throw new DatabaseUnavailable('The database is closed');
    if (this.#attempt !== null) await within(lookupLimits.connectionMillis, this.#attempt, () => undefined);
    if (this.#session === null)
      throw this.#noPrimary ?? new DatabaseUnavailable('The look-up connection is being restored');
    return this.#session;
  }

  async #connect(): Promise<LookupSession> {
    const client = this.#newClient({ pipeline: true });
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, null));
    try {
      await client.connect();
      const { term, key } = await this.#primary.begin(client, settingsOfLookups(), lookupLimits.answerMillis);
      return { client, term, key };
    } catch (error) {
      this.#dismiss(client);
      throw error;
    }
  }

  /** Called once or twice per disconnection, by 'error' and by 'end'; only the first finds the client in place. */
  #lost(client: pg.Client, error: Error | null): void {
    if (this.#session?.client !== client) return;
    const isCurrent = this.#primary.fence.isCurrent(this.#session.term);
    this.#session = null;
    this.#logger.warn({ event: 'database.lookups_cut', err: error }, 'The look-up connection was lost');
    // A client that reported an error may still hold its socket.
    this.#dismiss(client);
    // Shared by many requests: log without a correlation id.
    outsideContext(() => {
      this.#reconnect();
      // A session that was left, because of a newer server, says nothing new.
      if (isCurrent) this.#primary.suspect();
    });
  }

  /** Ends an unused client; its peer may be slow to close. */
  #dismiss(client: pg.Client): void {
    endClient(client, lookupLimits.answerMillis).catch((error: unknown) => {
      this.#logger.warn(
        { event: 'database.lookups_not_closed', err: error },
        'The lost look-up connection did not close cleanly',
      );
    });
  }

  #reconnect(): void {
    if (this.#closed) return;
    this.#attempt = this.#connect().then(
      (session) => this.#recovered(session),
      (error: unknown) => this.#failed(error),
    );
  }

  async #recovered(session: LookupSession): Promise<void> {
    this.#attempt = null;
    this.#delayMillis = firstDelayMillis;
    if (this.#closed) return endClient(session.client, lookupLimits.answerMillis);
    this.#session = session;
    this.#noPrimary = null;
    this.#logger.info({ event: 'database.lookups_back' }, 'The look-up connection is restored');
  }

  #failed(error: unknown): void {
    this.#attempt = null;
    this.#noPrimary = error instanceof NoPrimary ? error : null;
    if (this.#closed) return;
    if (error instanceof DatabaseRefused) this.#primary.suspect();
    const delayMillis = this.#delayMillis * (0.5 + Math.random() / 2);
    this.#delayMillis = Math.min(this.#delayMillis * 2, maxDelayMillis);
    this.#logger.warn(
      { event: 'database.lookups_unreachable', err: toFailure(error), delayMillis },
      'The look-up connection is still lost',
    );
    this.#retry = setTimeout(() => this.#reconnect(), delayMillis);
  }
}
