/** Shared by the routes of external sign-in: their paths, and the redirect that reports a refused attempt. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressOf, publicRefusalOf } from '../../http-kit/authenticate-request.ts';
import type { CookieTarget } from '../../http-kit/cookies.ts';
import type { HelperCookieSettings } from '../../http-kit/helper-session.ts';
import { onlyValue, parseParameters } from '../../http-kit/request-content.ts';
import { type ExternalRefusalCode, isExternalRefusal, type Refusal } from '../../kernel/errors.ts';
import { internalPath, returnUrlOf } from '../../kernel/redirects.ts';
import type { Logger } from '../../platform/observability/logger.ts';

// Refusals of browser routes: the portal's sign-in page shows what happened, with a code and an id that are in the log.

export interface RefusalDeps {
  readonly logger: Logger;
  readonly settings: { readonly frontendUrl: string };
}

/**
 * @param redirect the requested redirect; another sign-in method still leads there
 * @param status of the redirect; 303 after a form (RFC 9110, section 15.4.4)
 * @throws the error of `work`, when it is not a refusal
 */
export const withRefusals = async (
  deps: RefusalDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  redirect: string | null,
  work: () => Promise<FastifyReply>,
  status: 302 | 303 = 302,
): Promise<FastifyReply> => {
  try {
    return await work();
  } catch (error) {
    const refusal = publicRefusalOf(error) ?? error;
    if (!isExternalRefusal(refusal)) throw error;
    logRefusal(deps, request, refusal);
    return reply.redirect(signInUrl(deps.settings, { error: refusal.code, id: request.id, redirect }), status);
  }
};

/** URL of the portal's sign-in page with parameters; null omits one. */
export const signInUrl = (
  { frontendUrl }: { readonly frontendUrl: string },
  parameters: Readonly<Record<string, string | null>>,
): string => {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return `${frontendUrl}/signin?${given.join('&')}`;
};

/** Codes logged as warn; all others are info. */
const isTrouble: ReadonlySet<string> = new Set<ExternalRefusalCode>([
  'PROVIDER_UNAVAILABLE',
  'PROVIDER_REFUSED',
  'UNAVAILABLE',
]);

const logRefusal = ({ logger }: RefusalDeps, request: FastifyRequest, { code, detail }: Refusal): void =>
  logger[isTrouble.has(code) ? 'warn' : 'info'](
    { event: 'auth.external_refused', code, detail, correlationId: request.id, ip: addressOf(request) },
    'A sign-in or link with the identity provider was refused',
  );

// Paths of external sign-in, and their query parameters.

export const beginPath = '/auth/google';
export const callbackPath = '/auth/google/callback';
export const linkQuestionPath = '/auth/google/link';
export const prepareLinkPath = '/auth/google/prepare-link';

/** The registered redirect URI; derived from the configuration, never from the request. */
export const redirectUriOf = ({ frontendUrl }: { readonly frontendUrl: string }): string =>
  `${frontendUrl}${callbackPath}`;

const redirectParameter = (query: string): string | null => onlyValue(parseParameters(query), 'redirect');

/** The parameter `redirect` as a header-safe internal path; null when it is not one. */
export const pathIn = (query: string): string | null => {
  const path = internalPath(redirectParameter(query));
  if (path === null) return null;
  const { pathname, search, hash } = new URL(path, 'http://internal');
  return internalPath(`${pathname}${search}${hash}`);
};

/** The same, or an absolute URL of one of `origins`. */
export const redirectIn = (query: string, origins: readonly string[]): string | null =>
  pathIn(query) ?? returnUrlOf(redirectParameter(query), origins);

/** Reach of the cookies of an attempt: only these paths, on the hosts that receive the helper session's cookie. */
export const attemptCookieTarget = ({ baseUrl, sessionCookieDomain: domain }: HelperCookieSettings): CookieTarget => ({
  baseUrl,
  domain,
  path: beginPath,
});
