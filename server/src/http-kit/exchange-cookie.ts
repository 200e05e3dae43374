/**
 * The cookies between the callback and exchangeAuthTokens (contract/accounts.md#exchange-of-the-secret): auth_exchange,
 * the one-time secret with which the portal fetches its session, and exchange_marker, proof that this browser's helper
 * session began the sign-in. The exchange requires both, so that a secret planted by a sibling host is useless.
 *
 * The marker is not the helper session itself, whose cookie may be limited to the portal and never reach GraphQL. The
 * secret is cleared by the exchange, a sign-in or a sign-out; the marker grants nothing and simply expires.
 */
import type { FastifyReply } from 'fastify';
import { sha256 } from '../kernel/secrets.ts';
import {
  type AnsweredRequest,
  type CookieRequest,
  type CookieSettings,
  type CookieTarget,
  clearOtherCopies,
  cookieAttributes,
  cookieName,
  onlyCookie,
} from './cookies.ts';

const secretCookie = 'auth_exchange';
const markerCookie = 'exchange_marker';

export interface ExchangeCookieSettings extends CookieSettings {
  readonly frontendUrl: string;
}

/** The pair of values that the callback sets and the exchange reads. */
export interface ExchangeCookies {
  readonly secret: string;
  readonly marker: string;
}

const secretReach = ({ baseUrl, authCookieDomain: domain }: CookieSettings): CookieTarget => ({ baseUrl, domain });

/** Host-only when portal and GraphQL share a host, whatever AUTH_COOKIE_DOMAIN says: no other host reads it. */
const markerReach = ({ baseUrl, frontendUrl, authCookieDomain }: ExchangeCookieSettings): CookieTarget => {
  const isOneHost = new URL(baseUrl).hostname === new URL(frontendUrl).hostname;
  return { baseUrl, domain: isOneHost ? undefined : authCookieDomain };
};

/** The marker derived from a helper session; the session id cannot be recovered from it. */
export const exchangeMarkerOf = (sessionId: string): string =>
  sha256(`exchange marker ${sessionId}`).toString('base64url');

/** Undefined when the cookie is absent or repeated. */
export const readExchangeSecret = (request: CookieRequest): string | undefined => onlyCookie(request, secretCookie);

/** Whether the cookie is present, valid or not. */
export const holdsExchangeSecret = ({ cookies }: CookieRequest): boolean => cookies[secretCookie] !== undefined;

/** Empty when the cookie is absent or repeated; no exchange has an empty marker. */
export const readExchangeMarker = (request: CookieRequest, settings: ExchangeCookieSettings): string =>
  onlyCookie(request, cookieName(markerCookie, markerReach(settings))) ?? '';

/** Clears other copies of the secret, because a repeated cookie is ignored. @param lifeSeconds of the exchange */
export const setExchangeCookies = (
  request: AnsweredRequest,
  reply: FastifyReply,
  settings: ExchangeCookieSettings,
  { secret, marker }: ExchangeCookies,
  lifeSeconds: number,
): void => {
  clearOtherCopies(request, reply, secretCookie, secretReach(settings), settings.frontendUrl);
  reply.setCookie(secretCookie, secret, { ...cookieAttributes(secretReach(settings)), maxAge: lifeSeconds });
  const reach = markerReach(settings);
  reply.setCookie(cookieName(markerCookie, reach), marker, { ...cookieAttributes(reach), maxAge: lifeSeconds });
};

export const clearExchangeCookie = (reply: FastifyReply, settings: CookieSettings): FastifyReply =>
  reply.clearCookie(secretCookie, cookieAttributes(secretReach(settings)));
