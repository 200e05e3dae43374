/**
 * `npm run check:lock`: package-lock.json names no download address, so that everyone installs from the registry they
 * have configured, and holds a checksum for everything that is downloaded.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { report, repositoryRoot } from './report.ts';

interface LockedPackage {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
}

interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

/** The root and the workspaces are directories of this repository; everything else is downloaded. */
const isDownloaded = (path: string, { link }: LockedPackage): boolean =>
  path.includes('node_modules/') && link !== true;

const problemsOf = ([path, entry]: [string, LockedPackage]): string[] => [
  ...(/^[a-z+]+:/.test(entry.resolved ?? '') ? [`package-lock.json: ${path} holds a download address`] : []),
  ...(isDownloaded(path, entry) && entry.integrity === undefined
    ? [`package-lock.json: ${path} has no checksum (integrity)`]
    : []),
];

const lock = JSON.parse(readFileSync(join(repositoryRoot, 'package-lock.json'), 'utf8')) as Lock;
report(
  Object.entries(lock.packages).flatMap(problemsOf),
  'package-lock.json holds checksums and no download addresses.',
);
