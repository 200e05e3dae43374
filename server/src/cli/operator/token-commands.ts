/** The commands `gatehouse tokens list` and `gatehouse tokens revoke`, which `tokens.ts`, loaded on demand, runs. */
import { type Command, Option } from 'commander';
import { machineTokenStatuses } from '../../domain/machine-tokens/tokens-store.ts';
import type { JsonOption } from '../output.ts';
import type { ListOptions } from './tokens.ts';

export const addTokens = (program: Command): void => {
  const tokens = program
    .command('tokens')
    .description('List and revoke personal tokens and tokens of service accounts.');
  tokens
    .command('list')
    .description('List tokens of every organization, newest first; those that ended up to 90 days ago too.')
    .option('--organization <id>', 'only those of this organization')
    .option('--person <email>', 'only the personal tokens of this person')
    .addOption(new Option('--status <status>', 'only those with this status').choices(machineTokenStatuses))
    .option('--json', 'print the result as JSON')
    .action(async (options: ListOptions) => (await import('./tokens.ts')).runListTokens(options));
  tokens
    .command('revoke')
    .argument('<id...>', 'ids of the tokens')
    .description('End tokens for good, with all their secrets; all of them, or none when an id is unknown.')
    .option('--json', 'print the result as JSON')
    .action(async (ids: readonly string[], options: JsonOption) =>
      (await import('./tokens.ts')).runRevokeTokens(ids, options),
    );
};
