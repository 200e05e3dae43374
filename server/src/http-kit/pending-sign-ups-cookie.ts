/**
 * The cookie pending_sign_ups: the addresses that this browser recently signed up with at the portal, each with the
 * random id of its last sign-up, whose hash is stored with the account that it created. There one click confirms the
 * address, because the password was chosen here; the cookie signs no one in. It is sealed, and looks the same for an
 * address that already has an account. Over https its name has the prefix `__Host-` (RFC 6265bis, section 4.1.3.2): a
 * sibling host could plant one from another browser.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RememberedSignUp } from '../domain/accounts/verify-email.ts';
import { normalizeEmail } from '../domain/users/text-rules.ts';
import { isRecord } from '../kernel/records.ts';
import type { Keyring } from '../kernel/secrets.ts';
import { type CookieSettings, cookieAttributes, cookieName, onlyCookie } from './cookies.ts';

type Settings = Pick<CookieSettings, 'baseUrl'>;

const purpose = 'pending sign-ups cookie';
/** As long as an account can await confirmation: one day for the link, and a week after it. */
const lifeSeconds = 8 * 24 * 3600;
/** Allows for several people in one browser and for corrected addresses; newest first. */
const maxEntries = 4;
/** The size of all entries as JSON: an address may have 254 characters, and an answer 4 KB of headers. */
const maxCharacters = 800;

interface Entry extends RememberedSignUp {
  /** Time of the sign-up, in Unix seconds. */
  readonly since: number;
}

const nameOf = ({ baseUrl }: Settings): string => cookieName('pending_sign_ups', { baseUrl });

const now = (): number => Math.floor(Date.now() / 1000);

const isEntry = (candidate: unknown): candidate is Entry =>
  isRecord(candidate) &&
  typeof candidate['email'] === 'string' &&
  typeof candidate['browserId'] === 'string' &&
  typeof candidate['since'] === 'number' &&
  candidate['since'] > now() - lifeSeconds;

/** The recent sign-ups that this browser remembers; empty without a cookie sealed by this service. */
export const readPendingSignUps = (request: FastifyRequest, settings: Settings, keyring: Keyring): readonly Entry[] => {
  const value = onlyCookie(request, nameOf(settings));
  if (value === undefined) return [];
  const text = keyring.open(purpose, '', Buffer.from(value, 'base64url'));
  const entries: unknown = text === null ? [] : JSON.parse(text);
  return Array.isArray(entries) ? entries.filter(isEntry) : [];
};

/** Call after every sign-up, whatever its outcome. */
export const rememberSignUp = (
  request: FastifyRequest,
  reply: FastifyReply,
  settings: Settings,
  { keyring, ...signUp }: RememberedSignUp & { readonly keyring: Keyring },
): void => {
  const entry: Entry = { email: normalizeEmail(signUp.email), browserId: signUp.browserId, since: now() };
  const others = readPendingSignUps(request, settings, keyring).filter(({ email }) => email !== entry.email);
  setEntries(reply, settings, keyring, [entry, ...others]);
};

/** Call after a sign-in with an address: the address is confirmed and need not be remembered. */
export const forgetSignUp = (
  request: FastifyRequest,
  reply: FastifyReply,
  settings: Settings,
  { keyring, email }: { readonly keyring: Keyring; readonly email: string },
): void => {
  const entries = readPendingSignUps(request, settings, keyring);
  const others = entries.filter((entry) => entry.email !== normalizeEmail(email));
  if (others.length < entries.length) setEntries(reply, settings, keyring, others);
};

const setEntries = (reply: FastifyReply, settings: Settings, keyring: Keyring, entries: readonly Entry[]): void => {
  const attributes = cookieAttributes({ baseUrl: settings.baseUrl });
  if (entries.length === 0) {
    reply.clearCookie(nameOf(settings), attributes);
    return;
  }
  const kept = entries.slice(0, maxEntries);
  while (JSON.stringify(kept).length > maxCharacters) kept.pop();
  const value = keyring.seal(purpose, '', JSON.stringify(kept)).toString('base64url');
  reply.setCookie(nameOf(settings), value, { ...attributes, maxAge: lifeSeconds });
};
