/**
 * Where the browser goes: the paths of external sign-in, and the redirect that reports a failed attempt.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ExternalRefusal, type ExternalRefusalCode } from '../../domain/external-sign-in/attempt.ts';
import { addressOf, refusalOf } from '../../http-kit/authenticate-request.ts';
import type { CookieReach } from '../../http-kit/cookies.ts';
import type { HelperCookieSettings } from '../../http-kit/helper-session.ts';
import { internalPath } from '../../kernel/network.ts';
import type { Logger } from '../../platform/observability/logger.ts';

// How refusals of the browser routes end: a person is looking, so the portal's sign-in page says what happened, under a
// code and an id that stand in the log too. A defect is nobody's refusal and is shown like any other.

export interface RefusalDeps {
  readonly logger: Logger;
  readonly settings: { readonly frontendUrl: string };
}

interface Refused {
  readonly code: ExternalRefusalCode;
  readonly detail: string | null;
}

/**
 * @param redirect where the person wanted to go: signing in another way still leads there
 * @param status of the redirect; 303 after a form (RFC 9110, section 15.4.4)
 * @throws whatever `work` throws that is no refusal
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
    const refused = refusedIn(error);
    if (refused === null) throw error;
    logRefusal(deps, request, refused);
    return reply.redirect(signInUrl(deps.settings, { error: refused.code, id: request.id, redirect }), status);
  }
};

/** The portal's sign-in page, with parameters; null leaves one out. */
export const signInUrl = (
  { frontendUrl }: { readonly frontendUrl: string },
  parameters: Readonly<Record<string, string | null>>,
): string => {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return `${frontendUrl}/signin?${given.join('&')}`;
};

const refusedIn = (error: unknown): Refused | null => {
  if (error instanceof ExternalRefusal) return error;
  const code = refusalOf(error)?.code;
  return code === 'RATE_LIMITED' || code === 'UNAVAILABLE' ? { code, detail: null } : null;
};

/** What the operator may have to see to; the rest happens to people every day. */
const isTrouble: ReadonlySet<ExternalRefusalCode> = new Set([
  'PROVIDER_UNAVAILABLE',
  'PROVIDER_REFUSED',
  'UNAVAILABLE',
]);

const logRefusal = ({ logger }: RefusalDeps, request: FastifyRequest, { code, detail }: Refused): void =>
  logger[isTrouble.has(code) ? 'warn' : 'info'](
    { event: 'auth.external_refused', code, detail, correlationId: request.id, ip: addressOf(request) },
    'A sign-in or a link by the outside provider was refused',
  );

// The addresses of sign-in by the outside provider, and what their queries say.

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
