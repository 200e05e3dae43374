/**
 * Owns the exclusive lock on the directory of the embedded database: two engines on the same files destroy each
 * other's commits without noticing.
 */
import { readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FileLock, tryFileLock } from '../file-lock.ts';
import { DatabaseRefused } from './failure.ts';
import type { Logger } from './logger.ts';

/** Held until released or until the process ends. */
export interface DirectoryLock {
  release(): Promise<void>;
}

/** Another process has the directory, or this one has it already. */
export class DirectoryInUse extends DatabaseRefused {}

/**
 * A process that just ends may still hold the lock: worth a moment, as long as a second process has refused within 2 s of
 * its start. So the moment ends at this age of the process; on a busy machine the start takes most of it.
 */
const graceMillis = 1000;
const pauseMillis = 200;

const describeHolder = async (file: string): Promise<string> => {
  try {
    const holder: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (typeof holder !== 'object' || holder === null) return 'another process';
    const { pid, host, since } = holder as { pid?: unknown; host?: unknown; since?: unknown };
    return `process ${String(pid)} on host ${String(host)} since ${String(since)}`;
  } catch {
    // The holder writes this file just after it has the lock; without it the refusal is only less precise.
    return 'another process';
  }
};

/** The lock does not depend on this file, which a full disk may refuse: it only makes the refusal more precise. */
const writeHolder = async (file: string, logger: Logger): Promise<void> => {
  const holder = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  try {
    await writeFile(file, `${JSON.stringify(holder)}\n`);
  } catch (error) {
    logger.warn(
      { event: 'database.holder_not_written', err: error },
      'Who holds the data directory could not be written beside it',
    );
  }
};

/**
 * Takes the lock of a data directory that exists.
 * It waits for a holder that is about to end, until this process is about a second old; an older one tries twice.
 * @throws DirectoryInUse when another process, or this one, still has it; names the holder
 * @throws DatabaseRefused when no file can be made there
 */
export const lockDirectory = async (directory: string, logger: Logger): Promise<DirectoryLock> => {
  const real = await realpath(directory);
  const file = join(real, 'database.lock');
  const holderFile = join(real, 'database.holder.json');
  let lock = tryLock(file, directory);
  let isLast = false;
  while (lock === null && !isLast) {
    isLast = performance.now() >= graceMillis;
    await sleep(pauseMillis);
    lock = tryLock(file, directory);
  }
  if (lock === null) {
    throw new DirectoryInUse(
      `The data directory ${directory} is in use by ${await describeHolder(holderFile)}; stop that process, ` +
        'choose another DATA_DIR, or set DATABASE_URL to run several processes on one PostgreSQL server.',
    );
  }
  const held = lock;
  await writeHolder(holderFile, logger);
  return {
    release: async () => {
      await rm(holderFile, { force: true });
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
      `No file can be made in the data directory ${directory}: DATA_DIR must be a directory that this process may write to.`,
      { cause: error },
    );
  }
};
