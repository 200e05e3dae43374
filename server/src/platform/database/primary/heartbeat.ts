/**
 * Owns the heartbeat: one small durable commit a second on a session of its own. While it returns, its server is the
 * primary; an orphaned one waits for its synchronous standby in vain.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { scaledMillis } from '../../../kernel/waits/wait-scale.ts';
import { within } from '../../../kernel/waits/within.ts';
import { outsideContext } from '../../observability/context.ts';
import type { Logger } from '../../observability/logger.ts';
import { byTransaction } from '../by-transaction.ts';
import { queryable, runStatement } from '../connection.ts';
import { statement } from '../database.ts';
import { CommitsWait, DatabaseRefused, IsStandby, stateAfter, toFailure } from '../failure.ts';
import { endClient, type NewClient } from '../postgres-client.ts';
import { beginSession } from '../postgres-session.ts';
import { doubtHost } from '../primary-host.ts';
import type { AbandonedSessions } from './abandoned-sessions.ts';
import type { CommitStall } from './commit-stall.ts';
import type { Fence, SessionKey, Term } from './fence.ts';

const limits = scaledMillis({
  /** A commit that has not returned by then waits for a standby, or its server is silent. */
  answerMillis: 2_000,
  longestIntervalMillis: 1_000,
  /** For the heartbeat under way at the end. */
  closeMillis: 500,
});
const firstDelayMillis = 50;
const maxDelayMillis = 400;

/** Waits until the commit is flushed, here and by the synchronous standby, but not until it is replayed there. */
const flushed = 'SET synchronous_commit TO on';
/** Waits as long as changes do. */
const asChanges = 'RESET synchronous_commit';

/** Writes a record of some 60 bytes to the log and touches no table. */
const emit = statement<{ readonly walPosition: number }>(
  'database.heartbeat',
  `SELECT (pg_logical_emit_message(true, 'gatehouse', '') - '0/0')::bigint AS "walPosition"`,
);

interface BeatSession {
  readonly client: pg.Client;
  readonly term: Term;
  readonly key: SessionKey | null;
  /** Whether a heartbeat is under way, or was and got no answer. */
  isBeating: boolean;
}

interface HeartbeatParts {
  readonly newClient: NewClient;
  readonly fence: Fence;
  readonly fenceMillis: number;
  readonly stall: CommitStall;
  readonly abandoned: AbandonedSessions;
  readonly logger: Logger;
}

export class Heartbeat {
  readonly #parts: HeartbeatParts;
  #session: BeatSession | null = null;
  /** Why the heartbeat is lost, as it was logged; null while it is not. */
  #told: string | null = null;
  #isClosed = false;
  #delayMillis = firstDelayMillis;
  #pause = new AbortController();
  #loop: Promise<void> = Promise.resolve();
  /** Number of suspicions since the first of the renewals in progress. */
  #doubts = 0;
  #renewal: Promise<void> = Promise.resolve();

  constructor(parts: HeartbeatParts) {
    this.#parts = parts;
  }

  /** The process of the server that the present session has; null without one, and where the server does not tell. */
  get key(): SessionKey | null {
    return this.#session?.key ?? null;
  }

