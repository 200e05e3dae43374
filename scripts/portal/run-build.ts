/** The build of the checkout's portal, silent when it succeeds. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, relative } from 'node:path';
import { repositoryRoot } from '../report.ts';
import { filesBelow } from '../source-files.ts';

export const portalDirectory: string = join(repositoryRoot, 'portal', 'dist');

/** All files that a build reads, except those that it installs or generates itself. */
export const portalSources = (): string[] =>
  [
    'package-lock.json',
    'server/schema.graphql',
    ...filesBelow(repositoryRoot, 'portal', /./).filter((path) => !path.startsWith('portal/test/')),
  ].map((path) => join(repositoryRoot, path));

/**
 * Builds the portal. Output of a successful build, such as timings, is not shown: a person who starts the service
 * cannot act on it.
 * @throws Error when it fails; its output was printed
 */
export const runBuild = async (into: string): Promise<void> => {
  process.stderr.write('Building the portal …\n');
  const outDir = relative(join(repositoryRoot, 'portal'), into);
  const build = spawn('npm', ['run', '--silent', 'build', '--workspace', 'portal', '--', '--outDir', outDir], {
    cwd: repositoryRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  const said: Buffer[] = [];
  for (const stream of [build.stdout, build.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk));
  // Not 'exit': its last output may arrive after that.
  await once(build, 'close');
  if (build.exitCode === 0) return;
  process.stderr.write(Buffer.concat(said));
  throw new Error('The portal could not be built; the reason is above');
};
