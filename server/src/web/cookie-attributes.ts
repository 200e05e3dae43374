/** What all cookies of the service have in common: no script reads them, and over https they stay there. */
import type { CookieSerializeOptions } from '@fastify/cookie';

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
