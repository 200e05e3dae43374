/**
 * The cookie sign_in_device: that somebody signed in at an address from this browser in the last thirty days. It signs
 * nobody in. Whoever brings it has attempts at that address of their own, so that strangers who use up everybody's do not
 * lock its owner out. It names no address: a signature binds each of its entries to one.
 */
import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { normalizeEmail } from '../domain/users/text-rules.ts';
import type { Keyring } from '../kernel/secrets.ts';
import { cookieAttributes } from './cookie-attributes.ts';
import type { CookieSettings } from './cookies.ts';

const cookie = 'sign_in_device';
const purpose = 'sign-in device';
const lifeSeconds = 30 * 24 * 3600;
/** People of one browser, the latest first. */
const mostEntries = 4;

interface Entry {
  readonly id: string;
  /** Of the sign-in, in whole seconds. */
  readonly since: string;
  readonly mac: string;
}

const textOf = (email: string, { id, since }: Omit<Entry, 'mac'>): string =>
  JSON.stringify([normalizeEmail(email), id, since]);

const readEntries = (request: FastifyRequest): Entry[] =>
  (request.cookies[cookie] ?? '').split('~', mostEntries).flatMap((text) => {
    const [id, since, mac, ...rest] = text.split('.');
    return id === undefined || since === undefined || mac === undefined || rest.length > 0 ? [] : [{ id, since, mac }];
  });

const now = (): number => Math.floor(Date.now() / 1000);

/** The id of the browser as one from which somebody signed in at this address lately, or null. */
export const readSignInDevice = (request: FastifyRequest, keyring: Keyring, email: string): string | null => {
  const fits = (entry: Entry): boolean =>
    Number(entry.since) > now() - lifeSeconds && keyring.isMac(purpose, textOf(email, entry), entry.mac);
  return readEntries(request).find(fits)?.id ?? null;
};

/** After a sign-in: the same id as before, for thirty days from now. */
export const setSignInDevice = (
  request: FastifyRequest,
  reply: FastifyReply,
  { baseUrl, authCookieDomain: domain }: CookieSettings,
  { keyring, email }: { readonly keyring: Keyring; readonly email: string },
): void => {
  const known = readSignInDevice(request, keyring, email);
  const fresh = { id: known ?? randomBytes(16).toString('base64url'), since: String(now()) };
  const entry = { ...fresh, mac: keyring.mac(purpose, textOf(email, fresh)) };
  const others = readEntries(request).filter(({ id }) => id !== known);
  const value = [entry, ...others].slice(0, mostEntries).map(({ id, since, mac }) => `${id}.${since}.${mac}`);
  reply.setCookie(cookie, value.join('~'), { ...cookieAttributes({ baseUrl, domain }), maxAge: lifeSeconds });
};
