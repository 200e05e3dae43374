/** Hooks of every request (correlation id, log line, span, headers, client's address), and a server without schemas. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import type { Config } from '../config/config.ts';
import { networkOf } from '../kernel/network.ts';
import type { Database } from '../platform/database/database.ts';
import { Deadline, waitLimits } from '../platform/database/deadlines.ts';
import { type Span, type Tracing, type Work, withContext, workInProgress } from '../platform/observability/context.ts';
import type { ProcessLogger } from '../platform/observability/logger.ts';
import { addressOf } from './authenticate-request.ts';

// Correlation: the request id is sent in a response header and is part of every line logged for the request.

export const correlationHeader = 'x-correlation-id';

const decorator = 'workOfRequest';

/**
 * Register before every other hook, so that hooks and handlers run in the context of the request.
 * @param beginSpan null when tracing is off
 * @param engine `postgres` is reached over a network, so each request gets a deadline for its database waits
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
    const { 'accept-language': acceptLanguage } = request.headers;
    const work: Work = {
      ...known,
      party: { network: networkOf(addressOf(request)), person: null, organization: null, signsIn: false },
      ...(span === undefined ? {} : { span }),
      ...(acceptLanguage === undefined ? {} : { acceptLanguage }),
    };
    request.setDecorator<Work>(decorator, work);
    reply.header(correlationHeader, request.id);
    withContext(work, done);
  });
  // Once a body has been read, callbacks run in the context of the connection; restore the context of the request.
  app.addHook('preValidation', (request, _reply, done) => {
    const work = request.getDecorator<Work>(decorator);
    if (workInProgress() === work) done();
    else withContext(work, done);
  });
};

const limited = (correlationId: string, response: ServerResponse): Work => {
  const waits = new Deadline(waitLimits.requestMillis);
  // `close` fires after every response, even when the client disconnected first.
  response.once('close', () => waits.end());
  return { correlationId, waits };
};

// Debug lines, error for a 5xx other than 503; of the route pattern, never the URL: it may carry the secret of a link.

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

// Spans, named by route pattern. A traceparent counts only from a proxy that TRUST_PROXY names: any client can send
// one.

/** Polled by probes and scrapers every few seconds; not traced. */
const untraced: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

type BeginRequestSpan = (request: FastifyRequest, reply: FastifyReply) => Span | undefined;

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
    // `close` fires after every response, even when the client disconnected first.
    reply.raw.once('close', () => {
      // Before the headers are sent, statusCode is only Node's default.
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

// Security headers for every route and status. A route with other needs overrides the policy.

/** @param further what pages may load from the origin of the API, where it is not their own */
const directives = (further: { readonly api: string; readonly styles: string; readonly images: string }): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${further.styles}`,
    `img-src 'self'${further.images} data:`,
    "font-src 'self'",
    `connect-src 'self'${further.api}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

export interface OriginsOfPolicy {
  readonly baseUrl: string;
  readonly frontendUrl: string;
  readonly hstsIncludesSubdomains: boolean;
  /** The URL of the application's logo; absent or null without one. */
  readonly logoUrl?: string | null;
  /** The URL of the stylesheet with the application's colour; absent or null without one. */
  readonly themeUrl?: string | null;
}

/** Pages may load the two files of the brand from the origin of the API, and no other image or style. */
const policyFor = ({ baseUrl, frontendUrl, logoUrl, themeUrl }: OriginsOfPolicy): string => {
  const furtherSource = (url: string | null = null): string =>
    url === null || baseUrl === frontendUrl ? '' : ` ${url}`;
  return directives({ api: furtherSource(baseUrl), styles: furtherSource(themeUrl), images: furtherSource(logoUrl) });
};

export const securityHeaders = (settings: OriginsOfPolicy): Record<string, string> => ({
  'content-security-policy': policyFor(settings),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  ...(settings.baseUrl.startsWith('https:')
    ? { 'strict-transport-security': `max-age=31536000${settings.hstsIncludesSubdomains ? '; includeSubDomains' : ''}` }
    : {}),
});

export const addSecurityHeaders = (app: FastifyInstance, settings: OriginsOfPolicy): void => {
  const headers = securityHeaders(settings);
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers);
  });
};

// Trusted proxies (TRUST_PROXY).

type TrustProxy = Config['trustProxy'];

/** Hops count from this process: 1 trusts only the proxy that connects to it. */
const byHops =
  (trusted: number) =>
  (_address: string, hop: number): boolean =>
    hop < trusted;

/** The value for Fastify's `trustProxy` option. */
export const trustedProxies = (trusted: TrustProxy) => {
  if (typeof trusted === 'number') return byHops(trusted);
  return trusted === false ? false : [...trusted];
};

const trustTest = (trusted: TrustProxy): ((address: string, hop: number) => boolean) => {
  if (trusted === false) return () => false;
  return typeof trusted === 'number' ? byHops(trusted) : proxyAddress.compile([...trusted]);
};

/** Who sent a request, and through which proxies. */
interface Sender {
  /** As Fastify's `request.ip`: the nearest address that is not of a trusted proxy, else the last. */
  readonly address: string;
  /** Whether a trusted proxy names the address. */
  readonly isForwarded: boolean;
  /** Whether the address itself is one of a trusted proxy. */
  readonly isTrusted: boolean;
}

/** Reads the sender of a request, also of one that did not come through Fastify. */
export const senderReader = (trusted: TrustProxy): ((request: IncomingMessage) => Sender) => {
  const isTrusted = trustTest(trusted);
  return (request) => {
    const addresses = proxyAddress.all(request, isTrusted);
    const last = addresses.length - 1;
    const address = addresses[last] ?? '';
    return { address, isForwarded: last > 0, isTrusted: isTrusted(address, last) };
  };
};

/** Tests whether the peer of a request is a trusted proxy. */
export const peerIsTrusted = (trusted: TrustProxy): ((request: IncomingMessage) => boolean) => {
  const isTrusted = trustTest(trusted);
  return ({ socket }) => isTrusted(socket.remoteAddress ?? '', 0);
};

const refuse = (): never => {
  throw new Error(
    'A route of the service has a JSON schema, and this server compiles none (http-kit/request-hooks.ts)',
  );
};

/** Without JSON schemas: else Fastify loads its validator and its serializer, a hundred modules, at each start. */
export const withoutSchemas: Pick<FastifyServerOptions, 'schemaController'> = {
  schemaController: { compilersFactory: { buildValidator: refuse, buildSerializer: refuse } },
};
