/** The build of a checkout's portal: renamed into its place when it is complete, and silent when it succeeds. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { repositoryRoot } from '../report.ts';
import { filesBelow } from '../source-files.ts';

export const portalDirectory: string = join(repositoryRoot, 'portal', 'dist');

/** All files that a build reads, except those that it installs or generates itself. */
export const portalSources = (): string[] =>
  [
    'package-lock.json',
    'server/schema.graphql',
    'server/src/kernel/redirects.ts',
    'server/src/kernel/languages.ts',
    'server/src/kernel/compiled-messages.ts',
    ...filesBelow(repositoryRoot, 'packages/client/src', /./),
    ...filesBelow(repositoryRoot, 'portal', /./).filter((path) => !path.startsWith('portal/test/')),
  ].map((path) => join(repositoryRoot, path));

/**
 * Builds the portal if its page is missing or older than a source, or if a source has come or gone since. Of several
 * processes that build at once, each builds in a folder of its own, and the first to end puts its portal in place.
 * @param sources without any, a portal of any age is kept
 * @param build fills the given directory
 * @throws Error when the build fails; the previous portal, if any, stays
 */
export const ensureCurrent = async (
  directory: string,
  sources: readonly string[],
  build: (into: string) => Promise<void>,
): Promise<void> => {
  const list = sources.join('\n');
  const isCurrent = (): boolean => isBuiltFrom(directory, sources, list);
  if (isCurrent()) return;
  removeInterrupted(directory);
  const unfinished = `${directory}${unfinishedPart}${process.pid}-${randomUUID()}`;
  const begun = new Date();
  try {
    await build(unfinished);
    writeFileSync(join(unfinished, listName), list);
    // The build may have read a source before it was changed, so that a change during the build counts as newer.
    utimesSync(join(unfinished, 'index.html'), begun, begun);
    if (!isCurrent()) putInPlace(unfinished, directory);
  } catch (error) {
    // Another build may have been in the way of this one, and have ended well.
    if (!isCurrent()) throw error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
};

/** Before the id of the process that builds. */
const unfinishedPart = '.new-';
/** The sources of a build, one a line. */
const listName = 'sources.txt';

const isBuiltFrom = (directory: string, sources: readonly string[], list: string): boolean => {
  const builtAt = changedAt(join(directory, 'index.html'));
  if (builtAt === 0 || sources.length === 0) return builtAt > 0;
  const listFile = join(directory, listName);
  if (!existsSync(listFile) || readFileSync(listFile, 'utf8') !== list) return false;
  return sources.every((path) => changedAt(path) < builtAt);
};

/** Removes the folders of builds whose process is gone. */
const removeInterrupted = (directory: string): void => {
  const start = `${basename(directory)}.new`;
  for (const name of readdirSync(dirname(directory)).filter((each) => each.startsWith(start))) {
    const builder = Number(/^-(\d+)-/.exec(name.slice(start.length))?.[1]);
    if (!isRunning(builder)) rmSync(join(dirname(directory), name), { recursive: true, force: true });
  }
};

const isRunning = (id: number): boolean => {
  try {
    return id > 0 && process.kill(id, 0);
  } catch (error) {
    // A process of another user.
    return codeOf(error) === 'EPERM';
  }
};

/** Leaves in place what another process puts there in the same moment. */
const putInPlace = (built: string, directory: string): void => {
  const former = `${built}-former`;
  ignoring(['ENOENT'], () => renameSync(directory, former));
  ignoring(['ENOTEMPTY', 'EEXIST', 'EPERM'], () => renameSync(built, directory));
  rmSync(former, { recursive: true, force: true });
};

const ignoring = (codes: readonly string[], act: () => void): void => {
  try {
    act();
  } catch (error) {
    if (!codes.includes(codeOf(error))) throw error;
  }
};

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** In milliseconds; 0 for a missing file. */
const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** @throws Error when it fails, after printing the output of the build */
export const runBuild = async (into: string): Promise<void> => {
  process.stderr.write('Building the portal …\n');
  const outDir = relative(join(repositoryRoot, 'portal'), into);
  const build = spawn('npm', ['run', '--silent', 'build', '--workspace', 'portal', '--', '--outDir', outDir], {
    cwd: repositoryRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  const output: Buffer[] = [];
  for (const stream of [build.stdout, build.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  // Not 'exit', which may precede the last output.
  await once(build, 'close');
  if (build.exitCode === 0) return;
  process.stderr.write(Buffer.concat(output));
  throw new Error('The portal could not be built; the reason stands above');
};
