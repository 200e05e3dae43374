/** `gatehouse serve`: configuration, database, first accounts, listening, and the end on SIGTERM (DRAIN_SECONDS). */
import { flushCompileCache } from 'node:module';
import type { AppParts } from '../app/parts.ts';
import { type App, createApp } from '../app.ts';
import type { Config } from '../config/config.ts';
import type { AddedParts } from '../gatehouse.d.ts';
import { present } from '../kernel/collections.ts';
import type { Database } from '../platform/database/database.ts';
import { warnOfUnawaitedStandby } from '../platform/database/examine.ts';
import { observeOrigin, warnOfChange } from '../platform/database/origin.ts';
import { createLogger, type Logger } from '../platform/observability/logger.ts';
import { loadApplication, warnOfUndefinedResources, warnOfUndefinedRoles } from './application.ts';
import type { DemoProvider } from './demo/demo-provider.ts';
import type { DemoStripe } from './demo/demo-stripe.ts';
import { exitCodes, stopMillis } from './exit.ts';
import { type FirstAccounts, prepareAccounts } from './first-accounts.ts';
import { portalDirectory, requirePortal } from './installation.ts';
import { listen } from './listen.ts';
import { loadConfig, loadServiceConfig, openMigrated, requireUsableRedis } from './open.ts';
import { shedStartMemorySoon } from './shed-start-memory.ts';
import { endBy } from './signals.ts';
import { warnOfOtherSites } from './sites.ts';
import { warnOfUnservedTools } from './tools.ts';

/** Resolves once the service listens; SIGTERM and SIGINT end the process in order. */
export const serve = async (added: AddedParts): Promise<void> => endBy(stopping(await startService(added)));

/** The part of the service that a worker takes; a single process takes all of it. */
export interface ShareOfService {
  /** Whether this worker creates the first accounts and reports them. */
  readonly isFirst: boolean;
  readonly passwordThreads: number;
  readonly gatherMetrics: NonNullable<AppParts['gatherMetrics']>;
}

export interface RunningService {
  readonly app: App;
  readonly logger: Logger;
  readonly timeoutMillis: number;
  /** Makes readiness answer 503, completes work in flight, then closes every part. Idempotent. */
  readonly close: () => Promise<void>;
}

/** Starts the service from the variables of this process, with added routes; resolves once it listens. */
export const startService = async (
  { application: definition, tools: toolDefinitions, ...added }: AddedParts = {},
  share?: ShareOfService,
): Promise<RunningService> => {
  // The supervisor has checked the ports, which other workers may hold by now.
  const { config, application, tools } =
    share === undefined ? await loadServiceConfig(definition, toolDefinitions) : await loadOfWorker();
  const logger = createLogger(config.logLevel);
  requirePortal();
  await requireUsableRedis(config);
  const { database } = await openMigrated(config, logger);
  await database.openAhead();
  if (share?.isFirst ?? true) await warnOfRestore(database, logger);
  if (database.engine === 'postgres') await warnOfUnawaitedStandby(database, logger);
  await warnOfUndefinedRoles(database, application, logger);
  warnOfUndefinedResources(config, application, logger);
  warnOfUnservedTools(config, tools, logger);
  if (share?.isFirst ?? true) warnOfOtherSites(config, application, logger);
  // Not with workers: the demo provider keeps its codes in the memory of one process.
  const demo = share === undefined ? await startDemo(config, logger) : noDemo;
  const served = {
    ...config,
    externalProvider: demo.provider?.client ?? config.externalProvider,
    stripe: demo.stripe?.settings ?? config.stripe,
  };
  const app = await startApp(
    { application, config: served, database, logger, portalDirectory, added, tools, ...share },
    share,
  );
  if (config.mode === 'development' && (share?.isFirst ?? true)) process.stdout.write(shownAddresses(config, demo));
  const close = async (): Promise<void> => {
    app.beginDrain();
    await Promise.all([app.close(), demo.provider?.close(), demo.stripe?.close()]);
  };
  return { app, logger, timeoutMillis: stopMillis(config.drainSeconds), close };
};

