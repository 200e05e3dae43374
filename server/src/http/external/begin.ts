/** `GET /auth/google`: the browser leaves for the outside provider (contract, "Browser routes"). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type BeginAttemptDeps, beginAttempt } from '../../domain/external-identity/begin-attempt.ts';
import type { Keyring } from '../../kernel/secrets.ts';
import { ensureHelperSession, type HelperCookieSettings } from '../../web/helper-session.ts';
import { beginPath, queryOf, redirectIn, redirectUriOf } from './addresses.ts';
import { type PreparedLink, takeLink } from './link-cookie.ts';
import { keepRedirect } from './redirect-cookie.ts';
import { type RefusalDeps, withRefusals } from './refusals.ts';

export interface BeginDeps extends BeginAttemptDeps, RefusalDeps {
  readonly keyring: Keyring;
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
  const { state, url } = await beginAttempt(deps, {
    sessionId: ensureHelperSession(request, reply, deps.settings, deps.keyring),
    link: link?.target ?? null,
    redirectUri: redirectUriOf(deps.settings),
    ip: request.ip,
  });
  if (redirect !== null) keepRedirect(request, reply, deps, state, redirect);
  return reply.redirect(url, 302);
};
