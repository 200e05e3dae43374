/** Redirect URIs as policies and pages show them: their hosts, and a short form for the connection record. */
import { loopbackHosts } from '../../kernel/network.ts';

/** Whether a URI leads to a program on the person's own machine (RFC 8252, section 7.3). */
export const isLoopbackUri = (redirectUri: string): boolean => {
  const { protocol, hostname } = new URL(redirectUri);
  return ['http:', 'https:'].includes(protocol) && loopbackHosts.includes(hostname);
};

/**
 * The host that a redirect URI leads to: a loopback host without its port, which each attempt chooses; of a private-use
 * scheme the scheme as well, so that none passes for a host of the web.
 */
export const redirectHostOf = (redirectUri: string): string => {
  const { protocol, host, hostname } = new URL(redirectUri);
  if (isLoopbackUri(redirectUri)) return hostname;
  if (protocol === 'https:' || protocol === 'http:') return host;
  return `${protocol}//${host}`.toLowerCase();
};

const maxBriefLength = 200;

/** A redirect URI for the connection record: short, without query, fragment and user info, which may be secret. */
export const briefRedirectUri = (uri: string): string => {
  const [address = ''] = uri.split(/[?#]/, 1);
  const withoutUser = address.replace(/^([^/]*\/\/)[^/]*@/, '$1');
  return withoutUser.replaceAll(/[^\u0020-\u007e]/g, '?').slice(0, maxBriefLength);
};
