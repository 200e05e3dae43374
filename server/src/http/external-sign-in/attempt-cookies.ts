/**
 * The signed cookies of an attempt: the path to return to, and the prepared link.
 */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { attemptLifeSeconds, type LinkTarget } from '../../domain/external-sign-in/attempt.ts';
import { preparedLinkSeconds } from '../../domain/external-sign-in/link-identity.ts';
import {
  type CookieReach,
  type CookieRequest,
  cookieAttributes,
  cookieName,
  onlyCookie,
} from '../../http-kit/cookies.ts';
import { type HelperCookieSettings, readHelperSession } from '../../http-kit/helper-session.ts';
import { internalPath } from '../../kernel/network.ts';
import { isRecord, type JsonRecord } from '../../kernel/records.ts';
import type { Keyring } from '../../kernel/secrets.ts';
import { attemptCookieReach } from './outcomes.ts';

// A small object for a cookie, signed: a browser carries it and cannot change it. Whoever has it can read it.

export interface Signing {
  readonly keyring: Keyring;
  readonly purpose: string;
  /** What the value belongs to; it counts nowhere else. */
  readonly context: string;
}

export const signValue = ({ keyring, purpose, context }: Signing, value: JsonRecord): string => {
  const body = Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${body}.${keyring.mac(purpose, `${context} ${body}`)}`;
};

/** Null for what was not signed here, for this context. */
export const readSignedValue = (
  { keyring, purpose, context }: Signing,
  text: string | undefined,
): JsonRecord | null => {
  const [body = '', mac = '', ...rest] = (text ?? '').split('.');
  if (rest.length > 0 || !keyring.isMac(purpose, `${context} ${body}`, mac)) return null;
  const value: unknown = JSON.parse(Buffer.from(body, 'base64url').toString());
  return isRecord(value) ? value : null;
};

// The cookie oauth_post_auth_redirect: where the person wanted to go, for after the sign-in (specification, "Cookies").
// Each attempt has its own part of it, so that several tabs do not take each other's way, and signed for its state, so that
// a planted part leads nowhere. The name is the specification's.

const redirectCookie = 'oauth_post_auth_redirect';

interface RedirectDeps {
  readonly keyring: Keyring;
  readonly settings: HelperCookieSettings;
}

const redirectSigning = ({ keyring }: RedirectDeps, state: string): Signing => ({
  keyring,
  purpose: 'redirect after external sign-in',
  context: state,
});

const separator = '~';
/** Browsers keep 4096 bytes of a cookie, with its name. Past that the oldest attempts lose their way. */
const maxCharacters = 3800;

export const keepRedirect = (
  request: FastifyRequest,
  reply: FastifyReply,
  deps: RedirectDeps,
  state: string,
  redirect: string,
): void => {
  const parts = [...partsOf(request), signValue(redirectSigning(deps, state), { redirect })];
  while (parts.length > 1 && parts.join(separator).length > maxCharacters) parts.shift();
  setParts(reply, deps, parts);
};

/** What was kept for the attempt with this state, or null; its part of the cookie goes with the answer. */
export const takeRedirect = (
  request: FastifyRequest,
  reply: FastifyReply,
  deps: RedirectDeps,
  state: string,
): string | null => {
  const parts = partsOf(request);
  const own = parts.find((part) => readSignedValue(redirectSigning(deps, state), part) !== null);
  if (own === undefined) return null;
  setParts(
    reply,
    deps,
    parts.filter((part) => part !== own),
  );
  return internalPath(readSignedValue(redirectSigning(deps, state), own)?.['redirect']);
};

const partsOf = ({ cookies }: FastifyRequest): string[] =>
  (cookies[redirectCookie] ?? '').split(separator).filter((part) => part !== '');

const setParts = (reply: FastifyReply, { settings }: RedirectDeps, parts: readonly string[]): void => {
  const attributes = cookieAttributes(attemptCookieReach(settings));
  if (parts.length === 0) reply.clearCookie(redirectCookie, attributes);
  else reply.setCookie(redirectCookie, parts.join(separator), { ...attributes, maxAge: attemptLifeSeconds });
};

// The cookie of the link mode: the person who is signed in asked for the next attempt of this browser to link an identity
// to them (specification, "HTTP routes"). It is good once, for two minutes by the database's clock, with the helper session
// it was made for, where its nonce waits: a kept copy is good for nothing.

const linkCookie = 'oauth_link';

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

const linkSigning = ({ keyring }: LinkCookieDeps, sessionId: string): Signing => ({
  keyring,
  purpose: 'external link',
  context: sessionId,
});

/**
 * For every path where that gives the name its prefix `__Host-`; otherwise for the addresses of an attempt alone.
 */
const reachOf = ({ settings }: LinkCookieDeps): CookieReach => {
  const everywhere = { ...attemptCookieReach(settings), path: '/' };
  return cookieName(linkCookie, everywhere) === linkCookie ? attemptCookieReach(settings) : everywhere;
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
  const value = signValue(linkSigning(deps, sessionId), { userId, sessionFamilyId, nonce, redirect, expiresAt });
  const reach = reachOf(deps);
  const options = { ...cookieAttributes(reach), maxAge: preparedLinkSeconds };
  return reply.setCookie(cookieName(linkCookie, reach), value, options);
};

/** The link that this browser prepared, also when its time is over, or null. Whatever cookie there is goes with the answer. */
export const takeLink = (request: CookieRequest, reply: FastifyReply, deps: LinkCookieDeps): PreparedLink | null => {
  const reach = reachOf(deps);
  const text = onlyCookie(request, cookieName(linkCookie, reach));
  if (text === undefined) return null;
  reply.clearCookie(cookieName(linkCookie, reach), cookieAttributes(reach));
  const sessionId = readHelperSession(request, deps.settings, deps.keyring);
  return sessionId === null ? null : readLink(deps, sessionId, text);
};

const readLink = (deps: LinkCookieDeps, sessionId: string, text: string): PreparedLink | null => {
  const { userId, sessionFamilyId, nonce, redirect, expiresAt } =
    readSignedValue(linkSigning(deps, sessionId), text) ?? {};
  if (typeof userId !== 'string' || typeof sessionFamilyId !== 'string') return null;
  if (typeof nonce !== 'string' || typeof expiresAt !== 'number') return null;
  return { target: { userId, sessionFamilyId }, nonce, redirect: internalPath(redirect), expiresAt };
};