  /**
   * Opens the session and awaits the first heartbeat. Rejects with the driver's error.
   * @throws CommitsWait: the server answers, and the heartbeat did not return
   */
  async open(): Promise<void> {
    await this.#beat().catch((error: unknown) => {
      if (!this.#parts.stall.isStalled) throw error;
      throw new CommitsWait('Commits do not return', { cause: error });
    });
    outsideContext(() => {
      this.#loop = this.#run();
    });
  }

  /**
   * Call when a session has ended, was silent or met a newer or refused server: a new one tells where the address
   * leads. The present session beats on until there is another.
   */
  renew(): void {
    this.#doubts += 1;
    if (this.#doubts > 1 || this.#isClosed) return;
    outsideContext(() => {
      this.#renewal = this.#resolveDoubts();
    });
  }

  /** Call with the term of each session that begins: the heartbeat is renewed when it is on an older one. */
  follow(term: Term): void {
    if (this.#session !== null && this.#session.term !== term) this.renew();
  }

  /** Ends what would stay at the server otherwise, where that answers. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#pause.abort();
    await within(limits.closeMillis, this.#loop, () => undefined);
    if (this.#session !== null) this.#leave(this.#session);
    await Promise.all([this.#loop, this.#renewal]);
    if (!this.#parts.abandoned.isEmpty) await this.#replace().catch(() => undefined);
  }

  async #run(): Promise<void> {
    let waitMillis = this.#intervalMillis;
    while (!this.#isClosed) {
      await this.#sleep(waitMillis);
      if (this.#isClosed) return;
      const begun = performance.now();
      const isBack = await this.#tryBeat();
      waitMillis = isBack ? Math.max(this.#intervalMillis - (performance.now() - begun), 0) : this.#nextDelay();
    }
  }

  get #intervalMillis(): number {
    return Math.min(limits.longestIntervalMillis, this.#parts.fenceMillis / 3);
  }

  #nextDelay(): number {
    const millis = this.#delayMillis * (0.5 + Math.random() / 2);
    this.#delayMillis = Math.min(this.#delayMillis * 2, maxDelayMillis);
    return millis;
  }

  async #sleep(millis: number): Promise<void> {
    this.#pause = new AbortController();
    await sleep(millis, undefined, { signal: this.#pause.signal }).catch(() => undefined);
  }

  async #tryBeat(): Promise<boolean> {
    try {
      await this.#beat();
      this.#found();
      return true;
    } catch (error) {
      this.#failed(error);
      return false;
    }
  }

  #found(): void {
    this.#delayMillis = firstDelayMillis;
    if (this.#told === null || !this.#parts.fence.isFresh) return;
    this.#told = null;
    this.#parts.logger.info({ event: 'database.heartbeat_back' }, 'The heartbeat is committed again');
  }

  #failed(error: unknown): void {
    if (error instanceof IsStandby) this.#parts.fence.leaveSessions();
    const reason = error instanceof DatabaseRefused ? error.message : 'lost';
    if (this.#isClosed || this.#told === reason) return;
    this.#told = reason;
    this.#parts.logger.warn(
      { event: 'database.heartbeat_lost', err: toFailure(error) },
      'The heartbeat was not committed; look-ups are refused unless one is soon',
    );
  }

  /** One heartbeat, on a new session when there is none on the newest server. */
  async #beat(): Promise<void> {
    const { fence, stall } = this.#parts;
    const present = this.#session;
    const session = present !== null && fence.isCurrent(present.term) ? present : await this.#replace();
    try {
      await this.#beatOn(session);
      // It counted for nothing when a newer server was met meanwhile.
      if (!fence.isCurrent(session.term) && !this.#isClosed) return await this.#beat();
      await this.#endAbandoned(session.client);
      stall.probe(() => this.#commitAsChanges());
    } catch (error) {
      const isReplaced = this.#session !== null && this.#session !== session;
      if (isReplaced && !this.#isClosed) return this.#beat();
      if (this.#session === session) this.#leave(session);
      throw error;
    }
  }

  async #beatOn(session: BeatSession): Promise<void> {
    const sentAt = performance.now();
    session.isBeating = true;
    try {
      const { walPosition } = await on(session).one(emit, []);
      session.isBeating = false;
      this.#parts.fence.confirm(session.term, sentAt, walPosition);
    } catch (error) {
      if (stateAfter(error) === 'silent') {
        this.#parts.stall.begin();
        doubtHost(session.client);
      }
      throw error;
    }
  }

  /** On a session of its own: the heartbeat goes on while it waits. */
  async #commitAsChanges(): Promise<void> {
    const session = await this.#connect(asChanges);
    try {
      session.isBeating = true;
      await on(session).one(emit, []);
      session.isBeating = false;
    } finally {
      this.#leave(session);
    }
  }

  async #endAbandoned(client: pg.Client): Promise<void> {
    const { abandoned, stall } = this.#parts;
    if (await abandoned.end(client, limits.answerMillis)) stall.begin();
  }

  async #resolveDoubts(): Promise<void> {
    let seen = 0;
    while (seen < this.#doubts && !this.#isClosed) {
      const doubts = this.#doubts;
      try {
        await this.#replace();
        seen = doubts;
        this.#pause.abort();
      } catch (error) {
        if (error instanceof DatabaseRefused) this.#failed(error);
        await sleep(this.#nextDelay());
      }
    }
    this.#doubts = 0;
  }

  async #replace(): Promise<BeatSession> {
    const connected = await this.#connect(flushed);
    const isKnown = connected.term.timeline > 0;
    // Where servers do not say which they are, this one may be another than that of the sessions before.
    const session = isKnown ? connected : { ...connected, term: this.#parts.fence.leaveSessions() };
    if (this.#session !== null) this.#leave(this.#session);
    this.#session = session;
    if (this.#isClosed) this.#leave(session);
    return session;
  }

  async #connect(settings: string): Promise<BeatSession> {
    const client = this.#parts.newClient({ pipeline: true });
    try {
      // A statement under way rejects with the same error.
      client.on('error', () => undefined);
      await client.connect();
      const { fence } = this.#parts;
      const { seen } = fence;
      const { identity, key } = await beginSession(client, settings, limits.answerMillis);
      const term = fence.admit(identity, seen);
      byTransaction.get(client)?.follow(fence, term);
      // A heartbeat that waits for a standby was left behind: it ends before the next one begins.
      await this.#endAbandoned(client);
      return { client, term, key, isBeating: false };
    } catch (error) {
      client.connection.stream.destroy();
      throw error;
    }
  }

  #leave(session: BeatSession): void {
    if (this.#session === session) this.#session = null;
    const { client, isBeating } = session;
    const key = byTransaction.get(client)?.key ?? session.key;
    if (isBeating && key !== null) this.#parts.abandoned.add(key);
    if (isBeating) client.connection.stream.destroy();
    else endClient(client, limits.answerMillis).catch(() => client.connection.stream.destroy());
  }
}

const on = ({ client }: BeatSession) =>
  queryable((asked, params) => runStatement(client, asked, params, limits.answerMillis));
