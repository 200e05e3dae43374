/** Which web origins belong to the portal, and what follows from a request's Origin (contract, "Delivery"). */
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../kernel/errors.ts';

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
