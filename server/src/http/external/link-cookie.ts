/**
 * The cookie of the link mode: the person who is signed in asked for the next attempt of this browser to link an identity
 * to them (specification, "HTTP routes"). It is good once, for two minutes by the database's clock, with the helper session
 * it was made for.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LinkTarget } from '../../domain/external-identity/attempt.ts';
import { internalPath } from '../../kernel/internal-path.ts';
import type { Keyring } from '../../kernel/secrets.ts';
import { type HelperCookieSettings, readHelperSession } from '../../web/helper-session.ts';
import { attemptCookieAttributes } from './addresses.ts';
import { readSignedValue, type Signing, signValue } from './signed-value.ts';

const cookie = 'oauth_link';
const lifeSeconds = 120;

interface LinkCookieDeps {
  readonly keyring: Keyring;
  readonly settings: HelperCookieSettings;
}

export interface PreparedLink {
  readonly target: LinkTarget;
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

/** @param sessionId of the browser's helper session; @param now by the database's clock */
export const setLinkCookie = (
  reply: FastifyReply,
  deps: LinkCookieDeps,
  sessionId: string,
  { target, redirect }: Omit<PreparedLink, 'expiresAt'>,
  now: Date,
): FastifyReply => {
  const { userId, sessionFamilyId } = target;
  const expiresAt = now.getTime() + lifeSeconds * 1000;
  const value = signValue(signingOf(deps, sessionId), { userId, sessionFamilyId, redirect, expiresAt });
  return reply.setCookie(cookie, value, { ...attemptCookieAttributes(deps.settings), maxAge: lifeSeconds });
};

/** The link that this browser prepared, also when its time is over, or null. Whatever cookie there is goes with the answer. */
export const takeLink = (request: FastifyRequest, reply: FastifyReply, deps: LinkCookieDeps): PreparedLink | null => {
  const text = request.cookies[cookie];
  if (text === undefined) return null;
  reply.clearCookie(cookie, attemptCookieAttributes(deps.settings));
  const sessionId = readHelperSession(request, deps.keyring);
  return sessionId === null ? null : readLink(deps, sessionId, text);
};

const readLink = (deps: LinkCookieDeps, sessionId: string, text: string): PreparedLink | null => {
  const { userId, sessionFamilyId, redirect, expiresAt } = readSignedValue(signingOf(deps, sessionId), text) ?? {};
  if (typeof userId !== 'string' || typeof sessionFamilyId !== 'string') return null;
  if (typeof expiresAt !== 'number') return null;
  return { target: { userId, sessionFamilyId }, redirect: internalPath(redirect), expiresAt };
};
