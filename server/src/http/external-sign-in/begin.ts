/** `GET /auth/google` redirects to the provider, `GET /auth/google/prepare-link` prepares a link for the portal. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../../domain/access/actor.ts';
import { requireRecentAuthentication } from '../../domain/access/authorize.ts';
import type { Deps } from '../../domain/access/deps.ts';
import { type AttemptDeps, beginAttempt, type LinkTarget } from '../../domain/external-sign-in/attempt.ts';
import { keepPreparedLink, takePreparedLink } from '../../domain/external-sign-in/link-identity.ts';
import {
  type IdentifyDeps,
  identify,
  type PresentedAccess,
  presentedAccess,
} from '../../http-kit/authenticate-request.ts';
import { shareResponses } from '../../http-kit/cors.ts';
import { ensureHelperSession, type HelperCookieSettings } from '../../http-kit/helper-session.ts';
import { isFromForeignPage, isPortalOrigin, type OriginSettings } from '../../http-kit/origins.ts';
import { consumeNetworkPermits } from '../../http-kit/rate-limit-headers.ts';
import { onlyValue, parseParameters, queryOf } from '../../http-kit/request-content.ts';
import { Refusal } from '../../kernel/errors.ts';
import { returnOrigins } from '../../kernel/redirects.ts';
import { databaseNow } from '../../platform/database/database.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import { keepRedirect, type PreparedLink, setLinkCookie, takeLink } from './attempt-cookies.ts';
import {
  beginPath,
  pathIn,
  prepareLinkPath,
  type RefusalDeps,
  redirectIn,
  redirectUriOf,
  signInUrl,
  withRefusals,
} from './refusals.ts';

// `GET /auth/google`: redirects the browser to the external provider (contract/accounts.md#begin-of-an-attempt).

export interface BeginDeps extends AttemptDeps, Deps<'application' | 'database' | 'keyring' | 'limits'>, RefusalDeps {
  readonly settings: RefusalDeps['settings'] & HelperCookieSettings;
}

export const mountBegin = (app: FastifyInstance, deps: BeginDeps): void => {
  app.get(beginPath, { exposeHeadRoute: false }, async (request, reply) => {
    const link = takeLink(request, reply, deps);
    const redirect = requestedRedirect(deps, queryOf(request), link);
    return withRefusals(deps, request, reply, redirect, () => begin(deps, request, reply, link, redirect));
  });
};

/** A link is made with the account at the portal, so that it leads to a path of the portal alone. */
const requestedRedirect = (deps: BeginDeps, query: string, link: PreparedLink | null): string | null =>
  link === null ? redirectIn(query, returnOrigins(deps)) : (link.redirect ?? pathIn(query));

const begin = async (
  deps: BeginDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  link: PreparedLink | null,
  redirect: string | null,
): Promise<FastifyReply> => {
  const { externalSignIn: network, externalSignInOfSite: site } = rateLimits;
  await consumeNetworkPermits({ ...deps, request, reply }, { network, site });
  const sessionId = ensureHelperSession(request, reply, deps.settings, deps.keyring);
  const { state, url } = await beginAttempt(deps, {
    sessionId,
    link: link === null ? null : await targetOf(deps, sessionId, link),
    reauthenticates: link === null && asksToReauthenticate(queryOf(request)),
    redirectUri: redirectUriOf(deps.settings),
  });
  if (redirect !== null) keepRedirect(request, reply, deps, state, redirect);
  return reply.redirect(url, 302);
};

/** `reauthenticate=true`: the person authenticates anew at the provider, even when they are signed in there. */
const asksToReauthenticate = (query: string): boolean => onlyValue(parseParameters(query), 'reauthenticate') === 'true';

/** The account to link; null when the preparation is expired or already used. */
const targetOf = async (
  deps: BeginDeps,
  sessionId: string,
  { target, nonce, expiresAt }: PreparedLink,
): Promise<LinkTarget | null> => {
  if (expiresAt <= (await databaseNow(deps.database)).getTime()) return null;
  return (await takePreparedLink(deps, sessionId, nonce)) ? target : null;
};

