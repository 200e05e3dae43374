/**
 * The composition root: builds the parts from the configuration, has the surfaces mounted over them
 * (`app/surfaces.ts`), starts and stops everything in order.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { printSchema } from 'graphql';
import { HttpListener } from './app/http-listener.ts';
import { mountSurfaces } from './app/surfaces.ts';
import type { Config } from './config/config.ts';
import { Authenticator } from './domain/access/authenticate.ts';
import { ConnectionRecorder } from './domain/connections/connection-recorder.ts';
import { LastSeenRecorder } from './domain/credentials/last-seen.ts';
import type { AddedRoutes, Identity } from './gatehouse.d.ts';
import type { GraphqlServices } from './graphql/context.ts';
import { schema } from './graphql/schema.ts';
import type { Drain } from './http/health.ts';
import { createMetricsServer } from './http/metrics.ts';
import { Keyring } from './kernel/secrets.ts';
import type { Database } from './platform/database/database.ts';
import { createDatabaseHelperSessions } from './platform/database-helper-sessions.ts';
import type { HelperSessions } from './platform/helper-sessions.ts';
import type { IdentityProvider } from './platform/identity-provider.ts';
import type { Logger } from './platform/logger.ts';
import { createMailbox } from './platform/mail/mailbox.ts';
import { createOutbox, type MailQueue } from './platform/mail/outbox.ts';
import { createSmtpTransport } from './platform/mail/transport.ts';
import { type Metrics, uncountedMetrics } from './platform/metrics.ts';
import { createOpenIdProvider } from './platform/openid-provider.ts';
import { createPasswordHasher, type PasswordHasher } from './platform/password-hasher.ts';
import { RateLimitSweep } from './platform/rate-limit-sweep.ts';
import { createRateLimits } from './platform/rate-limits.ts';
import type { Redis } from './platform/redis.ts';
import { createRedisHelperSessions } from './platform/redis-helper-sessions.ts';
import { createStripeApi } from './platform/stripe.ts';
import { createIdentity } from './web/identity.ts';

export interface App {
  /** For `listen` and `inject`; mounted and ready to listen. */
  readonly http: FastifyInstance;
  /** The same for METRICS_PORT; null without one. */
  readonly metricsHttp: FastifyInstance | null;
  readonly passwords: PasswordHasher;
  readonly mail: MailQueue;
  /** For whoever serves routes of their own. */
  readonly identity: Identity;
  /** Readiness answers 503 from now on; what is in flight goes on. */
  beginDrain(): void;
  /** Ends what is in flight, then every part, the database last. Idempotent. */
  close(): Promise<void>;
}

export interface AppParts {
  readonly config: Config;
  /** Open and migrated; closed by the app, also when it cannot be built. */
  readonly database: Database;
  readonly logger: Logger;
  /** The folder of the built portal; null serves none. */
  readonly portalDirectory: string | null;
  /** Routes of the adopter's own, beside the service's. */
  readonly added?: AddedRoutes;
  /** Who answers for access tokens: one over the database, unless a measurement brings its own. */
  readonly authenticator?: GraphqlServices['authenticator'];
}

/** Builds the service. Nothing listens yet. */
export const createApp = async (parts: AppParts): Promise<App> => {
  try {
    return await buildApp(parts);
  } catch (error) {
    // An open database keeps the process alive, and its directory locked.
    await parts.database.close();
    throw error;
  }
};

const buildApp = async (parts: AppParts): Promise<App> => {
  const { config, database, logger } = parts;
  const mailbox = config.smtpUrl === undefined ? createMailbox() : null;
  const transport = mailbox ?? createSmtpTransport(config.smtpUrl ?? '', config.mailFrom);
  const keyring = new Keyring(config.secrets);
  const mail = createOutbox({ database, transport, logger, keyring });
  const passwords = createPasswordHasher(config.saltRounds);
  const lastSeen = new LastSeenRecorder(database, logger);
  const limitSweep = new RateLimitSweep(database, logger);
  const connections = new ConnectionRecorder(database, logger);
  const authenticator = parts.authenticator ?? new Authenticator(database);
  const redis = await openRedis(config, logger);
  const services: GraphqlServices = {
    database,
    helperSessions: createHelperSessions(redis, database, keyring),
    authenticator,
    lastSeen,
    passwords,
    mail,
    keyring,
    limits: createRateLimits(keyring, config.rateLimitsEnabled, limitSweep),
    logger,
    payments: await connectPayments(config, logger),
    lifetimes: config,
    settings: config,
  };
  const drain: Drain = { isDraining: false };
  const metrics = await openMetrics(config);
  const provider = connectProvider(config);
  const identity = createIdentity({ authenticator, lastSeen, settings: config });
  const surfaces = { added: {}, ...parts, services, provider, connections, mailbox, drain, metrics, identity };
  const http = await mountSurfaces(surfaces);
  const metricsHttp = config.metrics.port === null ? null : await metricsServer(config, logger, metrics);
  const listeners = [http, ...(metricsHttp === null ? [] : [metricsHttp])].map((each) => new HttpListener(each));
  mail.start();
  const close = once(async () => {
    drain.isDraining = true;
    for (const listener of listeners) await listener.close();
    await Promise.race([mail.stop(), delay(mailPatienceMilliseconds, undefined, { ref: false })]);
    transport.close();
    await limitSweep.stop();
    await lastSeen.flush();
    await connections.flush();
    await passwords.close();
    redis?.close();
    await database.close();
  });
  return {
    http,
    metricsHttp,
    passwords,
    mail,
    identity,
    beginDrain: () => {
      drain.isDraining = true;
    },
    close,
  };
};

/** The libraries are a fourteenth of an idle process's memory: only who serves metrics loads them. */
const openMetrics = async ({ metrics }: Config): Promise<Metrics> =>
  metrics.isServed ? (await import('./platform/prometheus-metrics.ts')).createPrometheusMetrics() : uncountedMetrics();

/** Only an installation that has a Redis loads the client for it. */
const openRedis = async ({ redisUrl: url }: Config, logger: Logger): Promise<Redis | null> =>
  url === undefined ? null : (await import('./platform/redis.ts')).connectRedis({ url, logger });

const createHelperSessions = (redis: Redis | null, database: Database, keyring: Keyring): HelperSessions =>
  redis === null ? createDatabaseHelperSessions(database, keyring) : createRedisHelperSessions(redis, keyring);

const metricsServer = async (config: Config, logger: FastifyBaseLogger, metrics: Metrics): Promise<FastifyInstance> => {
  const app = createMetricsServer({ metrics, token: config.metrics.token, logger, origins: config });
  await app.ready();
  return app;
};

const connectPayments = async ({ stripe }: Config, logger: Logger): Promise<GraphqlServices['payments']> => {
  const { secretKey, apiBase } = stripe;
  return secretKey === undefined ? null : createStripeApi({ secretKey, apiBase, logger });
};

const connectProvider = ({ externalProvider }: Config): IdentityProvider | null =>
  externalProvider === null ? null : createOpenIdProvider(externalProvider);

/** A mail server that does not answer must not hold the stop: what it has is tried again by whoever comes next. */
const mailPatienceMilliseconds = 4000;

/** The GraphQL contract as text, which `server/schema.graphql` holds. */
export const printedSchema = (): string => `${printSchema(schema)}\n`;

const once = (work: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | null = null;
  return () => {
    running ??= work();
    return running;
  };
};
