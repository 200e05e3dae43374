/**
 * The span of each request, by the pattern of its route. A trace from outside is continued only where a proxy that
 * TRUST_PROXY names hands it on: anybody else could join traces that are not theirs.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Span, Tracing } from '../platform/span.ts';
import { peerIsTrusted, type TrustProxy } from './trusted-proxies.ts';

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
