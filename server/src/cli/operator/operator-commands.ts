/**
 * Owns: what an operator does at the terminal for people who are locked out, and to the tokens of machines.
 * Promises: A command changes what it names and nothing else, and what it ends is ended on the next request.
 *
 * What runs the commands is loaded on demand: they queue mails.
 */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AfterRestoreOptions } from '../after-restore.ts';
import type { JsonOption } from '../output.ts';

export const addOperatorCommands = (program: Command): void => {
  addOperatorShell(program);
  addAfterRestore(program);
};

const addOperatorShell = (program: Command): void => {
  const shell = () => import('./operator-shell.ts');
  const add = (name: string, description: string, run: (email: string, options: JsonOption) => Promise<void>) =>
    program
      .command(name)
      .argument('<email>', 'address of the account')
      .description(description)
      .option('--json', 'print the result as JSON')
      .action(run);
  add(
    'set-password',
    'Give a person who forgot their password a generated one, and sign them out everywhere.',
    async (...input) => (await shell()).runSetPassword(...input),
  );
  add(
    'remove-second-factor',
    'Remove the passkeys, one-time codes and recovery codes of a person who lost them.',
    async (...input) => (await shell()).runRemoveSecondFactor(...input),
  );
  add('reinstate-user', 'End the suspension of a person, who can sign in again.', async (...input) =>
    (await shell()).runReinstateUser(...input),
  );
};

const addAfterRestore = (program: Command): void => {
  program
    .command('after-restore')
    .description('End every session and token that a restored backup brought back to life, and tell their owners.')
    .option(
      '--since <instant>',
      'instant of the backup, as 2026-01-31T12:00:00Z: what began after it goes on',
      readInstant,
    )
    .option('--keep-machine-tokens', 'personal tokens and tokens of service accounts go on')
    .addOption(
      new Option(
        '--nothing-restored',
        'end nothing: it was a fail-over or a move without loss; no warning any more',
      ).conflicts(['since', 'keepMachineTokens']),
    )
    .option('--json', 'print the result as JSON')
    .action(async (options: AfterRestoreOptions) => (await import('../after-restore.ts')).runAfterRestore(options));
};

const instantForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/;

const readInstant = (text: string): Date => {
  const instant = new Date(text);
  if (instantForm.test(text) && !Number.isNaN(instant.getTime())) return instant;
  throw new InvalidArgumentError('It must be an instant with its offset from UTC, such as 2026-01-31T12:00:00Z.');
};
