/**
 * Origin and Host checks: the portal's origins (contract/credentials.md#caller-and-delivery), those of the
 * application's front ends (contract/application.md#front-ends-of-the-application), and protection against DNS
 * rebinding (contract/platform-mcp.md#order-of-refusals).
 */
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../kernel/errors.ts';
import { loopbackHosts } from '../kernel/network.ts';

export interface OriginSettings {
  readonly baseUrl: string;
  readonly frontendUrl: string;
}

export const isPortalOrigin = (origin: string | undefined, settings: OriginSettings): boolean =>
  origin === settings.baseUrl || origin === settings.frontendUrl;

/** The origins whose pages may use a user's cookies. */
export interface FrontEndSettings extends OriginSettings {
  /** Origins that the application defines; empty where the portal alone counts. */
  readonly applicationOrigins: readonly string[];
}

/** The settings of a route that counts the portal's origins alone: consent, and links of an identity. */
export const portalAlone = <Settings extends OriginSettings>(settings: Settings): Settings & FrontEndSettings => ({
  ...settings,
  applicationOrigins: [],
});

/** Whether the origin is the portal's, or that of a front end of the application. */
export const isFrontEnd = (origin: string | undefined, settings: FrontEndSettings): boolean =>
  isPortalOrigin(origin, settings) || settings.applicationOrigins.some((each) => each === origin);

/** The Origin of a request, or without one the origin of its Referer; undefined without both. */
const pageOriginOf = ({ headers: { origin, referer } }: Pick<FastifyRequest, 'headers'>): string | undefined => {
  if (origin !== undefined) return origin;
  return referer !== undefined && URL.canParse(referer) ? new URL(referer).origin : undefined;
};

/** Whether a request names its page, by Origin or Referer, and that is none of the portal's. */
export const isFromForeignPage = (request: Pick<FastifyRequest, 'headers'>, settings: OriginSettings): boolean => {
  const origin = pageOriginOf(request);
  return origin !== undefined && !isPortalOrigin(origin, settings);
};

/**
 * Whether a request with cookies may change state: its Origin, or without one its Referer, is that of a front end.
 * `Origin: null` is rejected whatever the Referer says.
 */
export const mayUseCookies = (request: Pick<FastifyRequest, 'headers'>, settings: FrontEndSettings): boolean =>
  isFrontEnd(pageOriginOf(request), settings);

/**
 * Whether a cookie carries the authority of a super admin: always where the portal's pages alone count, else only from
 * a page that is known to be the portal's. A page can leave out Origin and Referer.
 */
export const mayActAsSuperAdmin = (request: Pick<FastifyRequest, 'headers'>, settings: FrontEndSettings): boolean =>
  settings.applicationOrigins.length === 0 || isPortalOrigin(pageOriginOf(request), settings);

/** For state of signed-out visitors, such as consent. @throws Refusal ORIGIN_REFUSED: unless {@link mayUseCookies} */
export const requirePageOfPortal = (request: Pick<FastifyRequest, 'headers'>, settings: FrontEndSettings): void => {
  if (mayUseCookies(request, settings)) return;
  throw new Refusal(
    'ORIGIN_REFUSED',
    `Only a page of the portal may do this for its visitor: send the Origin header ${settings.frontendUrl}.`,
  );
};

/** @throws Refusal ORIGIN_REFUSED: when {@link mayUseCookies} is false */
export const requirePortalOrigin = (request: Pick<FastifyRequest, 'headers'>, settings: FrontEndSettings): void => {
  if (mayUseCookies(request, settings)) return;
  throw new Refusal('ORIGIN_REFUSED', 'This request did not come from the portal, so its cookies do not count.');
};

/** Whether tokens are delivered in cookies: true for a front end that does not request bearer delivery. */
export const wantsCookies = (request: FastifyRequest, settings: FrontEndSettings): boolean =>
  isFrontEnd(request.headers.origin, settings) && String(request.headers['x-auth-delivery']).toLowerCase() !== 'bearer';

// Own-host check, against DNS rebinding (contract/platform-mcp.md#order-of-refusals; also the development mailbox).

/** The Host headers that name this server. With a loopback BASE_URL, every loopback name does. */
export const ownHosts = (baseUrl: string): ReadonlySet<string> => {
  const { hostname, port, protocol } = new URL(baseUrl);
  const names = loopbackHosts.includes(hostname) ? loopbackHosts : [hostname];
  const defaultPort = protocol === 'https:' ? '443' : '80';
  const withPort = names.map((name) => `${name}:${port === '' ? defaultPort : port}`);
  return new Set(port === '' || port === defaultPort ? [...names, ...withPort] : withPort);
};

/** The foreign Host or Origin of a request, or null. Behind a trusted proxy, the Host that it was asked for. */
export const foreignAddress = (
  { host, headers: { origin } }: FastifyRequest,
  own: ReadonlySet<string>,
  settings: OriginSettings,
): string | null => {
  if (!own.has(host.toLowerCase())) return host;
  return origin === undefined || isPortalOrigin(origin, settings) ? null : origin;
};
