/** The logo of the application, at a path that changes with its content. */
import type { FastifyInstance } from 'fastify';
import { type Brand, logoPath } from '../domain/scopes/application.ts';

/** An SVG opened as a page runs no script and loads nothing. */
const imagePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Mounts nothing when the application has no logo. */
export const mountBrand = (http: FastifyInstance, { logo }: Brand): void => {
  if (logo === null) return;
  const path = logoPath(logo);
  http.get('/brand/:file', (request, reply) => {
    if (request.url !== path) return reply.callNotFound();
    return reply
      .headers({
        'content-type': logo.mediaType,
        'content-security-policy': imagePolicy,
        'cache-control': 'public, max-age=31536000, immutable',
        'cross-origin-resource-policy': 'cross-origin',
      })
      .send(logo.content);
  });
};
