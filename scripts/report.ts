/** Prints the result of a check: one line when it passes, otherwise each problem on its own line, with exit code 1. */
import { fileURLToPath } from 'node:url';

/** The repository's root, without a slash at the end. */
export const repositoryRoot: string = fileURLToPath(new URL('..', import.meta.url)).replace(/[/\\]$/, '');

export const report = (problems: readonly string[], success: string): void => {
  if (problems.length === 0) {
    process.stdout.write(`${success}\n`);
    return;
  }
  process.stderr.write(`${problems.join('\n')}\n\n${problems.length} problem${problems.length === 1 ? '' : 's'}\n`);
  process.exitCode = 1;
};
