/**
 * Builds one of packages/, as npm runs it there before it packs (`npm pack --workspace packages/node`): compiles what
 * its tsconfig.build.json names into dist, and adds the license and the declarations of the service that it exports. A
 * checkout does not need it.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { repositoryRoot } from './report.ts';

const directory = process.cwd();
const dist = join(directory, 'dist');

/**
 * The types of the service that a declaration names by their path in the repository get a copy beside it.
 *
 * @throws Error for such a file that imports another one, which would have no copy
 */
const takeDeclarations = (file: string): void => {
  const declaration = readFileSync(file, 'utf8');
  const own = declaration.replace(/'[^']*\/server\/src\/([^']+\.d\.ts)'/g, (_, path: string) => {
    const source = join(repositoryRoot, 'server/src', path);
    if (/'\.{1,2}\//.test(readFileSync(source, 'utf8'))) throw new Error(`${source} names another declaration.`);
    copyFileSync(source, join(dist, basename(path)));
    return `'./${basename(path)}'`;
  });
  if (own !== declaration) writeFileSync(file, own);
};

rmSync(dist, { recursive: true, force: true });
const { status } = spawnSync(join(repositoryRoot, 'node_modules/.bin/tsc'), ['--project', 'tsconfig.build.json'], {
  cwd: directory,
  // Standard output belongs to `npm pack --json`, whose callers parse it.
  stdio: ['ignore', process.stderr, process.stderr],
  shell: process.platform === 'win32',
});
if (status !== 0) throw new Error(`The package in ${directory} cannot be compiled.`);
for (const name of globSync('**/*.d.ts', { cwd: dist })) takeDeclarations(join(dist, name));
// npm packs the license from the directory of the package.
copyFileSync(join(repositoryRoot, 'LICENSE'), join(directory, 'LICENSE'));
