/**
 * `GET /auth/google/callback`: the browser comes back from the outside provider (specification, "External sign-in
 * handoff"). A sign-in leaves with a one-time secret in a cookie, and nobody is signed in yet; a link is done here.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type FinishAttemptDeps, finishAttempt } from '../../domain/external-identity/finish-attempt.ts';
import { type LinkIdentityDeps, linkIdentity } from '../../domain/external-identity/link-identity.ts';
import { type OpenExchangeDeps, openExchange } from '../../domain/external-identity/open-exchange.ts';
import type { Keyring } from '../../kernel/secrets.ts';
import { type CookieSettings, readAuthCookies } from '../../web/cookies.ts';
import { setExchangeCookie } from '../../web/exchange-cookie.ts';
import { type HelperCookieSettings, readHelperSession } from '../../web/helper-session.ts';
import { callbackPath, onlyValue, queryOf, redirectUriOf } from './addresses.ts';
import { takeRedirect } from './redirect-cookie.ts';
import { type RefusalDeps, signInUrl, withRefusals } from './refusals.ts';

export interface CallbackDeps extends FinishAttemptDeps, LinkIdentityDeps, OpenExchangeDeps, RefusalDeps {
  readonly keyring: Keyring;
  readonly settings: RefusalDeps['settings'] & LinkIdentityDeps['settings'] & CookieSettings & HelperCookieSettings;
}

export const mountCallback = (app: FastifyInstance, deps: CallbackDeps): void => {
  app.get(callbackPath, { exposeHeadRoute: false }, async (request, reply) => {
    const state = onlyValue(queryOf(request), 'state');
    const redirect = state === null ? null : takeRedirect(request, reply, deps, state);
    return withRefusals(deps, request, reply, redirect, () => finish(deps, request, reply, state, redirect));
  });
};

const finish = async (
  deps: CallbackDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  state: string | null,
  redirect: string | null,
): Promise<FastifyReply> => {
  const { settings, keyring } = deps;
  const { identity, link } = await finishAttempt(deps, {
    sessionId: readHelperSession(request, keyring),
    state,
    query: queryOf(request),
    redirectUri: redirectUriOf(settings),
  });
  if (link !== null) {
    await linkIdentity(deps, { ...link, presentedTokens: tokensIn(request) }, identity);
    return reply.redirect(`${settings.frontendUrl}${redirect ?? '/'}`, 302);
  }
  const { secret, lifeSeconds } = await openExchange(deps, identity);
  setExchangeCookie(reply, settings, secret, lifeSeconds);
  return reply.redirect(signInUrl(settings, { oauth_exchange: '1', redirect }), 302);
};

/** Whoever else is signed in here may be known by one of the two alone. */
const tokensIn = (request: FastifyRequest): readonly string[] =>
  Object.values(readAuthCookies(request)).filter((token: string | undefined) => token !== undefined);
