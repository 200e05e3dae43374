/**
 * Owns: the composition of the process: stores and services, the HTTP server with its surfaces, the list of routes,
 *   gauges.
 * Promises: Each route that is mounted is in the list with what it requires; parts start in order and stop in reverse.
 *
 * What is mounted, in which order, and under which configuration, such as MCP_ENABLED and MAX_CONNECTIONS.
 */
import cookie from '@fastify/cookie';
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify';
import type { Config } from '../config/config.ts';
import { OrganizationAuditQueue } from '../domain/audit/organization-audit-queue.ts';
import { ToolAudits } from '../domain/audit/tool-audits.ts';
import type { ConnectionLog } from '../domain/client-onboarding/steps.ts';
import type { TokenReports } from '../domain/machine-tokens/report-leaks.ts';
import { DocumentClients } from '../domain/oauth/document-clients.ts';
import { ProtectedResources } from '../domain/oauth/resources.ts';
import { organizationTools } from '../domain/organization-tools/catalogue.ts';
import { type CustomTool, scopesOf } from '../domain/tools/tool.ts';
import type { AddedRoutes, Identity } from '../gatehouse.d.ts';
import { createContext, type GraphqlServices } from '../graphql/context.ts';
import { recordFailure } from '../graphql/denials.ts';
import { DocumentTime } from '../graphql/document-time.ts';
import { mountGraphql } from '../graphql/endpoint.ts';
import { OperationCounts } from '../graphql/operation-counts.ts';
import { loneMutations, senderOf } from '../graphql/operations.ts';
import { servedSchema } from '../graphql/schema.ts';
import { lookOf, mountBrand } from '../http/brand.ts';
import { mountExternal } from '../http/external-sign-in/routes.ts';
import { answerUnreadable, answerUnroutable, mountFailures, mountFallbacks } from '../http/fallbacks.ts';
import { type Drain, mountHealth, type ReadinessDeps } from '../http/health.ts';
import { mountIdentity } from '../http/identity-endpoint.ts';
import { mountIntrospect } from '../http/introspect.ts';
import { mountMailbox } from '../http/mailbox.ts';
import { countRequests, mountMetrics } from '../http/metrics.ts';
import { mountOauth } from '../http/oauth/routes.ts';
import { mountPortal } from '../http/portal.ts';
import { mountStripeWebhook } from '../http/stripe-webhook.ts';
import { maxBytesOfReports, mountTokenReport } from '../http/token-report.ts';
import { shareResponses } from '../http-kit/cors.ts';
import { limitHeaders } from '../http-kit/header-limit.ts';
import { portalAlone } from '../http-kit/origins.ts';
import { registerRateLimitHeaders } from '../http-kit/rate-limit-headers.ts';
import { BodyBudget, leaveBodiesUnread, maxBytesOfEvents } from '../http-kit/request-bodies.ts';
import {
  addSecurityHeaders,
  correlateRequests,
  correlationHeader,
  logRequests,
  requestSpans,
  securityHeaders,
  trustedProxies,
  withoutSchemas,
} from '../http-kit/request-hooks.ts';
import { paceRequests } from '../http-kit/request-pace.ts';
import { mountMcp } from '../mcp/endpoint.ts';
import { organizationSurface } from '../mcp/organization-surface.ts';
import { platformSurface } from '../mcp/platform-surface.ts';
import type { Surface } from '../mcp/surface.ts';
import { databaseNow } from '../platform/database/database.ts';
import { fetchDocument } from '../platform/guarded-fetch.ts';
import type { Mailbox } from '../platform/mail/transport.ts';
import type { Tracing } from '../platform/observability/context.ts';
import { LogThrottle } from '../platform/observability/log-throttle.ts';
import type { ProcessLogger } from '../platform/observability/logger.ts';
import type { Metrics } from '../platform/observability/metrics.ts';
import type { IdentityProvider } from '../platform/oidc/identity-provider.ts';
import { createStripeVerifier } from '../platform/stripe.ts';
import { mountAddedRoutes } from './added-routes.ts';
import { requireListed } from './routes.ts';

interface SurfaceParts {
  readonly config: Config;
  readonly services: GraphqlServices;
  readonly logger: ProcessLogger;
  /** The external sign-in provider; null without one. */
  readonly provider: IdentityProvider | null;
  readonly connections: ConnectionLog;
  readonly reports: TokenReports;
  /** Null when mail is sent by SMTP. */
  readonly mailbox: Mailbox | null;
  /** The directory of the built portal; null serves none. */
  readonly portalDirectory: string | null;
  readonly readinessDeps: ReadinessDeps;
  readonly drain: Drain;
  readonly metrics: Metrics;
  /** Null when tracing is off. */
  readonly tracing: Tracing | null;
  /** The adopter's own routes, and the identity API that they use. */
  readonly added: AddedRoutes;
  readonly tools: readonly CustomTool[];
  readonly identity: Identity;
}

