/** Binds an authorization request to its browser: a secret in a cookie that is sent only to this request's page. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../../domain/access/actor.ts';
import { requestLifeSeconds } from '../../domain/oauth/authorizations-store.ts';
import type { RequestKey } from '../../domain/oauth/decide-consent.ts';
import { type IdentifyDeps, identify } from '../../http-kit/authenticate-request.ts';
import { cookieAttributes, onlyCookie, readAuthCookies } from '../../http-kit/cookies.ts';
import { randomSecret } from '../../kernel/secrets.ts';

const cookie = 'mcp_request';

export const newBrowserSecret = (): string => randomSecret();

/** The path at which a person answers a request. */
export const continuePath = (requestId: string): string => `/auth/mcp/continue/${requestId}`;

const attributes = (requestId: string, baseUrl: string) => cookieAttributes({ baseUrl, path: continuePath(requestId) });

export const bindBrowser = (
  reply: FastifyReply,
  baseUrl: string,
  { requestId, browserSecret }: { readonly requestId: string; readonly browserSecret: string },
): FastifyReply =>
  reply.setCookie(cookie, browserSecret, { ...attributes(requestId, baseUrl), maxAge: requestLifeSeconds });

/** As long as answered requests are kept (`purgeRequests`). */
const answeredLifeSeconds = 86_400;

/** After the answer, the cookie only shows a person who returns to the page that this browser gave the answer. */
export const rememberAnswer = (reply: FastifyReply, baseUrl: string, key: RequestKey): FastifyReply =>
  reply.setCookie(cookie, key.browserSecret ?? '', {
    ...attributes(key.requestId, baseUrl),
    maxAge: answeredLifeSeconds,
  });

/** The request named in the URL, with the browser secret from its cookie. */
export const requestKeyOf = (request: FastifyRequest<{ Params: { requestId: string } }>): RequestKey => ({
  requestId: request.params.requestId,
  browserSecret: onlyCookie(request, cookie) ?? null,
});

/**
 * The person signed in to the portal in this browser, by the cookie alone: a token in a header belongs to a program,
 * which may not answer for a person.
 * @returns null also when the access token is expired: the portal refreshes it and returns here
 */
export const findSignedInPerson = async (deps: IdentifyDeps, request: FastifyRequest): Promise<Actor | null> => {
  const { accessToken: token } = readAuthCookies(request);
  if (token === undefined) return null;
  // The same audiences as the portal's: otherwise each would redirect the person to the other without end.
  return (await identify(deps, request, { source: 'cookie', token }, { mayChange: false })).actor;
};

/**
 * To the portal's page on which a signed-in person authenticates again, and returns here.
 * @param path of the page to return to
 * @param needsSecondFactor a password alone is not sufficient
 */
export const detourToReauthenticate = (
  reply: FastifyReply,
  { frontendUrl }: { readonly frontendUrl: string },
  path: string,
  status: 302 | 303,
  needsSecondFactor: boolean,
): FastifyReply => {
  const target = `${frontendUrl}/reauthenticate?redirect=${path.includes('?') ? encodeURIComponent(path) : path}`;
  return reply.redirect(needsSecondFactor ? `${target}&secondFactor=true` : target, status);
};

/** To the portal, which returns with a page load after the sign-in (contract/platform-mcp.md#signed-out-browser). */
export const detourToSignIn = (
  reply: FastifyReply,
  { frontendUrl }: { readonly frontendUrl: string },
  requestId: string,
  status: 302 | 303,
): FastifyReply => reply.redirect(`${frontendUrl}/signin?redirect=${continuePath(requestId)}`, status);
