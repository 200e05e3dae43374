/** The common start of most commands: configuration from the environment, a logger, the database. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Config, ConfigRefused, readConfig } from '../config/config.ts';
import { configWarnings } from '../config/problems.ts';
import type { Application } from '../domain/scopes/application.ts';
import { defaultApplication } from '../domain/scopes/application-definition.ts';
import type { CustomTool } from '../domain/tools/tool.ts';
import { developmentSecret } from '../platform/data-directory.ts';
import type { Database } from '../platform/database/database.ts';
import { claimDirectory } from '../platform/database/embedded/embedded-directory.ts';
import { embeddedFiles } from '../platform/database/examine.ts';
import { listPendingMigrations, type MigrationResult, migrate } from '../platform/database/migrate.ts';
import { openDatabase } from '../platform/database/open.ts';
import type { PoolerOptions } from '../platform/database/primary-host.ts';
import type { ScriptDatabase } from '../platform/database/transaction.ts';
import { createLogger, type Logger } from '../platform/observability/logger.ts';
import { loadApplication } from './application.ts';
import { CommandFailed } from './exit.ts';
import { requireFreePorts } from './listen.ts';
import { loadTools } from './tools.ts';

export const migrationsDirectory = fileURLToPath(new URL('../../migrations', import.meta.url));

/** Warns of probable typing errors in names, unless another process has (`isQuiet`). */
export const loadConfig = ({ isQuiet }: { readonly isQuiet?: boolean } = {}): Config => {
  const warn = isQuiet === true ? () => undefined : warnAtTerminal;
  warnOfMistypedNames(warn);
  return readWithSecret(warn);
};

/** Reads the configuration and creates nothing in DATA_DIR: a secret that a start would generate is empty. */
export const loadConfigReadOnly = (): Config => {
  warnOfMistypedNames(warnAtTerminal);
  const config = readConfig(process.env, () => '');
  warnOfUnknownProduct(config, warnAtTerminal);
  return config;
};

/**
 * Reads the configuration and the application of `serve`, and checks that its ports are free: a fault ends the start
 * before anything is created, migrated or printed.
 * @param definition of a program that runs the service in its own process
 * @param toolDefinitions of the same program
 * @throws CommandFailed when a configured port is in use
 * @throws ConfigRefused when the configuration, the definition of the application or a tool is not usable
 */
export const loadServiceConfig = async (
  definition?: unknown,
  toolDefinitions?: unknown,
): Promise<{
  readonly config: Config;
  readonly application: Application;
  readonly tools: readonly CustomTool[];
}> => {
  warnOfMistypedNames(warnAtTerminal);
  // Without a generated secret, which would be a file in the data directory.
  const checked = readConfig(process.env, () => '');
  const application = await loadApplication(checked, definition);
  const tools = loadTools(checked, application, toolDefinitions);
  await requireFreePorts(checked);
  return { config: readWithSecret(warnAtTerminal), application, tools };
};

type Warn = (warning: string) => void;

const warnAtTerminal: Warn = (warning) => {
  process.stderr.write(`Warning: ${warning}\n`);
};

const warnOfMistypedNames = (warn: Warn): void => {
  for (const warning of configWarnings(process.env)) warn(warning);
};

const readWithSecret = (warn: Warn): Config => {
  const config = readConfig(process.env, (directory) => {
    try {
      if ((process.env['DATABASE_URL'] ?? '') === '') claimDirectory(directory);
      return developmentSecret(directory);
    } catch (error) {
      throw directoryProblem(error, directory);
    }
  });
  warnOfUnknownProduct(config, warn);
  return config;
};

/** The products of an application file are checked when it is read (`application.ts`). */
const warnOfUnknownProduct = ({ applicationFile, defaultProduct }: Config, warn: Warn): void => {
  const names = defaultApplication.products.map(({ name }) => name);
  if (applicationFile !== undefined || defaultProduct === null || names.includes(defaultProduct)) return;
  warn(`DEFAULT_PRODUCT names no existing product (${names.join(', ')}), so new organizations are granted no scopes.`);
};

