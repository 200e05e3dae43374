/** Limits over a database, as in a service without Redis, and permits that tests take or age there themselves. */
import { Keyring } from '../../../src/kernel/secrets.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { createDatabaseRateLimits } from '../../../src/platform/rate-limit/database-rate-limits.ts';
import type { RateLimit } from '../../../src/platform/rate-limit/rate-limit-table.ts';
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

/**
 * As if each subject of a sliding limit had taken this many permits now, and no others.
 * @returns the number of subjects
 */
export const takePermits = async (
  { sql }: Pick<Service, 'sql'>,
  { name }: Pick<RateLimit, 'name'>,
  permits: number,
): Promise<number> => {
  const rows = await sql(
    `UPDATE rate_limits SET taken_at = array_fill(now(), ARRAY[$1::integer]), due_at = now() + interval '1 hour'
     WHERE key LIKE $2 RETURNING key`,
    [permits, `${name}.hour:%`],
  );
  return rows.length;
};

/** As if the permits of a sliding limit had been taken so many seconds earlier. */
export const agePermits = async (
  { sql }: Pick<Service, 'sql'>,
  { name }: Pick<RateLimit, 'name'>,
  seconds: number,
): Promise<void> => {
  await sql(
    `UPDATE rate_limits SET due_at = due_at - passed.time,
       taken_at = ARRAY(SELECT e.at - passed.time FROM unnest(taken_at) WITH ORDINALITY AS e (at, n) ORDER BY n)
     FROM (SELECT $1 * interval '1 second' AS time) AS passed WHERE key LIKE $2`,
    [seconds, `${name}.hour:%`],
  );
};
