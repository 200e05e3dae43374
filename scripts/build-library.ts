/**
 * Builds one of packages/, as npm runs it there before it packs (`npm pack --workspace packages/node`): compiles what
 * its tsconfig.build.json names into dist, and adds the license. A checkout does not need it.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './report.ts';

const directory = process.cwd();

rmSync(join(directory, 'dist'), { recursive: true, force: true });
const { status } = spawnSync(join(repositoryRoot, 'node_modules/.bin/tsc'), ['--project', 'tsconfig.build.json'], {
  cwd: directory,
  // Standard output belongs to `npm pack --json`, whose callers parse it.
  stdio: ['ignore', process.stderr, process.stderr],
  shell: process.platform === 'win32',
});
if (status !== 0) throw new Error(`The package in ${directory} cannot be compiled.`);
// npm packs the license from the directory of the package.
copyFileSync(join(repositoryRoot, 'LICENSE'), join(directory, 'LICENSE'));
