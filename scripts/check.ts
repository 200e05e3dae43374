/**
 * `npm run check`: all static checks, cheapest first. Stops at the first check that fails; each also runs alone as `npm
 * run check:…`.
 */
import { spawnSync } from 'node:child_process';
import { repositoryRoot } from './report.ts';

const checks = [
  'lock',
  'source',
  'imports',
  'format',
  'types',
  'lint',
  'schema',
  'docs',
  'mutants',
  'migrations',
  'deploy',
  'budget',
] as const;

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;

const passes = (name: string): boolean => {
  const begun = performance.now();
  process.stdout.write(`\n── check:${name}\n`);
  const { status } = spawnSync('npm', ['run', '--silent', `check:${name}`], {
    cwd: repositoryRoot,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  process.stdout.write(`   ${status === 0 ? 'ok' : 'FAILED'} in ${seconds(begun)}\n`);
  return status === 0;
};

const failed = checks.find((name) => !passes(name));
process.stdout.write(failed === undefined ? '\nAll checks pass.\n' : `\ncheck:${failed} failed; it stands above.\n`);
process.exitCode = failed === undefined ? 0 : 1;
