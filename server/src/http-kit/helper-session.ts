/**
 * The cookie of the helper session (specification, "Cookies"): a random id and a signature, so that only ids that were
 * made here are looked up. It is no credential: whoever has it is nobody.
 *
 * The cookie of another browser is genuine too. So its name has the prefix `__Host-` wherever it can, and the plain name
 * is not read there: a neighbour host could plant its own session, and with it what that session began.
 */
import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { Keyring } from '../kernel/secrets.ts';
import { helperSessionSeconds } from '../platform/helper-sessions.ts';
import { type CookieReach, type CookieRequest, cookieAttributes, cookieName, onlyCookie } from './cookies.ts';

const cookie = 'helper_session';
const purpose = 'helper session cookie';

export interface HelperCookieSettings {
  /** Secure whenever the service is reached over https. */
  readonly baseUrl: string;
  /** Undefined: host-only. */
  readonly sessionCookieDomain: string | undefined;
}

const reachOf = ({ baseUrl, sessionCookieDomain: domain }: HelperCookieSettings): CookieReach => ({ baseUrl, domain });

/** The id that this browser brought, or null. Ids that were not made here are never looked up. */
export const readHelperSession = (
  request: CookieRequest,
  settings: HelperCookieSettings,
  keyring: Keyring,
): string | null => {
  const value = onlyCookie(request, cookieName(cookie, reachOf(settings))) ?? '';
  const [id = '', signature = '', ...rest] = value.split('.');
  return rest.length === 0 && id !== '' && keyring.isMac(purpose, id, signature) ? id : null;
};

/** An id for a browser that has none, 256 random bits. */
export const newHelperSession = (): string => randomBytes(32).toString('base64url');

/** Gives the browser the id, for thirty days from now and signed with the newest secret. */
export const setHelperSession = (
  reply: FastifyReply,
  settings: HelperCookieSettings,
  keyring: Keyring,
  id: string,
): void => {
  const reach = reachOf(settings);
  const value = `${id}.${keyring.mac(purpose, id)}`;
  reply.setCookie(cookieName(cookie, reach), value, { ...cookieAttributes(reach), maxAge: helperSessionSeconds });
};

/** The id that this browser brought, or a new one; it is given with the answer either way. */
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
