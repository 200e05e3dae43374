/** Where pages lead by themselves, after a sign-in. */
import { originsOfPage, withoutOwnOrigin } from '../url-parameters.ts';

/** The pages of consent, which are the server's. No other path of /auth is followed. */
const consent = /^\/auth\/mcp\/continue\/[\w-]+(?:[?#]|$)/;

/**
 * The redirect, or the home page without one; a URL of the portal or the service as its path. The parameter is
 * untrusted, so it never leads to the provider: the service would treat that as the person's own request and could link
 * their account to a stranger's identity.
 * @param redirect as `readRedirect` of `url-parameters.ts` accepts it
 */
export const redirectTarget = (redirect = '/', origins = originsOfPage()): string => {
  const target = withoutOwnOrigin(redirect, origins);
  return target.startsWith('/') && !consent.test(target) && mayReachProvider(target) ? '/' : target;
};

/** Whether some reading of the path, by a server or a proxy before it, is below /auth. */
const mayReachProvider = (path: string): boolean =>
  /^\/auth(?:\/|$)|\/\.\.?(?:\/|$)/.test(decoded(new URL(path, 'http://internal').pathname));

/** Decoded until nothing is left to decode. */
const decoded = (path: string): string => {
  const once = decodeURIComponent(path);
  return once === path ? path : decoded(once);
};
