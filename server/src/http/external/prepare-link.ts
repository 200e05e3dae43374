/**
 * `GET /auth/google/prepare-link`: whoever is signed in, by the portal's cookie or a Bearer, asks for the next attempt of
 * this browser to link an identity to their account (contract, "Browser routes").
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { keepPreparedLink } from '../../domain/external-identity/prepared-link.ts';
import { Refusal } from '../../kernel/errors.ts';
import type { Keyring } from '../../kernel/secrets.ts';
import { databaseNow } from '../../platform/database/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { HelperSessions } from '../../platform/helper-sessions.ts';
import { type PresentedAccess, presentedAccess } from '../../web/bearer.ts';
import { ensureHelperSession, type HelperCookieSettings } from '../../web/helper-session.ts';
import { type IdentifyDeps, identify } from '../../web/identify.ts';
import { isPortalOrigin, type OriginSettings } from '../../web/origins.ts';
import { beginPath, prepareLinkPath, queryOf, redirectIn } from './addresses.ts';
import { setLinkCookie } from './link-cookie.ts';
import { signInUrl } from './refusals.ts';
import { shareWithPortal } from './sharing.ts';

export interface PrepareLinkDeps extends IdentifyDeps {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly helperSessions: HelperSessions;
  readonly settings: IdentifyDeps['settings'] & HelperCookieSettings;
}

/** @param scope of this route alone: the portal's origins may read its answers */
export const mountPrepareLink = (scope: FastifyInstance, deps: PrepareLinkDeps): void => {
  shareWithPortal(scope, prepareLinkPath, deps.settings);
  scope.get(prepareLinkPath, { exposeHeadRoute: false }, async (request, reply) => {
    requireOwnSite(request, deps.settings);
    const access = presentedAccess(request);
    const redirect = redirectIn(queryOf(request));
    // A navigation has no Origin to go by; that of a foreign page ended above.
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
 * No foreign page may have somebody's account linked: the provider may be signed in to as somebody else. The portal
 * leads here at its own origin, and asks from its other one with an Origin; a neighbour below the same domain is foreign.
 * Browsers that say nothing of a request's site (Fetch Metadata) are few by now, and are let through.
 * @throws Refusal ORIGIN_REFUSED
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
 * A person in a browser goes to the portal, which renews their session or asks them to sign in; to a program the refusal
 * is told. The portal does not lead back here: what it follows by itself, any page could have begun.
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
