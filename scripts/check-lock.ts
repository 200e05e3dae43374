/**
 * `npm run check:lock`: no package-lock.json names a download address, so that everyone installs from the registry they
 * have configured, and holds a checksum for everything that is downloaded.
 *
 * The exception are binaries for other platforms: npm records a checksum only for what it has seen. Such a package
 * must still be listed, by version and platform, or `npm ci` refuses the lock file.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { report, repositoryRoot } from './report.ts';

interface LockedPackage {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
}

interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

/** The root and the workspaces are directories of this repository; everything else is downloaded. */
const isDownloaded = (path: string, { link }: LockedPackage): boolean =>
  path.includes('node_modules/') && link !== true;

const isPlatformBinary = ({ optional, os }: LockedPackage): boolean => optional === true && os !== undefined;

const lacksChecksum = ([path, entry]: [string, LockedPackage]): boolean =>
  isDownloaded(path, entry) && entry.integrity === undefined;

const problemsIn =
  (file: string) =>
  ([path, entry]: [string, LockedPackage]): string[] => [
    ...(/^[a-z+]+:/.test(entry.resolved ?? '') ? [`${file}: ${path} holds a download address`] : []),
    ...(lacksChecksum([path, entry]) && !isPlatformBinary(entry)
      ? [`${file}: ${path} has no checksum (integrity)`]
      : []),
  ];

/** The workspaces', and that of the clients which are tested against. */
const files = ['package-lock.json', 'server/test/real-clients/package-lock.json', 'bench/peers/package-lock.json'];

const packagesIn = (file: string): [string, LockedPackage][] =>
  Object.entries((JSON.parse(readFileSync(join(repositoryRoot, file), 'utf8')) as Lock).packages);

const unseen = files.flatMap(packagesIn).filter(lacksChecksum).length;
report(
  files.flatMap((file) => packagesIn(file).flatMap(problemsIn(file))),
  `No package-lock.json names a download address; ${unseen} binaries for other platforms have no checksum yet.`,
);
