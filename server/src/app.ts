/** The composition root: builds the parts, mounts the surfaces (`app/surfaces.ts`), starts and stops all in order. */
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { printSchema } from 'graphql';
import { registerGauges } from './app/gauges.ts';
import { HttpListener } from './app/http-listener.ts';
import { type AppParts, openBase, type TracedParts } from './app/parts.ts';
import { mountSurfaces } from './app/surfaces.ts';
import type { Config } from './config/config.ts';
import { cleanupJobsFor } from './domain/cleanup/jobs.ts';
import type { LastSeenRecorder } from './domain/credentials/last-seen.ts';
import { logUnusablePasskeys } from './domain/factors/passkeys-store.ts';
import { tokenReminders } from './domain/machine-tokens/token-jobs.ts';
import { revokedClientsJob } from './domain/oauth/clients.ts';
import type { Identity } from './gatehouse.d.ts';
import type { GraphqlServices } from './graphql/context.ts';
import { completeSchema } from './graphql/schema.ts';
import type { Drain } from './http/health.ts';
import { createMetricsServer } from './http/metrics.ts';
import { createIdentity } from './http-kit/identity.ts';
import { within } from './kernel/waits/within.ts';
import { databaseNow } from './platform/database/database.ts';
import { traceDatabase } from './platform/database/decorators.ts';
import { originJob } from './platform/database/origin.ts';
import { JobSchedule } from './platform/jobs/job-schedule.ts';
import type { MailQueue, Outbox } from './platform/mail/outbox.ts';
import type { Mailbox } from './platform/mail/transport.ts';
import type { Logger } from './platform/observability/logger.ts';
import { type Metrics, noopMetrics } from './platform/observability/metrics.ts';
import type { IdentityProvider } from './platform/oidc/identity-provider.ts';
import { createOpenIdProvider } from './platform/oidc/openid-provider.ts';
import type { PasswordHasher } from './platform/passwords/password-hasher.ts';

export interface App {
  /** The server for `listen` and `inject`, with everything mounted. Mail is sent once it listens. */
  readonly http: FastifyInstance;
  /** The server for METRICS_PORT; null without one. */
  readonly metricsHttp: FastifyInstance | null;
  readonly passwords: PasswordHasher;
  readonly mail: MailQueue;
  /** The development mailbox; null with SMTP_URL. */
  readonly mailbox: Mailbox | null;
  readonly identity: Identity;
  /** The metrics of this process only; empty when metrics are not served. */
  ownMetrics(): Promise<string>;
  /** Makes readiness answer 503; requests in flight continue. */
  beginDrain(): void;
  /** Writes buffered records, works off reports of leaked tokens, and sends recorded telemetry to the collector. */
  flush(): Promise<void>;
  /** Records the next use of every credential, however recent the last one is: for tests that move time. */
  forgetLastUses(): void;
  /**
   * Completes work in flight, then closes every part, the database last. Idempotent. Does not change readiness, which
   * is left to `beginDrain`: when one worker ends, others still serve its port.
   */
  close(): Promise<void>;
}

/** Builds the service without listening. */
export const createApp = async (parts: AppParts): Promise<App> => {
  try {
    return await buildApp(await withTracing(parts));
  } catch (error) {
    // An open database keeps the process alive and its directory locked.
    await parts.database.close();
    throw error;
  }
};

/** Loads the exporter only when a collector is configured. */
const withTracing = async (parts: AppParts): Promise<TracedParts> => {
  const { config, logger, database } = parts;
  if (config.otlpEndpoint === undefined) return { ...parts, tracing: null };
  const { createOtlpTracing } = await import('./platform/observability/otlp-tracing.ts');
  return { ...parts, tracing: createOtlpTracing(config.otlpEndpoint, logger), database: traceDatabase(database) };
};

const buildApp = async (parts: TracedParts): Promise<App> => {
  const { config, logger } = parts;
  const ownMetrics = await openMetrics(config, logger);
  const metrics = metricsOfAll(ownMetrics, parts);
  const base = await openBase(parts, metrics);
  const { services, connections, reports } = base;
  registerGauges(metrics, { ...services, redis: base.redis });
  const identity = createIdentity({ ...services, settings: { ...config, ...services.settings } });
  const drain: Drain = { isDraining: false };
  const http = await mountSurfaces({
    added: {},
    tools: [],
    ...parts,
    ...base,
    identity,
    drain,
    metrics,
    readinessDeps: { database: services.database, cache: base.redis, queue: base.outbox },
    provider: connectProvider(config, services),
  });
  const metricsHttp = config.metrics.port === null ? null : await metricsServer(config, logger, metrics);
  // Start sending only once we listen: a signal during start-up ends the process without draining, and a mail in flight
  // would be sent twice.
  http.server.once('listening', () => base.outbox.start());
  http.server.once('listening', () => reports.start());
  http.server.once('listening', () => void logUnusablePasskeys(services));
  const cleanup = startCleanup(parts, services);
  const flush = flushing([
    services.lastSeen,
    services.tokenNetworks,
    services.signIns,
    connections,
    reports,
    ...(parts.tracing === null ? [] : [parts.tracing]),
  ]);
  return {
    http,
    metricsHttp,
    passwords: services.passwords,
    mail: base.outbox,
    mailbox: base.mailbox,
    identity,
    ownMetrics: () => ownMetrics.render(),
    flush,
    forgetLastUses: () => services.lastSeen.forgetRecent(),
    beginDrain: () => {
      drain.isDraining = true;
      cleanup.beginToStop();
    },
    close: closing(parts, base, { http, metricsHttp, cleanup, flush, metrics }),
  };
};

