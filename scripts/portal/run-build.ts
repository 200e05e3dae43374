/** Builds the portal of a checkout; prints nothing of the bundler's output when the build succeeds. */
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
 * Builds the portal. The bundler's output is printed only when the build fails: otherwise a user who starts the service
 * can do nothing with it.
 * @throws Error when the build fails, after its output
 */
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
  // Not 'exit': the last output may arrive after it.
  await once(build, 'close');
  if (build.exitCode === 0) return;
  process.stderr.write(Buffer.concat(output));
  throw new Error('The portal could not be built; the reason is printed above');
};
