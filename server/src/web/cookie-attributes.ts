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
  secure: baseUrl.startsWith('https:'),
  ...(domain === undefined ? {} : { domain }),
});
