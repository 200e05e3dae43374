/**
 * Owns the lock on a file that one process holds at a time.
 *
 * It is SQLite's file lock on an empty file, taken through `node:sqlite`, because Node offers no other way to a lock of
 * the kernel (fcntl, LockFileEx on Windows). The kernel drops it with the process, however that ends, so there is
 * nothing stale to clean up; it belongs to the file, so containers that share the directory on one host see it, and
 * SQLite keeps two openers of the same process apart. Not covered: network file systems that do not pass locks on, and
 * a process that opens and closes the lock file by other means than SQLite, which makes POSIX drop its own lock.
 */
import { DatabaseSync } from 'node:sqlite';

/** Held until released or until the process ends. */
export interface FileLock {
  release(): void;
}

const sqliteBusy = 5;

/**
 * Takes the lock once, and makes the file where there is none.
 * @returns null when another holder, in this process or another one, has it
 */
export const tryFileLock = (file: string): FileLock | null => {
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
