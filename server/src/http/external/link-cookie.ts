/**
 * The cookie of the link mode: the person who is signed in asked for the next attempt of this browser to link an identity
 * to them (specification, "HTTP routes"). It is good once, for two minutes by the database's clock, with the helper session
 * it was made for, where its nonce waits: a kept copy is good for nothing.
 */
import type { FastifyReply } from 'fastify';
import type { LinkTarget } from '../../domain/external-identity/attempt.ts';
import { preparedLinkSeconds } from '../../domain/external-identity/prepared-link.ts';
import { internalPath } from '../../kernel/internal-path.ts';
import type { Keyring } from '../../kernel/secrets.ts';
import { type CookieReach, cookieAttributes, cookieName } from '../../web/cookie-attributes.ts';
import { type HelperCookieSettings, readHelperSession } from '../../web/helper-session.ts';
import { type CookieRequest, onlyCookie } from '../../web/request-cookies.ts';
import { attemptCookieReach } from './addresses.ts';
import { readSignedValue, type Signing, signValue } from './signed-value.ts';

const cookie = 'oauth_link';

interface LinkCookieDeps {
  readonly keyring: Keyring;
  readonly settings: HelperCookieSettings;
}

export interface PreparedLink {
  readonly target: LinkTarget;
  /** It counts while this waits in the helper session. */
  readonly nonce: string;
  /** Where the person goes afterwards; null without a wish. */
  readonly redirect: string | null;
  /** In milliseconds of the database's clock; nothing is linked after it. */
  readonly expiresAt: number;
}

const signingOf = ({ keyring }: LinkCookieDeps, sessionId: string): Signing => ({
  keyring,
  purpose: 'external link',
  context: sessionId,
});

/**
 * For every path where that gives the name its prefix `__Host-`; otherwise for the addresses of an attempt alone.
 */
const reachOf = ({ settings }: LinkCookieDeps): CookieReach => {
  const everywhere = { ...attemptCookieReach(settings), path: '/' };
  return cookieName(cookie, everywhere) === cookie ? attemptCookieReach(settings) : everywhere;
};

/** @param sessionId of the browser's helper session; @param now by the database's clock */
export const setLinkCookie = (
  reply: FastifyReply,
  deps: LinkCookieDeps,
  sessionId: string,
  { target, nonce, redirect }: Omit<PreparedLink, 'expiresAt'>,
  now: Date,
): FastifyReply => {
  const { userId, sessionFamilyId } = target;
  const expiresAt = now.getTime() + preparedLinkSeconds * 1000;
  const value = signValue(signingOf(deps, sessionId), { userId, sessionFamilyId, nonce, redirect, expiresAt });
  const reach = reachOf(deps);
  const options = { ...cookieAttributes(reach), maxAge: preparedLinkSeconds };
  return reply.setCookie(cookieName(cookie, reach), value, options);
};

/** The link that this browser prepared, also when its time is over, or null. Whatever cookie there is goes with the answer. */
export const takeLink = (request: CookieRequest, reply: FastifyReply, deps: LinkCookieDeps): PreparedLink | null => {
  const reach = reachOf(deps);
  const text = onlyCookie(request, cookieName(cookie, reach));
  if (text === undefined) return null;
  reply.clearCookie(cookieName(cookie, reach), cookieAttributes(reach));
  const sessionId = readHelperSession(request, deps.settings, deps.keyring);
  return sessionId === null ? null : readLink(deps, sessionId, text);
};

const readLink = (deps: LinkCookieDeps, sessionId: string, text: string): PreparedLink | null => {
  const { userId, sessionFamilyId, nonce, redirect, expiresAt } =
    readSignedValue(signingOf(deps, sessionId), text) ?? {};
  if (typeof userId !== 'string' || typeof sessionFamilyId !== 'string') return null;
  if (typeof nonce !== 'string' || typeof expiresAt !== 'number') return null;
  return { target: { userId, sessionFamilyId }, nonce, redirect: internalPath(redirect), expiresAt };
};
