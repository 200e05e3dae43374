/**
 * Owns: whether a server's answers count: the heartbeat, timelines and identities, stalled commits, abandoned sessions.
 * Promises: An answer of a server that was not confirmed as the primary within the fence, or of an older one than was
 *   seen, is never used.
 *
 * The fence itself: the newest server that this process has seen, and when it last committed durably. It knows no
 * connection, and its clock is the monotonic one of the process.
 */
import { scaledMillis } from '../../../kernel/waits/wait-scale.ts';
import { DatabaseUnavailable } from '../database.ts';
import { lookupLimits } from '../deadlines.ts';
import { DatabaseRefused } from '../failure.ts';

export const outdated = (): DatabaseUnavailable =>
  new DatabaseUnavailable('The answer was received too late: what it tells may have changed');

/** Which server a session began on. It is constant for a session: a primary that is replaced or restarted ends it. */
export interface ServerIdentity {
  /** The identifier of the cluster, shared by its standbys and backups; null where the role may not read it. */
  readonly system: string | null;
  /** Higher after each promotion. */
  readonly timeline: number;
  /** Bytes of the log that were flushed when the session began. */
  readonly walPosition: number;
}

/** Identifies a session at its server: process ids are used again, and another server has its own. */
export interface SessionKey {
  readonly pid: number;
  /** Seconds since 1970 with microseconds, by the server's clock. */
  readonly begunAt: string;
}

/** Names the server of a session for the fence; replaced as soon as older sessions are to be left. */
export interface Term {
  readonly timeline: number;
}

/** How far the newest server's log was durable, as far as this process knew. */
interface Seen {
  readonly timeline: number;
  readonly walPosition: number;
}

type ServerRefusal = 'another_server' | 'earlier_timeline' | 'restored_copy';

const refusals: Readonly<Record<ServerRefusal, string>> = {
  another_server:
    'The server at DATABASE_URL has another system identifier than the one that this process began with; point DATABASE_URL at the former one, or start the process anew if the database was moved.',
  earlier_timeline:
    'The server at DATABASE_URL is on an earlier timeline than one that this process has seen: a former primary, or a restored copy; point DATABASE_URL at the primary, or start the process anew if a copy was restored.',
  restored_copy:
    'The log of the server at DATABASE_URL ends before a commit that this process has seen: a restored copy; start the process anew if it was restored on purpose.',
};

interface FenceOptions {
  /** DATABASE_FENCE_SECONDS in milliseconds: how long a returned heartbeat counts, from its sending. */
  readonly millis: number;
  /** The monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

export class Fence {
  readonly #limits: { readonly millis: number };
  readonly #now: () => number;
  /** The identifier of the first server; null before, and where a server does not report it. */
  #system: string | null = null;
  #term: Term = { timeline: 0 };
  /** The end of the log on this timeline up to which it is durable, as far as this process knows. */
  #walPosition = 0;
  /** When the last heartbeat that returned was sent. */
  #sentAt = Number.NEGATIVE_INFINITY;
  /** Ends the waits for the next heartbeat; each ends by itself, too. */
  readonly #waits = new Set<() => void>();
  #refusal: ServerRefusal | null = null;
  #isCopy = false;

  constructor({ millis, now = () => performance.now() }: FenceOptions) {
    this.#limits = scaledMillis({ millis });
    this.#now = now;
  }

  /** Why the last server was refused; null once a heartbeat was confirmed after that. */
  get refusal(): ServerRefusal | null {
    return this.#refusal;
  }

  /** Milliseconds since the last confirmed heartbeat was sent; infinite before the first. */
  get ageMillis(): number {
    return this.#now() - this.#sentAt;
  }

  /** Whether the last confirmed heartbeat was sent within the fence. */
  get isFresh(): boolean {
    return !this.#isCopy && this.ageMillis <= this.#limits.millis;
  }

