/** `GET /metrics` for Prometheus, at PORT or METRICS_PORT, with METRICS_TOKEN, and the counting of requests. */
import { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, fastify, LogController } from 'fastify';
import { bearerOf } from '../http-kit/authenticate-request.ts';
import {
  addSecurityHeaders,
  type OriginsOfPolicy,
  securityHeaders,
  withoutSchemas,
} from '../http-kit/request-hooks.ts';
import { Refusal } from '../kernel/errors.ts';
import { isSameSecret } from '../kernel/secrets.ts';
import type { Counts, Metrics } from '../platform/observability/metrics.ts';
import { answerUnreadable, answerUnroutable, mountFailures, mountFallbacks } from './fallbacks.ts';

const textFormat = 'text/plain; version=0.0.4; charset=utf-8';

/** @param token the token that a scraper must present; undefined allows any caller */
export const mountMetrics = (app: FastifyInstance, metrics: Metrics, token: string | undefined): void => {
  app.get('/metrics', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (token !== undefined && !presents(request, token)) {
      reply.header('www-authenticate', 'Bearer realm="metrics"');
      throw new Refusal('UNAUTHENTICATED', 'The metrics require METRICS_TOKEN as a Bearer token.');
    }
    return reply.type(textFormat).send(await metrics.render());
  });
};

const presents = (request: FastifyRequest, token: string): boolean => {
  const given = bearerOf(request);
  return given !== null && isSameSecret(given, token);
};

/** Costs one map lookup and one set lookup per request. */
export const countRequests = (app: FastifyInstance, { requests }: Counts): void => {
  app.addHook('onRequest', (_request, reply, done) => {
    requests.begun(reply.raw);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    requests.ended(reply.raw);
    requests.answered(request.routeOptions.url ?? 'unknown', reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
};

interface MetricsServerParts {
  readonly metrics: Metrics;
  readonly token: string | undefined;
  readonly logger: FastifyBaseLogger;
  readonly origins: OriginsOfPolicy;
}

/** Maximum connections on METRICS_PORT. */
const maxScrapers = 100;

/** Creates the server for METRICS_PORT, which serves only the metrics. */
export const createMetricsServer = ({ metrics, token, logger, origins }: MetricsServerParts): FastifyInstance => {
  const headers = securityHeaders(origins);
  const app = fastify({
    loggerInstance: logger,
    ...withoutSchemas,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (parent) => parent,
    genReqId: () => crypto.randomUUID(),
    requestTimeout: 30_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: (error, _request, reply) => {
      answerUnroutable(error, reply, headers);
    },
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, headers),
  });
  app.server.maxConnections = maxScrapers;
  addSecurityHeaders(app, origins);
  mountFailures(app);
  mountMetrics(app, metrics, token);
  mountFallbacks(app, null);
  return app;
};
