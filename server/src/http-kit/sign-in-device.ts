/**
 * The cookie sign_in_device: that somebody signed in at an address from this browser in the last thirty days. It signs
 * nobody in. Whoever brings it has attempts at that address of their own, so that strangers who use up everybody's do not
 * lock its owner out. It names no address: a signature binds each of its entries to one.
 *
 * Only GraphQL reads it, so it is host-only, whatever AUTH_COOKIE_DOMAIN says. It once had no prefix `__Host-` over https;
 * a cookie from that time still counts where no newer one fits, until its thirty days are over. A planted one gains
 * nothing: an entry that counts for an address was given to a browser that signed in there.
 */
import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { normalizeEmail } from '../domain/users/text-rules.ts';
import type { Keyring } from '../kernel/secrets.ts';
import { type CookieRequest, cookieAttributes, cookieName, onlyCookie } from './cookies.ts';

const cookie = 'sign_in_device';
const purpose = 'sign-in device';
const lifeSeconds = 30 * 24 * 3600;
/** People of one browser, the latest first. */
const maxEntries = 4;

export interface DeviceCookieSettings {
  /** Secure whenever the service is reached over https. */
  readonly baseUrl: string;
}

interface Entry {
  readonly id: string;
  /** Of the sign-in, in whole seconds. */
  readonly since: string;
  readonly mac: string;
}

const textOf = (email: string, { id, since }: Omit<Entry, 'mac'>): string =>
  JSON.stringify([normalizeEmail(email), id, since]);

/** Of the cookie as it is named now, then of the one that older versions gave. */
const readEntries = (request: CookieRequest, settings: DeviceCookieSettings): Entry[] => {
  const names = new Set([cookieName(cookie, { baseUrl: settings.baseUrl }), cookie]);
  return [...names].flatMap((name) => entriesIn(onlyCookie(request, name) ?? ''));
};

const entriesIn = (value: string): Entry[] =>
  value.split('~', maxEntries).flatMap((text) => {
    const [id, since, mac, ...rest] = text.split('.');
    return id === undefined || since === undefined || mac === undefined || rest.length > 0 ? [] : [{ id, since, mac }];
  });

const now = (): number => Math.floor(Date.now() / 1000);

interface AtAddress {
  readonly keyring: Keyring;
  readonly email: string;
}

/** The id of the browser as one from which somebody signed in at this address lately, or null. */
export const readSignInDevice = (
  request: CookieRequest,
  settings: DeviceCookieSettings,
  { keyring, email }: AtAddress,
): string | null => {
  const fits = (entry: Entry): boolean =>
    Number(entry.since) > now() - lifeSeconds && keyring.isMac(purpose, textOf(email, entry), entry.mac);
  return readEntries(request, settings).find(fits)?.id ?? null;
};

/** After a sign-in: the same id as before, for thirty days from now. */
export const setSignInDevice = (
  request: CookieRequest,
  reply: FastifyReply,
  settings: DeviceCookieSettings,
  { keyring, email }: AtAddress,
): void => {
  const known = readSignInDevice(request, settings, { keyring, email });
  const fresh = { id: known ?? randomBytes(16).toString('base64url'), since: String(now()) };
  const entry = { ...fresh, mac: keyring.mac(purpose, textOf(email, fresh)) };
  const others = readEntries(request, settings).filter(({ id }) => id !== known);
  const value = [entry, ...others].slice(0, maxEntries).map(({ id, since, mac }) => `${id}.${since}.${mac}`);
  const options = { ...cookieAttributes({ baseUrl: settings.baseUrl }), maxAge: lifeSeconds };
  reply.setCookie(cookieName(cookie, { baseUrl: settings.baseUrl }), value.join('~'), options);
};