interface RunningParts extends Pick<App, 'http' | 'metricsHttp' | 'flush'> {
  readonly cleanup: JobSchedule;
  readonly metrics: Metrics;
}

/** @returns {@link App.close} */
const closing = (
  { config, tracing }: TracedParts,
  { services, redis, transport, outbox, reports }: Awaited<ReturnType<typeof openBase>>,
  { http, metricsHttp, cleanup, flush, metrics }: RunningParts,
): App['close'] => {
  const listeners = [http, metricsHttp].flatMap((each) => (each === null ? [] : [new HttpListener(each)]));
  return once(async () => {
    const isIdle = cleanup.stop();
    for (const listener of listeners) listener.startDraining();
    // A server that never listened is unknown to any load balancer, so no delay is needed.
    if (http.server.listening) await delay(config.drainSeconds * 1000);
    await endListeners(listeners, outbox);
    transport.close();
    await Promise.all([isIdle, reports.stop()]);
    await flush();
    await services.passwords.close();
    redis?.close();
    await Promise.all([metrics.close(), tracing?.close()]);
    await services.database.close();
  });
};

/** The libraries take a fourteenth of an idle process's memory, so they are loaded only when metrics are used. */
const openMetrics = async ({ metrics, otlpEndpoint }: Config, logger: Logger): Promise<Metrics> =>
  metrics.isServed || otlpEndpoint !== undefined
    ? (await import('./platform/observability/open-metrics.ts')).openCountedMetrics(
        { ...metrics, otlpEndpoint },
        logger,
      )
    : noopMetrics();

const metricsOfAll = (own: Metrics, { gatherMetrics }: AppParts): Metrics =>
  gatherMetrics === undefined ? own : { ...own, render: () => gatherMetrics(() => own.render()) };

const startCleanup = (
  { config, logger, tracing, isCleanupLeft }: TracedParts,
  { database, ...services }: Pick<GraphqlServices, 'application' | 'database' | 'mail' | 'settings'>,
): JobSchedule => {
  const reminders = config.machineTokensEnabled ? [tokenReminders(services)] : [];
  const origin = database.engine === 'postgres' ? [originJob(logger)] : [];
  const jobs = [...cleanupJobsFor(config.signInHistoryDays), revokedClientsJob, ...reminders, ...origin];
  const cleanup = new JobSchedule({ database, logger, jobs, tracing });
  if (isCleanupLeft !== true) cleanup.start();
  return cleanup;
};

const metricsServer = async (config: Config, logger: FastifyBaseLogger, metrics: Metrics): Promise<FastifyInstance> => {
  const app = createMetricsServer({ metrics, token: config.metrics.token, logger, origins: config });
  await app.ready();
  return app;
};

const connectProvider = (
  { externalProvider }: Config,
  { database, intervals }: Pick<GraphqlServices, 'database' | 'intervals'>,
): IdentityProvider | null =>
  externalProvider === null
    ? null
    : createOpenIdProvider({
        ...externalProvider,
        timeoutSeconds: intervals.identityProvider,
        now: () => databaseNow(database),
      });

const flushing = (parts: readonly Pick<LastSeenRecorder, 'flush'>[]) => async (): Promise<void> => {
  await Promise.all(parts.map((part) => part.flush()));
};

/** Ends the listeners, then the mails in flight. */
const endListeners = async (listeners: readonly HttpListener[], mail: Pick<Outbox, 'stop'>): Promise<void> => {
  const begun = performance.now();
  await Promise.all(listeners.map((listener) => listener.close()));
  const millis = Math.min(mailTimeoutMilliseconds, lateMilliseconds - (performance.now() - begun));
  await within(millis, mail.stop(), () => undefined);
};

/** An unresponsive mail server must not delay the stop; its mails are retried by the next process. */
const mailTimeoutMilliseconds = 4000;

/** Limits the mail stop when the connections have taken most of the time. */
const lateMilliseconds = 9000;

/** The GraphQL schema as text, as in `server/schema.graphql`. */
export const printedSchema = (): string => `${printSchema(completeSchema())}\n`;

const once = (work: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | null = null;
  return () => {
    running ??= work();
    return running;
  };
};