  /** Read it before a server is asked who it is: heartbeats go on meanwhile. */
  get seen(): Seen {
    return { timeline: this.#term.timeline, walPosition: this.#walPosition };
  }

  /**
   * Judges the server of a session that begins. A later timeline makes every older session one to be left.
   * @param identity null where the server does not report it
   * @param seen of before the server was asked
   * @throws DatabaseRefused: a server that is older than one seen, or another one
   * @throws DatabaseUnavailable: no identity, although one was reported before
   */
  admit(identity: ServerIdentity | null, seen: Seen): Term {
    if (identity === null) {
      if (this.#term.timeline === 0) return this.#term;
      throw new DatabaseUnavailable('The server does not report which one it is');
    }
    const { system, timeline, walPosition } = identity;
    if (this.#isCopy) throw this.#refuse('restored_copy');
    if (this.#system !== null && system !== null && system !== this.#system) throw this.#refuse('another_server');
    if (timeline < this.#term.timeline) throw this.#refuse('earlier_timeline');
    if (timeline === seen.timeline && walPosition < seen.walPosition) {
      // Its log grows, and would later pass for that of the server before.
      this.#isCopy = true;
      throw this.#refuse('restored_copy');
    }
    this.#system ??= system;
    if (timeline > this.#term.timeline) {
      this.#term = { timeline };
      this.#walPosition = walPosition;
    }
    return this.#term;
  }

  #refuse(refusal: ServerRefusal): DatabaseRefused {
    this.#refusal = refusal;
    return new DatabaseRefused(refusals[refusal]);
  }

  /**
   * Call when a new session meets a server in recovery, or one that does not say which it is: the older ones may be
   * with a former primary.
   * @returns the term of sessions that begin from now on
   */
  leaveSessions(): Term {
    this.#term = { ...this.#term };
    return this.#term;
  }

  /** Whether a session that began on this term may be used. */
  isCurrent(term: Term): boolean {
    return term === this.#term;
  }

  /** Whether an answer on a session of this term counts now. */
  holds(term: Term): boolean {
    return term === this.#term && this.isFresh;
  }

  /**
   * Whether an answer waited in the socket while this process was suspended, so that it may be older than each
   * heartbeat that counts. One within the time limit is no older than that.
   * @param askedAt when its statement was sent, by the clock of the fence
   * @param limitMillis time limit of the answer
   */
  isOutdated(askedAt: number, limitMillis: number): boolean {
    return this.#now() - askedAt > Math.max(this.#limits.millis, limitMillis);
  }

  /** A heartbeat was committed durably: sent at `sentAt` by the clock of the fence, with this record in the log. */
  confirm(term: Term, sentAt: number, walPosition: number): void {
    if (term !== this.#term || this.#isCopy) return;
    this.#sentAt = Math.max(this.#sentAt, sentAt);
    this.#walPosition = Math.max(this.#walPosition, walPosition);
    this.#refusal = null;
    for (const end of this.#waits) end();
  }

  /**
   * Waits shortly for the heartbeat that is due where the last one is too old.
   * @throws DatabaseUnavailable: the answer that was received on a session of this term does not count
   */
  async require(term: Term): Promise<void> {
    this.requireCurrent(term);
    if (!this.isFresh && !this.#isCopy) await this.#nextBeat(lookupLimits.connectionMillis);
    this.requireCurrent(term);
    if (this.isFresh) return;
    throw new DatabaseUnavailable(
      this.#refusal === null
        ? 'The server has confirmed no commit for too long, so it may no longer be the primary'
        : refusals[this.#refusal],
    );
  }

  /** Resolves with the next heartbeat, or after this time. Leaves nothing behind: there may be none for hours. */
  #nextBeat(millis: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#waits.delete(end);
        resolve();
      };
      const timer = setTimeout(end, millis);
      this.#waits.add(end);
    });
  }

  /** @throws DatabaseUnavailable: a newer server was seen; it has a cause, as when the session ended */
  requireCurrent(term: Term): void {
    if (this.isCurrent(term)) return;
    throw new DatabaseUnavailable('The session is with a server that is no longer the primary', {
      cause: new Error('a newer server was seen'),
    });
  }
}
