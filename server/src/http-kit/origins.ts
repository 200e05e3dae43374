/**
 * Origin and Host checks: portal origins (contract, "Delivery"), and protection against DNS rebinding (contract, "POST
 * /mcp").
 */
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../kernel/errors.ts';

export interface OriginSettings {
  readonly baseUrl: string;
  readonly frontendUrl: string;
}

export const isPortalOrigin = (origin: string | undefined, settings: OriginSettings): boolean =>
  origin === settings.baseUrl || origin === settings.frontendUrl;

/**
 * Whether a cookie-authenticated request may change state: its Origin, or without one its Referer, is the portal's.
 * `Origin: null` and a foreign Origin are rejected whatever the Referer says.
 */
export const mayUseCookies = ({ headers }: Pick<FastifyRequest, 'headers'>, settings: OriginSettings): boolean => {
  const { origin, referer } = headers;
  if (origin !== undefined) return isPortalOrigin(origin, settings);
  return referer !== undefined && URL.canParse(referer) && isPortalOrigin(new URL(referer).origin, settings);
};

/**
 * For state that a browser stores without being signed in, such as analytics consent: there is no cookie yet to reject.
 * @throws Refusal ORIGIN_REFUSED: when {@link mayUseCookies} is false
 */
export const requirePageOfPortal = (request: Pick<FastifyRequest, 'headers'>, settings: OriginSettings): void => {
  if (mayUseCookies(request, settings)) return;
  throw new Refusal(
    'ORIGIN_REFUSED',
    `Only a page of the portal may do this for its visitor: send the Origin header ${settings.frontendUrl}.`,
  );
};

/** @throws Refusal ORIGIN_REFUSED: when {@link mayUseCookies} is false */
export const requirePortalOrigin = (request: Pick<FastifyRequest, 'headers'>, settings: OriginSettings): void => {
  if (mayUseCookies(request, settings)) return;
  throw new Refusal('ORIGIN_REFUSED', 'This request did not come from the portal, so its cookies do not count.');
};

/** Whether tokens are delivered in cookies: true for a portal origin that does not request bearer delivery. */
export const wantsCookies = (request: FastifyRequest, settings: OriginSettings): boolean =>
  isPortalOrigin(request.headers.origin, settings) &&
  String(request.headers['x-auth-delivery']).toLowerCase() !== 'bearer';

// Own-host check (contract, "POST /mcp"; also the development mailbox): a foreign page cannot reach the server through
// a name of its own that resolves here (DNS rebinding).

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** The Host headers that name this server. With a loopback BASE_URL, every loopback name does. */
export const ownHosts = (baseUrl: string): ReadonlySet<string> => {
  const { hostname, port, protocol } = new URL(baseUrl);
  const names = loopbackNames.includes(hostname) ? loopbackNames : [hostname];
  const defaultPort = protocol === 'https:' ? '443' : '80';
  const withPort = names.map((name) => `${name}:${port === '' ? defaultPort : port}`);
  return new Set(port === '' || port === defaultPort ? [...names, ...withPort] : withPort);
};

/**
 * The foreign Host or Origin of a request, or null when neither is foreign. Behind a trusted proxy, the Host is the one
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
