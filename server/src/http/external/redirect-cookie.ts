/**
 * The cookie oauth_post_auth_redirect: where the person wanted to go, for after the sign-in (specification, "Cookies").
 * It belongs to one attempt; that of a later tab takes its place.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { attemptLifeSeconds } from '../../domain/external-identity/attempt.ts';
import { internalPath } from '../../kernel/internal-path.ts';
import type { Keyring } from '../../kernel/secrets.ts';
import type { HelperCookieSettings } from '../../web/helper-session.ts';
import { attemptCookieAttributes } from './addresses.ts';
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

export const keepRedirect = (reply: FastifyReply, deps: RedirectDeps, state: string, redirect: string): FastifyReply =>
  reply.setCookie(cookie, signValue(signingOf(deps, state), { redirect }), {
    ...attemptCookieAttributes(deps.settings),
    maxAge: attemptLifeSeconds,
  });

/** What was kept for the attempt with this state, or null; the cookie goes with the answer. Another attempt's stays. */
export const takeRedirect = (
  request: FastifyRequest,
  reply: FastifyReply,
  deps: RedirectDeps,
  state: string,
): string | null => {
  const value = readSignedValue(signingOf(deps, state), request.cookies[cookie]);
  if (value === null) return null;
  reply.clearCookie(cookie, attemptCookieAttributes(deps.settings));
  return internalPath(value['redirect']);
};
