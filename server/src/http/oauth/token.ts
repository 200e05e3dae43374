/**
 * `POST /auth/mcp/token`: exchanges a code or a refresh token for a pair (OAuth 2.1, section 3.2; contract, "OAuth for
 * MCP"), and `POST /auth/mcp/revoke`.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../../domain/credentials/issue-pair.ts';
import type { ScopedPair } from '../../domain/credentials/rotate-pair.ts';
import {
  malformedRequest,
  pkceMissing,
  type RequestParameters,
  readOnce,
  readRequired,
  requireOwnResource,
  scopeNames,
} from '../../domain/oauth/authorization-request.ts';
import { redeemCode, refreshGrant, revokeToken } from '../../domain/oauth/grants.ts';
import { callerOf, refusalOf } from '../../http-kit/authenticate-request.ts';
import { readForm } from '../../http-kit/forms.ts';
import { consumeNetworkPermit } from '../../http-kit/rate-limit-headers.ts';
import { isOAuthRefusal, Refusal } from '../../kernel/errors.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import {
  answerFailures,
  clientNamedIn,
  noted,
  type OAuthRouteDeps,
  requireFormOfPublicClient,
  shareWithClients,
  unstored,
} from './responses.ts';

/** The checks of a token request, in order: the first that fails answers. */
export const orderOfChecks = [
  'size',
  'rate limit',
  'media type',
  'client authentication',
  'grant type',
  'client id',
  'resource',
  'parameters of the grant',
  'client',
  'grant',
] as const;

const tokenPath = '/auth/mcp/token';

export const mountToken = (scope: FastifyInstance, deps: OAuthRouteDeps): void => {
  shareWithClients(scope, [tokenPath], ['POST']);
  answerFailures(scope, 'invalid_request');
  countTokenRequests(scope, deps);
  scope.post(tokenPath, async (request, reply) => {
    const form = readForm(request);
    const step = form?.get('grant_type')?.[0] === 'refresh_token' ? 'refresh' : 'token';
    const granted = await noted(deps, request, { step, clientId: clientNamedIn(form) }, async () => {
      await consumeNetworkPermit({ ...deps, request, reply }, rateLimits.oauthToken);
      return grant(deps, requireFormOfPublicClient(request, form), request);
    });
    return unstored(reply).send(answerOf(granted));
  });
};

const grant = (deps: OAuthRouteDeps, form: RequestParameters, request: FastifyRequest): Promise<ScopedPair> => {
  const run = grants.get(readRequired(form, 'grant_type'));
  if (run === undefined) throw new Refusal('unsupported_grant_type', unsupportedGrant, { rule: 'request_malformed' });
  const clientId = readRequired(form, 'client_id');
  requireOwnResource(form.get('resource') ?? [], deps.settings.baseUrl);
  return run(deps, form, { clientId, caller: callerOf(request) });
};

const unsupportedGrant = 'The grant_type must be authorization_code or refresh_token.';

type Grant = (
  deps: OAuthRouteDeps,
  form: RequestParameters,
  from: { readonly clientId: string; readonly caller: Caller },
) => Promise<ScopedPair>;

const grantOfCode: Grant = (deps, form, from) => {
  const code = readRequired(form, 'code');
  const redirectUri = readRequired(form, 'redirect_uri');
  return redeemCode(deps, { ...from, code, redirectUri, codeVerifier: readVerifier(form) });
};

const grantOfRefresh: Grant = (deps, form, from) =>
  refreshGrant(deps, { ...from, refreshToken: readRequired(form, 'refresh_token'), scopes: readScopes(form) });

const grants: ReadonlyMap<string, Grant> = new Map([
  ['authorization_code', grantOfCode],
  ['refresh_token', grantOfRefresh],
]);

/** RFC 7636, section 4.1. */
const verifierShape = /^[A-Za-z0-9._~-]{43,128}$/;

const readVerifier = (form: RequestParameters): string => {
  const verifier = readOnce(form, 'code_verifier');
  if (verifier === null) {
    throw pkceMissing('PKCE is required: the parameter code_verifier is missing.');
  }
  if (verifierShape.test(verifier)) return verifier;
  throw malformedRequest('A code_verifier has 43 to 128 characters: letters, digits and - . _ ~');
};

/** RFC 6749, section 3.3. */
const scopeShape = /^[\u0021\u0023-\u005b\u005d-\u007e]+$/;

/** Null when no scope is requested. */
const readScopes = (form: RequestParameters): readonly string[] | null => {
  const names = [...new Set(scopeNames(readOnce(form, 'scope') ?? ''))];
  if (names.length === 0) return null;
  if (names.every((name) => scopeShape.test(name))) return names;
  throw new Refusal('invalid_scope', 'The parameter scope is not a list of scopes.', { rule: 'request_malformed' });
};

/** RFC 6749, section 5.1. */
const answerOf = ({ pair, scopes }: ScopedPair) => ({
  access_token: pair.accessToken,
  token_type: 'Bearer',
  expires_in: pair.accessTokenSecondsLeft,
  refresh_token: pair.refreshToken,
  scope: scopes.join(' '),
});

// Counts token requests and their outcomes; all labels come from closed lists.

const countTokenRequests = (scope: FastifyInstance, { counts }: OAuthRouteDeps): void => {
  if (counts === null) return;
  const count = (request: FastifyRequest, outcome: string): void => {
    counts.tokenRequests.at(grantOf(request), outcome).value += 1;
  };
  scope.addHook('onError', async (request, _reply, error) => count(request, outcomeOf(error)));
  // Refusals are thrown, and counted above.
  scope.addHook('onResponse', async (request, { statusCode }) => {
    if (request.method === 'POST' && statusCode === 200) count(request, 'OK');
  });
};

const grantOf = (request: FastifyRequest): string => {
  const named = readForm(request)?.get('grant_type')?.[0] ?? '';
  return grants.has(named) ? named : 'unknown';
};

const outcomeOf = (error: Error & { readonly statusCode?: number }): string => {
  if (isOAuthRefusal(error)) return error.code;
  const unreadable = error.statusCode !== undefined && error.statusCode < 500;
  return refusalOf(error)?.code ?? (unreadable ? 'invalid_request' : 'server_error');
};

// `POST /auth/mcp/revoke`: a client revokes a token (RFC 7009; contract, "OAuth for MCP").

const revocationPath = '/auth/mcp/revoke';

/** `token_type_hint` is ignored: a token identifies its own type. */
export const mountRevoke = (scope: FastifyInstance, deps: OAuthRouteDeps): void => {
  shareWithClients(scope, [revocationPath], ['POST']);
  answerFailures(scope, 'invalid_request');
  scope.post(revocationPath, async (request, reply) => {
    await consumeNetworkPermit({ ...deps, request, reply }, rateLimits.oauthRevocation);
    const form = requireFormOfPublicClient(request, readForm(request));
    const token = readRequired(form, 'token');
    await revokeToken(deps, { clientId: readRequired(form, 'client_id'), token });
    return unstored(reply).status(200).send();
  });
};
