/** `GET /auth/google`: the browser leaves for the outside provider (contract, "Browser routes"). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { LinkTarget } from '../../domain/external-identity/attempt.ts';
import { type BeginAttemptDeps, beginAttempt } from '../../domain/external-identity/begin-attempt.ts';
import { takePreparedLink } from '../../domain/external-identity/prepared-link.ts';
import type { Keyring } from '../../kernel/secrets.ts';
import { databaseNow } from '../../platform/database/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { rateLimits } from '../../platform/rate-limit-table.ts';
import type { RateLimits } from '../../platform/rate-limits.ts';
import { ensureHelperSession, type HelperCookieSettings } from '../../web/helper-session.ts';
import { takeTurnOfNetwork } from '../../web/rate-limit-headers.ts';
import { beginPath, queryOf, redirectIn, redirectUriOf } from './addresses.ts';
import { type PreparedLink, takeLink } from './link-cookie.ts';
import { keepRedirect } from './redirect-cookie.ts';
import { type RefusalDeps, withRefusals } from './refusals.ts';

export interface BeginDeps extends BeginAttemptDeps, RefusalDeps {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly limits: RateLimits;
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
  await takeTurnOfNetwork({ ...deps, request, reply }, rateLimits.externalSignIn);
  const sessionId = ensureHelperSession(request, reply, deps.settings, deps.keyring);
  const { state, url } = await beginAttempt(deps, {
    sessionId,
    link: link === null ? null : await targetOf(deps, sessionId, link),
    redirectUri: redirectUriOf(deps.settings),
  });
  if (redirect !== null) keepRedirect(request, reply, deps, state, redirect);
  return reply.redirect(url, 302);
};

/** The account to link; null when the time for it is over, or the preparation was used before. */
const targetOf = async (
  deps: BeginDeps,
  sessionId: string,
  { target, nonce, expiresAt }: PreparedLink,
): Promise<LinkTarget | null> => {
  if (expiresAt <= (await databaseNow(deps.database)).getTime()) return null;
  return (await takePreparedLink(deps, sessionId, nonce)) ? target : null;
};
