/**
 * The composition root: builds the parts from the configuration, mounts the surfaces, starts and stops them in order.
 */
import { setTimeout as delay } from 'node:timers/promises';
import cookie from '@fastify/cookie';
import cors, { type FastifyCorsOptions, type FastifyCorsOptionsDelegateCallback } from '@fastify/cors';
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify';
import { printSchema } from 'graphql';
import type { Config } from './config/config.ts';
import { Authenticator } from './domain/access/authenticate.ts';
import { ToolAudits } from './domain/audit/tool-audits.ts';
import { ConnectionRecorder } from './domain/connections/connection-recorder.ts';
import type { ConnectionLog } from './domain/connections/steps.ts';
import { LastSeenRecorder } from './domain/credentials/last-seen.ts';
import { createContext, type GraphqlServices } from './graphql/context.ts';
import { loneMutations } from './graphql/credential-mutations.ts';
import { mountGraphql } from './graphql/endpoint.ts';
import { schema, servedSchema } from './graphql/schema.ts';
import { answerUnreadable, answerUnroutable, mountFailures, mountFallbacks } from './http/fallbacks.ts';
import { type Drain, mountHealth } from './http/health.ts';
import { mountMailbox } from './http/mailbox.ts';
import { countRequests, createMetricsServer, mountMetrics } from './http/metrics.ts';
import { mountOauth } from './http/oauth/mount.ts';
import { mountPortal } from './http/portal.ts';
import { mountStripeWebhook } from './http/stripe-webhook.ts';
import { Keyring } from './kernel/secrets.ts';
import { mountMcp } from './mcp/endpoint.ts';
import type { Database } from './platform/database/database.ts';
import type { Logger } from './platform/logger.ts';
import { createMailbox, type Mailbox } from './platform/mail/mailbox.ts';
import { createOutbox, type MailQueue } from './platform/mail/outbox.ts';
import { createSmtpTransport } from './platform/mail/transport.ts';
import { createMetrics, type Metrics } from './platform/metrics.ts';
import { createPasswordHasher, type PasswordHasher } from './platform/password-hasher.ts';
import { createRateLimits } from './platform/rate-limits.ts';
import { createStripeApi, createStripeVerifier } from './platform/stripe.ts';
import { logRequests } from './web/request-log.ts';
import { addSecurityHeaders, securityHeaders } from './web/security-headers.ts';

