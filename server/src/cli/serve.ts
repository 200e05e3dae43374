/** `gatehouse serve`: the process. Configuration, database, first accounts, listen; and the way back on SIGTERM. */
import { type App, type AppParts, createApp } from '../app.ts';
import type { Config } from '../config/config.ts';
import type { AddedRoutes } from '../gatehouse.d.ts';
import { createLogger, type Logger } from '../platform/logger.ts';
import { buildMissingPortal } from './build-portal.ts';
import type { DemoProvider } from './demo-provider/demo-provider.ts';
import { stopMillis } from './exit.ts';
import { type FirstAccounts, prepareAccounts } from './first-accounts.ts';
import { portalDirectory } from './installation.ts';
import { listen } from './listen.ts';
import { loadConfig, openMigrated } from './open.ts';
import { requireRedisLogin } from './redis-login.ts';
import { shedStartMemory } from './shed-start-memory.ts';

/** Resolves once the service listens; SIGTERM and SIGINT end the process in order. */
export const serve = async (): Promise<void> => stopOnSignals(await startService());

/** What a worker has of the service beside others; the only process has all of it. */
export interface ShareOfService {
  /** Makes the first accounts, and tells of them. */
  readonly isFirst: boolean;
  readonly passwordThreads: number;
  readonly gatherMetrics: NonNullable<AppParts['gatherMetrics']>;
}

export interface RunningService {
  readonly app: App;
  readonly logger: Logger;
  /** What its end may take. */
  readonly patienceMillis: number;
  /** Idempotent. */
  readonly close: () => Promise<void>;
}

/** Starts the service from the variables of this process, with routes beside its own; resolves once it listens. */
export const startService = async (added: AddedRoutes = {}, share?: ShareOfService): Promise<RunningService> => {
  const config = loadConfig({ isQuiet: share !== undefined });
  const logger = createLogger(config.logLevel);
  buildMissingPortal();
  await requireRedisLogin(config);
  const { database } = await openMigrated(config, logger);
  // It has its codes in the memory of one process.
  const demo = share === undefined ? await startDemo(config, logger) : null;
  const served = demo === null ? config : { ...config, externalProvider: demo.client };
  const app = await startApp({ config: served, database, logger, portalDirectory, added, ...share }, share);
  if (config.mode === 'development' && (share?.isFirst ?? true)) process.stdout.write(shownAddresses(config, demo));
  const close = async (): Promise<void> => {
    await Promise.all([app.close(), demo?.close()]);
  };
  return { app, logger, patienceMillis: stopMillis(config.drainSeconds), close };
};

/** Loaded only where it may run. */
const startDemo = async (config: Config, logger: Logger): Promise<DemoProvider | null> =>
  config.mode === 'development'
    ? (await import('./demo-provider/demo-provider.ts')).startDemoProvider(config, logger)
    : null;

const startApp = async (parts: AppParts, share: ShareOfService | undefined): Promise<App> => {
  const { config, database, logger } = parts;
  const app = await createApp(parts);
  try {
    if (share?.isFirst ?? true) {
      const accounts = await prepareAccounts({ database, passwords: app.passwords, mail: app.mail, config });
      // Before anything else can fail: a generated password is shown this once.
      process.stdout.write(shownAccounts(accounts));
    }
    shedStartMemory();
    await listen(app, config, share !== undefined);
    logger.info(
      { event: 'service.started', baseUrl: config.baseUrl, engine: database.engine },
      'Gatehouse is listening',
    );
    return app;
  } catch (error) {
    await app.close();
    throw error;
  }
};

const stopOnSignals = (service: RunningService): void => {
  const stop = stopping(service);
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
};

/** What ends the process in order; asked again, it does nothing more. */
export const stopping = ({
  app,
  logger,
  patienceMillis,
  close,
}: RunningService): ((signal: NodeJS.Signals | null) => void) => {
  let isStopping = false;
  return (signal) => {
    if (isStopping) return;
    isStopping = true;
    logger.info({ event: 'service.stopping', signal }, 'Gatehouse is stopping');
    app.beginDrain();
    // What has not ended by then is cut off: nothing acknowledged depends on it.
    setTimeout(() => process.exit(1), patienceMillis).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ event: 'service.stop_failed', err: error }, 'Gatehouse did not stop cleanly');
        process.exit(1);
      },
    );
  };
};

const shownAccounts = ({ demo, invitations, superAdmin }: FirstAccounts): string =>
  [
    ...demo.map((line) => `  Demo account   ${line}\n`),
    ...invitations.map((line) => `  Invitation     ${line}\n`),
    ...(superAdmin === null ? [] : [`  Super admin    ${superAdmin}\n`]),
  ].join('');

const shownAddresses = (config: Config, demo: DemoProvider | null): string =>
  [
    '',
    `  Gatehouse      ${config.frontendUrl}`,
    ...(demo === null
      ? []
      : [`  Demo Google    ${demo.client.issuer}  signs in anybody; the sign-in page leads there`]),
    ...(config.smtpUrl === undefined ? [`  Mailbox        ${config.baseUrl}/dev/mailbox`] : []),
    `  GraphQL        ${config.baseUrl}/graphql`,
    '',
    '',
  ].join('\n');
