/** Where a request's access token stands: the Authorization header (RFC 6750), else the cookie; Bearer wins. */
import { readAuthCookies } from './cookies.ts';
import type { CookieRequest } from './request-cookies.ts';

export type PresentedAccess =
  | { readonly source: 'none' }
  | { readonly source: 'bearer' | 'cookie'; readonly token: string };

/** An Authorization header of any other shape counts as an invalid Bearer: it never falls back to the cookie. */
export const presentedAccess = (request: CookieRequest): PresentedAccess => {
  const header = request.headers.authorization;
  if (header !== undefined) return { source: 'bearer', token: /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? '' };
  const { accessToken } = readAuthCookies(request);
  return accessToken === undefined ? { source: 'none' } : { source: 'cookie', token: accessToken };
};
