/** `gatehouse upkeep`: deletes expired rows now. */
import { cleanUp } from './clean-up.ts';
import { loadConfig, openMigrated, quietLogger } from './open.ts';

/** @throws CommandFailed when a job failed; the log has the reason */
export const runCleanup = async ({ json }: { readonly json?: true }): Promise<void> => {
  const logger = quietLogger();
  const config = loadConfig();
  const { database } = await openMigrated(config, logger);
  try {
    const write = (text: string) => process.stdout.write(text);
    await cleanUp({ database, logger, signInHistoryDays: config.signInHistoryDays, write }, json === true);
  } finally {
    await database.close();
  }
};
