/**
 * Reads cookies of which a browser may hold two under one name: its own, and one that a neighbour host planted for the
 * common domain or another path. The Cookie header does not say which is which (RFC 6265, section 8.6).
 */
import { isIP } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type CookieReach, cookieAttributes } from './cookie-attributes.ts';

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
