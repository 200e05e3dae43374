/**
 * The cookie oauth_post_auth_redirect: where the person wanted to go, for after the sign-in (specification, "Cookies").
 * Each attempt has its own part of it, so that several tabs do not take each other's way, and signed for its state, so that
 * a planted part leads nowhere. The name is the specification's.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { attemptLifeSeconds } from '../../domain/external-identity/attempt.ts';
import { internalPath } from '../../kernel/internal-path.ts';
import type { Keyring } from '../../kernel/secrets.ts';
import { cookieAttributes } from '../../web/cookie-attributes.ts';
import type { HelperCookieSettings } from '../../web/helper-session.ts';
import { attemptCookieReach } from './addresses.ts';
import { readSignedValue, type Signing, signValue } from './signed-value.ts';

const cookie = 'oauth_post_auth_redirect';

interface RedirectDeps {
  readonly keyring: Keyring;
  readonly settings: HelperCookieSettings;
}

const signingOf = ({ keyring }: RedirectDeps, state: string): Signing => ({
  keyring,
  purpose: 'redirect after external sign-in',
  context: state,
});

const separator = '~';
/** Browsers keep 4096 bytes of a cookie, with its name. Past that the oldest attempts lose their way. */
const mostCharacters = 3800;

export const keepRedirect = (
  request: FastifyRequest,
  reply: FastifyReply,
  deps: RedirectDeps,
  state: string,
  redirect: string,
): void => {
  const parts = [...partsOf(request), signValue(signingOf(deps, state), { redirect })];
  while (parts.length > 1 && parts.join(separator).length > mostCharacters) parts.shift();
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
  const own = parts.find((part) => readSignedValue(signingOf(deps, state), part) !== null);
  if (own === undefined) return null;
  setParts(
    reply,
    deps,
    parts.filter((part) => part !== own),
  );
  return internalPath(readSignedValue(signingOf(deps, state), own)?.['redirect']);
};

const partsOf = ({ cookies }: FastifyRequest): string[] =>
  (cookies[cookie] ?? '').split(separator).filter((part) => part !== '');

const setParts = (reply: FastifyReply, { settings }: RedirectDeps, parts: readonly string[]): void => {
  const attributes = cookieAttributes(attemptCookieReach(settings));
  if (parts.length === 0) reply.clearCookie(cookie, attributes);
  else reply.setCookie(cookie, parts.join(separator), { ...attributes, maxAge: attemptLifeSeconds });
};
