/** The portal's cookies auth_access and auth_refresh (specification, "Cookies"; contract, "Delivery"). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TokenPair } from '../domain/credentials/issue-pair.ts';
import { cookieAttributes } from './cookie-attributes.ts';

const accessCookie = 'auth_access';
const refreshCookie = 'auth_refresh';

export interface CookieSettings {
  /** Secure whenever the service is reached over https. */
  readonly baseUrl: string;
  /** Undefined: host-only. */
  readonly authCookieDomain: string | undefined;
}

const attributes = ({ baseUrl, authCookieDomain: domain }: CookieSettings) => cookieAttributes({ baseUrl, domain });

export interface PresentedTokens {
  readonly accessToken: string | undefined;
  readonly refreshToken: string | undefined;
}

export const readAuthCookies = (request: Pick<FastifyRequest, 'cookies'>): PresentedTokens => ({
  accessToken: request.cookies[accessCookie],
  refreshToken: request.cookies[refreshCookie],
});

/** Both cookies live as long as the refresh token: an expired access token stays for pairing. */
export const setAuthCookies = (reply: FastifyReply, settings: CookieSettings, pair: TokenPair): void => {
  const options = { ...attributes(settings), maxAge: pair.refreshTokenSecondsLeft };
  reply.setCookie(accessCookie, pair.accessToken, options);
  reply.setCookie(refreshCookie, pair.refreshToken, options);
};

export const clearAuthCookies = (reply: FastifyReply, settings: CookieSettings): void => {
  reply.clearCookie(accessCookie, attributes(settings));
  reply.clearCookie(refreshCookie, attributes(settings));
};
