/**
 * `GET /auth/mcp/authorize` (RFC 6749, section 4.1.1): answered by an error page when no client can be redirected to, a
 * redirect to the client with the error, or one to the consent page.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../../domain/access/actor.ts';
import {
  beginAuthorization,
  identifyClient,
  locationOf,
  type RequestingClient,
  type RequestParameters,
  readAuthorization,
} from '../../domain/oauth/authorization-request.ts';
import { recordStep, refusedBy } from '../../http-kit/connection-step.ts';
import { consumeNetworkPermits, limitsFor, type NetworkLimits } from '../../http-kit/rate-limit-headers.ts';
import { onlyValue, parseParameters, queryOf } from '../../http-kit/request-content.ts';
import { isOAuthRefusal } from '../../kernel/errors.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import { bindBrowser, continuePath, detourToSignIn, findSignedInPerson, newBrowserSecret } from './browser-session.ts';
import type { OAuthRouteDeps } from './responses.ts';

export const authorizePath = '/auth/mcp/authorize';

export const mountAuthorize = (app: FastifyInstance, deps: OAuthRouteDeps): void => {
  app.get(authorizePath, { exposeHeadRoute: false }, async (request, reply) => {
    const parameters = parseParameters(queryOf(request));
    const { fetch, ...client } = await identifyClient(deps, parameters);
    if (fetch !== null) recordStep(deps, request, 'client_document', client.clientId, fetch.refused);
    try {
      return await begin(deps, request, reply, client, parameters);
    } catch (error) {
      if (!isOAuthRefusal(error) || error.rule === 'client_revoked') throw error;
      recordStep(deps, request, 'authorization', client.clientId, refusedBy(error));
      const answer = { ...client, state: onlyValue(parameters, 'state'), refusal: error };
      return reply.redirect(locationOf(answer, deps.settings.baseUrl), 302);
    }
  });
};

const begin = async (
  deps: OAuthRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  client: RequestingClient,
  parameters: RequestParameters,
): Promise<FastifyReply> => {
  const { baseUrl } = deps.settings;
  const asked = readAuthorization(parameters, client.redirectUri, deps.resources);
  const person = await findSignedInPerson(deps, request);
  const browserSecret = newBrowserSecret();
  await takePermit(deps, request, reply, person);
  const requestId = await beginAuthorization(deps, { ...client, ...asked, browserSecret });
  recordStep(deps, request, 'authorization', client.clientId, null);
  bindBrowser(reply, baseUrl, { requestId, browserSecret });
  return person === null
    ? detourToSignIn(reply, deps.settings, requestId, 302)
    : reply.redirect(`${baseUrl}${continuePath(requestId)}`, 302);
};

const signedOutLimits: NetworkLimits = {
  network: rateLimits.oauthAuthorization,
  site: rateLimits.oauthAuthorizationOfSite,
};

/** Signed-in people have a limit of their own, so that strangers on their network do not exhaust it. */
const takePermit = (
  deps: OAuthRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  person: Actor | null,
): Promise<void> =>
  person === null
    ? consumeNetworkPermits({ ...deps, request, reply }, signedOutLimits)
    : limitsFor(reply, deps.limits).consume(rateLimits.oauthAuthorizationOfUser, person.user.id);