// `GET /auth/google/prepare-link`: the browser's next attempt links an identity (contract/accounts.md#prepared-link).

export interface PrepareLinkDeps extends IdentifyDeps, Deps<'database' | 'keyring' | 'helperSessions'> {
  readonly settings: IdentifyDeps['settings'] & HelperCookieSettings;
}

/** @param scope a scope of this route alone: the portal's origins may read its responses */
export const mountPrepareLink = (scope: FastifyInstance, deps: PrepareLinkDeps): void => {
  shareResponses(scope, [prepareLinkPath], {
    origins: deps.settings,
    methods: ['GET'],
    allowedHeaders: ['authorization'],
  });
  scope.get(prepareLinkPath, { exposeHeadRoute: false }, async (request, reply) => {
    requireOwnSite(request, deps.settings);
    const access = presentedAccess(request);
    const redirect = pathIn(queryOf(request));
    // `mayChange` is false because a navigation has no Origin to check; requests of foreign pages were rejected above.
    const { actor, refusal } = await identify(deps, request, access, { mayChange: false });
    if (actor === null) {
      const page = signInUrl(deps.settings, { redirect: redirect ?? '/' });
      return turnAway(request, reply, { access, refusal, page });
    }
    const stale = await staleness(deps, actor);
    if (stale !== null)
      return turnAway(request, reply, {
        access,
        refusal: stale,
        page: `${deps.settings.frontendUrl}/reauthenticate?redirect=/account`,
      });
    const sessionId = ensureHelperSession(request, reply, deps.settings, deps.keyring);
    const target = { userId: actor.user.id, sessionFamilyId: actor.credential.sessionFamilyId };
    const nonce = await keepPreparedLink(deps, sessionId);
    setLinkCookie(reply, deps, sessionId, { target, nonce, redirect }, await databaseNow(deps.database));
    return accepts(request, 'application/json') && !accepts(request, 'text/html')
      ? reply.send({ url: beginPath })
      : reply.redirect(beginPath, 302);
  });
};

/**
 * Prevents a foreign page from starting a link: the provider's session may belong to another person. The portal
 * navigates here on its own origin, and fetches from its other one with an Origin; a sibling host is foreign. A request
 * without Fetch Metadata, which browsers send to https or loopback alone, is allowed unless its Origin or Referer is
 * foreign.
 * @throws Refusal ORIGIN_REFUSED: when the request comes from another site
 */
const requireOwnSite = (request: FastifyRequest, settings: OriginSettings): void => {
  const { 'sec-fetch-site': site, origin } = request.headers;
  const isOwnSite = site === undefined || site === 'same-origin' || site === 'none';
  if (!isFromForeignPage(request, settings) && (isOwnSite || isPortalOrigin(origin, settings))) return;
  throw new Refusal('ORIGIN_REFUSED', 'This request did not come from the portal.');
};

/** The refusal of a session whose person did not authenticate within the last 10 minutes; null for any other. */
const staleness = async ({ database }: PrepareLinkDeps, actor: Actor): Promise<Refusal | null> => {
  try {
    await requireRecentAuthentication(database, actor);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
};

interface TurnedAway {
  readonly access: PresentedAccess;
  readonly refusal: Refusal;
  /** The page of the portal where a browser goes on. */
  readonly page: string;
}

/**
 * Redirects a browser to the portal, which renews the session, asks for a sign-in or for a proof, and does not lead
 * back here: any page could have started that. Other clients get the refusal.
 * @throws Refusal
 */
const turnAway = (
  request: FastifyRequest,
  reply: FastifyReply,
  { access, refusal, page }: TurnedAway,
): FastifyReply => {
  if (access.source === 'bearer' || !accepts(request, 'text/html')) throw refusal;
  return reply.redirect(page, 302);
};

const accepts = ({ headers }: FastifyRequest, type: string): boolean =>
  (headers.accept ?? '').toLowerCase().includes(type);
