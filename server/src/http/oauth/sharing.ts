/**
 * CORS of the endpoints that clients call themselves (contract, "OAuth and MCP"): every origin, never with credentials.
 * Nothing here reads a cookie, so a foreign page gets no more than anybody.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { leaveBodiesUnread } from '../../web/request-bodies.ts';

/** Shares the routes of a scope, and answers the preflight of these addresses. @param methods as a header lists them */
export const shareWithEveryOrigin = (scope: FastifyInstance, urls: readonly string[], methods: string): void => {
  scope.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'ratelimit, ratelimit-policy, retry-after, www-authenticate',
    });
  });
  scope.register(async (preflights) => {
    leaveBodiesUnread(preflights);
    for (const url of urls) preflights.options(url, (_request, reply) => answerPreflight(reply, methods));
  });
};

const answerPreflight = async (reply: FastifyReply, methods: string): Promise<FastifyReply> =>
  reply
    .headers({
      'access-control-allow-methods': methods,
      'access-control-allow-headers': 'content-type, authorization, mcp-protocol-version',
      'access-control-max-age': '600',
    })
    .status(204)
    .send();
