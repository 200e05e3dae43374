/**
 * The cookie of the helper session (contract/accounts.md#helper-session): a random id with a signature, so that only
 * ids issued here are looked up. A cookie from another browser is genuine too: its name has the prefix `__Host-`
 * wherever possible, and the plain name is not read there, so that no sibling host can plant its own session.
 */
import type { FastifyReply } from 'fastify';
import type { Keyring } from '../kernel/secrets.ts';
import { randomSecret } from '../kernel/secrets.ts';
import { helperSessionSeconds } from '../platform/helper-sessions.ts';
import { type CookieRequest, type CookieTarget, cookieAttributes, cookieName, onlyCookie } from './cookies.ts';

const cookie = 'helper_session';
const purpose = 'helper session cookie';

export interface HelperCookieSettings {
  /** Decides the Secure attribute: set when the service is reached over https. */
  readonly baseUrl: string;
  /** Undefined: the cookie is host-only. */
  readonly sessionCookieDomain: string | undefined;
}

const reachOf = ({ baseUrl, sessionCookieDomain: domain }: HelperCookieSettings): CookieTarget => ({ baseUrl, domain });

/** The id from the cookie, or null. Ids not issued by this service are never looked up. */
export const readHelperSession = (
  request: CookieRequest,
  settings: HelperCookieSettings,
  keyring: Keyring,
): string | null => keyring.verify(purpose, '', onlyCookie(request, cookieName(cookie, reachOf(settings))));

/** A new id: 256 random bits. */
export const newHelperSession = (): string => randomSecret();

/** Sets the cookie for thirty days, signed with the newest secret. */
export const setHelperSession = (
  reply: FastifyReply,
  settings: HelperCookieSettings,
  keyring: Keyring,
  id: string,
): void => {
  const reach = reachOf(settings);
  const options = { ...cookieAttributes(reach), maxAge: helperSessionSeconds };
  reply.setCookie(cookieName(cookie, reach), keyring.sign(purpose, '', id), options);
};

/** The id from the cookie, or a new one. Sets the cookie in either case. */
export const ensureHelperSession = (
  request: CookieRequest,
  reply: FastifyReply,
  settings: HelperCookieSettings,
  keyring: Keyring,
): string => {
  const id = readHelperSession(request, settings, keyring) ?? newHelperSession();
  setHelperSession(reply, settings, keyring, id);
  return id;
};
