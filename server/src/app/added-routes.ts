/** The adopter's own routes (docs/added-routes.md), each under a path that the service does not use. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { AddedRoutes, Identity, RequestListener } from '../gatehouse.d.ts';
import { answerNotFound, isInterfacePath } from '../http/fallbacks.ts';
import { shareResponses } from '../http-kit/cors.ts';
import type { FrontEndSettings } from '../http-kit/origins.ts';
import { type BodyBudget, holdBodiesWithin } from '../http-kit/request-bodies.ts';

interface AddedRoutesParts {
  readonly identity: Identity;
  readonly origins: FrontEndSettings;
  /** Memory budget for bodies of routes; a listener reads its own bodies. */
  readonly bodies: BodyBudget;
}

/**
 * Must run before the service disables body parsing, because Fastify lets a route replace only its built-in parsers.
 * @throws Error for a path that is invalid, belongs to the service, or is repeated
 */
export const mountAddedRoutes = async (
  http: FastifyInstance,
  { routes = {}, listeners = {} }: AddedRoutes,
  { identity, origins, bodies }: AddedRoutesParts,
): Promise<void> => {
  requireUsablePaths([...Object.keys(routes), ...Object.keys(listeners)]);
  for (const [path, routesOf] of Object.entries(routes)) {
    await mountAt(http, path, origins, async (scope) => {
      holdBodiesWithin(scope, bodies);
      await routesOf(scope, identity);
    });
  }
  for (const [path, listenerFor] of Object.entries(listeners)) {
    await mountAt(http, path, origins, async (scope) => mountListener(scope, listenerFor(identity)));
  }
};

const wholePath = /^(?:\/[\w-][\w.-]*)+$/;

const requireUsablePaths = (paths: readonly string[]): void => {
  for (const [index, path] of paths.entries()) {
    if (!wholePath.test(path)) throw new Error(`Routes cannot be added at "${path}": a path such as /api is needed.`);
    if (isInterfacePath(path)) throw new Error(`Routes cannot be added at ${path}, which belongs to the service.`);
    if (paths.indexOf(path) < index) throw new Error(`Routes cannot be added at ${path} twice.`);
  }
};

const mountAt = async (
  http: FastifyInstance,
  path: string,
  origins: FrontEndSettings,
  fill: (scope: FastifyInstance) => Promise<void>,
): Promise<void> => {
  await http.register(
    async (scope) => {
      scope.addHook('onRequest', async (_request, reply) => {
        reply.header('cache-control', 'no-store');
      });
      shareResponses(scope, [], { origins, methods, allowedHeaders: null });
      scope.setNotFoundHandler(answerNotFound);
      await fill(scope);
    },
    { prefix: path },
  );
};

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Hands over before the body is read, which is left to the listener. OPTIONS has already been answered. */
const mountListener = (scope: FastifyInstance, listener: RequestListener): void => {
  for (const url of ['/', '/*']) {
    scope.route({
      method: scope.supportedMethods.filter((method) => method !== 'OPTIONS'),
      url,
      exposeHeadRoute: false,
      onRequest: (request, reply, _next) => {
        copyHeaders(reply);
        handOver(listener, request.raw, reply.raw).catch((error: unknown) => {
          const failure = error instanceof Error ? error : new Error('A listener failed', { cause: error });
          if (!reply.raw.headersSent) return reply.send(failure);
          request.log.error({ event: 'request.failed', err: failure, correlationId: request.id }, 'A request failed');
          return reply.raw.destroy();
        });
      },
      // Unreachable: no hook passes on a request that a listener answers.
      handler: answerNotFound,
    });
  }
};

const copyHeaders = (reply: FastifyReply): void => {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
};

/** Async, so that an exception or rejection of a listener does not end the process. */
const handOver = async (
  listener: RequestListener,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  await listener(request, response);
};
