/** Builds the portal when the checkout has none yet. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { FileLock } from '../platform/file-lock.ts';
import { CommandFailed } from './exit.ts';
import { isCheckout, portalDirectory } from './installation.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** How long another process may build: ten times what it takes. */
const patienceMillis = 120_000;
const pauseMillis = 200;

/** @throws CommandFailed when the build fails, its output stands above; or when there is nothing to build from */
export const buildMissingPortal = async (): Promise<void> => {
  if (isBuilt(portalDirectory)) return;
  if (!isCheckout) throw new CommandFailed(`${portalDirectory} lacks the portal: install Gatehouse anew.`);
  try {
    await buildOnce(portalDirectory, runBuild);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailed(`${reason}. To build it by hand: npm run build --workspace portal`, { cause: error });
  }
};

const isBuilt = (directory: string): boolean => existsSync(join(directory, 'index.html'));

/**
 * Of several processes that start at once, one builds and the others wait for it. The build gets its name when it is
 * whole. One that was cut off has none, and may go on after its process: the next one fills a directory of its own.
 * @param directory what is to be there afterwards, with its page
 * @param build fills the directory that it is told
 */
export const buildOnce = async (directory: string, build: (into: string) => Promise<void>): Promise<void> => {
  const lock = await takeLock(`${directory}.lock`);
  try {
    if (isBuilt(directory)) return;
    await removeUnfinished(directory);
    const unfinished = await mkdtemp(unfinishedStart(directory));
    try {
      await build(unfinished);
      if (!isBuilt(unfinished)) throw new Error('The build of the portal left no page');
      // Whoever builds need not be who serves: a temporary directory is its owner's alone.
      await chmod(unfinished, 0o755);
      await remove(directory);
      await rename(unfinished, directory);
    } finally {
      await remove(unfinished);
    }
  } finally {
    lock.release();
  }
};

/** Other programs may still look at files that are new. */
const remove = (directory: string): Promise<void> => rm(directory, { recursive: true, force: true, maxRetries: 5 });

const takeLock = async (file: string): Promise<FileLock> => {
  // Only here: a process that has its portal would carry SQLite for nothing.
  const { tryFileLock } = await import('../platform/file-lock.ts');
  let lock = tryFileLock(file);
  if (lock === null) process.stderr.write('Waiting for another process that builds the portal …\n');
  for (const end = performance.now() + patienceMillis; lock === null; lock = tryFileLock(file)) {
    if (performance.now() > end) throw new Error(`Another process holds ${file}, and does not end building the portal`);
    await sleep(pauseMillis);
  }
  return lock;
};

const unfinishedStart = (directory: string): string => `${directory}.new-`;

const removeUnfinished = async (directory: string): Promise<void> => {
  const parent = dirname(directory);
  for (const name of await readdir(parent)) {
    if (name.startsWith(unfinishedStart(basename(directory)))) await remove(join(parent, name));
  }
};

/**
 * Builds the portal of the checkout. Ends with this process, when it is told to end. What the bundler says of a build
 * that succeeds, such as where its time went, is nothing that a person who starts the service could act upon.
 * @throws Error when it fails; its complaints stand above
 */
export const runBuild = async (into: string): Promise<void> => {
  process.stderr.write('Building the portal, once …\n');
  const outDir = relative(join(root, 'portal'), into);
  const build = spawn('npm', ['run', '--silent', 'build', '--workspace', 'portal', '--', '--outDir', outDir], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    shell: process.platform === 'win32',
  });
  const endWithUs = (): void => void build.kill();
  process.once('exit', endWithUs);
  const complaints = text(build.stderr);
  // Not 'exit': what it wrote last may come after that.
  await once(build, 'close');
  process.off('exit', endWithUs);
  if (build.exitCode === 0) return;
  process.stderr.write(await complaints);
  throw new Error('The portal could not be built; the reason stands above');
};
