/**
 * Builds the files of the published package `gatehouse` beside its migrations: the compiled server in server/dist, and
 * the built portal in it. npm runs it before it packs (`npm pack --workspace server`); a checkout itself does not need
 * them.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './report.ts';

const server = join(repositoryRoot, 'server');
const source = join(server, 'src');
const target = join(server, 'dist');
const portal = join(target, 'portal');

/** @throws Error when it fails; its output was printed */
const run = (command: string, ...args: readonly string[]): void => {
  const { status } = spawnSync(command, args, {
    cwd: repositoryRoot,
    // npm's own output must stay parsable for `npm pack --json`.
    stdio: ['ignore', process.stderr, process.stderr],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed.`);
};

/** The compiler rewrites only imports; a worker file that is named by a URL would be missing. */
const namesSource = (file: string): boolean =>
  /new URL\(\s*['"`][^'"`]*\.ts['"`]/.test(readFileSync(join(target, file), 'utf8'));

const compile = (): void => {
  run('node_modules/.bin/tsc', '--project', 'server/tsconfig.build.json');
  for (const file of globSync('**/*.mjs', { cwd: source })) copyFileSync(join(source, file), join(target, file));
  const broken = globSync('**/*.js', { cwd: target }).filter(namesSource);
  if (broken.length > 0) throw new Error(`${broken.join(', ')} names a .ts file, which the package does not hold.`);
};

const copyPortal = (): void => {
  // Another place than that from which a service of this checkout serves it.
  run('npm', 'run', '--silent', 'build', '--workspace', 'portal', '--', '--outDir', portal, '--emptyOutDir');
  if (!existsSync(join(portal, 'index.html'))) throw new Error('The portal was built without its page.');
  const notes = join(portal, '.vite');
  // A distributor of the bundled libraries must pass on their notices.
  copyFileSync(join(notes, 'licenses.json'), join(portal, 'licenses.json'));
  rmSync(notes, { recursive: true });
};

rmSync(target, { recursive: true, force: true });
compile();
copyPortal();
// npm takes it from the package's own directory.
copyFileSync(join(repositoryRoot, 'LICENSE'), join(server, 'LICENSE'));
