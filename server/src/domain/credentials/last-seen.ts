/**
 * When and from which address a credential was last used: noted in memory during the request, written in batches
 * outside of it, at most once a minute for each credential.
 */
import { LRUCache } from 'lru-cache';
import { atMost } from '../../platform/caches.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import { WriteBehind } from '../../platform/write-behind.ts';
import { recordLastSeen } from './credentials-store.ts';

interface LastUse {
  readonly credentialId: string;
  /** Monotonic milliseconds. */
  readonly at: number;
  readonly ip: string;
}

const throttleMilliseconds = 60_000;

export class LastSeenRecorder {
  readonly #recent = new LRUCache<string, true>({ ...atMost(50_000), ttl: throttleMilliseconds });
  readonly #uses: WriteBehind<LastUse>;

  constructor(database: Database, logger: Logger) {
    this.#uses = new WriteBehind({
      maxPending: 20_000,
      batchSize: 1000,
      write: (batch) => {
        const now = performance.now();
        return database.execute(recordLastSeen, [
          batch.map(({ credentialId }) => credentialId),
          batch.map(({ at }) => Math.round(now - at)),
          batch.map(({ ip }) => ip),
        ]);
      },
      onLost: (error) => {
        this.#recent.clear();
        logger.warn(
          { event: 'credentials.last_seen.lost', err: error },
          'The last use of some credentials could not be written',
        );
      },
    });
  }

  /** Costs one map look-up; never waits. */
  note(credentialId: string, ip: string): void {
    if (this.#recent.has(credentialId) || this.#uses.isFull) return;
    this.#recent.set(credentialId, true);
    this.#uses.add(credentialId, { credentialId, at: performance.now(), ip });
  }

  /** Notes the next use of every credential again, however recent the last one is: for a clock that was advanced. */
  forgetRecent(): void {
    this.#recent.clear();
  }

  /** Writes the pending notes. A failure is logged and loses only these notes; the next use notes again. */
  flush(): Promise<void> {
    return this.#uses.flush();
  }
}
