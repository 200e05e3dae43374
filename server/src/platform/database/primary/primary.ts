/** Owns the watch over the primary of one database: what its look-ups and its pool ask and report. */
import type { Logger } from '../../observability/logger.ts';
import { byTransaction } from '../by-transaction.ts';
import type { StatementClient } from '../connection.ts';
import type { DatabaseStats } from '../database.ts';
import { IsStandby } from '../failure.ts';
import type { NewClient } from '../postgres-client.ts';
import { type BegunSession, beginSession } from '../postgres-session.ts';
import { AbandonedSessions } from './abandoned-sessions.ts';
import { CommitStall } from './commit-stall.ts';
import { Fence, type Term } from './fence.ts';
import { Heartbeat } from './heartbeat.ts';

interface PrimaryOptions {
  readonly newClient: NewClient;
  /** DATABASE_FENCE_SECONDS in milliseconds. */
  readonly fenceMillis: number;
  readonly logger: Logger;
}

export interface JudgedSession extends BegunSession {
  readonly term: Term;
}

export class Primary {
  readonly fence: Fence;
  readonly stall: CommitStall;
  readonly heartbeat: Heartbeat;
  readonly #abandoned: AbandonedSessions;

  constructor({ newClient, fenceMillis, logger }: PrimaryOptions) {
    this.fence = new Fence({ millis: fenceMillis });
    this.stall = new CommitStall(logger);
    this.#abandoned = new AbandonedSessions(logger);
    const { fence, stall } = this;
    const abandoned = this.#abandoned;
    this.heartbeat = new Heartbeat({ newClient, fence, fenceMillis, stall, abandoned, logger });
  }

  get stats(): NonNullable<DatabaseStats['primary']> {
    const { fence, stall } = this;
    return {
      refusal: fence.refusal,
      isConfirmed: fence.isFresh,
      ageSeconds: fence.ageMillis / 1000,
      isStalled: stall.isStalled,
    };
  }

  /**
   * Begins a session and judges its server. One in recovery makes every older session one to be left: they may be with
   * a primary that was demoted.
   * @throws DatabaseRefused: the server cannot be used, is older than one that was seen, or another one
   */
  async begin(client: StatementClient, settings: string, timeoutMillis: number): Promise<JudgedSession> {
    const { seen } = this.fence;
    const begun = await beginSession(client, settings, timeoutMillis).catch((error: unknown) => {
      if (error instanceof IsStandby) this.fence.leaveSessions();
      throw error;
    });
    const term = this.fence.admit(begun.identity, seen);
    byTransaction.get(client)?.follow(this.fence, term);
    this.heartbeat.follow(term);
    return { ...begun, term };
  }

  /** A session ended, or was refused: where the address leads now is asked at once. */
  suspect(): void {
    this.heartbeat.renew();
  }

  /** A session was given up without an answer. */
  abandon(client: StatementClient, session: BegunSession): void {
    const key = byTransaction.get(client)?.key ?? session.key;
    if (key !== null) this.#abandoned.add(key);
    this.heartbeat.renew();
  }
}
