/** Lists the files that are written by hand: those that git tracks, without what commands of the repository print. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from '../source-files.ts';

/** Lock files, what `npm run schema:print` prints, and the pages that `npm run docs:print` prints as a whole. */
const printed =
  /(?:^|\/)package-lock\.json$|^server\/(?:schema\.graphql|application\.schema\.json|src\/application-definition\.d\.ts)$|^docs\/(?:configuration|events|traceability)\.md$/;

const isWritten = (path: string): boolean => !printed.test(path);

/** Sorted paths, relative to `root`. An unpacked archive has no git: all its files count. */
export const trackedFiles = (root: string): string[] => {
  const { status, stdout } = spawnSync('git', ['ls-files', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const files = status === 0 ? stdout.split('\0').filter((path) => path !== '') : filesBelow(root, '', /./);
  // A file that was removed is tracked until the removal is staged.
  return files.filter((path) => isWritten(path) && existsSync(join(root, path))).sort();
};
