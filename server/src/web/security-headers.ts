/** Headers on every route and status (design rules: security). A route with needs of its own overrides the policy. */
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

export const addSecurityHeaders = (
  app: FastifyInstance,
  settings: { readonly baseUrl: string; readonly frontendUrl: string },
): void => {
  const apiOrigin = settings.baseUrl === settings.frontendUrl ? null : settings.baseUrl;
  const headers: Record<string, string> = {
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
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers);
  });
};
