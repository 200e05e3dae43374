/**
 * Owns the check and the lock of a data directory: another program's files are neither opened nor mixed with ours, and
 * other users can open none of ours.
 */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDataDirectory } from '../../data-directory.ts';
import type { Logger } from '../../observability/logger.ts';
import { DatabaseRefused } from '../failure.ts';
import { makePrivate, makeTreePrivate, sharingOf } from './private-files.ts';

/** Major version of the embedded PostgreSQL, as in its files. */
const engineVersion = '18';

/** Names that Gatehouse creates, possibly in a start that was interrupted. */
const ours: ReadonlySet<string> = new Set([
  'database',
  'database.holder.json',
  'database.lock',
  'database.lock-journal',
  'database.unfinished',
  'development-secret',
]);
/** Names found on an empty disk, and files that operating systems leave in any folder. */
const systemFiles = /^(\.|lost\+found$|desktop\.ini$|thumbs\.db$|system volume information$|\$recycle\.bin$)/i;

/**
 * @param directory DATA_DIR, which may be missing
 * @throws DatabaseRefused: when it, or the path of the database in it, belongs to another program; when it is open to
 *   other users and cannot be closed
 */
export const requireOwnDirectory = (directory: string): void => {
  const foreignContent = foreignContentIn(directory) ?? foreignContentAt(join(directory, 'database'));
  if (foreignContent !== null) {
    throw new DatabaseRefused(
      `The data directory ${directory} ${foreignContent}; choose another DATA_DIR, or move those files away.`,
    );
  }
  const sharing = existsSync(directory) ? sharingOf(directory) : null;
  if (sharing !== null) {
    throw new DatabaseRefused(
      `The data directory ${directory} ${sharing}; set DATA_DIR to a directory below it, which is then created for this process alone.`,
    );
  }
};

/**
 * Creates the data directory when it is missing, and makes it accessible to its owner only.
 * @throws DatabaseRefused: as {@link requireOwnDirectory}, or when its permissions cannot be changed
 */
export const claimDirectory = (directory: string): void => {
  requireOwnDirectory(directory);
  makeDataDirectory(directory);
  makePrivate(directory);
};

const foreignContentIn = (directory: string): string | null => {
  // A file of this name is refused when the directory is created.
  if (!existsSync(directory) || !statSync(directory).isDirectory()) return null;
  if (existsSync(join(directory, 'PG_VERSION'))) return 'belongs to a PostgreSQL server';
  const names = readdirSync(directory).filter((name) => !systemFiles.test(name));
  if (names.length === 0 || names.some((name) => ours.has(name))) return null;
  return `has files of another program and none of Gatehouse (${names.toSorted()[0]})`;
};

const foreignContentAt = (database: string): string | null => {
  if (!existsSync(database)) return null;
  if (!statSync(database).isDirectory()) return 'has a file named database';
  if (readdirSync(database).length === 0) return null;
  const version = join(database, 'PG_VERSION');
  if (!existsSync(version)) return 'has other files than a database in its folder database';
  // The embedded engine has no postmaster.
  if (existsSync(join(database, 'postmaster.opts'))) return 'has a PostgreSQL server in its folder database';
  const found = readFileSync(version, 'utf8').trim();
  return found === engineVersion ? null : `has a database of PostgreSQL ${found} in its folder database`;
};

// The lock on the directory: two engines on the same files corrupt each other's commits unnoticed.

/** Held until released or until the process ends. */
export interface DirectoryLock {
  release(): Promise<void>;
}

/** Another process holds the directory, or this one already does. */
export class DirectoryInUse extends DatabaseRefused {}

/**
 * A process that is ending may still hold the lock, which is worth a wait until this age of the process: a second one
 * must refuse within 2 s of its start, and on a busy machine starting takes most of it.
 */
const graceMillis = 1000;
const pauseMillis = 200;

