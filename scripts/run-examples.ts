/**
 * `npm run example FOLDER…`: builds the packages of this repository that the examples need, and the portal where one
 * runs the service, and starts each by its own `npm start`. Ends them all when one ends.
 */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './report.ts';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
}

const shell = process.platform === 'win32';

const packagesOf = (folder: string): readonly string[] => {
  const manifest = JSON.parse(readFileSync(join(repositoryRoot, folder, 'package.json'), 'utf8')) as Manifest;
  return Object.keys(manifest.dependencies ?? {}).filter((name) => /^(?:@gatehouse\/.+|gatehouse)$/.test(name));
};

const run = (program: string, ...args: readonly string[]): void => {
  const { status } = spawnSync(program, args, { cwd: repositoryRoot, stdio: 'inherit', shell });
  if (status !== 0) throw new Error(`${[program, ...args].join(' ')} failed.`);
};

/** The service runs from its sources, and needs only the pages of the portal. */
const build = (name: string): void => {
  if (name === 'gatehouse') run('node', 'scripts/build-portal.ts', '--missing');
  else run('npm', 'run', '--silent', 'prepack', '--workspace', name);
};

const start = (folder: string) => {
  const cwd = join(repositoryRoot, folder);
  return spawn('npm', ['start', '--silent'], { cwd, stdio: 'inherit', shell });
};

const folders = process.argv.slice(2);
if (folders.length === 0) {
  process.stderr.write('Name a folder, such as: npm run example examples/express\n');
  process.exit(1);
}

for (const name of new Set(folders.flatMap(packagesOf))) build(name);

const children = folders.map(start);
const endAll = (): void => children.forEach((child) => void child.kill());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, endAll);
for (const child of children) {
  child.on('exit', (code) => {
    process.exitCode ||= code ?? 0;
    endAll();
  });
}
