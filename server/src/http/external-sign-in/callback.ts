/**
 * `GET /auth/google/callback`: the browser returns from the external provider
 * (contract/accounts.md#callback-of-the-provider). A sign-in gets a one-time secret in a cookie and is not yet
 * complete; a link is made here, or confirmed by a question first.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../domain/access/deps.ts';
import {
  type Attempt,
  type AttemptDeps,
  identifyPerson,
  type LinkTarget,
} from '../../domain/external-sign-in/attempt.ts';
import { type CallbackOutcome, finishOnce } from '../../domain/external-sign-in/callback-outcome.ts';
import {
  keepLinkQuestion,
  type LinkIdentityDeps,
  linkIdentity,
  shownAccount,
} from '../../domain/external-sign-in/link-identity.ts';
import { isExchangeOpen, openExchange } from '../../domain/external-sign-in/open-exchange.ts';
import { callerOf } from '../../http-kit/authenticate-request.ts';
import { readAuthCookies } from '../../http-kit/cookies.ts';
import { type ExchangeCookieSettings, exchangeMarkerOf, setExchangeCookies } from '../../http-kit/exchange-cookie.ts';
import { type HelperCookieSettings, readHelperSession } from '../../http-kit/helper-session.ts';
import { onlyValue, parseParameters, queryOf } from '../../http-kit/request-content.ts';
import { externalRefusal } from '../../kernel/errors.ts';
import { internalPath } from '../../kernel/redirects.ts';
import type { ProvidedIdentity } from '../../platform/oidc/identity-provider.ts';
import { takeRedirect } from './attempt-cookies.ts';
import {
  callbackPath,
  linkQuestionPath,
  type RefusalDeps,
  redirectUriOf,
  signInUrl,
  withRefusals,
} from './refusals.ts';

export interface CallbackDeps
  extends AttemptDeps,
    LinkIdentityDeps,
    Deps<'application' | 'keyring' | 'signIns'>,
    RefusalDeps {
  readonly settings: RefusalDeps['settings'] &
    LinkIdentityDeps['settings'] &
    ExchangeCookieSettings &
    HelperCookieSettings;
}

export const mountCallback = (app: FastifyInstance, deps: CallbackDeps): void => {
  app.get(callbackPath, { exposeHeadRoute: false }, async (request, reply) => {
    const state = onlyValue(parseParameters(queryOf(request)), 'state');
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
  const sessionId = readHelperSession(request, settings, keyring);
  if (sessionId === null) throw externalRefusal('ATTEMPT_OVER', 'no_helper_session');
  if (state === null) throw externalRefusal('ATTEMPT_OVER', 'no_state');
  const { location, exchange } = await finishOnce(deps, { sessionId, state }, (attempt) =>
    outcomeOf(deps, request, { attempt, sessionId, redirect }),
  );
  if (exchange !== null) {
    const cookies = { secret: exchange.secret, marker: exchangeMarkerOf(sessionId) };
    // Opened again when the session exists: that session goes on.
    if (!(await isExchangeOpen(deps, cookies))) throw externalRefusal('ATTEMPT_OVER', 'exchanged');
    setExchangeCookies(request, reply, settings, cookies, exchange.lifeSeconds);
  }
  return reply.redirect(location, 302);
};

interface AttemptInBrowser {
  readonly attempt: Attempt;
  readonly sessionId: string;
  /** The address that the attempt leads back to; null without one. */
  readonly redirect: string | null;
}

const outcomeOf = async (
  deps: CallbackDeps,
  request: FastifyRequest,
  { attempt, sessionId, redirect }: AttemptInBrowser,
): Promise<CallbackOutcome> => {
  const { settings } = deps;
  const { link } = attempt;
  const answer = { query: queryOf(request), redirectUri: redirectUriOf(settings) };
  const identity = await identifyPerson(deps, attempt, answer);
  if (link !== null) {
    const path = internalPath(redirect);
    const target = await afterLink(deps, { link, path, sessionId, presentedTokens: tokensIn(request) }, identity);
    return { location: `${settings.frontendUrl}${target}`, exchange: null };
  }
  const exchange = await deps.signIns.attempt({ method: 'google', ...callerOf(request) }, () =>
    openExchange(deps, identity, exchangeMarkerOf(sessionId)),
  );
  return { location: signInUrl(settings, { oauth_exchange: '1', redirect }), exchange };
};

interface LinkInBrowser {
  readonly link: LinkTarget;
  /** The requested path; an absolute URL is none. */
  readonly path: string | null;
  readonly sessionId: string;
  readonly presentedTokens: readonly string[];
}

/** Makes the link or stores a question; returns the path to redirect to. */
const afterLink = async (
  deps: CallbackDeps,
  { link: target, path, sessionId, presentedTokens }: LinkInBrowser,
  provided: ProvidedIdentity,
): Promise<string> => {
  const outcome = await linkIdentity(deps, { ...target, presentedTokens }, provided);
  if (outcome.kind === 'linked') return path ?? '/';
  const { identity, accountEmail } = outcome;
  const question = { target, identity, redirect: path, ...shownAccount(accountEmail, identity) };
  return `${linkQuestionPath}/${await keepLinkQuestion(deps, sessionId, question)}`;
};

/** All presented tokens: the two cookies may belong to different people, and only one of them may be valid. */
export const tokensIn = (request: FastifyRequest): readonly string[] =>
  Object.values(readAuthCookies(request)).filter((token: string | undefined) => token !== undefined);
