/**
 * `npm run check`: all static checks of the code, two at a time, the longest first. No other check begins once one has
 * failed; each also runs alone as `npm run check:…`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { repositoryRoot } from './report.ts';

const waiting = [
  'types',
  'lint',
  'budget',
  'docs',
  'imports',
  'exports',
  'schema',
  'format',
  'deploy',
  'mutants',
  'lanes',
  'comments',
  'lock',
  'migrations',
];
const failed: string[] = [];

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** Its output is printed when it ends, because another check prints beside it. */
const passes = async (name: string): Promise<boolean> => {
  const begun = performance.now();
  const check = spawn('npm', ['run', '--silent', `check:${name}`], {
    cwd: repositoryRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  const output: Buffer[] = [];
  for (const stream of [check.stdout, check.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  await once(check, 'close');
  const isGreen = check.exitCode === 0;
  const verdict = `   ${isGreen ? 'ok' : 'FAILED'} in ${seconds(begun)}\n`;
  process.stdout.write(`\n── check:${name}\n${Buffer.concat(output).toString()}${verdict}`);
  return isGreen;
};

const runWaiting = async (): Promise<void> => {
  for (let name = waiting.shift(); name !== undefined && failed.length === 0; name = waiting.shift()) {
    if (!(await passes(name))) failed.push(name);
  }
};

// Generated types are what several checks read.
if (await passes('generated')) await Promise.all([runWaiting(), runWaiting()]);
else failed.push('generated');
const names = failed.map((name) => `check:${name}`).join(' and ');
process.stdout.write(names === '' ? '\nAll checks pass.\n' : `\n${names} failed; the output is above.\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