/** Turns a file-system error in DATA_DIR into a message for the operator; returns any other error unchanged. */
const directoryProblem = (error: unknown, directory: string): unknown =>
  error instanceof Error && 'syscall' in error && 'code' in error
    ? new CommandFailed(
        `The data directory ${directory} cannot be used (${String(error.code)}): DATA_DIR must be a directory that this process may write to.`,
      )
    : error;

/** How the server at DATABASE_URL is reached. */
export const poolerOptionsOf = ({
  databasePooler: pooler,
  databasePreparedStatements: preparedStatements,
}: Config): PoolerOptions => ({
  pooler,
  preparedStatements,
});

const openConfigured = (config: Config, logger: Logger): Promise<ScriptDatabase> => {
  const { databaseUrl: url, databasePoolSize: poolSize, databaseFenceSeconds: fenceSeconds, dataDirectory } = config;
  return openDatabase({ url, ...poolerOptionsOf(config), dataDirectory, logger, poolSize, fenceSeconds }).catch(
    (error: unknown) => {
      throw url === undefined ? directoryProblem(error, dataDirectory) : error;
    },
  );
};

const closing = async <Opened extends Database, T>(
  database: Opened,
  work: (database: Opened) => Promise<T>,
): Promise<T> => {
  try {
    return await work(database);
  } finally {
    await database.close();
  }
};

/**
 * Opens the database without creating or migrating it, and closes it after the work.
 * @throws CommandFailed when there is none, or when it is not at the version of this build
 */
export const withUnchanged = async <T>(
  config: Config,
  logger: Logger,
  work: (database: Database) => Promise<T>,
): Promise<T> => closing(await openUnchanged(config, logger), work);

const openUnchanged = async (config: Config, logger: Logger): Promise<Database> => {
  const { databaseUrl, dataDirectory } = config;
  if (databaseUrl === undefined && !existsSync(join(embeddedFiles(dataDirectory), 'PG_VERSION')))
    throw new CommandFailed(`There is no database in the data directory ${dataDirectory}.`);
  const database = await openConfigured(config, logger);
  try {
    const pending = await listPendingMigrations(database, migrationsDirectory);
    if (pending.length === 0) return database;
    throw new CommandFailed(
      `The database is not at the version of this build: ${pending.join(', ')} not applied. Run gatehouse migrate first.`,
    );
  } catch (error) {
    await database.close();
    throw error;
  }
};

/** Opens and migrates the database, and closes it after the work. */
export const withMigrated = async <T>(
  config: Config,
  logger: Logger,
  work: (database: ScriptDatabase, result: MigrationResult) => Promise<T>,
): Promise<T> => {
  const { database, result } = await openMigrated(config, logger);
  return closing(database, () => work(database, result));
};

/** Opens and migrates the database. */
export const openMigrated = async (config: Config, logger: Logger) => {
  const database = await openConfigured(config, logger);
  try {
    const result = await migrate(database, migrationsDirectory);
    if (result.applied.length > 0) logger.info({ event: 'database.migrated', ...result }, 'Migrations were applied');
    return { database, result };
  } catch (error) {
    await database.close();
    throw error;
  }
};

/** The logger of commands that print results: warnings only, on standard error. */
export const quietLogger = (): Logger => createLogger('warn', process.stderr);

// Detects a wrong REDIS_URL at start, which would otherwise only appear in the log.

/** An unreachable Redis is accepted. @throws ConfigRefused when Redis rejects the user or the password */
export const requireUsableRedis = async ({ redisUrl: url }: Config): Promise<void> => {
  if (url === undefined) return;
  const { examineRedis } = await import('../platform/redis/redis.ts');
  const { trouble } = await examineRedis(url);
  if (trouble?.kind !== 'credentials') return;
  throw new ConfigRefused([
    `REDIS_URL has a user or a password that Redis refuses (${trouble.reason}): correct it; characters such as @ and / are percent-encoded there.`,
  ]);
};
