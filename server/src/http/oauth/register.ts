/** `POST /auth/mcp/register`: a client registers itself (RFC 7591; contract/platform-mcp.md#client-registration). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { briefRedirectUri } from '../../domain/oauth/redirect-uris.ts';
import { type RegisteredClient, registerClient } from '../../domain/oauth/register-client.ts';
import { addressOf } from '../../http-kit/authenticate-request.ts';
import { consumeNetworkPermits, type NetworkLimits } from '../../http-kit/rate-limit-headers.ts';
import { mediaTypeOf } from '../../http-kit/request-content.ts';
import { parseJson } from '../../kernel/attempts.ts';
import { Refusal } from '../../kernel/errors.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import {
  answerFailures,
  type OAuthRouteDeps,
  type Outcome,
  recordingStep,
  shareWithClients,
  unstored,
} from './responses.ts';

const url = '/auth/mcp/register';

const registrationLimits: NetworkLimits = {
  network: rateLimits.oauthRegistration,
  site: rateLimits.oauthRegistrationOfSite,
};

export const mountRegister = (scope: FastifyInstance, deps: OAuthRouteDeps): void => {
  shareWithClients(scope, [url], ['POST']);
  answerFailures(scope, 'invalid_client_metadata');
  scope.post(url, async (request, reply) => {
    if (mediaTypeOf(request) !== 'application/json') return unstored(reply).status(415).send(wrongType);
    const registered = await register(deps, request, reply);
    return unstored(reply).status(201).send(answerOf(registered));
  });
};

const wrongType = { error: 'invalid_client_metadata', error_description: 'The body must be application/json.' };

const register = (deps: OAuthRouteDeps, request: FastifyRequest, reply: FastifyReply): Promise<RegisteredClient> =>
  recordingStep(
    deps,
    request,
    { step: 'registration', clientId: null },
    async () => {
      await consumeNetworkPermits({ ...deps, request, reply }, registrationLimits);
      return registerClient(deps, parsed(request.body), addressOf(request));
    },
    (registered) => ({ clientId: registered.client.id, refused: rejectionOfAllUris(registered) }),
  );

/** A client with one accepted redirect URI is not refused: clients register all that they may ever use. */
const rejectionOfAllUris = ({ client, rejectedRedirectUris: [rejected] }: RegisteredClient): Outcome['refused'] =>
  rejected === undefined || client.redirectUris.length > 0
    ? null
    : { rule: 'redirect_uri_not_allowed', detail: briefRedirectUri(rejected) };

const parsed = (body: unknown): unknown => {
  const value = typeof body === 'string' ? parseJson(body) : undefined;
  if (value !== undefined) return value;
  throw new Refusal('invalid_client_metadata', 'The body is not JSON.', { rule: 'registration_malformed' });
};

/** RFC 7591, section 3.2.1: returns all registered metadata, whatever was requested. No secret is issued. */
const answerOf = ({ client, rejectedRedirectUris }: RegisteredClient) => ({
  client_id: client.id,
  client_id_issued_at: Math.floor(client.registeredAt.getTime() / 1000),
  client_name: client.name,
  redirect_uris: client.redirectUris,
  rejected_redirect_uris: rejectedRedirectUris,
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
});
