/**
 * Owns the queue for password hashing, bounded by the number of jobs per thread, and by when the last one is expected
 * to be done. One network gets a quarter of it, and unknown browsers together three quarters: a flood leaves room for
 * others, and for browsers that an owner signed in with.
 */
import { Refusal } from '../../kernel/errors.ts';
import { networkOf } from '../../kernel/network.ts';
import { scaledMillis } from '../../kernel/waits/wait-scale.ts';

/** The client that a hash is computed for. */
export interface ClientKey {
  readonly ip: string | null;
  /** From a browser that the owner of the address signed in with recently. */
  readonly isKnown?: boolean;
}

export interface PasswordLoad {
  readonly running: number;
  readonly waiting: number;
}

interface Place<Job> {
  readonly job: Job;
  /** Key of the share that it counts towards; null for the process itself. */
  readonly share: string | null;
}

interface ThreadsNow {
  /** A job that is pushed now starts at once. */
  readonly hasIdle: boolean;
  /** How long the oldest running job has taken so far, in milliseconds; 0 without one. */
  readonly oldestMilliseconds: number;
}

const waitingForEach = 32;
/** A job is expected to be done within this, counted from its arrival: proxies give up after ten seconds. */
const limits = scaledMillis({ doneMilliseconds: 9000 });

export class PasswordQueue<Job> {
  readonly #threads: number;
  readonly #maxWaiting: number | undefined;
  readonly #places: Place<Job>[] = [];
  /** Moving average of a job's duration, in milliseconds. */
  #usual = 250;

  /** @param maxWaiting limit of waiting jobs, for all clients and any waiting time */
  constructor(threads: number, maxWaiting: number | undefined) {
    this.#threads = threads;
    this.#maxWaiting = maxWaiting;
  }

  get length(): number {
    return this.#places.length;
  }

  /** @param clientKey null: the process itself, which may use all places @throws RATE_LIMITED: its share is full */
  requireRoom(clientKey: ClientKey | null, now: ThreadsNow): void {
    const duration = Math.max(this.#usual, now.oldestMilliseconds);
    if (now.hasIdle || this.#hasRoom(clientKey, duration)) return;
    const seconds = ((this.length + 1) * duration) / this.#threads / 1000;
    throw new Refusal('RATE_LIMITED', 'Too many people are signing in at the moment. Wait a moment, then try again.', {
      retryAfterSeconds: Math.max(1, Math.ceil(seconds)),
    });
  }

  push(job: Job, clientKey: ClientKey | null): void {
    this.#places.push({ job, share: clientKey === null ? null : shareOf(clientKey) });
  }

  shift(): Job | undefined {
    return this.#places.shift()?.job;
  }

  clear(): readonly Job[] {
    return this.#places.splice(0).map(({ job }) => job);
  }

  tookOne(milliseconds: number): void {
    this.#usual += (milliseconds - this.#usual) / 8;
  }

  /** @param duration expected duration of each job, in milliseconds */
  #hasRoom(clientKey: ClientKey | null, duration: number): boolean {
    if (this.#maxWaiting !== undefined) return this.length < this.#maxWaiting;
    const inTime = Math.max(0, limits.doneMilliseconds / duration - 1);
    const most = Math.floor(this.#threads * Math.min(waitingForEach, inTime));
    const unknown = Math.ceil((most * 3) / 4);
    const isStranger = clientKey !== null && clientKey.isKnown !== true;
    // One place more, even if it is late: strangers cannot keep owners out of a service whose hashes are slow.
    if (this.length >= (isStranger ? unknown : Math.max(most, unknown + 1))) return false;
    if (clientKey === null) return true;
    const share = shareOf(clientKey);
    return this.#places.filter((place) => place.share === share).length < Math.max(1, Math.floor(most / 4));
  }
}

/** A known browser has its own share, apart from unknown browsers of its network, which may be the flood. */
const shareOf = ({ ip, isKnown }: ClientKey): string =>
  `${networkOf(ip ?? 'unknown')}${isKnown === true ? ' known' : ''}`;