const describeOwner = async (file: string): Promise<string> => {
  try {
    const owner: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (typeof owner !== 'object' || owner === null) return 'another process';
    const { pid, host, since } = owner as { pid?: unknown; host?: unknown; since?: unknown };
    return `process ${String(pid)} on host ${String(host)} since ${String(since)}`;
  } catch {
    // The owner writes this file just after taking the lock; without it the refusal is only less precise.
    return 'another process';
  }
};

/** The lock does not depend on this file, which a full disk may refuse: it only makes the refusal more precise. */
const writeOwner = async (file: string, logger: Logger): Promise<void> => {
  const owner = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  try {
    await writeFile(file, `${JSON.stringify(owner)}\n`, { mode: 0o600 });
  } catch (error) {
    logger.warn(
      { event: 'database.holder_not_written', err: error },
      'The file that names the process of the data directory could not be written',
    );
  }
};

/** Makes private what earlier processes left in the directory. */
const closeToOthers = (directory: string): void => {
  for (const name of ours) {
    const path = join(directory, name);
    if (existsSync(path)) makeTreePrivate(path);
  }
};

/**
 * Takes the lock of an existing data directory, and makes our files in it accessible to their owner only. Waits for a
 * process that is about to end, until this process is about a second old; an older process tries twice.
 * @throws DirectoryInUse: another process, or this one, still holds it; names the owner
 * @throws DatabaseRefused: no file can be created there, or the permissions of one cannot be changed
 */
export const lockDirectory = async (directory: string, logger: Logger): Promise<DirectoryLock> => {
  const real = await realpath(directory);
  const file = join(real, 'database.lock');
  const ownerFile = join(real, 'database.holder.json');
  let lock = tryLock(file, directory);
  let isLast = false;
  while (lock === null && !isLast) {
    isLast = performance.now() >= graceMillis;
    await sleep(pauseMillis);
    lock = tryLock(file, directory);
  }
  if (lock === null) {
    throw new DirectoryInUse(
      `The data directory ${directory} is in use by ${await describeOwner(ownerFile)}; stop that process, ` +
        'choose another DATA_DIR, or set DATABASE_URL to run several processes on one PostgreSQL server.',
    );
  }
  const held = lock;
  try {
    closeToOthers(real);
  } catch (error) {
    held.release();
    throw error;
  }
  await writeOwner(ownerFile, logger);
  return {
    release: async () => {
      await rm(ownerFile, { force: true });
      held.release();
    },
  };
};

const sqliteReadOnly = 8;
const sqliteCannotOpen = 14;

const tryLock = (file: string, directory: string): FileLock | null => {
  try {
    return tryFileLock(file);
  } catch (error) {
    const code = error instanceof Error && 'errcode' in error ? error.errcode : null;
    if (code !== sqliteReadOnly && code !== sqliteCannotOpen) throw error;
    throw new DatabaseRefused(
      `No file can be created in the data directory ${directory}: DATA_DIR must be a directory that this process may write to.`,
      { cause: error },
    );
  }
};

// A file lock that one process holds at a time: SQLite's on an empty file, taken through `node:sqlite`, because Node
// has no other access to a kernel lock (fcntl, LockFileEx on Windows). The kernel releases it when the process ends in
// any way. It belongs to the file, so containers that share the directory on one host see it, and SQLite separates two
// openers in the same process.
//
// Not covered: network file systems that do not forward locks, and a process that closes the lock file by other means
// than SQLite, which makes POSIX drop its own lock.

/** Held until released or until the process ends. */
interface FileLock {
  release(): void;
}

const sqliteBusy = 5;

const createPrivately = (file: string): void => {
  try {
    writeFileSync(file, '', { mode: 0o600, flag: 'wx' });
  } catch {
    // Another process was first, or no file can be created: SQLite reports that.
  }
};

/** Tries once; creates a missing file. Null when this process or another one has the lock. */
const tryFileLock = (file: string): FileLock | null => {
  // By SQLite it would have the permissions that the umask leaves. One that exists is not opened: see above.
  if (!existsSync(file)) createPrivately(file);
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return null;
    throw error;
  }
  return { release: () => lock.close() };
};
