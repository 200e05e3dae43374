/**
 * Cookies: shared attributes, safe reading when a sibling host planted one of the same name, and the portal's
 * auth_access and auth_refresh (AUTH_COOKIE_DOMAIN; contract/credentials.md#attributes-of-cookies).
 */
import { isIP } from 'node:net';
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TokenPair } from '../domain/credentials/issue-pair.ts';

// The portal's cookies auth_access and auth_refresh.

const accessCookie = 'auth_access';
const refreshCookie = 'auth_refresh';

export interface CookieSettings {
  /** Decides the Secure attribute: set when the service is reached over https. */
  readonly baseUrl: string;
  /** Undefined: the cookie is host-only. */
  readonly authCookieDomain: string | undefined;
}

const scopeOf = ({ baseUrl, authCookieDomain: domain }: CookieSettings): CookieScope => ({ baseUrl, domain });

const attributes = (settings: CookieSettings) => cookieAttributes(scopeOf(settings));

export interface PresentedTokens {
  readonly accessToken: string | undefined;
  readonly refreshToken: string | undefined;
}

/** A repeated cookie yields no token: one copy may be planted, and the copies cannot be told apart. */
export const readAuthCookies = (request: CookieRequest): PresentedTokens => ({
  accessToken: onlyCookie(request, accessCookie),
  refreshToken: onlyCookie(request, refreshCookie),
});

/** Both live as long as the refresh token, as a refresh presents both. Clears other copies first. */
export const setAuthCookies = (
  request: AnsweredRequest,
  reply: FastifyReply,
  settings: CookieSettings,
  pair: TokenPair,
): void => {
  for (const name of [accessCookie, refreshCookie])
    clearOtherCopies(request, reply, name, scopeOf(settings), settings.baseUrl);
  const options = { ...attributes(settings), maxAge: pair.refreshTokenSecondsLeft };
  for (const { name, value } of authCookiesOf(pair)) reply.setCookie(name, value, options);
};

/** The cookies of a pair, by name and value. */
export const authCookiesOf = (pair: TokenPair): readonly { readonly name: string; readonly value: string }[] => [
  { name: accessCookie, value: pair.accessToken },
  { name: refreshCookie, value: pair.refreshToken },
];

export const clearAuthCookies = (reply: FastifyReply, settings: CookieSettings): void => {
  reply.clearCookie(accessCookie, attributes(settings));
  reply.clearCookie(refreshCookie, attributes(settings));
};

// Attributes and names shared by all cookies of the service.

/** Where a cookie is sent (RFC 6265, section 4.1.2). */
export interface CookieScope {
  /** Decides the Secure attribute: set when the service is reached over https. */
  readonly baseUrl: string;
  /** Undefined: the cookie is host-only. */
  readonly domain?: string | undefined;
  /** Absent: every path. */
  readonly path?: string;
}

/** Lax: a provider or client returns people by a top-level navigation, but no other site can POST with them. */
export const cookieAttributes = ({ baseUrl, domain, path = '/' }: CookieScope): CookieSerializeOptions => ({
  httpOnly: true,
  sameSite: 'lax',
  path,
  secure: isHttps(baseUrl),
  ...(domain === undefined ? {} : { domain }),
});

/**
 * The name of a cookie on the wire. A browser accepts the prefix `__Host-` only from this very host over https, with no
 * Domain and the path `/` (RFC 6265bis, section 4.1.3.2), so that a sibling host cannot plant the cookie.
 */
export const cookieName = (name: string, { baseUrl, domain, path = '/' }: CookieScope): string =>
  isHttps(baseUrl) && domain === undefined && path === '/' ? `__Host-${name}` : name;

const isHttps = (url: string): boolean => url.startsWith('https:');

// Repeated cookies. A sibling host can plant a second cookie of the same name for the shared domain or another path,
// and the Cookie header does not identify the origin of either (RFC 6265, section 8.6).

/** The raw Cookie header and the parsed cookies. */
export type CookieRequest = Pick<FastifyRequest, 'headers' | 'cookies'>;

/** A request whose response sets cookies; its path determines which cookies could have reached it. */
export type AnsweredRequest = CookieRequest & Pick<FastifyRequest, 'url'>;

/** The value of the cookie with this name; undefined when it is absent or repeated. */
export const onlyCookie = ({ headers, cookies }: CookieRequest, name: string): string | undefined =>
  isRepeated(headers.cookie ?? '', name) ? undefined : cookies[name];

/**
 * Clears every copy of a cookie except the service's own: copies planted by a sibling host, and leftovers of another
 * cookie domain. A single copy may be the planted one, so other domains are always cleared; other paths only when the
 * cookie is repeated, for each path that reaches this URL. Does nothing when the cookie is absent.
 * @param own where the service sets its cookie
 * @param url URL of the requested host
 */
export const clearOtherCopies = (
  { headers, cookies, url: asked }: AnsweredRequest,
  reply: FastifyReply,
  name: string,
  own: CookieScope,
  url: string,
): void => {
  if (cookies[name] === undefined) return;
  const ownDomain = own.domain?.replace(/^\./, '').toLowerCase();
  const ownPath = own.path ?? '/';
  const paths = isRepeated(headers.cookie ?? '', name) ? new Set([ownPath, ...pathsOf(asked)]) : [ownPath];
  for (const domain of [undefined, ...domainsOf(new URL(url).hostname)]) {
    for (const path of paths) {
      if (domain === ownDomain && path === ownPath) continue;
      // As short as it can be: there may be many.
      reply.setCookie(name, '', { maxAge: 0, path, ...(domain === undefined ? {} : { domain }) });
    }
  }
};

/** Whether a line of Set-Cookie is one of {@link clearOtherCopies}; others that clear a cookie have its attributes. */
export const isClearedCopy = (line: string): boolean => /^[^=]+=; Max-Age=0;/.test(line) && !line.includes('HttpOnly');

/** The cookie paths that match a URL (RFC 6265, section 5.1.4). */
const pathsOf = (url: string): string[] => {
  const [path = '/'] = url.split('?');
  const slashes = [...path.matchAll(/\//g)].map(({ index }) => index);
  const above = slashes.flatMap((at) => (at === 0 ? ['/'] : [path.slice(0, at), path.slice(0, at + 1)]));
  return [...above, path];
};

/** The domains whose cookies reach a host: the host and its parents, without the top-level domain. */
const domainsOf = (hostname: string): string[] => {
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return [];
  const labels = hostname.split('.');
  return labels.slice(0, -1).map((_label, index) => labels.slice(index).join('.'));
};

/** Skips parsing in the common case of a name that occurs once. */
const isRepeated = (header: string, name: string): boolean => {
  if (header.indexOf(name) === header.lastIndexOf(name)) return false;
  return header.split(';').filter((pair) => nameIn(pair) === name).length > 1;
};

const nameIn = (pair: string): string | null => {
  const end = pair.indexOf('=');
  return end < 0 ? null : pair.slice(0, end).trim();
};
