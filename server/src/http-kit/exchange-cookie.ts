/**
 * The cookies between the callback and exchangeAuthTokens (specification, "External sign-in handoff"): auth_exchange, the
 * one-time secret with which the portal fetches its session, and exchange_marker, which shows that this browser's helper
 * session began the sign-in. The callback sets both; the exchange needs both. A secret that a neighbour host planted comes
 * without the marker that it was made with, and opens nothing.
 *
 * The marker is not the helper session itself: with two hosts, that cookie may be the portal's alone and never reach
 * GraphQL. The secret goes with the exchange, with a sign-in and with a sign-out; the marker opens nothing and runs out.
 */
import type { FastifyReply } from 'fastify';
import { sha256 } from '../kernel/secrets.ts';
import {
  type AnsweredRequest,
  type CookieReach,
  type CookieRequest,
  type CookieSettings,
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

/** What a browser brings to the exchange, or is given for it. */
export interface ExchangeCookies {
  readonly secret: string;
  readonly marker: string;
}

const secretReach = ({ baseUrl, authCookieDomain: domain }: CookieSettings): CookieReach => ({ baseUrl, domain });

/** Where portal and GraphQL are one host it stays there, whatever AUTH_COOKIE_DOMAIN says: nobody else reads it. */
const markerReach = ({ baseUrl, frontendUrl, authCookieDomain }: ExchangeCookieSettings): CookieReach => {
  const isOneHost = new URL(baseUrl).hostname === new URL(frontendUrl).hostname;
  return { baseUrl, domain: isOneHost ? undefined : authCookieDomain };
};

/** What a browser with this helper session shows at the exchange; the id cannot be found from it. */
export const exchangeMarkerOf = (sessionId: string): string =>
  sha256(`exchange marker ${sessionId}`).toString('base64url');

/** Undefined without the cookie, and when there are two of its name. */
export const readExchangeSecret = (request: CookieRequest): string | undefined => onlyCookie(request, secretCookie);

/** Whether there is a cookie at all, good or not. */
export const holdsExchangeSecret = ({ cookies }: CookieRequest): boolean => cookies[secretCookie] !== undefined;

/** Empty without the cookie, and when there are two of its name: no exchange has such a marker. */
export const readExchangeMarker = (request: CookieRequest, settings: ExchangeCookieSettings): string =>
  onlyCookie(request, cookieName(markerCookie, markerReach(settings))) ?? '';

/**
 * At the callback, which is at FRONTEND_URL. Another copy of the secret's cookie goes, or the new one would be none.
 * @param lifeSeconds that of the exchange
 */
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
