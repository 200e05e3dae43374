/** Security headers on every route and status. A route with needs of its own overrides the policy. */
import type { FastifyInstance } from 'fastify';

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
