/**
 * Owns cross-origin resource sharing: pages of which origins may read the responses of a scope. Either every origin,
 * never with credentials (contract/platform-mcp.md#cross-origin-answers), or the portal's two and those of the
 * application with credentials (contract/requests.md#two-origins;
 * contract/application.md#front-ends-of-the-application). Without a call of {@link shareResponses}, no other origin.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type FrontEndSettings, isFrontEnd } from './origins.ts';

interface Sharing {
  readonly origins: 'every origin' | FrontEndSettings;
  readonly methods: readonly string[];
  /** Request headers that a page may set; null allows all that its preflight names. */
  readonly allowedHeaders: readonly string[] | null;
  readonly exposedHeaders?: readonly string[];
}

const preflightSeconds = '600';

/** @param urls paths that get a route for OPTIONS; none where the scope routes OPTIONS itself */
export const shareResponses = (scope: FastifyInstance, urls: readonly string[], sharing: Sharing): void => {
  const exposed = sharing.exposedHeaders?.join(', ');
  scope.addHook('onRequest', (request, reply, done) => {
    const origin = allowedOrigin(request, sharing);
    if (sharing.origins !== 'every origin') reply.header('vary', 'Origin');
    if (origin === null) return done();
    reply.header('access-control-allow-origin', origin);
    if (origin !== '*') reply.header('access-control-allow-credentials', 'true');
    if (exposed !== undefined) reply.header('access-control-expose-headers', exposed);
    if (request.method !== 'OPTIONS') return done();
    answerPreflight(request, reply, sharing);
  });
  // Reached from an origin that the scope is not shared with: without CORS headers its browser refuses.
  for (const url of urls) scope.options(url, (_request, reply) => reply.status(204).send());
};

const allowedOrigin = ({ headers: { origin } }: FastifyRequest, { origins }: Sharing): string | null => {
  if (origins === 'every origin') return '*';
  return origin !== undefined && isFrontEnd(origin, origins) ? origin : null;
};

const answerPreflight = ({ headers }: FastifyRequest, reply: FastifyReply, sharing: Sharing): FastifyReply => {
  const allowedHeaders = sharing.allowedHeaders?.join(', ') ?? headers['access-control-request-headers'];
  if (allowedHeaders !== undefined) reply.header('access-control-allow-headers', allowedHeaders);
  return reply
    .headers({ 'access-control-allow-methods': sharing.methods.join(', '), 'access-control-max-age': preflightSeconds })
    .status(204)
    .send();
};
