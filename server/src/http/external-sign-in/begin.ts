/**
 * The routes that start an external attempt: `GET /auth/google` redirects to the provider, `GET
 * /auth/google/prepare-link` prepares a link for the portal.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
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
import { isPortalOrigin, type OriginSettings } from '../../http-kit/origins.ts';
import { consumeNetworkPermit } from '../../http-kit/rate-limit-headers.ts';
import { queryOf } from '../../http-kit/request-content.ts';
import { Refusal } from '../../kernel/errors.ts';
import { databaseNow } from '../../platform/database/database.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import { keepRedirect, type PreparedLink, setLinkCookie, takeLink } from './attempt-cookies.ts';
import {
  beginPath,
  prepareLinkPath,
  type RefusalDeps,
  redirectIn,
  redirectUriOf,
  signInUrl,
  withRefusals,
} from './refusals.ts';

// `GET /auth/google`: redirects the browser to the external provider (contract, "Browser routes").

export interface BeginDeps extends AttemptDeps, Deps<'database' | 'keyring' | 'limits'>, RefusalDeps {
  readonly settings: RefusalDeps['settings'] & HelperCookieSettings;
}

export const mountBegin = (app: FastifyInstance, deps: BeginDeps): void => {
  app.get(beginPath, { exposeHeadRoute: false }, async (request, reply) => {
    const link = takeLink(request, reply, deps);
    const redirect = link?.redirect ?? redirectIn(queryOf(request));
    return withRefusals(deps, request, reply, redirect, () => begin(deps, request, reply, link, redirect));
  });
};

const begin = async (
  deps: BeginDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  link: PreparedLink | null,
  redirect: string | null,
): Promise<FastifyReply> => {
  await consumeNetworkPermit({ ...deps, request, reply }, rateLimits.externalSignIn);
  const sessionId = ensureHelperSession(request, reply, deps.settings, deps.keyring);
  const { state, url } = await beginAttempt(deps, {
    sessionId,
    link: link === null ? null : await targetOf(deps, sessionId, link),
    redirectUri: redirectUriOf(deps.settings),
  });
  if (redirect !== null) keepRedirect(request, reply, deps, state, redirect);
  return reply.redirect(url, 302);
};

/** The account to link; null when the preparation is expired or already used. */
const targetOf = async (
  deps: BeginDeps,
  sessionId: string,
  { target, nonce, expiresAt }: PreparedLink,
): Promise<LinkTarget | null> => {
  if (expiresAt <= (await databaseNow(deps.database)).getTime()) return null;
  return (await takePreparedLink(deps, sessionId, nonce)) ? target : null;
};

// `GET /auth/google/prepare-link`: the caller, signed in by the portal's cookie or a Bearer token, prepares the next
// attempt of this browser to link an identity to their account (contract, "Browser routes").

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
    const redirect = redirectIn(queryOf(request));
    // `mayChange` is false because a navigation has no Origin to check; requests of foreign pages were rejected above.
    const { actor, refusal } = await identify(deps, request, access, false);
    if (actor === null) return turnAway(deps, request, reply, { access, redirect, refusal });
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
 * navigates here on its own origin, and fetches from its other one with an Origin; a sibling host under the same domain
 * is foreign. Requests without Fetch Metadata, from a few old browsers, are allowed.
 * @throws Refusal ORIGIN_REFUSED: when the request comes from another site
 */
const requireOwnSite = ({ headers }: FastifyRequest, settings: OriginSettings): void => {
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined || site === 'same-origin' || site === 'none';
  if (isOwn || isPortalOrigin(headers.origin, settings)) return;
  throw new Refusal('ORIGIN_REFUSED', 'This request did not come from the portal.');
};

interface TurnedAway {
  readonly access: PresentedAccess;
  readonly redirect: string | null;
  readonly refusal: Refusal;
}

/**
 * Redirects a browser to the portal, which renews the session or asks for a sign-in; other clients get the refusal. The
 * portal does not lead back here: a redirect that it follows by itself could have been started by any page.
 * @throws Refusal
 */
const turnAway = (
  { settings }: PrepareLinkDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { access, redirect, refusal }: TurnedAway,
): FastifyReply => {
  if (access.source === 'bearer' || !accepts(request, 'text/html')) throw refusal;
  return reply.redirect(signInUrl(settings, { redirect: redirect ?? '/' }), 302);
};

const accepts = ({ headers }: FastifyRequest, type: string): boolean =>
  (headers.accept ?? '').toLowerCase().includes(type);
