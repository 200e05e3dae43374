/** The portal's cookies auth_access and auth_refresh (specification, "Cookies"; contract, "Delivery"). */
import type { FastifyReply } from 'fastify';
import type { TokenPair } from '../domain/credentials/issue-pair.ts';
import { type CookieReach, cookieAttributes } from './cookie-attributes.ts';
import { type AnsweredRequest, type CookieRequest, clearOtherCopies, onlyCookie } from './request-cookies.ts';

const accessCookie = 'auth_access';
const refreshCookie = 'auth_refresh';

export interface CookieSettings {
  /** Secure whenever the service is reached over https. */
  readonly baseUrl: string;
  /** Undefined: host-only. */
  readonly authCookieDomain: string | undefined;
}

const reachOf = ({ baseUrl, authCookieDomain: domain }: CookieSettings): CookieReach => ({ baseUrl, domain });

const attributes = (settings: CookieSettings) => cookieAttributes(reachOf(settings));

export interface PresentedTokens {
  readonly accessToken: string | undefined;
  readonly refreshToken: string | undefined;
}

/** Two cookies of one name are no token: one of them may be planted, and nothing tells which. */
export const readAuthCookies = (request: CookieRequest): PresentedTokens => ({
  accessToken: onlyCookie(request, accessCookie),
  refreshToken: onlyCookie(request, refreshCookie),
});

/**
 * Both cookies live as long as the refresh token: an expired access token stays for pairing. Other copies of them go, or
 * the new ones would be none.
 */
export const setAuthCookies = (
  request: AnsweredRequest,
  reply: FastifyReply,
  settings: CookieSettings,
  pair: TokenPair,
): void => {
  for (const name of [accessCookie, refreshCookie])
    clearOtherCopies(request, reply, name, reachOf(settings), settings.baseUrl);
  const options = { ...attributes(settings), maxAge: pair.refreshTokenSecondsLeft };
  reply.setCookie(accessCookie, pair.accessToken, options);
  reply.setCookie(refreshCookie, pair.refreshToken, options);
};

export const clearAuthCookies = (reply: FastifyReply, settings: CookieSettings): void => {
  reply.clearCookie(accessCookie, attributes(settings));
  reply.clearCookie(refreshCookie, attributes(settings));
};
