/** Owns the choice of the engine: PostgreSQL at DATABASE_URL, else the embedded database in DATA_DIR. */
import type { Logger } from '../observability/logger.ts';
import { openEmbedded } from './embedded/embedded.ts';
import { openPostgres } from './postgres.ts';
import type { PoolerOptions } from './primary-host.ts';
import type { ScriptDatabase } from './transaction.ts';

export interface DatabaseOptions extends PoolerOptions {
  /** DATABASE_URL. Absent: the embedded engine. */
  readonly url: string | undefined;
  /** Directory of the embedded engine, which keeps its files in `database/` below; `memory:` for none. */
  readonly dataDirectory: string;
  readonly logger: Logger;
  /** Connections of the PostgreSQL pool, 8 by default; the look-up connection is not included. */
  readonly poolSize?: number;
  /** DATABASE_FENCE_SECONDS, 3 by default. */
  readonly fenceSeconds?: number;
}

/**
 * @throws DatabaseRefused: it cannot be used as configured; the message is one sentence for the operator
 * @throws DatabaseUnavailable: it does not answer yet
 */
export const openDatabase = async (options: DatabaseOptions): Promise<ScriptDatabase> => {
  const { url, dataDirectory, logger } = options;
  if (url !== undefined && url !== '') {
    return openPostgres({ ...options, url });
  }
  // The embedded engine cannot continue, typically because the disk is full. Acknowledged writes are on disk.
  const exit = (reason: string): void => {
    logger.error({ event: 'database.fatal' }, reason);
    process.exit(1);
  };
  return openEmbedded({ dataDirectory, logger, onFatal: exit });
};
