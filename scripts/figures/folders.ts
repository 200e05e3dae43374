/** Finds folders with many files side by side. */
import { dirname } from 'node:path/posix';

/** A longer list is no longer read at a glance. */
export const largestFolder = 20;

interface Folder {
  readonly path: string;
  readonly files: number;
}

/** The folders with more than twenty of these files, not counting folders below, largest first. */
export const largeFolders = (paths: readonly string[]): Folder[] =>
  [...Map.groupBy(paths, dirname)]
    .map(([path, { length: files }]) => ({ path, files }))
    .filter(({ files }) => files > largestFolder)
    .sort((one, other) => other.files - one.files || (one.path < other.path ? -1 : 1));