export interface App {
  /** For `listen` and `inject`; mounted and ready to listen. */
  readonly http: FastifyInstance;
  /** The same for METRICS_PORT; null without one. */
  readonly metricsHttp: FastifyInstance | null;
  readonly passwords: PasswordHasher;
  readonly mail: MailQueue;
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
  const { config, database, logger, portalDirectory } = parts;
  const mailbox = config.smtpUrl === undefined ? createMailbox() : null;
  const transport = mailbox ?? createSmtpTransport(config.smtpUrl ?? '', config.mailFrom);
  const keyring = new Keyring(config.secrets);
  const mail = createOutbox({ database, transport, logger, keyring });
  const passwords = createPasswordHasher(config.saltRounds);
  const lastSeen = new LastSeenRecorder(database, logger);
  const connections = new ConnectionRecorder(database, logger);
  const authenticator = parts.authenticator ?? new Authenticator(database);
  const services: GraphqlServices = {
    database,
    authenticator,
    lastSeen,
    passwords,
    mail,
    keyring,
    limits: createRateLimits(keyring, config.rateLimitsEnabled),
    logger,
    payments: await connectPayments(config, logger),
    lifetimes: config,
    settings: config,
  };
  const drain: Drain = { isDraining: false };
  const metrics = createMetrics();
  const http = await mount({ config, services, connections, mailbox, portalDirectory, drain, metrics });
  const metricsHttp = config.metrics.port === null ? null : await metricsServer(config, logger, metrics);
  mail.start();
  const close = once(async () => {
    drain.isDraining = true;
    await closeHttp(http);
    if (metricsHttp !== null) await closeHttp(metricsHttp);
    await Promise.race([mail.stop(), delay(mailPatienceMilliseconds, undefined, { ref: false })]);
    transport.close();
    await lastSeen.flush();
    await connections.flush();
    await passwords.close();
    await database.close();
  });
  return {
    http,
    metricsHttp,
    passwords,
    mail,
    beginDrain: () => {
      drain.isDraining = true;
    },
    close,
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

/** A mail server that does not answer must not hold the stop: what it has is tried again by whoever comes next. */
const mailPatienceMilliseconds = 4000;
const sweepMilliseconds = 50;

/**
 * Waits for the answers in flight, not for their connections: one that is kept alive is idle only after its answer,
 * when the framework no longer looks, and would hold the process until the client lets go.
 */
const closeHttp = async (http: FastifyInstance): Promise<void> => {
  const sweep = setInterval(() => http.server.closeIdleConnections(), sweepMilliseconds);
  await http.close();
  clearInterval(sweep);
};

/** The GraphQL contract as text, which `server/schema.graphql` holds. */
export const printedSchema = (): string => `${printSchema(schema)}\n`;

const once = (work: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | null = null;
  return () => {
    running ??= work();
    return running;
  };
};

interface Surfaces {
  readonly config: Config;
  readonly services: GraphqlServices;
  readonly connections: ConnectionLog;
  readonly mailbox: Mailbox | null;
  readonly portalDirectory: string | null;
  readonly drain: Drain;
  readonly metrics: Metrics;
}

const mount = async (surfaces: Surfaces): Promise<FastifyInstance> => {
  const { config, services, connections, mailbox, portalDirectory, drain, metrics } = surfaces;
  const loggerInstance: FastifyBaseLogger = services.logger;
  const unroutableHeaders = securityHeaders(config);
  const http = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    // A child of the logger for each request costs a tenth of `me`; who logs names the request.
    childLoggerFactory: (parent) => parent,
    genReqId: () => crypto.randomUUID(),
    trustProxy: trustedProxies(config.trustProxy),
    bodyLimit: 100 * 1024,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    // What still arrives on a kept connection while draining is answered, with the headers of every other answer.
    return503OnClosing: false,
    frameworkErrors: (error, _request, reply) => {
      answerUnroutable(error, reply, unroutableHeaders);
    },
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, unroutableHeaders),
  });
  logRequests(http, services.logger);
  if (config.metrics.isServed) countRequests(http, metrics);
  addSecurityHeaders(http, config);
  mountFailures(http);
  await http.register(cookie);
  mountHealth(http, services.database, drain);
  if (config.metrics.isServed && config.metrics.port === null) mountMetrics(http, metrics, config.metrics.token);
  await http.register(async (scope) => {
    await scope.register(cors, { delegator: graphqlSharing(config) });
    mountGraphqlSurface(scope, config, services);
  });
  if (config.mcp.enabled) {
    await mountOauth(http, { ...services, settings: config, connections });
    await mountMcp(http, {
      ...services,
      settings: config,
      connections,
      metrics,
      audits: new ToolAudits(services.database),
    });
  }
  const { webhookSecret } = config.stripe;
  if (webhookSecret !== undefined) {
    await mountStripeWebhook(http, { ...services, verify: await createStripeVerifier(webhookSecret) });
  }
  const hasMailbox = mailbox !== null && !config.isHardened;
  if (hasMailbox) mountMailbox(http, mailbox);
  const portal = { ...config, hasMailbox, hasBilling: services.payments !== null, hasMcp: config.mcp.enabled };
  const page = portalDirectory === null ? null : await mountPortal(http, portalDirectory, portal);
  mountFallbacks(http, page);
  await http.ready();
  return http;
};

/** Hops are counted from this process: 1 trusts the proxy that connects to it, and no other. */
const trustedProxies = (trusted: Config['trustProxy']) => {
  if (typeof trusted === 'number') return (_address: string, hop: number): boolean => hop < trusted;
  return trusted === false ? false : [...trusted];
};

/**
 * CORS with credentials for exactly the two origins, on /graphql alone: the plug-in adds a route for OPTIONS of every
 * address, which would share the others too.
 */
const graphqlSharing = ({ baseUrl, frontendUrl }: Config): FastifyCorsOptionsDelegateCallback => {
  const shared: FastifyCorsOptions = { origin: [baseUrl, frontendUrl], credentials: true, maxAge: 600 };
  const own: FastifyCorsOptions = { origin: false };
  return (request, answer) => answer(null, request.routeOptions.url === '/graphql' ? shared : own);
};

const mountGraphqlSurface = (scope: FastifyInstance, config: Config, services: GraphqlServices): void =>
  mountGraphql(scope, {
    schema: servedSchema({ hasBilling: services.payments !== null }),
    introspection: config.graphqlIntrospection,
    graphiql: config.graphiql,
    loneMutations,
    createContext: (request, reply, operation) => createContext(services, request, reply, operation),
    newCorrelationId: () => crypto.randomUUID(),
    onUnexpected: (error, correlationId, request) =>
      services.logger.error(
        { event: 'request.failed', err: error, correlationId, requestId: request.id },
        'A GraphQL operation failed unexpectedly',
      ),
  });
