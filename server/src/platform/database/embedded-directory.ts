/**
 * Owns the look at a data directory before anything is done in it: what another program keeps there is neither opened nor
 * written beside.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseRefused } from './failure.ts';

/** Of the PostgreSQL that the embedded engine is, as its files say it. */
const engineVersion = '18';

/** What Gatehouse has put there, if only before a start was cut off. */
const ours: ReadonlySet<string> = new Set([
  'database',
  'database.holder.json',
  'database.lock',
  'database.lock-journal',
  'database.unfinished',
  'development-secret',
]);
/** What is on an empty disk, and what systems leave in any folder. */
const nobodys = /^(\.|lost\+found$|desktop\.ini$|thumbs\.db$|system volume information$|\$recycle\.bin$)/i;

/**
 * @param directory DATA_DIR, which may be missing
 * @throws DatabaseRefused when it, or what stands where the database would be, belongs to something else
 */
export const requireOwnDirectory = (directory: string): void => {
  const stranger = strangerIn(directory) ?? strangerAt(join(directory, 'database'));
  if (stranger === null) return;
  throw new DatabaseRefused(
    `The data directory ${directory} ${stranger}; choose another DATA_DIR, or move away what is in the way.`,
  );
};

const strangerIn = (directory: string): string | null => {
  // A file of this name is refused when the directory is to be made.
  if (!existsSync(directory) || !statSync(directory).isDirectory()) return null;
  if (existsSync(join(directory, 'PG_VERSION'))) return 'is that of a PostgreSQL server';
  const names = readdirSync(directory).filter((name) => !nobodys.test(name));
  if (names.length === 0 || names.some((name) => ours.has(name))) return null;
  return `has files of something else and none of Gatehouse (${names.toSorted()[0]})`;
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
