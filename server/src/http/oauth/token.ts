/**
 * `POST /auth/mcp/token`: exchanges a code or a refresh token for a pair (OAuth 2.1, section 3.2;
 * contract/platform-mcp.md#token-endpoint), and `POST /auth/mcp/revoke`.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../domain/credentials/issue-pair.ts';
import {
  malformedRequest,
  pkceMissing,
  type RequestParameters,
  readOnce,
  readRequired,
  scopeNames,
} from '../../domain/oauth/authorization-request.ts';
import { type GrantedPair, redeemCode, refreshGrant, revokeToken } from '../../domain/oauth/grants.ts';
import type { ProtectedResource } from '../../domain/oauth/resources.ts';
import { callerOf, publicRefusalOf } from '../../http-kit/authenticate-request.ts';
import { consumeNetworkPermit } from '../../http-kit/rate-limit-headers.ts';
import { readForm } from '../../http-kit/request-content.ts';
import { isOAuthRefusal, Refusal } from '../../kernel/errors.ts';
import { nameParty } from '../../platform/observability/context.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import {
  answerFailures,
  clientNamedIn,
  type OAuthRouteDeps,
  recordingStep,
  requireForm,
  requirePublicClient,
  shareWithClients,
  unstored,
} from './responses.ts';

interface TokenRequest {
  readonly deps: OAuthRouteDeps;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Empty when the body is not a form. */
  readonly form: RequestParameters;
}

type Check<Name extends string> = readonly [name: Name, run: (from: TokenRequest) => unknown];

const check = <Name extends string>(...named: Check<Name>): Check<Name> => named;

/** The checks before those of the grant, in order; the first that fails answers. */
const checks = [
  check('rate limit', ({ deps, ...from }) =>
    consumeNetworkPermit({ ...from, limits: deps.limits }, rateLimits.oauthToken),
  ),
  check('media type', ({ request }) => requireForm(request)),
  check('client authentication', ({ request, form }) => requirePublicClient(request, form)),
  check('grant type', ({ form }) => grantNamedIn(form)),
  check('client id', ({ form }) => readRequired(form, 'client_id')),
  check('resource', ({ deps, form }) => resourceNamedIn(deps, form)),
] as const;

/**
 * All checks, in order: the size of the body while it is read; then the list above; then those of the grant, whose
 * function reads its parameters before `domain/oauth/grants.ts` looks up the client and the grant.
 * @internal A test holds the surface against this list.
 */
export const orderOfChecks = [
  'size',
  ...checks.map(([name]) => name),
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
    nameParty({ signsIn: true });
    const form = readForm(request) ?? new Map<string, never>();
    const step = form.get('grant_type')?.[0] === 'refresh_token' ? 'refresh' : 'token';
    const granted = await recordingStep(
      deps,
      request,
      { step, clientId: clientNamedIn(form) },
      () => grant({ deps, request, reply, form }),
      ({ clientId }) => ({ clientId, refused: null }),
    );
    return unstored(reply).send(answerOf(granted));
  });
};

const grant = async (from: TokenRequest): Promise<GrantedPair> => {
  for (const [, run] of checks) await run(from);
  const { deps, form, request } = from;
  return grantNamedIn(form)(deps, form, { clientId: readRequired(form, 'client_id'), caller: callerOf(request) });
};

const grantNamedIn = (form: RequestParameters): Grant => {
  const named = grants.get(readRequired(form, 'grant_type'));
  if (named !== undefined) return named;
  throw new Refusal('unsupported_grant_type', unsupportedGrant, { rule: 'request_malformed' });
};

const unsupportedGrant = 'The grant_type must be authorization_code or refresh_token.';

type Grant = (
  deps: OAuthRouteDeps,
  form: RequestParameters,
  from: { readonly clientId: string; readonly caller: Caller },
) => Promise<GrantedPair>;

const grantOfCode: Grant = (deps, form, from) => {
  const code = readRequired(form, 'code');
  const redirectUri = readOnce(form, 'redirect_uri');
  const resource = resourceNamedIn(deps, form);
  return redeemCode(deps, { ...from, code, redirectUri, resource, codeVerifier: readVerifier(form) });
};

const grantOfRefresh: Grant = (deps, form, from) =>
  refreshGrant(deps, {
    ...from,
    refreshToken: readRequired(form, 'refresh_token'),
    scopes: readScopes(form),
    resource: resourceNamedIn(deps, form),
  });

const grants: ReadonlyMap<string, Grant> = new Map([
  ['authorization_code', grantOfCode],
  ['refresh_token', grantOfRefresh],
]);

/** Null where the request names none (RFC 8707, section 2.2). */
const resourceNamedIn = ({ resources }: OAuthRouteDeps, form: RequestParameters): ProtectedResource | null =>
  resources.named(form.get('resource') ?? []);

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

const readScopes = (form: RequestParameters): readonly string[] | null => {
  const names = [...new Set(scopeNames(readOnce(form, 'scope') ?? ''))];
  if (names.length === 0) return null;
  if (names.every((name) => scopeShape.test(name))) return names;
  throw new Refusal('invalid_scope', 'The parameter scope is not a list of scopes.', { rule: 'request_malformed' });
};

/** RFC 6749, section 5.1. */
const answerOf = ({ pair, scopes }: GrantedPair) => ({
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
  return publicRefusalOf(error)?.code ?? (unreadable ? 'invalid_request' : 'server_error');
};

// `POST /auth/mcp/revoke`: a client revokes a token (RFC 7009; contract/platform-mcp.md#token-revocation).

const revocationPath = '/auth/mcp/revoke';

/** `token_type_hint` is ignored: a token identifies its own type. */
export const mountRevoke = (scope: FastifyInstance, deps: OAuthRouteDeps): void => {
  shareWithClients(scope, [revocationPath], ['POST']);
  answerFailures(scope, 'invalid_request');
  scope.post(revocationPath, async (request, reply) => {
    await consumeNetworkPermit({ ...deps, request, reply }, rateLimits.oauthRevocation);
    const form = requireForm(request);
    requirePublicClient(request, form);
    const token = readRequired(form, 'token');
    await revokeToken(deps, { clientId: readRequired(form, 'client_id'), token });
    return unstored(reply).status(200).send();
  });
};
