/** CORS with credentials for exactly the two origins of the portal, on one address (contract, "One origin or two"). */
import type { FastifyInstance } from 'fastify';
import { isPortalOrigin, type OriginSettings } from '../../web/origins.ts';

/** Shares the GET of a scope's only route, and answers its preflight. A foreign origin is told nothing. */
export const shareWithPortal = (scope: FastifyInstance, url: string, settings: OriginSettings): void => {
  scope.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers;
    reply.header('vary', 'Origin');
    if (origin === undefined || !isPortalOrigin(origin, settings)) return;
    reply.headers({ 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' });
    if (request.method !== 'OPTIONS') return;
    reply.headers({
      'access-control-allow-methods': 'GET',
      'access-control-allow-headers': 'authorization',
      'access-control-max-age': '600',
    });
  });
  scope.options(url, async (_request, reply) => reply.status(204).send());
};
