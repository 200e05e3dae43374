/**
 * Owns the queue for password hashing. It is bounded by the number of jobs per thread and by the expected wait of the
 * last one. One network gets a quarter of it, and unknown browsers together three quarters: a flood from one network
 * leaves room for others, and one from many networks leaves room for browsers that an owner signed in with.
 */
import { Refusal } from '../../kernel/errors.ts';
import { networkOf } from '../../kernel/network.ts';
import { scaledMillis } from '../../kernel/wait-scale.ts';

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

const waitingForEach = 32;
/** A request with the longest wait is answered before a proxy times out after ten seconds. */
const limits = scaledMillis({ waitMilliseconds: 8000 });

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

  /**
   * @param clientKey null for the process itself, which may use all places.
   * @throws RATE_LIMITED: when its share is full
   */
  requireRoom(clientKey: ClientKey | null): void {
    if (this.#hasRoom(clientKey)) return;
    const seconds = (this.length * this.#usual) / this.#threads / 1000;
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

  /** Updates the average with a job's duration. */
  tookOne(milliseconds: number): void {
    this.#usual += (milliseconds - this.#usual) / 8;
  }

  #hasRoom(clientKey: ClientKey | null): boolean {
    if (this.#maxWaiting !== undefined) return this.length < this.#maxWaiting;
    const most = Math.min(this.#threads * waitingForEach, (limits.waitMilliseconds * this.#threads) / this.#usual);
    if (clientKey === null) return this.length < most;
    if (this.length >= atLeastOne(clientKey.isKnown === true ? most : (most * 3) / 4)) return false;
    const share = shareOf(clientKey);
    return this.#places.filter((place) => place.share === share).length < atLeastOne(most / 4);
  }
}

/** A known browser has its own share, apart from unknown browsers of its network, which may be the flood. */
const shareOf = ({ ip, isKnown }: ClientKey): string =>
  `${networkOf(ip ?? 'unknown')}${isKnown === true ? ' known' : ''}`;

const atLeastOne = (places: number): number => Math.max(1, Math.floor(places));