/** Creates the server with all surfaces mounted, ready to listen. */
export const mountSurfaces = async (parts: SurfaceParts): Promise<FastifyInstance> => {
  const { config, services, drain, metrics } = parts;
  const http = createServer(config, parts.logger, parts.added);
  const bodies = new BodyBudget(logRefusedBodies(parts.logger));
  addHooks(http, parts);
  await http.register(cookie);
  limitHeaders(http, config);
  // Mounted before leaveBodiesUnread: added routes need Fastify's built-in parsers, which a plugin can replace.
  await mountAddedRoutes(http, parts.added, { identity: parts.identity, origins: services.settings, bodies });
  leaveBodiesUnread(http);
  http.addHook('onRoute', requireListed);
  mountHealth(http, parts.readinessDeps, drain);
  if (config.metrics.isServed && config.metrics.port === null) mountMetrics(http, metrics, config.metrics.token);
  await http.register(async (scope) => mountGraphqlSurface(scope, parts, bodies));
  if (parts.provider !== null) {
    await mountExternal(http, { ...services, settings: portalAlone(config), provider: parts.provider, bodies });
  }
  if (config.mcp.enabled) await mountMcpSurfaces(http, parts, bodies);
  await mountWebhook(http, parts, bodies);
  await mountIntrospect(http, { ...services, ...config.mcp, settings: config, bodies });
  await mountTokenReport(http, { ...parts, ...services, bodies: bodies.part(maxBytesOfReports) });
  await mountIdentity(http, { ...services, settings: { ...config, ...services.settings } });
  await mountPages(http, parts);
  await http.ready();
  return http;
};

/** The hooks that every request passes through, in this order. */
const addHooks = (http: FastifyInstance, { config, services, logger, metrics, tracing }: SurfaceParts): void => {
  const beginSpan = tracing === null ? null : requestSpans(tracing, config.trustProxy);
  paceRequests(http);
  correlateRequests(http, services.database.engine, beginSpan);
  registerRateLimitHeaders(http);
  logRequests(http, logger);
  if (metrics.counts !== null) countRequests(http, metrics.counts);
  addSecurityHeaders(http, { ...config, ...lookOf(services.application, config.baseUrl) });
  mountFailures(http);
};

/** The time limit for the head of a request, and the interval at which Node enforces it. */
const slowClients = { headersTimeout: 20_000, connectionsCheckingInterval: 5000 };

const createServer = (config: Config, loggerInstance: ProcessLogger, added: AddedRoutes): FastifyInstance => {
  const http = newServer(config, loggerInstance, added);
  http.server.maxConnections = config.maxConnections;
  logRefusedConnections(http, loggerInstance);
  return http;
};

const newServer = (config: Config, loggerInstance: FastifyBaseLogger, { routes }: AddedRoutes): FastifyInstance => {
  const unroutableHeaders = securityHeaders(config);
  return fastify({
    http: slowClients,
    loggerInstance,
    // Only added routes may have schemas.
    ...(routes === undefined ? withoutSchemas : {}),
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger per request costs a tenth of `me`; log calls name the request instead.
    childLoggerFactory: (parent) => parent,
    genReqId: () => crypto.randomUUID(),
    trustProxy: trustedProxies(config.trustProxy),
    bodyLimit: 100 * 1024,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    // Requests on a kept-alive connection are served while draining, with the headers of every other response.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      answerUnroutable(error, reply, { ...unroutableHeaders, [correlationHeader]: request.id });
    },
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, unroutableHeaders),
  });
};

const logRefusedBodies = (logger: ProcessLogger): (() => void) => {
  const log = new LogThrottle();
  const refused = { event: 'http.bodies_refused' } as const;
  return () =>
    log.note('bodies', (refusals) =>
      logger.warn({ ...refused, refusals }, 'Request bodies were refused: too many are being received at once'),
    );
};

/** Logs connections past the maximum, which Node closes unread. */
const logRefusedConnections = (http: FastifyInstance, logger: ProcessLogger): void => {
  const log = new LogThrottle();
  const refused = { event: 'http.connections_refused' } as const;
  http.server.on('drop', () =>
    log.note('connections', (refusals) =>
      logger.warn({ ...refused, refusals }, 'Connections were refused: MAX_CONNECTIONS are open'),
    ),
  );
};

