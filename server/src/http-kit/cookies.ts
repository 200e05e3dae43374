/**
 * Cookies: attributes common to all, reading them when a neighbour host planted a second one under the same name, and the
 * portal's auth_access and auth_refresh (specification, "Cookies"; contract, "Delivery").
 */

import { isIP } from 'node:net';
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TokenPair } from '../domain/credentials/issue-pair.ts';

// The portal's cookies auth_access and auth_refresh (specification, "Cookies"; contract, "Delivery").

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

// What all cookies of the service have in common: no script reads them, and over https they stay there.

export interface CookieReach {
  /** Secure whenever the service is reached over https. */
  readonly baseUrl: string;
  /** Undefined: host-only. */
  readonly domain?: string | undefined;
  /** Absent: every path. */
  readonly path?: string;
}

/** Lax: people come back by navigations from a provider or a client; other sites can send no POST with these cookies. */
export const cookieAttributes = ({ baseUrl, domain, path = '/' }: CookieReach): CookieSerializeOptions => ({
  httpOnly: true,
  sameSite: 'lax',
  path,
  secure: isHttps(baseUrl),
  ...(domain === undefined ? {} : { domain }),
});

/**
 * The name that a browser is given a cookie under. With the prefix `__Host-` it takes the cookie only from this very host
 * over https (RFC 6265bis, section 4.1.3.2), so that a neighbour host below the same domain cannot plant one. The prefix
 * demands https, no Domain and the path `/`; without all three the name stays plain.
 */
export const cookieName = (name: string, { baseUrl, domain, path = '/' }: CookieReach): string =>
  isHttps(baseUrl) && domain === undefined && path === '/' ? `__Host-${name}` : name;

const isHttps = (url: string): boolean => url.startsWith('https:');

// Reads cookies of which a browser may hold two under one name: its own, and one that a neighbour host planted for the
// common domain or another path. The Cookie header does not say which is which (RFC 6265, section 8.6).

/** What is looked at: the header as it came, and what was read from it. */
export type CookieRequest = Pick<FastifyRequest, 'headers' | 'cookies'>;

/** One whose answer sets cookies: its path decides which of a name it came with. */
export type AnsweredRequest = CookieRequest & Pick<FastifyRequest, 'url'>;

/** The value of the one cookie with this name; undefined without one, and when the header has several. */
export const onlyCookie = ({ headers, cookies }: CookieRequest, name: string): string | undefined =>
  isRepeated(headers.cookie ?? '', name) ? undefined : cookies[name];

/**
 * Takes away what a browser holds under the name beside the service's own cookie: what a neighbour host planted, or what
 * is left from before a cookie domain was set or changed. One alone may be the planted one, so other domains are cleared
 * then too; other paths only where several came, for each path that reaches this address. Does nothing where the request
 * has no cookie of the name.
 * @param own where the service sets its cookie
 * @param url of the host that the browser asked
 */
export const clearOtherCopies = (
  { headers, cookies, url: asked }: AnsweredRequest,
  reply: FastifyReply,
  name: string,
  own: CookieReach,
  url: string,
): void => {
  if (cookies[name] === undefined) return;
  const ownDomain = own.domain?.replace(/^\./, '').toLowerCase();
  const ownPath = own.path ?? '/';
  const paths = isRepeated(headers.cookie ?? '', name) ? new Set([ownPath, ...pathsOf(asked)]) : [ownPath];
  for (const domain of [undefined, ...domainsOf(new URL(url).hostname)]) {
    for (const path of paths) {
      if (domain !== ownDomain || path !== ownPath) reply.clearCookie(name, cookieAttributes({ ...own, domain, path }));
    }
  }
};

/** The paths for which a cookie can reach an address (RFC 6265, section 5.1.4). */
const pathsOf = (url: string): string[] => {
  const [path = '/'] = url.split('?');
  const slashes = [...path.matchAll(/\//g)].map(({ index }) => index);
  const above = slashes.flatMap((at) => (at === 0 ? ['/'] : [path.slice(0, at), path.slice(0, at + 1)]));
  return [...above, path];
};

/** The domains for which cookies can reach a host: itself and its parents, but for the top. */
const domainsOf = (hostname: string): string[] => {
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return [];
  const labels = hostname.split('.');
  return labels.slice(0, -1).map((_label, index) => labels.slice(index).join('.'));
};

/** Nearly every header has a name once, and is not taken apart then. */
const isRepeated = (header: string, name: string): boolean => {
  if (header.indexOf(name) === header.lastIndexOf(name)) return false;
  return header.split(';').filter((pair) => nameIn(pair) === name).length > 1;
};

const nameIn = (pair: string): string | null => {
  const end = pair.indexOf('=');
  return end < 0 ? null : pair.slice(0, end).trim();
};
