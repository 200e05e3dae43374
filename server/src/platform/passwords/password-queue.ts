/**
 * Who waits for a hash. The queue has an end, for the first of these reasons: so many wait for each thread, or the last of
 * them would wait for too long. One network has a quarter of it, and strangers together three, so that a flood from one
 * place leaves room for others, and one from many places leaves some for the browsers that an owner signed in with.
 */
import { Refusal } from '../../kernel/errors.ts';
import { networkOf } from '../../kernel/network.ts';

/** For whom something is hashed. */
export interface ClientKey {
  readonly ip: string | null;
  /** From a browser that the owner of the address signed in with lately. */
  readonly isKnown?: boolean;
}

export interface PasswordLoad {
  readonly running: number;
  readonly waiting: number;
}

interface Place<Job> {
  readonly job: Job;
  /** Who shares a quarter; null for the process itself. */
  readonly share: string | null;
}

const waitingForEach = 32;
/** A request with the longest wait is answered before a proxy gives it up after ten seconds. */
const maxWaitMilliseconds = 8000;

export class PasswordQueue<Job> {
  readonly #threads: number;
  readonly #mostWaiting: number | undefined;
  readonly #places: Place<Job>[] = [];
  /** What a job took lately, in milliseconds. */
  #usual = 250;

  /** @param mostWaiting so many may wait, whoever they are and for however long */
  constructor(threads: number, maxWaiting: number | undefined) {
    this.#threads = threads;
    this.#mostWaiting = maxWaiting;
  }

  get length(): number {
    return this.#places.length;
  }

  /** @param asker null for the process itself, which has all places. @throws Refusal RATE_LIMITED */
  requireRoom(clientKey: ClientKey | null): void {
    if (this.#hasRoom(clientKey)) return;
    const seconds = (this.length * this.#usual) / this.#threads / 1000;
    throw new Refusal('RATE_LIMITED', 'Too many people are signing in at this moment. Wait a little, then try again.', {
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

  /** That a job took so many milliseconds. */
  tookOne(milliseconds: number): void {
    this.#usual += (milliseconds - this.#usual) / 8;
  }

  #hasRoom(clientKey: ClientKey | null): boolean {
    if (this.#mostWaiting !== undefined) return this.length < this.#mostWaiting;
    const most = Math.min(this.#threads * waitingForEach, (maxWaitMilliseconds * this.#threads) / this.#usual);
    if (clientKey === null) return this.length < most;
    if (this.length >= atLeastOne(clientKey.isKnown === true ? most : (most * 3) / 4)) return false;
    const share = shareOf(clientKey);
    return this.#places.filter((place) => place.share === share).length < atLeastOne(most / 4);
  }
}

/** A known browser does not share with the strangers of its network, who may be the flood. */
const shareOf = ({ ip, isKnown }: ClientKey): string =>
  `${networkOf(ip ?? 'unknown')}${isKnown === true ? ' known' : ''}`;

const atLeastOne = (places: number): number => Math.max(1, Math.floor(places));
