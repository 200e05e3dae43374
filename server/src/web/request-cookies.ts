/**
 * Reads cookies of which a browser may hold two under one name: its own, and one that a neighbour host planted for the
 * common domain or another path. The Cookie header does not say which is which (RFC 6265, section 8.6).
 */
import { isIP } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type CookieReach, cookieAttributes } from './cookie-attributes.ts';

/** What is looked at: the header as it came, and what was read from it. */
export type CookieRequest = Pick<FastifyRequest, 'headers' | 'cookies'>;

/** The value of the one cookie with this name; undefined without one, and when the header has several. */
export const onlyCookie = ({ headers, cookies }: CookieRequest, name: string): string | undefined =>
  isRepeated(headers.cookie ?? '', name) ? undefined : cookies[name];

/**
 * Takes away what a browser holds under the name beside the service's own cookie: what a neighbour host planted, or what
 * is left from before a cookie domain was set or changed. Of another path nothing can be taken, since it is not known.
 * Does nothing where the request has no cookie of the name; one alone may be the planted one.
 * @param own where the service sets its cookie
 * @param url of the host that the browser asked
 */
export const clearOtherCopies = (
  { cookies }: CookieRequest,
  reply: FastifyReply,
  name: string,
  own: CookieReach,
  url: string,
): void => {
  if (cookies[name] === undefined) return;
  const ownDomain = own.domain?.replace(/^\./, '').toLowerCase();
  for (const domain of [undefined, ...domainsOf(new URL(url).hostname)]) {
    if (domain !== ownDomain) reply.clearCookie(name, cookieAttributes({ ...own, domain }));
  }
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
