/** The last use of a credential: noted in memory, written in batches, at most once a minute for each. */
import { LRUCache } from 'lru-cache';
import { atMost } from '../../platform/caches.ts';
import { type Database, statement } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import { WriteBehind } from '../../platform/write-behind.ts';

interface LastUse {
  readonly credentialId: string;
  /** Monotonic milliseconds. */
  readonly at: number;
  readonly ip: string | null;
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
        const line = { event: 'credentials.last_seen.lost', err: error } as const;
        logger.warn(line, 'The last use of some credentials could not be written');
      },
    });
  }

  /** Costs one map look-up; never waits. @param ip null writes the time alone */
  note(credentialId: string, ip: string | null): void {
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

/**
 * Writes uses, at most once a minute for each credential and client; without an address, the last one stays. Ages,
 * because the clock is the database's. Skips rows that a revocation has locked.
 */
const recordLastSeen = statement<
  unknown,
  [credentialIds: readonly string[], agesMilliseconds: readonly number[], ips: readonly (string | null)[]]
>(
  'credentials.record_last_seen',
  `WITH seen AS (
     SELECT id, now() - age * interval '1 millisecond' AS at, ip
     FROM unnest($1::uuid[], $2::integer[], $3::text[]) AS batch (id, age, ip)),
   due AS (
     SELECT c.id, seen.at, coalesce(seen.ip, c.last_seen_ip) AS ip FROM credentials c JOIN seen ON seen.id = c.id
     WHERE c.last_seen_at IS NULL OR c.last_seen_at <= seen.at - interval '1 minute'
     FOR NO KEY UPDATE OF c SKIP LOCKED),
   written AS (
     UPDATE credentials c SET last_seen_at = due.at, last_seen_ip = due.ip FROM due WHERE c.id = due.id
     RETURNING c.client_id, c.last_seen_at),
   client AS MATERIALIZED (
     SELECT k.id, used.last FROM (
       SELECT client_id, max(last_seen_at) AS last FROM written WHERE client_id IS NOT NULL GROUP BY client_id) AS used
     JOIN oauth_clients k ON k.id = used.client_id
     WHERE k.last_used_at IS NULL OR k.last_used_at <= used.last - interval '1 minute'
     FOR NO KEY UPDATE OF k SKIP LOCKED)
   UPDATE oauth_clients k SET last_used_at = client.last FROM client WHERE k.id = client.id`,
);
