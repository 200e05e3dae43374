/** What most commands begin with: configuration from the environment, a logger, the database. */
import { fileURLToPath } from 'node:url';
import { type Config, ConfigRefused, readConfig } from '../config/config.ts';
import { configWarnings } from '../config/problems.ts';
import { products } from '../domain/scopes/scopes.ts';
import { developmentSecret } from '../platform/data-directory.ts';
import { requireOwnDirectory } from '../platform/database/embedded/embedded-directory.ts';
import { migrate } from '../platform/database/migrate.ts';
import { openDatabase } from '../platform/database/open.ts';
import { createLogger, type Logger } from '../platform/observability/logger.ts';
import { CommandFailed } from './exit.ts';
import { requireFreePorts } from './listen.ts';

export const migrationsDirectory = fileURLToPath(new URL('../../migrations', import.meta.url));

/**
 * Reads the configuration of this process, warning of what looks like a slip.
 * @param isQuiet another process has warned of the same variables
 */
export const loadConfig = ({ isQuiet }: { readonly isQuiet?: boolean } = {}): Config => {
  const warn = isQuiet === true ? () => undefined : warnAtTerminal;
  warnOfSlips(warn);
  return readWithSecret(warn);
};

/** The same for a command that only shows it: nothing is made in DATA_DIR, and the secret that a start would make is empty. */
export const loadConfigToShow = (): Config => {
  warnOfSlips(warnAtTerminal);
  const config = readConfig(process.env, () => '');
  warnOfUnknownProduct(config, warnAtTerminal);
  return config;
};

/**
 * The configuration of `serve`, read whole once every port in it was found free: a port that is taken ends the start
 * before anything is made in the data directory, migrated or printed.
 * @throws CommandFailed when something listens at a port of the configuration
 */
export const loadServiceConfig = async (): Promise<Config> => {
  warnOfSlips(warnAtTerminal);
  // Without the secret that would be generated: this is about the ports alone.
  await requireFreePorts(readConfig(process.env, () => ''));
  return readWithSecret(warnAtTerminal);
};

type Warn = (warning: string) => void;

const warnAtTerminal: Warn = (warning) => {
  process.stderr.write(`Warning: ${warning}\n`);
};

const warnOfSlips = (warn: Warn): void => {
  for (const warning of configWarnings(process.env)) warn(warning);
};

/** Makes a development instance its secret, where it has none. */
const readWithSecret = (warn: Warn): Config => {
  const config = readConfig(process.env, (directory) => {
    try {
      if ((process.env['DATABASE_URL'] ?? '') === '') requireOwnDirectory(directory);
      return developmentSecret(directory);
    } catch (error) {
      throw directoryProblem(error, directory);
    }
  });
  warnOfUnknownProduct(config, warn);
  return config;
};

/** The variables do not know the products: those stand on the page of scopes. */
const warnOfUnknownProduct = ({ defaultProduct }: Config, warn: Warn): void => {
  const names = products.map(({ name }) => name);
  if (defaultProduct === null || names.includes(defaultProduct)) return;
  warn(`DEFAULT_PRODUCT is none of the products (${names.join(', ')}), so new organizations are granted nothing.`);
};

/** What the file system refuses to do in DATA_DIR is the operator's to mend; any other error stays as it is. */
const directoryProblem = (error: unknown, directory: string): unknown =>
  error instanceof Error && 'syscall' in error && 'code' in error
    ? new CommandFailed(
        `The data directory ${directory} cannot be used (${String(error.code)}): DATA_DIR must be a directory that this process may write to.`,
      )
    : error;

/** The database, opened and migrated. */
export const openMigrated = async (config: Config, logger: Logger) => {
  const { databaseUrl: url, databasePoolSize: poolSize, dataDirectory } = config;
  const database = await openDatabase({ url, dataDirectory, logger, poolSize }).catch((error: unknown) => {
    throw url === undefined ? directoryProblem(error, dataDirectory) : error;
  });
  try {
    const result = await migrate(database, migrationsDirectory);
    if (result.applied.length > 0) logger.info({ event: 'database.migrated', ...result }, 'Migrations were applied');
    return { database, result };
  } catch (error) {
    await database.close();
    throw error;
  }
};

/** Commands that print facts keep their logs to warnings, on standard error. */
export const quietLogger = (): Logger => createLogger('warn', process.stderr);

// A Redis that says at start that it does not know us: a slip in REDIS_URL, which nobody would find in the log.

/**
 * A Redis that is away is none: the service starts without it and finds it later.
 * @throws ConfigRefused when Redis refuses user or password
 */
export const requireRedisLogin = async ({ redisUrl: url }: Config): Promise<void> => {
  if (url === undefined) return;
  const { examineRedis } = await import('../platform/redis/redis.ts');
  const trouble = await examineRedis(url);
  if (trouble?.kind !== 'credentials') return;
  throw new ConfigRefused([
    `REDIS_URL has a user or a password that Redis refuses (${trouble.reason}): correct it; characters such as @ and / are percent-encoded there.`,
  ]);
};
