/** Limits over a database, as in a service without Redis, for tests that call operations themselves. */
import { Keyring } from '../../../src/kernel/secrets.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { createDatabaseRateLimits } from '../../../src/platform/rate-limit/database-rate-limits.ts';
import { createRateLimits, type RateLimits } from '../../../src/platform/rate-limit/rate-limits.ts';
import type { Service } from './gatehouse.ts';

export const limitsOn = (
  { config }: Pick<Service, 'config'>,
  database: Pick<Database, 'one' | 'maybeOne' | 'many' | 'execute'>,
  isEnabled = true,
): RateLimits =>
  createRateLimits({
    keyring: new Keyring(config.secrets),
    isEnabled,
    store: createDatabaseRateLimits(database),
    database,
  });
