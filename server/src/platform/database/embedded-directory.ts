/**
 * Owns the look at a data directory before anything is done in it: what another program keeps there is neither opened nor
 * written beside.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseRefused } from './failure.ts';

/** Of the PostgreSQL that the embedded engine is, as its files say it. */
const engineVersion = '18';

/**
 * @param directory DATA_DIR, which may be missing
 * @throws DatabaseRefused when it, or what stands where the database would be, belongs to something else
 */
export const requireOwnDirectory = (directory: string): void => {
  const database = join(directory, 'database');
  const stranger = existsSync(join(directory, 'PG_VERSION')) ? 'is that of a PostgreSQL server' : strangerAt(database);
  if (stranger === null) return;
  throw new DatabaseRefused(
    `The data directory ${directory} ${stranger}: choose another DATA_DIR, or move away what is in the way.`,
  );
};

const strangerAt = (database: string): string | null => {
  if (!existsSync(database)) return null;
  if (!statSync(database).isDirectory()) return 'has a file named database';
  if (readdirSync(database).length === 0) return null;
  const version = join(database, 'PG_VERSION');
  if (!existsSync(version)) return 'has something else than a database in its folder database';
  // The embedded engine has no postmaster.
  if (existsSync(join(database, 'postmaster.opts'))) return 'has a PostgreSQL server in its folder database';
  const found = readFileSync(version, 'utf8').trim();
  return found === engineVersion ? null : `has a database of PostgreSQL ${found} in its folder database`;
};
