/** The output of every check: one line on success, otherwise each problem on its own line and exit code 1. */
import { fileURLToPath } from 'node:url';

/** The repository's root, without a slash at the end. */
export const repositoryRoot: string = fileURLToPath(new URL('..', import.meta.url)).replace(/[/\\]$/, '');

export const report = (problems: readonly string[], allWell: string): void => {
  if (problems.length === 0) {
    process.stdout.write(`${allWell}\n`);
    return;
  }
  process.stderr.write(`${problems.join('\n')}\n\n${problems.length} problem${problems.length === 1 ? '' : 's'}\n`);
  process.exitCode = 1;
};
