/**
 * The cookie sign_in_device: a sign-in at an address succeeded from this browser in the last thirty days. It signs no
 * one in: its browser has a separate limit of attempts at that address, so that strangers who exhaust the shared one do
 * not lock the owner out. It names no address: a MAC binds each entry to one. Only GraphQL reads it, so it is
 * host-only, whatever AUTH_COOKIE_DOMAIN says.
 */
import type { FastifyReply } from 'fastify';
import { normalizeEmail } from '../domain/users/text-rules.ts';
import type { Keyring } from '../kernel/secrets.ts';
import { randomSecret } from '../kernel/secrets.ts';
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

/** Entries of the cookie, each signed for an address: `id.since.mac`, with the time of the sign-in in Unix seconds. */
const readEntries = (request: CookieRequest, { baseUrl }: DeviceCookieSettings): string[] =>
  onlyCookie(request, cookieName(cookie, { baseUrl }))?.split('~', maxEntries) ?? [];

const now = (): number => Math.floor(Date.now() / 1000);

interface AtAddress {
  readonly keyring: Keyring;
  readonly email: string;
}

/** The id of this browser if it recently signed in at this address, else null. */
export const readSignInDevice = (
  request: CookieRequest,
  settings: DeviceCookieSettings,
  at: AtAddress,
): string | null => {
  for (const entry of readEntries(request, settings)) {
    const id = idOf(entry, at);
    if (id !== null) return id;
  }
  return null;
};

/** The id of an entry that is signed for this address and not expired; else null. */
const idOf = (entry: string, { keyring, email }: AtAddress): string | null => {
  const [id = '', since] = keyring.verify(purpose, normalizeEmail(email), entry)?.split('.') ?? [];
  return Number(since) > now() - lifeSeconds ? id : null;
};

/** Call after a sign-in: keeps a known id and renews it for thirty days. */
export const setSignInDevice = (
  request: CookieRequest,
  reply: FastifyReply,
  { baseUrl }: DeviceCookieSettings,
  at: AtAddress,
): void => {
  const id = readSignInDevice(request, { baseUrl }, at) ?? randomSecret(16);
  const entry = at.keyring.sign(purpose, normalizeEmail(at.email), `${id}.${now()}`);
  const others = readEntries(request, { baseUrl }).filter((other) => !other.startsWith(`${id}.`));
  const options = { ...cookieAttributes({ baseUrl }), maxAge: lifeSeconds };
  reply.setCookie(cookieName(cookie, { baseUrl }), [entry, ...others].slice(0, maxEntries).join('~'), options);
};