const warnOfRestore = async (database: Database, logger: Logger): Promise<void> => {
  const found = database.engine === 'postgres' ? await observeOrigin(database) : null;
  if (found !== null) warnOfChange(logger, found);
};

const loadOfWorker = async () => {
  const config = loadConfig({ isQuiet: true });
  // A program that adds tools runs as one process.
  return { config, application: await loadApplication(config), tools: [] };
};

/** The stand-ins of a development instance for what it has not configured. */
interface Demo {
  readonly provider: DemoProvider | null;
  readonly stripe: DemoStripe | null;
}

const noDemo: Demo = { provider: null, stripe: null };

/** Loaded only in development. */
const startDemo = async (config: Config, logger: Logger): Promise<Demo> => {
  if (config.mode !== 'development') return noDemo;
  const [{ startDemoProvider }, { startDemoStripe }] = await Promise.all([
    import('./demo/demo-provider.ts'),
    import('./demo/demo-stripe.ts'),
  ]);
  const [provider, stripe] = await Promise.all([startDemoProvider(config, logger), startDemoStripe(config, logger)]);
  return { provider, stripe };
};

const startApp = async (
  parts: AppParts & Required<Pick<AppParts, 'application'>>,
  share: ShareOfService | undefined,
): Promise<App> => {
  const { application, config, database, logger } = parts;
  const app = await createApp(parts);
  try {
    if (share?.isFirst ?? true) {
      const { passwords, mail } = app;
      process.stdout.write(
        shownAccounts(
          await prepareAccounts({ application, database, logger, passwords, mail, config, showSuperAdmin }),
        ),
      );
    }
    // Node flushes at exit, which a killed process never reaches; the next one would compile everything again.
    flushCompileCache();
    await listen(app, config, share !== undefined);
    shedStartMemorySoon();
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

/** Returns the function that ends the process in order; further calls do nothing. */
export const stopping = ({ logger, timeoutMillis, close }: Omit<RunningService, 'app'>) => {
  let isStopping = false;
  const fail = (error: unknown): void => {
    logger.error({ event: 'service.stop_failed', err: error }, 'Gatehouse did not stop cleanly');
    process.exit(exitCodes.failed);
  };
  return (signal: NodeJS.Signals | null): void => {
    if (isStopping) return;
    isStopping = true;
    logger.info({ event: 'service.stopping', signal }, 'Gatehouse is stopping');
    // Work that has not ended by then is aborted; it has acknowledged nothing.
    setTimeout(() => fail(new Error(`It took more than ${timeoutMillis} ms`)), timeoutMillis).unref();
    close().then(() => process.exit(exitCodes.ok), fail);
  };
};

/** Printed before anything else can fail or a signal can end the process: a generated password is shown only once. */
const showSuperAdmin = (line: string): void => {
  process.stdout.write(`  Super admin    ${line}\n`);
};

const shownAccounts = ({ demo, invitations }: FirstAccounts): string =>
  [
    ...demo.map((line) => `  Demo account   ${line}\n`),
    ...invitations.map((line) => `  Invitation     ${line}\n`),
  ].join('');

const shownAddresses = (config: Config, { provider, stripe }: Demo): string =>
  present(
    '',
    `  Gatehouse      ${config.frontendUrl}`,
    provider !== null &&
      `  Demo Google    ${provider.client.issuer}  accepts every identity; the sign-in page links to it`,
    stripe !== null && `  Demo Stripe    ${stripe.settings.apiBase}  takes no money; the plan page leads to it`,
    config.smtpUrl === undefined && `  Mailbox        ${config.baseUrl}/dev/mailbox`,
    `  GraphQL        ${config.baseUrl}/graphql`,
    '',
    '',
  ).join('\n');
