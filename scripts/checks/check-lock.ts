/**
 * `npm run check:lock`: no package-lock.json names a download address, so that everyone installs from the registry they
 * have configured, and each holds a checksum for everything that is downloaded, binaries for other platforms included:
 * npm writes no checksum for a package whose version its registry does not serve, and installs it unchecked elsewhere.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { report, repositoryRoot } from '../report.ts';

interface LockedPackage {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
}

interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

/**
 * The root and the workspaces are directories of this repository, and a bundled package lies in the archive of another,
 * whose checksum covers it; everything else is downloaded.
 */
const isDownloaded = (path: string, { link, inBundle }: LockedPackage): boolean =>
  path.includes('node_modules/') && link !== true && inBundle !== true;

const problemsIn =
  (file: string) =>
  ([path, entry]: [string, LockedPackage]): string[] => [
    ...(/^[a-z+]+:/.test(entry.resolved ?? '') ? [`${file}: ${path} holds a download address`] : []),
    ...(isDownloaded(path, entry) && entry.integrity === undefined
      ? [`${file}: ${path} has no checksum (integrity)`]
      : []),
  ];

/** The workspaces', and those of what is installed apart from them. */
const files = [
  'package-lock.json',
  'server/test/real-clients/package-lock.json',
  'server/test/postgres-versions/package-lock.json',
  'bench/peers/package-lock.json',
  'site/package-lock.json',
];

const packagesIn = (file: string): [string, LockedPackage][] =>
  Object.entries((JSON.parse(readFileSync(join(repositoryRoot, file), 'utf8')) as Lock).packages);

report(
  files.flatMap((file) => packagesIn(file).flatMap(problemsIn(file))),
  'No package-lock.json names a download address, and each download has a checksum.',
);
