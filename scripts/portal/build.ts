/** The build of a checkout's portal: renamed into its place when it is complete, and silent when it succeeds. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join, relative } from 'node:path';
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
 * Builds the portal if its page is missing or older than a source.
 * @param build fills the given directory
 * @throws Error when the build fails; the previous portal, if any, stays
 */
export const ensureCurrent = async (
  directory: string,
  sources: readonly string[],
  build: (into: string) => Promise<void>,
): Promise<void> => {
  const builtAt = changedAt(join(directory, 'index.html'));
  if (builtAt > 0 && sources.every((path) => changedAt(path) < builtAt)) return;
  const unfinished = `${directory}.new`;
  const begun = new Date();
  rmSync(unfinished, { recursive: true, force: true });
  try {
    await build(unfinished);
    // The build may have read a source before it was changed, so that a change during the build counts as newer.
    utimesSync(join(unfinished, 'index.html'), begun, begun);
    rmSync(directory, { recursive: true, force: true });
    renameSync(unfinished, directory);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
};

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
