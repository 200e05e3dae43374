/**
 * The cookie of the helper session (specification, "Cookies"): a random id and a signature, so that only ids that were
 * made here are looked up. It is no credential: whoever has it is nobody.
 */
import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Keyring } from '../kernel/secrets.ts';
import { helperSessionSeconds } from '../platform/helper-sessions.ts';
import { cookieAttributes } from './cookie-attributes.ts';

const cookie = 'helper_session';
const purpose = 'helper session cookie';

export interface HelperCookieSettings {
  /** Secure whenever the service is reached over https. */
  readonly baseUrl: string;
  /** Undefined: host-only. */
  readonly sessionCookieDomain: string | undefined;
}

/** The id that this browser brought, or null. Ids that were not made here are never looked up. */
export const readHelperSession = (request: FastifyRequest, keyring: Keyring): string | null => {
  const [id = '', signature = '', ...rest] = (request.cookies[cookie] ?? '').split('.');
  return rest.length === 0 && id !== '' && keyring.isMac(purpose, id, signature) ? id : null;
};

/** An id for a browser that has none, 256 random bits. */
export const newHelperSession = (): string => randomBytes(32).toString('base64url');

/** Gives the browser the id, for thirty days from now and signed with the newest secret. */
export const setHelperSession = (
  reply: FastifyReply,
  { baseUrl, sessionCookieDomain: domain }: HelperCookieSettings,
  keyring: Keyring,
  id: string,
): void => {
  const attributes = cookieAttributes({ baseUrl, domain });
  reply.setCookie(cookie, `${id}.${keyring.mac(purpose, id)}`, { ...attributes, maxAge: helperSessionSeconds });
};

/** The id that this browser brought, or a new one; it is given with the answer either way. */
export const ensureHelperSession = (
  request: FastifyRequest,
  reply: FastifyReply,
  settings: HelperCookieSettings,
  keyring: Keyring,
): string => {
  const id = readHelperSession(request, keyring) ?? newHelperSession();
  setHelperSession(reply, settings, keyring, id);
  return id;
};
