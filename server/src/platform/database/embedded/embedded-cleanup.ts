/**
 * The work of PostgreSQL's background processes, which the embedded engine lacks: checkpoints, without which the
 * write-ahead log grows without bound, and vacuum with analyze, without which tables do.
 */
import type { Logger } from '../../observability/logger.ts';
import { queryable, type Run } from '../connection.ts';
import { statement } from '../database.ts';

const checkMillis = 10_000;
/** Number of checks between two checks of the tables. */
const vacuumEvery = 30;
const walBytes = 64 * 1_048_576;

const walSinceCheckpoint = statement<{ bytes: number }>(
  'embedded.wal-since-checkpoint',
  `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::bigint AS bytes FROM pg_control_checkpoint()`,
);

/** PostgreSQL's own autovacuum thresholds: 50 rows and a fifth dead, or a tenth changed. */
const tablesToVacuum = statement<{ name: string }>(
  'embedded.tables-to-vacuum',
  `SELECT format('%I.%I', schemaname, relname) AS name
     FROM pg_stat_user_tables
    WHERE n_dead_tup > 50 + 0.2 * n_live_tup OR n_mod_since_analyze > 50 + 0.1 * n_live_tup
    ORDER BY relid`,
);

/** The queries of the cleanup, each queued separately among all other statements. */
export interface CleanupSession {
  readonly run: Run;
  readonly runText: (text: string) => Promise<unknown>;
}

const checkpoint = async (session: CleanupSession, maxBytes: number): Promise<void> => {
  const { bytes } = await queryable(session.run).one(walSinceCheckpoint, []);
  if (bytes > maxBytes) await session.runText('CHECKPOINT');
};

const vacuum = async (session: CleanupSession): Promise<void> => {
  for (const { name } of await queryable(session.run).many(tablesToVacuum, [])) {
    await session.runText(`VACUUM (ANALYZE) ${name}`);
  }
};

/**
 * Runs one round: a checkpoint when the log has grown, and with `tables` the vacuum of those that need it.
 * @param maxBytes size of the log above which a checkpoint is made
 * @internal A test runs it alone.
 */
export const cleanUp = async (session: CleanupSession, tables: boolean, maxBytes = walBytes): Promise<void> => {
  await checkpoint(session, maxBytes);
  if (tables) await vacuum(session);
};

/** Starts the cleanup; returns the function that stops it. A failed round is logged and the next one retries. */
export const startCleanup = (session: CleanupSession, logger: Logger): (() => void) => {
  let round = 0;
  let running = false;
  const next = async (): Promise<void> => {
    if (running) return;
    running = true;
    round += 1;
    try {
      await cleanUp(session, round % vacuumEvery === 0);
    } catch (error) {
      logger.warn({ event: 'database.upkeep_failed', err: error }, 'The cleanup of the embedded database failed');
    }
    running = false;
  };
  const timer = setInterval(() => void next(), checkMillis).unref();
  return () => clearInterval(timer);
};
