/**
 * The portal of a checkout, rebuilt when a source is newer than its build. A build is renamed into place when it is
 * complete, so neither a failed or interrupted one nor two concurrent starts leave half a portal.
 */
import { existsSync, statSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface PortalBuild {
  /** The directory of the portal. */
  readonly directory: string;
  /** Absolute paths of the files that it is built from. */
  readonly sources: readonly string[];
  /** Builds into the given directory. */
  readonly build: (into: string) => Promise<void>;
}

const page = 'index.html';
/** Far longer than a build takes: an older one was interrupted. */
const abandonedMillis = 10 * 60_000;
const pauseMillis = 100;

/** @throws Error when the build fails; an existing portal is kept */
export const ensureCurrent = async (portal: PortalBuild): Promise<void> => {
  if (isCurrent(portal)) return;
  await removeAbandoned(portal.directory);
  const unfinished = await mkdtemp(unfinishedStart(portal.directory));
  try {
    await fill(unfinished, portal.build);
    // Another start may have built it meanwhile, and be serving it.
    if (!isCurrent(portal)) await replace(portal, unfinished);
  } finally {
    await remove(unfinished);
  }
};

const isCurrent = ({ directory, sources }: PortalBuild): boolean => {
  const builtAt = changedAt(join(directory, page));
  return builtAt > 0 && sources.every((path) => changedAt(path) < builtAt);
};

/** In milliseconds; 0 for a missing file. */
const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const fill = async (directory: string, build: PortalBuild['build']): Promise<void> => {
  const begun = new Date();
  await build(directory);
  if (!existsSync(join(directory, page))) throw new Error('The build of the portal left no page');
  // The build may have read a source before it was changed, so that a change during the build counts as newer.
  await utimes(join(directory, page), begun, begun);
  // A temporary directory is readable only by its owner, and another user may serve it.
  await chmod(directory, 0o755);
};

/** A rename cannot replace a non-empty directory, so the outdated build is moved away first. */
const replace = async (portal: PortalBuild, built: string): Promise<void> => {
  const outdated = `${built}.old`;
  try {
    if (existsSync(portal.directory)) await rename(portal.directory, outdated);
    await rename(built, portal.directory);
  } catch (error) {
    // Another start came first, and is done in a moment.
    await sleep(pauseMillis);
    if (!isCurrent(portal)) throw error;
  } finally {
    await remove(outdated);
  }
};

/** Other programs may still be reading new files. */
const remove = (directory: string): Promise<void> => rm(directory, { recursive: true, force: true, maxRetries: 5 });

const unfinishedStart = (directory: string): string => `${directory}.new-`;

const removeAbandoned = async (directory: string): Promise<void> => {
  const parent = dirname(directory);
  const start = basename(unfinishedStart(directory));
  for (const name of await readdir(parent)) {
    if (!name.startsWith(start)) continue;
    // Another start may remove its own at this moment.
    const found = await stat(join(parent, name)).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > abandonedMillis) await remove(join(parent, name));
  }
};
