/**
 * Origins: which belong to the portal, what follows from a request's Origin (contract, "Delivery"), and which requests
 * name this server itself, against DNS rebinding (contract, "POST /mcp").
 */
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../kernel/errors.ts';

// Which web origins belong to the portal, and what follows from a request's Origin (contract, "Delivery").

export interface OriginSettings {
  readonly baseUrl: string;
  readonly frontendUrl: string;
}

export const isPortalOrigin = (origin: string | undefined, settings: OriginSettings): boolean =>
  origin === settings.baseUrl || origin === settings.frontendUrl;

/**
 * Whether a request that cookies authenticate may change something: its Origin, or without one its Referer, is the
 * portal's. `Origin: null` and a foreign Origin are refused whatever the Referer says.
 */
export const mayUseCookies = ({ headers }: Pick<FastifyRequest, 'headers'>, settings: OriginSettings): boolean => {
  const { origin, referer } = headers;
  if (origin !== undefined) return isPortalOrigin(origin, settings);
  return referer !== undefined && URL.canParse(referer) && isPortalOrigin(new URL(referer).origin, settings);
};

/**
 * For what a browser keeps without being signed in, such as a decision about analytics: it has no cookie yet whose use
 * could be refused.
 * @throws Refusal ORIGIN_REFUSED where {@link mayUseCookies} says no
 */
export const requirePageOfPortal = (request: Pick<FastifyRequest, 'headers'>, settings: OriginSettings): void => {
  if (mayUseCookies(request, settings)) return;
  throw new Refusal(
    'ORIGIN_REFUSED',
    `Only a page of the portal may do this for its visitor: send the Origin header ${settings.frontendUrl}.`,
  );
};

/** @throws Refusal ORIGIN_REFUSED where {@link mayUseCookies} says no */
export const requirePortalOrigin = (request: Pick<FastifyRequest, 'headers'>, settings: OriginSettings): void => {
  if (mayUseCookies(request, settings)) return;
  throw new Refusal('ORIGIN_REFUSED', 'This request did not come from the portal, so its cookies do not count.');
};

/** Whether the answer's tokens travel in cookies: a portal caller that does not ask for the body. */
export const wantsCookies = (request: FastifyRequest, settings: OriginSettings): boolean =>
  isPortalOrigin(request.headers.origin, settings) &&
  String(request.headers['x-auth-delivery']).toLowerCase() !== 'bearer';

// Which requests name this server, from no web page or from one of its own (contract, "POST /mcp"; the development mailbox
// too). A page of another site cannot get at it by a name that it lets point here (DNS rebinding).

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** The Host headers that mean this server; of loopback, every name means it. */
export const ownHosts = (baseUrl: string): ReadonlySet<string> => {
  const { hostname, port, protocol } = new URL(baseUrl);
  const names = loopbackNames.includes(hostname) ? loopbackNames : [hostname];
  const defaultPort = protocol === 'https:' ? '443' : '80';
  const withPort = names.map((name) => `${name}:${port === '' ? defaultPort : port}`);
  return new Set(port === '' || port === defaultPort ? [...names, ...withPort] : withPort);
};

/**
 * What of a request is foreign, its Host or its Origin; null when neither is. Behind a trusted proxy the host is the one
 * that the proxy was asked for.
 */
export const foreignAddress = (
  { host, headers: { origin } }: FastifyRequest,
  own: ReadonlySet<string>,
  settings: OriginSettings,
): string | null => {
  if (!own.has(host.toLowerCase())) return host;
  return origin === undefined || isPortalOrigin(origin, settings) ? null : origin;
};
