/**
 * Owns the permissions of a data directory and its files: on POSIX systems only their owner can read them, whatever the
 * umask of the process and the mode of a directory that existed before. Windows has no such modes.
 */
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseRefused } from '../failure.ts';

/** The permissions of the group and of all others. */
export const ofOthers = 0o077;
/** The mode bit of a directory such as /tmp, in which every user may create files. */
const sticky = 0o1000;

const isPosix = process.platform !== 'win32';

/** Why a directory cannot be made private: it is open to others and not this process's to close. Null when it can. */
export const sharingOf = (directory: string): string | null => {
  const { mode, uid } = statSync(directory);
  const user = process.geteuid?.();
  if (user === undefined || (mode & ofOthers) === 0) return null;
  if ((mode & sticky) !== 0) return 'is shared by all users of this machine';
  return user === 0 || user === uid ? null : `is open to other users and belongs to another one (uid ${uid})`;
};

/** For a file or a directory. @throws DatabaseRefused: its permissions cannot be changed */
export const makePrivate = (path: string): void => {
  if (!isPosix) return;
  const before = statSync(path);
  if ((before.mode & ofOthers) === 0) return;
  try {
    chmodSync(path, before.isDirectory() ? 0o700 : 0o600);
  } catch (error) {
    throw remainsOpen(path, error);
  }
  // A file system without permissions accepts the change and ignores it.
  if ((statSync(path).mode & ofOthers) !== 0) throw remainsOpen(path);
};

const remainsOpen = (path: string, cause?: unknown): DatabaseRefused =>
  new DatabaseRefused(
    `Other users may open ${path}, and this process cannot change that; choose a DATA_DIR that belongs to the user of this process, on a file system with permissions.`,
    { cause },
  );

/**
 * Makes a whole tree accessible to its owner only: each directory before its contents. Does not follow symbolic links.
 * @throws DatabaseRefused: the permissions of one of its files cannot be changed
 */
export const makeTreePrivate = (path: string): void => {
  makePrivate(path);
  if (!statSync(path).isDirectory()) return;
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory() || entry.isFile()) makeTreePrivate(join(path, entry.name));
  }
};
