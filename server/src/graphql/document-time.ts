/**
 * Owns the processor time that one network's new documents get (decision 0089): to parse and validate one takes up to
 * some milliseconds, in which the process answers nothing else, before anything is known of its sender. Counted in each
 * process. Documents that are kept take none, so that the operations of the portal and other clients are still served.
 */
import { LRUCache } from 'lru-cache';
import { Refusal } from '../kernel/errors.ts';
import { networkOf, siteOf } from '../kernel/network.ts';
import { atMost } from '../platform/caches.ts';

/** The part of a processor that documents get in the long run. */
const shares = { network: 0.05, site: 0.25 } as const;

/** Available at once after a rest, as milliseconds of waiting: half a second of processor time for a network. */
const aheadMillis = 10_000;

/** Networks and sites that are counted at a time. */
const maxCounted = 20_000;

interface Clock {
  /** Milliseconds, from any origin. */
  now(): number;
  /** Milliseconds for which this thread has had a processor. */
  spent(): number;
}

const ownClock: Clock = {
  now: () => performance.now(),
  spent: () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  },
};

export class DocumentTime {
  /** When each network or site has waited long enough for what it has spent. */
  readonly #dueAt = new LRUCache<string, number>(atMost(maxCounted));
  readonly #clock: Clock;

  constructor(clock = ownClock) {
    this.#clock = clock;
  }

  /**
   * Prepares a document at the expense of its sender's network and site.
   * @throws Refusal RATE_LIMITED: either has used up its share, and nothing is prepared
   */
  spend<Result>(address: string, prepare: () => Result): Result {
    const now = this.#clock.now();
    const counted = [
      { key: `network ${networkOf(address)}`, share: shares.network },
      { key: `site ${siteOf(address)}`, share: shares.site },
    ].map((each) => ({ ...each, dueAt: Math.max(now, this.#dueAt.get(each.key) ?? 0) }));
    const late = Math.max(...counted.map(({ dueAt }) => dueAt - now - aheadMillis));
    if (late > 0) throw tooManyDocuments(late);
    const before = this.#clock.spent();
    try {
      return prepare();
    } finally {
      const spent = this.#clock.spent() - before;
      for (const { key, share, dueAt } of counted) this.#dueAt.set(key, dueAt + spent / share);
    }
  }
}

const tooManyDocuments = (millis: number): Refusal =>
  new Refusal('RATE_LIMITED', 'Too many different documents. Wait a moment, then try again.', {
    retryAfterSeconds: Math.ceil(millis / 1000),
  });
