/** `gatehouse after-restore`: what an operator does once a backup of the database was restored. */
import { type EndedAfterRestore, endAfterRestore } from '../domain/restores/after-restore.ts';
import { type Database, databaseNow } from '../platform/database/database.ts';
import { observeOrigin, settleChange } from '../platform/database/origin.ts';
import { CommandFailed } from './exit.ts';
import { withAccounts } from './operator/operator-shell.ts';
import { counted, type JsonOption, print } from './output.ts';

/** Options of the command. */
export interface AfterRestoreOptions extends JsonOption {
  readonly since?: Date;
  readonly keepMachineTokens?: true;
  readonly nothingRestored?: true;
}

/** @throws CommandFailed, with nothing changed, when the instant is later than now, or too early for this database */
export const runAfterRestore = (options: AfterRestoreOptions): Promise<void> =>
  withAccounts(async ({ config, ...deps }) => {
    const { database, logger } = deps;
    const { since, keepMachineTokens, nothingRestored } = options;
    const until = await instantOf(database, since);
    const nothing: EndedAfterRestore = { sessions: 0, tokens: 0, people: 0, organizations: 0 };
    const keepsTokens = keepMachineTokens === true;
    const ended =
      nothingRestored === true ? nothing : await endAfterRestore({ ...deps, settings: config }, { until, keepsTokens });
    const isSettled = await settleChange(database);
    if (isSettled) logger.warn({ event: 'database.restore_settled', isRestored: nothingRestored !== true }, settled);
    const sentence = nothingRestored === true ? acknowledged(isSettled) : inWords(ended, until);
    print(options, { ...ended, until, keepsTokens, isSettled }, sentence);
  });

const settled = 'An operator dealt with a change of where the database is';

/** The instant until which what began ends: now unless another is given. */
const instantOf = async (database: Database, since: Date | undefined): Promise<Date> => {
  const change = database.engine === 'postgres' ? await observeOrigin(database) : null;
  const now = await databaseNow(database);
  if (since === undefined) return now;
  if (since > now) throw new CommandFailed('--since is later than now; nothing was changed.');
  if (change !== null && since < change.changedAfter) {
    throw new CommandFailed(
      `--since is too early: the database that was restored was in use until ${change.changedAfter.toISOString()} or later; nothing was changed.`,
    );
  }
  return since;
};

const acknowledged = (isSettled: boolean): string =>
  isSettled ? 'Nothing was ended. The change is settled.' : 'Nothing was ended. There was no change to settle.';

const inWords = ({ sessions, tokens, people, organizations }: EndedAfterRestore, until: Date): string => {
  if (sessions + tokens === 0) return `Nothing was left to end of what began until ${until.toISOString()}.`;
  const ended = `${counted(sessions, 'session')} and ${counted(tokens, 'token')}`;
  const told = `${counted(people, 'person', 'people')} and the managers of ${counted(organizations, 'organization')}`;
  return `Ended ${ended} that began until ${until.toISOString()}. ${told} get a mail.`;
};
