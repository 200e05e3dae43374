/**
 * `GET /auth/mcp/authorize`: a client requests access (RFC 6749, section 4.1.1). The response is an error page when no
 * client can be redirected to, a redirect to the client with the error, or a redirect to the consent page.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../../domain/access/actor.ts';
import {
  type AskingClient,
  type AuthorizationDeps,
  beginAuthorization,
  identifyClient,
  locationOf,
  type RequestParameters,
  readAuthorization,
  stateToReturn,
} from '../../domain/oauth/authorize.ts';
import { OAuthRefusal } from '../../domain/oauth/oauth-refusal.ts';
import { noteStep, type StepDeps } from '../../http-kit/connection-step.ts';
import { limitsFor, type NetworkLimits, takePermitsOfNetwork } from '../../http-kit/rate-limit-headers.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import type { RateLimits } from '../../platform/rate-limit/rate-limits.ts';
import {
  bindBrowser,
  continuePath,
  detourToSignIn,
  findSignedInPerson,
  newBrowserSecret,
  type SignedInDeps,
} from './browser-session.ts';
import { parseParameters, queryOf } from './exchanges.ts';

export interface AuthorizeDeps extends AuthorizationDeps, SignedInDeps, StepDeps {
  readonly limits: RateLimits;
  readonly settings: AuthorizationDeps['settings'] &
    SignedInDeps['settings'] & { readonly baseUrl: string; readonly frontendUrl: string };
}

export const authorizePath = '/auth/mcp/authorize';

export const mountAuthorize = (app: FastifyInstance, deps: AuthorizeDeps): void => {
  app.get(authorizePath, { exposeHeadRoute: false }, async (request, reply) => {
    const parameters = parseParameters(queryOf(request));
    const client = await identifyClient(deps, parameters);
    try {
      return await begin(deps, request, reply, client, parameters);
    } catch (error) {
      if (!(error instanceof OAuthRefusal) || error.rule === 'client_revoked') throw error;
      noteStep(deps, request, 'authorization', client.clientId, error);
      const answer = { ...client, state: stateToReturn(parameters), refusal: error };
      return reply.redirect(locationOf(answer, deps.settings.baseUrl), 302);
    }
  });
};

const begin = async (
  deps: AuthorizeDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  client: AskingClient,
  parameters: RequestParameters,
): Promise<FastifyReply> => {
  const { baseUrl } = deps.settings;
  const asked = readAuthorization(parameters, baseUrl);
  const person = await findSignedInPerson(deps, request);
  const browserSecret = newBrowserSecret();
  await takePermit(deps, request, reply, person);
  const requestId = await beginAuthorization(deps, { ...client, ...asked, browserSecret });
  noteStep(deps, request, 'authorization', client.clientId, null);
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
  deps: AuthorizeDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  person: Actor | null,
): Promise<void> =>
  person === null
    ? takePermitsOfNetwork({ ...deps, request, reply }, signedOutLimits)
    : limitsFor(reply, deps.limits).take(rateLimits.oauthAuthorizationOfUser, person.user.id);
