/** Owns what every connection to a PostgreSQL server is opened with. */
import type pg from 'pg';
import { rowTypes } from './row-types.ts';
import { connectMillis, idleInTransactionMillis, lockMillis, statementMillis } from './time-limits.ts';

export const clientConfig = (url: string): pg.ClientConfig => ({
  connectionString: url,
  application_name: 'gatehouse',
  connectionTimeoutMillis: connectMillis,
  statement_timeout: statementMillis,
  lock_timeout: lockMillis,
  idle_in_transaction_session_timeout: idleInTransactionMillis,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  types: rowTypes,
});
