/**
 * The cookie auth_exchange: the one-time secret with which the portal fetches its session after a sign-in by the outside
 * provider (specification, "External sign-in handoff"). The callback sets it, exchangeAuthTokens reads and clears it;
 * a sign-in or sign-out that comes first clears it too.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieAttributes } from './cookie-attributes.ts';
import type { CookieSettings } from './cookies.ts';

const cookie = 'auth_exchange';

const attributes = ({ baseUrl, authCookieDomain: domain }: CookieSettings) => cookieAttributes({ baseUrl, domain });

export const readExchangeCookie = (request: FastifyRequest): string | undefined => request.cookies[cookie];

/** @param lifeSeconds that of the exchange */
export const setExchangeCookie = (
  reply: FastifyReply,
  settings: CookieSettings,
  secret: string,
  lifeSeconds: number,
): FastifyReply => reply.setCookie(cookie, secret, { ...attributes(settings), maxAge: lifeSeconds });

export const clearExchangeCookie = (reply: FastifyReply, settings: CookieSettings): FastifyReply =>
  reply.clearCookie(cookie, attributes(settings));
