/**
 * Hooks of every request: correlation id, log line, span, security headers, and the proxies that are trusted.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import type { Database } from '../platform/database/database.ts';
import { Deadline, requestMillis } from '../platform/database/deadlines.ts';
import { during, type Span, type Tracing, type Work, workInProgress } from '../platform/observability/context.ts';
import type { ProcessLogger } from '../platform/observability/logger.ts';

// Gives each request its correlation id: in a header of the answer, and in every line that is logged meanwhile.

export const correlationHeader = 'x-correlation-id';

const decorator = 'workOfRequest';

/**
 * Before every other hook: they, and the handlers, run as part of the request.
 * @param beginSpan null where no spans are taken
 * @param engine a network stands between us and PostgreSQL, and so each request has a limit to its waits there
 */
export const correlateRequests = (
  app: FastifyInstance,
  engine: Database['engine'],
  beginSpan: BeginRequestSpan | null = null,
): void => {
  app.decorateRequest(decorator, null);
  app.addHook('onRequest', (request, reply, done) => {
    const known = engine === 'postgres' ? limited(request.id, reply.raw) : { correlationId: request.id };
    const span = beginSpan?.(request, reply);
    const work = span === undefined ? known : { ...known, span };
    request.setDecorator<Work>(decorator, work);
    reply.header(correlationHeader, request.id);
    during(work, done);
  });
  // What comes after a body has been read runs where the connection was made, and has to be led back.
  app.addHook('preValidation', (request, _reply, done) => {
    const work = request.getDecorator<Work>(decorator);
    if (workInProgress() === work) done();
    else during(work, done);
  });
};

const limited = (correlationId: string, response: ServerResponse): Work => {
  const waits = new Deadline(requestMillis);
  // Comes after every answer, also after one that the client did not wait for.
  response.once('close', () => waits.end());
  return { correlationId, waits };
};

// One log line for each request: at debug level, at error level when we failed. It names the route's pattern, never
// the address: paths and queries may carry a link's secret.

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

// The span of each request, by the pattern of its route. A trace from outside is continued only where a proxy that
// TRUST_PROXY names hands it on: anybody else could join traces that are not theirs.

/** Asked every few seconds, by machines. */
const untraced: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

export type BeginRequestSpan = (request: FastifyRequest, reply: FastifyReply) => Span | undefined;

export const requestSpans = (tracing: Tracing, trustProxy: TrustProxy): BeginRequestSpan => {
  const isTrusted = peerIsTrusted(trustProxy);
  return (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    if (untraced.has(route)) return undefined;
    const { traceparent } = request.headers;
    const isContinued = typeof traceparent === 'string' && isTrusted(request.raw);
    const attributes = { 'http.request.method': request.method, 'http.route': route, 'correlation.id': request.id };
    const span = tracing.begin(
      { name: `${request.method} ${route}`, kind: 'server', attributes },
      isContinued ? { parent: traceparent } : {},
    );
    // Comes after every answer, also after one that the client did not wait for.
    reply.raw.once('close', () => {
      // Nothing was answered yet: the status is only what Node begins with.
      if (reply.raw.headersSent) span.set({ 'http.response.status_code': reply.raw.statusCode });
      else span.set({ 'http.request.aborted': true });
      span.end(reply.raw.statusCode >= 500 ? new ServerError() : undefined);
    });
    return span;
  };
};

class ServerError extends Error {
  override readonly name = '5xx';
}

// Security headers on every route and status. A route with needs of its own overrides the policy.

const directives = (apiOrigin: string | null): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${apiOrigin === null ? '' : ` ${apiOrigin}`}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

export interface OriginsOfPolicy {
  readonly baseUrl: string;
  readonly frontendUrl: string;
}

export const securityHeaders = (settings: OriginsOfPolicy): Record<string, string> => {
  const apiOrigin = settings.baseUrl === settings.frontendUrl ? null : settings.baseUrl;
  return {
    'content-security-policy': directives(apiOrigin),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    ...(settings.baseUrl.startsWith('https:')
      ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
      : {}),
  };
};

export const addSecurityHeaders = (app: FastifyInstance, settings: OriginsOfPolicy): void => {
  const headers = securityHeaders(settings);
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers);
  });
};

// Whose word counts for the address that a request came from (TRUST_PROXY).

export type TrustProxy = Config['trustProxy'];

/** Hops are counted from this process: 1 trusts the proxy that connects to it, and no other. */
const byHops =
  (trusted: number) =>
  (_address: string, hop: number): boolean =>
    hop < trusted;

/** As Fastify takes it. */
export const trustedProxies = (trusted: TrustProxy) => {
  if (typeof trusted === 'number') return byHops(trusted);
  return trusted === false ? false : [...trusted];
};

/** Reads the address from a request that did not come through Fastify, as Fastify's `request.ip` does. */
export const addressReader = (trusted: TrustProxy): ((request: IncomingMessage) => string) => {
  if (trusted === false) return ({ socket }) => socket.remoteAddress ?? '';
  const isTrusted = typeof trusted === 'number' ? byHops(trusted) : proxyAddress.compile([...trusted]);
  return (request) => proxyAddress.all(request, isTrusted).at(-1) ?? '';
};

/** Whether a request comes from a proxy whose word counts. */
export const peerIsTrusted = (trusted: TrustProxy): ((request: IncomingMessage) => boolean) => {
  if (trusted === false) return () => false;
  const isTrusted = typeof trusted === 'number' ? byHops(trusted) : proxyAddress.compile([...trusted]);
  return ({ socket }) => isTrusted(socket.remoteAddress ?? '', 0);
};
