/** Signed cookies of an external sign-in attempt: the redirect afterwards, and the prepared link. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { attemptLifeSeconds, linkTarget } from '../../domain/external-sign-in/attempt.ts';
import { preparedLinkSeconds } from '../../domain/external-sign-in/link-identity.ts';
import {
  type CookieRequest,
  type CookieTarget,
  cookieAttributes,
  cookieName,
  onlyCookie,
} from '../../http-kit/cookies.ts';
import { type HelperCookieSettings, readHelperSession } from '../../http-kit/helper-session.ts';
import { isRecord, type JsonRecord } from '../../kernel/records.ts';
import { internalPath, type ReturnDeps, redirectOf, returnOrigins } from '../../kernel/redirects.ts';
import type { Keyring } from '../../kernel/secrets.ts';
import { attemptCookieTarget } from './refusals.ts';

// Signed cookie values, long ones deflated: a browser can read the small object but cannot change it.

interface Signing {
  readonly keyring: Keyring;
  readonly purpose: string;
  /** The context that the signature is bound to; the value is invalid in any other. */
  readonly context: string;
}

/** @internal A test runs it alone. */
export const signValue = ({ keyring, purpose, context }: Signing, value: JsonRecord): string =>
  keyring.sign(purpose, context, textOf(JSON.stringify(value)));

const longest = 300;
const deflated = '!';

const textOf = (json: string): string =>
  json.length > longest
    ? `${deflated}${deflateRawSync(json).toString('base64url')}`
    : Buffer.from(json).toString('base64url');

const jsonOf = (text: string): string => {
  const bytes = Buffer.from(text.replace(deflated, ''), 'base64url');
  return (text.startsWith(deflated) ? inflateRawSync(bytes) : bytes).toString();
};

/** Null for a value not signed by this service for this context. */
const readSignedValue = ({ keyring, purpose, context }: Signing, signed: string | undefined): JsonRecord | null => {
  const body = keyring.verify(purpose, context, signed);
  const value: unknown = body === null ? null : JSON.parse(jsonOf(body));
  return isRecord(value) ? value : null;
};

// The cookie oauth_post_auth_redirect: the redirect after the sign-in (contract/accounts.md#redirect-parameters), of
// each attempt, since several tabs may have one; signed for its state. The name is part of the contract.

const redirectCookie = 'oauth_post_auth_redirect';

interface AttemptCookieDeps {
  readonly keyring: Keyring;
  readonly settings: HelperCookieSettings;
}

const redirectSigning = ({ keyring }: AttemptCookieDeps, state: string): Signing => ({
  keyring,
  purpose: 'redirect after external sign-in',
  context: state,
});

const separator = '~';
/** With other headers less than the 4 KB that proxies let through. Past that, the oldest are dropped. */
const maxCharacters = 1500;

export const keepRedirect = (
  request: FastifyRequest,
  reply: FastifyReply,
  deps: AttemptCookieDeps,
  state: string,
  redirect: string,
): void => {
  const parts = [...partsOf(request), signValue(redirectSigning(deps, state), { redirect })];
  while (parts.length > 1 && parts.join(separator).length > maxCharacters) parts.shift();
  setParts(reply, deps, parts);
};

/** The redirect kept for the attempt with this state, or null; removes its entry from the cookie. */
export const takeRedirect = (
  request: FastifyRequest,
  reply: FastifyReply,
  deps: AttemptCookieDeps & ReturnDeps,
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
  return redirectOf(readSignedValue(redirectSigning(deps, state), own)?.['redirect'], returnOrigins(deps));
};

const partsOf = ({ cookies }: FastifyRequest): string[] =>
  (cookies[redirectCookie] ?? '').split(separator).filter((part) => part !== '');

const setParts = (reply: FastifyReply, { settings }: AttemptCookieDeps, parts: readonly string[]): void => {
  const attributes = cookieAttributes(attemptCookieTarget(settings));
  if (parts.length === 0) reply.clearCookie(redirectCookie, attributes);
  else reply.setCookie(redirectCookie, parts.join(separator), { ...attributes, maxAge: attemptLifeSeconds });
};

// The cookie of link mode: the browser's next attempt links an identity to the account
// (contract/accounts.md#prepared-link). It is valid once, for two minutes by the database's clock, with the helper
// session that holds its nonce: a copied cookie is useless.

const linkCookie = 'oauth_link';

const preparedLink = z
  .object({
    target: linkTarget,
    /** The link is valid while the helper session holds this nonce. */
    nonce: z.string(),
    /** The path to return to; null when none was requested. */
    redirect: z.string().nullable(),
    /** Expiry in milliseconds of the database's clock. */
    expiresAt: z.number(),
  })
  .readonly();
export type PreparedLink = z.infer<typeof preparedLink>;

const linkSigning = ({ keyring }: AttemptCookieDeps, sessionId: string): Signing => ({
  keyring,
  purpose: 'external link',
  context: sessionId,
});

/** Every path where this allows the prefix `__Host-`; otherwise only the paths of an attempt. */
const reachOf = ({ settings }: AttemptCookieDeps): CookieTarget => {
  const everywhere = { ...attemptCookieTarget(settings), path: '/' };
  return cookieName(linkCookie, everywhere) === linkCookie ? attemptCookieTarget(settings) : everywhere;
};

/** @param sessionId id of the browser's helper session @param now current time of the database's clock */
export const setLinkCookie = (
  reply: FastifyReply,
  deps: AttemptCookieDeps,
  sessionId: string,
  link: Omit<PreparedLink, 'expiresAt'>,
  now: Date,
): FastifyReply => {
  const expiresAt = now.getTime() + preparedLinkSeconds * 1000;
  const value = signValue(linkSigning(deps, sessionId), { ...link, expiresAt });
  const reach = reachOf(deps);
  const options = { ...cookieAttributes(reach), maxAge: preparedLinkSeconds };
  return reply.setCookie(cookieName(linkCookie, reach), value, options);
};

/** The link that this browser prepared, even if expired, or null. Always clears the cookie. */
export const takeLink = (request: CookieRequest, reply: FastifyReply, deps: AttemptCookieDeps): PreparedLink | null => {
  const reach = reachOf(deps);
  const text = onlyCookie(request, cookieName(linkCookie, reach));
  if (text === undefined) return null;
  reply.clearCookie(cookieName(linkCookie, reach), cookieAttributes(reach));
  const sessionId = readHelperSession(request, deps.settings, deps.keyring);
  return sessionId === null ? null : readLink(deps, sessionId, text);
};

const readLink = (deps: AttemptCookieDeps, sessionId: string, text: string): PreparedLink | null => {
  const link = preparedLink.safeParse(readSignedValue(linkSigning(deps, sessionId), text)).data;
  return link === undefined ? null : { ...link, redirect: internalPath(link.redirect) };
};
