/**
 * Which redirect URIs a client may register and use (contract, "OAuth for MCP"; RFC 8252, section 7.3; RFC 6749,
 * section 3.1.2.3). Pure, and about the text as it stands: a parser of URLs takes `127.1`, `2130706433` or a backslash
 * for something else than they look like, so none is asked.
 */

/** In bytes, which are characters: no URI that is accepted holds anything but ASCII. */
export const longestRedirectUri = 2000;

interface LoopbackUri {
  readonly host: string;
  /** Path and query as they stand; empty when there are none. */
  readonly rest: string;
}

/** Characters of RFC 3986, sections 3.3 and 3.4; no fragment, no user, no escape that is none. */
const loopbackShape =
  /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::([1-9][0-9]{0,4}))?((?:\/(?:[\w.~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*)?(?:\?(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?)$/;
/** Browsers take these segments out of a path, so that it is not the one that was registered. */
const dotSegment = /\/(?:\.|%2e){1,2}(?:\/|$)/i;
const highestPort = 65_535;

const readLoopbackUri = (uri: string): LoopbackUri | null => {
  if (uri.length > longestRedirectUri) return null;
  const [, host, port = '1', rest = ''] = loopbackShape.exec(uri) ?? [];
  if (host === undefined || Number(port) > highestPort) return null;
  const [path = ''] = rest.split('?', 1);
  return dotSegment.test(path) ? null : { host, rest };
};

/**
 * Whether a client may register this URI: loopback with any port or none, or one of the allow-list.
 * @param allowList exact texts (MCP_REDIRECT_ALLOW_LIST)
 */
export const isAllowedRedirectUri = (uri: string, allowList: readonly string[]): boolean =>
  readLoopbackUri(uri) !== null || allowList.includes(uri);

/**
 * Whether a request may name this URI: one that the client registered and may still register. The port of a loopback
 * URI is free, because the client takes whichever the system has left.
 * @param registered the client's, as they were accepted
 * @param allowList of this moment: what was taken off it since the registration is of no use any more
 */
export const isRegisteredRedirectUri = (
  uri: string,
  registered: readonly string[],
  allowList: readonly string[],
): boolean => {
  const loopback = readLoopbackUri(uri);
  if (loopback === null) return allowList.includes(uri) && registered.includes(uri);
  return registered.some((known) => isSameApartFromPort(readLoopbackUri(known), loopback));
};

const isSameApartFromPort = (known: LoopbackUri | null, { host, rest }: LoopbackUri): boolean =>
  known !== null && known.host === host && known.rest === rest;

const longestBrief = 200;

/** A redirect URI for the record of connections: without query, fragment and user, which may hold a secret, and short. */
export const briefRedirectUri = (uri: string): string => {
  const [address = ''] = uri.split(/[?#]/, 1);
  const withoutUser = address.replace(/^([^/]*\/\/)[^/]*@/, '$1');
  return withoutUser.replaceAll(/[^\u0020-\u007e]/g, '?').slice(0, longestBrief);
};
