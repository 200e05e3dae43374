/** `gatehouse serve`: the process. Configuration, database, first accounts, listen; and the way back on SIGTERM. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type App, type AppParts, createApp } from '../app.ts';
import type { Config } from '../config/config.ts';
import type { AddedRoutes } from '../gatehouse.d.ts';
import { createLogger, type Logger } from '../platform/logger.ts';
import { buildPortal } from './build-portal.ts';
import type { DemoProvider } from './demo-provider/demo-provider.ts';
import { CommandFailed } from './exit.ts';
import { type FirstAccounts, prepareAccounts } from './first-accounts.ts';
import { loadConfig, openMigrated } from './open.ts';

const portalDirectory = fileURLToPath(new URL('../../../portal/dist', import.meta.url));
const drainMilliseconds = 10_000;

/** Resolves once the service listens; SIGTERM and SIGINT end the process in order. */
export const serve = async (): Promise<void> => stopOnSignals(await startService());

export interface RunningService {
  readonly app: App;
  readonly logger: Logger;
  /** Idempotent. */
  readonly close: () => Promise<void>;
}

/** Starts the service from the variables of this process, with routes beside its own; resolves once it listens. */
export const startService = async (added: AddedRoutes = {}): Promise<RunningService> => {
  const config = loadConfig();
  const logger = createLogger(config.logLevel);
  // A build that was cut off leaves the folder without its page.
  if (!existsSync(join(portalDirectory, 'index.html'))) buildPortal();
  const { database } = await openMigrated(config, logger);
  const demo = await startDemo(config, logger);
  const served = demo === null ? config : { ...config, externalProvider: demo.client };
  const app = await startApp({ config: served, database, logger, portalDirectory, added });
  if (config.mode === 'development') process.stdout.write(shownAddresses(config, demo));
  const close = async (): Promise<void> => {
    await Promise.all([app.close(), demo?.close()]);
  };
  return { app, logger, close };
};

/** Loaded only where it may run. */
const startDemo = async (config: Config, logger: Logger): Promise<DemoProvider | null> =>
  config.mode === 'development'
    ? (await import('./demo-provider/demo-provider.ts')).startDemoProvider(config, logger)
    : null;

const startApp = async (parts: AppParts): Promise<App> => {
  const { config, database, logger } = parts;
  const app = await createApp(parts);
  try {
    const accounts = await prepareAccounts({ database, passwords: app.passwords, mail: app.mail, config });
    // Before anything else can fail: a generated password is shown this once.
    process.stdout.write(shownAccounts(accounts));
    await listen(app, config);
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

const listen = async ({ http, metricsHttp }: App, { port, host, metrics }: Config): Promise<void> => {
  if (metricsHttp !== null && metrics.port !== null) await listenAt(metricsHttp, host, metrics.port, 'METRICS_PORT');
  await listenAt(http, host, port, 'PORT');
};

/** By its name the framework would open a second server for ::1, for whose answers no end waits. */
const loopback = '127.0.0.1';

const listenAt = async (http: App['http'], host: string, port: number, variable: string): Promise<void> => {
  try {
    await http.listen({ port, host: host === 'localhost' ? loopback : host });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'EADDRINUSE')
      throw new CommandFailed(`Port ${port} on ${host} is taken: stop what holds it, or set ${variable}.`);
    if (code === 'EACCES')
      throw new CommandFailed(`Port ${port} on ${host} needs rights that this process lacks: set ${variable}.`);
    throw error;
  }
};

const stopOnSignals = ({ app, logger, close }: RunningService): void => {
  const stop = (signal: NodeJS.Signals): void => {
    logger.info({ event: 'service.stopping', signal }, 'Gatehouse is stopping');
    app.beginDrain();
    // What has not ended by then is cut off: nothing acknowledged depends on it.
    setTimeout(() => process.exit(1), drainMilliseconds).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ event: 'service.stop_failed', err: error }, 'Gatehouse did not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
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
