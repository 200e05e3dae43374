/** The addresses of sign-in by the outside provider, and what their queries say. */
import type { FastifyRequest } from 'fastify';
import { internalPath } from '../../kernel/internal-path.ts';
import type { CookieReach } from '../../web/cookie-attributes.ts';
import type { HelperCookieSettings } from '../../web/helper-session.ts';

export const beginPath = '/auth/google';
export const callbackPath = '/auth/google/callback';
export const linkQuestionPath = '/auth/google/link';
export const prepareLinkPath = '/auth/google/prepare-link';

/** Where the provider sends browsers back to: as configured there, and never as a request was addressed. */
export const redirectUriOf = ({ frontendUrl }: { readonly frontendUrl: string }): string =>
  `${frontendUrl}${callbackPath}`;

/** The query of a request's address as it came. */
export const queryOf = ({ url }: Pick<FastifyRequest, 'url'>): string => {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
};

/** The value of a parameter, or null when it is missing or repeated. */
export const onlyValue = (query: string, name: string): string | null => {
  const [value, ...others] = new URLSearchParams(query).getAll(name);
  return value === undefined || others.length > 0 ? null : value;
};

/** The parameter `redirect` where it is an internal path, in the spelling that a header can carry; else null. */
export const redirectIn = (query: string): string | null => {
  const path = internalPath(onlyValue(query, 'redirect'));
  if (path === null) return null;
  const { pathname, search, hash } = new URL(path, 'http://internal');
  return internalPath(`${pathname}${search}${hash}`);
};

/**
 * Of the cookies that accompany an attempt: they go to these addresses alone, and to the hosts that the helper session's
 * cookie goes to.
 */
export const attemptCookieReach = ({ baseUrl, sessionCookieDomain: domain }: HelperCookieSettings): CookieReach => ({
  baseUrl,
  domain,
  path: beginPath,
});
