/**
 * When and from which address a credential was last used: noted in memory during the request, written in batches
 * outside of it, at most once a minute for each credential.
 */
import { LRUCache } from 'lru-cache';
import { atMost } from '../../platform/cache-size.ts';
import type { Database } from '../../platform/database/database.ts';
import { apart } from '../../platform/observability/context.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import { recordLastSeen } from './credentials-store.ts';

interface LastUse {
  /** Monotonic milliseconds. */
  readonly at: number;
  readonly ip: string;
}

const throttleMilliseconds = 60_000;
const flushMilliseconds = 2000;
const batchSize = 1000;
const maximumPending = 20_000;

export class LastSeenRecorder {
  readonly #database: Database;
  readonly #logger: Logger;
  readonly #recent = new LRUCache<string, true>({ ...atMost(50_000), ttl: throttleMilliseconds });
  readonly #pending = new Map<string, LastUse>();
  #isScheduled = false;
  #flushing: Promise<void> = Promise.resolve();

  constructor(database: Database, logger: Logger) {
    this.#database = database;
    this.#logger = logger;
  }

  /** Costs one map look-up; never waits. */
  note(credentialId: string, ip: string): void {
    if (this.#recent.has(credentialId) || this.#pending.size >= maximumPending) return;
    this.#recent.set(credentialId, true);
    this.#pending.set(credentialId, { at: performance.now(), ip });
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    apart(() => setTimeout(() => this.#queueWrite(), flushMilliseconds).unref());
  }

  /** Writes the pending notes. A failure is logged and loses only these notes; the next use notes again. */
  flush(): Promise<void> {
    this.#queueWrite();
    return this.#flushing;
  }

  #queueWrite(): void {
    this.#isScheduled = false;
    this.#flushing = this.#flushing.then(() => this.#write());
  }

  async #write(): Promise<void> {
    const sightings = [...this.#pending];
    this.#pending.clear();
    try {
      for (let start = 0; start < sightings.length; start += batchSize) {
        await this.#writeBatch(sightings.slice(start, start + batchSize));
      }
    } catch (error) {
      this.#recent.clear();
      this.#logger.warn({ event: 'credentials.last_seen.lost', err: error }, 'Last-seen instants could not be written');
    }
  }

  async #writeBatch(batch: readonly (readonly [string, LastUse])[]): Promise<void> {
    const now = performance.now();
    await this.#database.execute(recordLastSeen, [
      batch.map(([id]) => id),
      batch.map(([, sighting]) => Math.round(now - sighting.at)),
      batch.map(([, sighting]) => sighting.ip),
    ]);
  }
}
