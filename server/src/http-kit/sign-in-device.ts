/**
 * The cookie sign_in_device: a sign-in at an address succeeded from this browser in the last thirty days. It signs no
 * one in. Its holder has a separate attempt limit at that address, so that strangers who exhaust the shared limit do
 * not lock the owner out. It names no address: a MAC binds each entry to one.
 *
 * Only GraphQL reads it, so it is host-only, whatever AUTH_COOKIE_DOMAIN says. Older versions set it without the prefix
 * `__Host-` over https; such a cookie is still accepted when no newer entry matches, until its thirty days have passed.
 * A planted one gains nothing: an entry that matches an address was issued to a browser that signed in there.
 */
import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { normalizeEmail } from '../domain/users/text-rules.ts';
import type { Keyring } from '../kernel/secrets.ts';
import { type CookieRequest, cookieAttributes, cookieName, onlyCookie } from './cookies.ts';

const cookie = 'sign_in_device';
const purpose = 'sign-in device';
const lifeSeconds = 30 * 24 * 3600;
/** Allows for several people in one browser; newest first. */
const maxEntries = 4;

interface DeviceCookieSettings {
  /** Decides the name and the Secure attribute. */
  readonly baseUrl: string;
}

interface Entry {
  readonly id: string;
  /** Time of the sign-in, in Unix seconds. */
  readonly since: string;
  readonly mac: string;
}

const textOf = (email: string, { id, since }: Omit<Entry, 'mac'>): string =>
  JSON.stringify([normalizeEmail(email), id, since]);

/** Entries of the current cookie, then of the one without prefix that older versions set. */
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

/** The id of this browser if it recently signed in at this address, else null. */
export const readSignInDevice = (
  request: CookieRequest,
  settings: DeviceCookieSettings,
  { keyring, email }: AtAddress,
): string | null => {
  const fits = (entry: Entry): boolean =>
    Number(entry.since) > now() - lifeSeconds && keyring.isMac(purpose, textOf(email, entry), entry.mac);
  return readEntries(request, settings).find(fits)?.id ?? null;
};

/** Call after a sign-in: keeps a known id and renews it for thirty days. */
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
