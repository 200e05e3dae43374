/**
 * Owns: the routes beside GraphQL and MCP: health, metrics, portal, payment webhook, mailbox, and the answer for
 *   unmatched paths.
 * Promises: Every failure is answered as JSON or a page without detail, with a correlation id.
 *
 * Unmatched paths: the portal's page, or 404 as JSON (contract/requests.md#one-origin); and failures outside GraphQL.
 */
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { publicRefusalOf } from '../http-kit/authenticate-request.ts';
import { setRetryAfter } from '../http-kit/rate-limit-headers.ts';
import { hasBody } from '../http-kit/request-bodies.ts';
import { orNull } from '../kernel/attempts.ts';
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

/** To a request for another host (RFC 9110, section 15.5.20). @param address where it is served */
export const answerMisdirected = (reply: FastifyReply, address: string): FastifyReply =>
  reply
    .header('cache-control', 'no-store')
    .status(421)
    .send(body('NOT_FOUND', `This is available only at the host and port of BASE_URL: ${address}.`));

/**
 * To URLs that fail before any route and hook: invalid percent-encoding, or a parameter that is too long. Must not
 * quote the URL, which may hold the secret of a link.
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

/** Responds to bytes that are not an HTTP request. Not logged: the error holds the bytes, which may contain a token. */
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

/** Whether a path is, or is below, one of the service's programmatic interfaces. */
export const isInterfacePath = (path: string): boolean => interfacePath.test(path);

const fileName = /\.[a-z0-9]{1,8}$/i;

const isPortalPath = ({ method, url }: FastifyRequest): boolean => {
  const path = plainPath(url);
  return path !== null && (method === 'GET' || method === 'HEAD') && !isInterfacePath(path) && !fileName.test(path);
};

/** The normalized path as a browser would resolve it; null when it cannot be decoded. */
const plainPath = (url: string): string | null => {
  const [path = '/'] = url.split('?', 1);
  return orNull(() => decodeURIComponent(path).replaceAll(/\/{2,}/g, '/'));
};

const announcements = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

/** Whether a browser loads a page in advance, which its person may never open (Fetch, `Sec-Purpose`). */
const isPrefetch = ({ method, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  announcements.some((name) => /\b(?:prefetch|prerender|preview)\b/i.test(String(headers[name] ?? '')));

/** A proxy asks `/auth/identity` with the headers of a request to the application. */
const isBrowserRoute = ({ is404, routeOptions: { url = '' } }: FastifyRequest): boolean =>
  is404 || (url.startsWith('/auth/') && url !== '/auth/identity');

/** Not loaded in advance: they consume what works once. Browsers discard every answer that is no success. */
const refusePrefetches = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, reply, done) => {
    if (!isPrefetch(request) || !isBrowserRoute(request)) return done();
    const refusal = body('UNAVAILABLE', 'This page is not loaded in advance.');
    reply.header('cache-control', 'no-store').status(503).send(refusal);
  });
};

/** Call last: scopes registered before keep their own handlers. @param portalPage HTML, or null without a portal */
export const mountFallbacks = (app: FastifyInstance, portalPage: string | null): void => {
  // Responds before the body is read, which no handler needs.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 && request.method !== 'GET' && hasBody(request.headers)) answerNotFound(request, reply);
    else done();
  });
  app.setNotFoundHandler((request, reply) => {
    if (portalPage === null || !isPortalPath(request)) return answerNotFound(request, reply);
    return reply.header('cache-control', 'no-store').type('text/html; charset=utf-8').status(200).send(portalPage);
  });
};

/** Call before anything is registered: a scope inherits the error handler and the hooks at its creation. */
export const mountFailures = (app: FastifyInstance): void => {
  refusePrefetches(app);
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    reply.header('cache-control', 'no-store');
    const refusal = publicRefusalOf(error);
    if (refusal !== null) setRetryAfter(reply, [refusal.details]);
    if (refusal !== null)
      return reply.status(refusal.status).send(body(refusal.code, refusal.message, refusal.details));
    const status = error.statusCode ?? 500;
    if (status < 500) return answerBadRequest(reply, status);
    reply.status(status);
    request.log.error({ event: 'request.failed', err: error, correlationId: request.id }, 'A request failed');
    return reply.send(body('INTERNAL', 'Something went wrong on our side.', { correlationId: request.id }));
  });
};