const mountGraphqlSurface = (
  scope: FastifyInstance,
  { config, services, metrics }: SurfaceParts,
  bodies: BodyBudget,
): void => {
  // Its route answers every method, OPTIONS among them.
  shareResponses(scope, [], {
    origins: services.settings,
    methods: ['GET', 'POST'],
    allowedHeaders: null,
    exposedHeaders: [correlationHeader],
  });
  const denials = { logger: services.logger, refusals: new LogThrottle() };
  mountGraphql(scope, {
    schema: servedSchema(services.application, {
      billing: services.payments !== null,
      passkeys: services.settings.relyingParty !== null,
      machineTokens: config.machineTokensEnabled,
      organizationMcp: config.mcp.forOrganizations,
      // Where no part has an audit of the organization, no scope reads it.
      organizationAudit: services.application.scopes.some(({ name }) => name === 'AUDIT_VIEW'),
    }),
    introspection: config.graphqlIntrospection,
    graphiql: config.graphiql,
    loneMutations,
    documentTime: services.limits.isEnabled ? new DocumentTime() : null,
    bodies,
    counts: metrics.counts === null ? null : new OperationCounts(metrics.counts),
    createContext: (request, reply, operation) =>
      createContext(services, { request, reply, operation, ...senderOf(operation.rootFields) }),
    onUnexpected: (error, correlationId) =>
      services.logger.error(
        { event: 'request.failed', err: error, correlationId },
        'A GraphQL operation failed unexpectedly',
      ),
    onFailed: (...failure) => recordFailure(denials, ...failure),
  });
};

/** Mounts the authorization server and the MCP endpoints; clients cannot find these without the first. */
const mountMcpSurfaces = async (
  http: FastifyInstance,
  { config, services, connections, metrics, tools }: SurfaceParts,
  bodies: BodyBudget,
): Promise<void> => {
  // The application's own pages neither consent nor link.
  const settings = portalAlone(config);
  const { forOrganizations } = config.mcp;
  const resources = new ProtectedResources({ ...config, application: services.application, forOrganizations });
  const timeoutMilliseconds = services.intervals.clientDocument;
  const documents = new DocumentClients({
    ...services,
    settings: config,
    fetch: (url) => fetchDocument(url, { timeoutMilliseconds }),
  });
  const toolsOfOrganization = forOrganizations ? [...organizationTools(services.application), ...tools] : null;
  await mountOauth(http, {
    ...services,
    resources,
    organizationScopes: toolsOfOrganization === null ? null : scopesOf(toolsOfOrganization),
    settings,
    documents,
    connections,
    bodies,
    counts: metrics.counts,
  });
  const mount = (surface: Surface): Promise<void> =>
    mountMcp(http, { ...services, settings, connections, metrics, surface });
  await mount(platformSurface({ ...services, audits: new ToolAudits(services.database) }));
  if (toolsOfOrganization === null) return;
  const organizationAudits = new OrganizationAuditQueue(services.database);
  await mount(organizationSurface({ ...services, organizationAudits }, toolsOfOrganization));
};

const mountWebhook = async (
  http: FastifyInstance,
  { config, services }: SurfaceParts,
  bodies: BodyBudget,
): Promise<void> => {
  const { webhookSecret } = config.stripe;
  if (webhookSecret === undefined) return;
  const verify = await createStripeVerifier(webhookSecret, () => databaseNow(services.database));
  await mountStripeWebhook(http, { ...services, verify, bodies: bodies.part(maxBytesOfEvents) });
};

/** Mounts the browser pages and, last, the fallbacks for unmatched paths. */
const mountPages = async (
  http: FastifyInstance,
  { config, services, provider, mailbox, portalDirectory }: SurfaceParts,
): Promise<void> => {
  mountBrand(http, services.application.brand);
  const hasMailbox = mailbox !== null && !config.isHardened;
  if (hasMailbox) mountMailbox(http, mailbox, { ...config, applicationName: services.application.name });
  const portal = {
    ...config,
    application: services.application,
    hasMailbox,
    hasBilling: services.payments !== null,
    hasMcp: config.mcp.enabled,
    hasPasskeys: services.settings.relyingParty !== null,
    hasMachineTokens: config.machineTokensEnabled,
    hasOrganizationMcp: config.mcp.forOrganizations,
    providerName: provider?.displayName ?? null,
    hasConsentBanner: config.consentBanner,
  };
  const page = portalDirectory === null ? null : await mountPortal(http, portalDirectory, portal);
  mountFallbacks(http, page);
};
