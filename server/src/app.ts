/**
 * The composition root: builds the parts from the configuration, mounts the surfaces (`app/surfaces.ts`), starts and
 * stops everything in order.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { printSchema } from 'graphql';
import { registerGauges } from './app/gauges.ts';
import { HttpListener } from './app/http-listener.ts';
import { mountSurfaces } from './app/surfaces.ts';
import type { Config } from './config/config.ts';
import { Authenticator } from './domain/access/authenticate.ts';
import { ConnectionRecorder } from './domain/client-onboarding/record-steps.ts';
import { countSessions } from './domain/credentials/count-sessions.ts';
import { LastSeenRecorder } from './domain/credentials/last-seen.ts';
import { upkeepJobs } from './domain/upkeep/jobs.ts';
import type { AddedRoutes, Identity } from './gatehouse.d.ts';
import type { GraphqlServices } from './graphql/context.ts';
import { schema } from './graphql/schema.ts';
import type { Drain } from './http/health.ts';
import { createMetricsServer } from './http/metrics.ts';
import { createIdentity } from './http-kit/identity.ts';
import { Keyring } from './kernel/secrets.ts';
import type { Database } from './platform/database/database.ts';
import { databaseNow } from './platform/database/database.ts';
import { traceDatabase } from './platform/database/traced-database.ts';
import type { HelperSessions } from './platform/helper-sessions.ts';
import { createDatabaseHelperSessions, createRedisHelperSessions } from './platform/helper-sessions.ts';
import { defaultIntervals, type Intervals } from './platform/intervals.ts';
import { JobSchedule } from './platform/jobs/job-schedule.ts';
import { createOutbox, type MailQueue, type Outbox } from './platform/mail/outbox.ts';
import { countMails, createMailbox, createSmtpTransport } from './platform/mail/transport.ts';
import type { Tracing } from './platform/observability/context.ts';
import { LogThrottle } from './platform/observability/log-throttle.ts';
import type { Logger, ProcessLogger } from './platform/observability/logger.ts';
import { type Counts, type Metrics, noopMetrics } from './platform/observability/metrics.ts';
import type { IdentityProvider } from './platform/oidc/identity-provider.ts';
import { createOpenIdProvider } from './platform/oidc/openid-provider.ts';
import { createPasswordHasher, type PasswordHasher, type QueueOptions } from './platform/passwords/password-hasher.ts';
import { createDatabaseRateLimits } from './platform/rate-limit/database-rate-limits.ts';
import { createRateLimits, type RateLimitParts, type RateLimits } from './platform/rate-limit/rate-limits.ts';
import { createRedisRateLimits } from './platform/rate-limit/redis-rate-limits.ts';
import type { Redis } from './platform/redis/redis.ts';
import { createStripeApi } from './platform/stripe.ts';

export interface App {
  /** The server for `listen` and `inject`, with everything mounted. Mail is sent once it listens. */
  readonly http: FastifyInstance;
  /** The server for METRICS_PORT; null without one. */
  readonly metricsHttp: FastifyInstance | null;
  readonly passwords: PasswordHasher;
  readonly mail: MailQueue;
  /** The identity API for added routes. */
  readonly identity: Identity;
  /** The metrics of this process only; empty when metrics are not served. */
  ownMetrics(): Promise<string>;
  /** Makes readiness answer 503; requests in flight continue. */
  beginDrain(): void;
  /** Writes buffered records, and sends recorded telemetry to the collector. */
  flush(): Promise<void>;
  /**
   * Completes work in flight, then closes every part, the database last. Idempotent. Does not change readiness, which
   * is left to `beginDrain`: when one worker ends, others still serve its port.
   */
  close(): Promise<void>;
}

