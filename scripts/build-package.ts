/**
 * Builds the generated part of the package `gatehouse`: the compiled server in server/dist, with the built portal. npm
 * runs this before it packs (`npm pack --workspace server`); a checkout does not need it.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './report.ts';

const server = join(repositoryRoot, 'server');
const source = join(server, 'src');
const target = join(server, 'dist');
const portal = join(target, 'portal');

/** @throws Error when the command fails, after its output */
const run = (command: string, ...args: readonly string[]): void => {
  const { status } = spawnSync(command, args, {
    cwd: repositoryRoot,
    // Standard output belongs to `npm pack --json`, whose callers parse it.
    stdio: ['ignore', process.stderr, process.stderr],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed.`);
};

/** The compiler rewrites imports, but not the URL of a worker's file. */
const namesSource = (file: string): boolean =>
  /new URL\(\s*['"`][^'"`]*\.ts['"`]/.test(readFileSync(join(target, file), 'utf8'));

const compile = (): void => {
  run('node_modules/.bin/tsc', '--project', 'server/tsconfig.build.json');
  for (const file of globSync('**/*.mjs', { cwd: source })) copyFileSync(join(source, file), join(target, file));
  const broken = globSync('**/*.js', { cwd: target }).filter(namesSource);
  if (broken.length > 0)
    throw new Error(`These files refer to a .ts file, which the package does not contain: ${broken.join(', ')}.`);
};

const buildPortal = (): void => {
  // Not into portal/dist, which a running service of this checkout may be serving.
  run('npm', 'run', '--silent', 'build', '--workspace', 'portal', '--', '--outDir', portal, '--emptyOutDir');
  if (!existsSync(join(portal, 'index.html'))) throw new Error('The build of the portal has no index.html.');
  const notes = join(portal, '.vite');
  // The licenses of the bundled libraries must be distributed with them.
  copyFileSync(join(notes, 'licenses.json'), join(portal, 'licenses.json'));
  // The list of messages stays: the service checks the application's texts against it.
  for (const name of ['licenses.json', 'manifest.json']) rmSync(join(notes, name));
};

rmSync(target, { recursive: true, force: true });
compile();
buildPortal();
// npm packs the license from the directory of the package.
copyFileSync(join(repositoryRoot, 'LICENSE'), join(server, 'LICENSE'));
