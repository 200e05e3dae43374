/**
 * What no route answers: the portal's page for the paths that are the portal's own, 404 as JSON for every other one
 * (contract, "One origin or two"); and failures outside GraphQL as JSON with a correlation id.
 */
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refusalOf } from '../http-kit/authenticate-request.ts';
import { tellWhenToRetry } from '../http-kit/rate-limit-headers.ts';
import { hasBody } from '../http-kit/request-bodies.ts';
import type { RefusalDetails } from '../kernel/errors.ts';

const body = (code: string, message: string, details: RefusalDetails = {}) => ({
  error: { code, message, ...details },
});

export const answerNotFound = (_request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply.header('cache-control', 'no-store').status(404).send(body('NOT_FOUND', 'There is nothing at this address.'));

export const answerBadRequest = (
  reply: FastifyReply,
  status = 400,
  message = 'This request cannot be understood.',
): FastifyReply => reply.header('cache-control', 'no-store').status(status).send(body('BAD_USER_INPUT', message));

/**
 * For a request that names another host than the service's (RFC 9110, section 15.5.20).
 * @param address where it is answered
 */
export const answerMisdirected = (reply: FastifyReply, address: string): FastifyReply =>
  reply
    .header('cache-control', 'no-store')
    .status(421)
    .send(
      body('NOT_FOUND', `This is answered only at the address of the service, host and port of BASE_URL: ${address}.`),
    );

/**
 * For addresses that end before any route and hook: a wrong percent-encoding, a parameter without end. The answer must
 * not quote the address, which may hold a link's secret.
 */
export const answerUnroutable = (
  { statusCode = 400 }: FastifyError,
  reply: FastifyReply,
  headers: Readonly<Record<string, string>>,
): FastifyReply =>
  reply
    .headers({ ...headers, 'cache-control': 'no-store' })
    .status(statusCode)
    .send(body('BAD_USER_INPUT', 'This address cannot be understood.'));

const clientErrors: Readonly<Record<string, readonly [status: number, reason: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
};

/** For what is no HTTP request at all. It is not logged: the error holds the bytes, and they may hold a token. */
export const answerUnreadable = (
  error: { readonly code?: string },
  socket: Socket,
  headers: Readonly<Record<string, string>>,
): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, reason] = clientErrors[error.code ?? ''] ?? [400, 'Bad Request'];
  const text = JSON.stringify(body('BAD_USER_INPUT', 'This request cannot be understood.'));
  const lines = {
    ...headers,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${head.join('')}\r\n${text}`, () => socket.destroy());
};

const interfacePath = /^\/(\.well-known|auth|graphql|mcp|webhooks|dev|assets|healthz|readyz|metrics)(\/|$)/;

/** Whether a path is, or stands below, one that the service answers programs at. */
export const isInterfacePath = (path: string): boolean => interfacePath.test(path);

const fileName = /\.[a-z0-9]{1,8}$/i;

const isPortalPath = ({ method, url }: FastifyRequest): boolean => {
  const path = plainPath(url);
  return path !== null && (method === 'GET' || method === 'HEAD') && !isInterfacePath(path) && !fileName.test(path);
};

/** The path as a browser would mean it, however it is written; null when it cannot be read. */
const plainPath = (url: string): string | null => {
  const [path = '/'] = url.split('?', 1);
  try {
    return decodeURIComponent(path).replaceAll(/\/{2,}/g, '/');
  } catch {
    return null;
  }
};

/**
 * To be called last: what is registered before keeps the way in which it answers for its own unknown addresses.
 * @param portalPage HTML, or null where no portal is served
 */
export const mountFallbacks = (app: FastifyInstance, portalPage: string | null): void => {
  // Before the body: whatever it holds, there is nothing here.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 && request.method !== 'GET' && hasBody(request.headers)) answerNotFound(request, reply);
    else done();
  });
  app.setNotFoundHandler((request, reply) => {
    if (portalPage === null || !isPortalPath(request)) return answerNotFound(request, reply);
    return reply.header('cache-control', 'no-store').type('text/html; charset=utf-8').status(200).send(portalPage);
  });
};

/** How failures are shown. Before anything is registered: a scope keeps the handler that there was when it was made. */
export const mountFailures = (app: FastifyInstance): void => {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    reply.header('cache-control', 'no-store');
    const refusal = refusalOf(error);
    if (refusal !== null) tellWhenToRetry(reply, [refusal.details]);
    if (refusal !== null)
      return reply.status(refusal.status).send(body(refusal.code, refusal.message, refusal.details));
    const status = error.statusCode ?? 500;
    if (status < 500) return answerBadRequest(reply, status);
    reply.status(status);
    request.log.error({ event: 'request.failed', err: error, correlationId: request.id }, 'A request failed');
    return reply.send(body('INTERNAL', 'Something went wrong on our side.', { correlationId: request.id }));
  });
};