export interface AppParts {
  readonly config: Config;
  /** Open and migrated; closed by the app, even when the build fails. */
  readonly database: Database;
  readonly logger: ProcessLogger;
  /** The directory of the built portal; null serves none. */
  readonly portalDirectory: string | null;
  /** The adopter's own routes. */
  readonly added?: AddedRoutes;
  /** Whether expired rows are deleted elsewhere (`gatehouse upkeep`); by default the app deletes them while it runs. */
  readonly isCleanupLeft?: boolean;
  /** Combines the metrics of all processes that share a port. */
  readonly gatherMetrics?: (own: () => Promise<string>) => Promise<string>;
  /** Default: one thread per core. Lower when other processes hash on the same cores. */
  readonly passwordThreads?: number;
  /** Resolves access tokens. Default: one over the database; a benchmark supplies its own. */
  readonly authenticator?: GraphqlServices['authenticator'];
  /** Default: a hasher with its own threads; tests supply another. */
  readonly passwords?: PasswordHasher;
  readonly intervals?: Partial<Intervals>;
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

interface TracedParts extends AppParts {
  readonly tracing: Tracing | null;
}

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
  const { database, authenticator, redis } = await openStores(parts, metrics);
  const { mailbox, transport } = openMail(config, metrics.counts);
  const keyring = new Keyring(config.secrets);
  const mail = createOutbox({ database, transport, logger, keyring, tracing: parts.tracing });
  const passwords = parts.passwords ?? createPasswordHasher(config.saltRounds, passwordQueue(parts));
  const intervals = { ...defaultIntervals, ...parts.intervals };
  const lastSeen = new LastSeenRecorder(database, logger);
  const connections = new ConnectionRecorder(database, logger);
  const services: GraphqlServices = {
    database,
    helperSessions: createHelperSessions(redis, database, keyring),
    authenticator,
    lastSeen,
    passwords,
    mail,
    keyring,
    limits: createLimits(config, redis, { keyring, database, refused: hearRefusals(metrics, logger) }),
    logger,
    payments: await connectPayments(config, logger),
    lifetimes: config,
    settings: config,
    intervals,
  };
  registerGauges(metrics, { database, authenticator, passwords, redis });
  const identity = createIdentity({ authenticator, lastSeen, settings: config });
  const drain: Drain = { isDraining: false };
  const ground = { database, cache: redis, queue: mail };
  const surfaces = { added: {}, ...parts, services, connections, mailbox, ground, drain, metrics, identity };
  const http = await mountSurfaces({ ...surfaces, provider: connectProvider(config, database, intervals) });
  const metricsHttp = config.metrics.port === null ? null : await metricsServer(config, logger, metrics);
  const listeners = [http, metricsHttp].flatMap((each) => (each === null ? [] : [new HttpListener(each)]));
  // Start sending only once we listen: a signal during start-up ends the process without draining, and a mail in flight
  // would be sent twice.
  http.server.once('listening', () => mail.start());
  const upkeep = startUpkeep(parts, database);
  const flush = flushing([lastSeen, connections, ...(parts.tracing === null ? [] : [parts.tracing])]);
  const close = once(async () => {
    const isIdle = upkeep.stop();
    for (const listener of listeners) listener.startDraining();
    // A server that never listened is unknown to any load balancer, so no delay is needed.
    if (http.server.listening) await delay(config.drainSeconds * 1000);
    await endListeners(listeners, mail);
    transport.close();
    await isIdle;
    await flush();
    await passwords.close();
    redis?.close();
    await Promise.all([metrics.close(), parts.tracing?.close()]);
    await database.close();
  });
  return {
    http,
    metricsHttp,
    passwords,
    mail,
    identity,
    ownMetrics: () => ownMetrics.render(),
    flush,
    beginDrain: () => {
      drain.isDraining = true;
      upkeep.beginToStop();
    },
    close,
  };
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

const passwordQueue = ({ config, passwordThreads: threads }: AppParts): QueueOptions => ({
  ...(threads === undefined ? {} : { threads }),
  ...(config.rateLimitsEnabled ? {} : { maxWaiting: 1000 }),
});

/** Opens the authenticator, and the stores shared by all processes. */
const openStores = async ({ config, logger, database: open, authenticator }: AppParts, { counts }: Metrics) => {
  const database = countSessions(open, counts);
  return {
    database,
    authenticator: authenticator ?? new Authenticator(database, counts?.acceptanceSeconds),
    redis: await openRedis(config, logger),
  };
};

const startUpkeep = ({ logger, tracing, isCleanupLeft }: TracedParts, database: Database): JobSchedule => {
  const upkeep = new JobSchedule({ database, logger, jobs: upkeepJobs, tracing });
  if (isCleanupLeft !== true) upkeep.start();
  return upkeep;
};

/** Loads the Redis client only when REDIS_URL is set. */
const openRedis = async ({ redisUrl: url }: Config, logger: Logger): Promise<Redis | null> =>
  url === undefined ? null : (await import('./platform/redis/redis.ts')).connectRedis({ url, logger });

const createHelperSessions = (redis: Redis | null, database: Database, keyring: Keyring): HelperSessions =>
  redis === null ? createDatabaseHelperSessions(database, keyring) : createRedisHelperSessions(redis, keyring);

const createLimits = (
  { rateLimitsEnabled: isEnabled }: Config,
  redis: Redis | null,
  parts: Pick<RateLimitParts, 'keyring' | 'refused'> & { readonly database: Database },
): RateLimits => {
  const inDatabase = createDatabaseRateLimits(parts.database);
  const store = redis === null ? inDatabase : createRedisRateLimits(redis, inDatabase);
  return createRateLimits({ ...parts, isEnabled, store });
};

/** Opens the development mailbox when SMTP_URL is not set. */
const openMail = ({ smtpUrl, mailFrom }: Config, counts: Counts | null) => {
  const mailbox = smtpUrl === undefined ? createMailbox() : null;
  return { mailbox, transport: countMails(mailbox ?? createSmtpTransport(smtpUrl ?? '', mailFrom), counts) };
};

const hearRefusals = ({ counts }: Metrics, logger: Logger): Required<RateLimitParts>['refused'] => {
  const log = new LogThrottle();
  return ({ name: limit }) => {
    log.note(limit, (refusals) =>
      logger.warn({ event: 'rate_limits.refused', limit, refusals }, 'A limit refused what was tried too often'),
    );
    if (counts !== null) counts.rateLimitRefusals.at(limit).value += 1;
  };
};

const metricsServer = async (config: Config, logger: FastifyBaseLogger, metrics: Metrics): Promise<FastifyInstance> => {
  const app = createMetricsServer({ metrics, token: config.metrics.token, logger, origins: config });
  await app.ready();
  return app;
};

const connectPayments = async ({ stripe }: Config, logger: Logger): Promise<GraphqlServices['payments']> => {
  const { secretKey, apiBase } = stripe;
  return secretKey === undefined ? null : createStripeApi({ secretKey, apiBase, logger });
};

const connectProvider = (
  { externalProvider }: Config,
  database: Database,
  { identityProvider: timeoutSeconds }: Intervals,
): IdentityProvider | null =>
  externalProvider === null
    ? null
    : createOpenIdProvider({ ...externalProvider, timeoutSeconds, now: () => databaseNow(database) });

const flushing = (parts: readonly Pick<LastSeenRecorder, 'flush'>[]) => async (): Promise<void> => {
  await Promise.all(parts.map((part) => part.flush()));
};

/** Ends the listeners, then the mails in flight. */
const endListeners = async (listeners: readonly HttpListener[], mail: Pick<Outbox, 'stop'>): Promise<void> => {
  const late = delay(lateMilliseconds, undefined, { ref: false });
  await Promise.all(listeners.map((listener) => listener.close()));
  await Promise.race([mail.stop(), delay(mailTimeoutMilliseconds, undefined, { ref: false }), late]);
};

/** An unresponsive mail server must not delay the stop; its mails are retried by the next process. */
const mailTimeoutMilliseconds = 4000;

/** Limits the mail stop when the connections have taken most of the time. */
const lateMilliseconds = 9000;

/** The GraphQL schema as text, as in `server/schema.graphql`. */
export const printedSchema = (): string => `${printSchema(schema)}\n`;

const once = (work: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | null = null;
  return () => {
    running ??= work();
    return running;
  };
};
