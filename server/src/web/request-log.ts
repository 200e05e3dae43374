/**
 * One log line for each request: at debug level, at error level when we failed. It names the route's pattern, never
 * the address: paths and queries may carry a link's secret.
 */
import type { FastifyInstance } from 'fastify';
import type { ProcessLogger } from '../platform/logger.ts';

export const logRequests = (app: FastifyInstance, logger: ProcessLogger): void => {
  app.addHook('onResponse', async (request, reply) => {
    const level = reply.statusCode >= 500 && reply.statusCode !== 503 ? 'error' : 'debug';
    if (!logger.isLevelEnabled(level)) return;
    const facts = {
      correlationId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime),
    };
    logger[level]({ event: 'request', ...facts }, 'A request was answered');
  });
};
