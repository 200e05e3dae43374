/**
 * Owns the end of sessions that this process gave up without an answer: while the server waits for a standby it does
 * not notice, and each would keep its place and its locks there.
 */
import type { Logger } from '../../observability/logger.ts';
import { byTransaction } from '../by-transaction.ts';
import { queryable, runStatement, type StatementClient } from '../connection.ts';
import { DatabaseUnavailable, statement } from '../database.ts';
import { toFailure } from '../failure.ts';
import type { SessionKey } from './fence.ts';

/**
 * Through a pooler of transactions only what waits for a standby: it may have given another process to other clients.
 * Terminating is no acknowledgement: where cancelling would end the wait for a standby with a success.
 */
const terminate = statement<
  { readonly waited: boolean; readonly isEnded: boolean },
  [pids: readonly number[], begun: readonly string[], waitingAlone: boolean]
>(
  'database.end_abandoned',
  `SELECT coalesce(a.wait_event = 'SyncRep', false) AS waited, pg_terminate_backend(a.pid) AS "isEnded"
     FROM pg_stat_get_activity(NULL) a
     JOIN unnest($1::int[], $2::text[]) AS abandoned (pid, begun)
       ON a.pid = abandoned.pid AND extract(epoch FROM a.backend_start)::text = abandoned.begun
      AND (a.wait_event = 'SyncRep' OR NOT $3)`,
);

/** More than a process can open; later ones are not noted. */
const most = 500;

export class AbandonedSessions {
  readonly #logger: Logger;
  #keys: SessionKey[] = [];
  /** Whether that was logged. */
  #isRefused = false;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  get isEmpty(): boolean {
    return this.#keys.length === 0;
  }

  add(key: SessionKey): void {
    if (this.#keys.length < most) this.#keys.push(key);
  }

  /**
   * Ends them on the server of this session. Forgets those of another server, and those that this role may not end.
   * @param client whose server is confirmed to be the newest
   * @returns whether one of them waited for a standby
   * @throws DatabaseUnavailable: they are ended by the next call
   */
  async end(client: StatementClient, timeoutMillis: number): Promise<boolean> {
    // Others are added while the server answers: the next call ends those.
    const keys = [...this.#keys];
    if (keys.length === 0) return false;
    const session = queryable((asked, params) => runStatement(client, asked, params, timeoutMillis));
    const ended = await session
      .many(terminate, [keys.map(({ pid }) => pid), keys.map(({ begunAt }) => begunAt), byTransaction.has(client)])
      .catch((error: unknown) => this.#refused(error));
    this.#keys = this.#keys.filter((key) => !keys.includes(key));
    const waited = ended.filter((each) => each.waited).length;
    if (ended.length > 0)
      this.#logger.warn(
        { event: 'database.abandoned_ended', sessions: ended.length, waited },
        'Sessions that this process had given up were ended at the server',
      );
    return waited > 0;
  }

  #refused(error: unknown): readonly [] {
    if (error instanceof DatabaseUnavailable) throw error;
    if (!this.#isRefused)
      this.#logger.warn(
        { event: 'database.abandoned_left', err: toFailure(error) },
        'The server does not let this role end sessions of its own that were given up',
      );
    this.#isRefused = true;
    return [];
  }
}
