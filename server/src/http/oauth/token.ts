/** `POST /auth/mcp/token`: a code or a refresh token becomes a pair (OAuth 2.1, section 3.2; contract, "OAuth for MCP"). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../../domain/credentials/issue-pair.ts';
import type { ScopedPair } from '../../domain/credentials/rotate-pair.ts';
import { type RequestParameters, readOnce } from '../../domain/oauth/authorization-parameters.ts';
import { scopeNames } from '../../domain/oauth/granted-scopes.ts';
import { OAuthRefusal } from '../../domain/oauth/oauth-refusal.ts';
import { type GrantDeps, redeemCode } from '../../domain/oauth/redeem-code.ts';
import { refreshGrant } from '../../domain/oauth/refresh-grant.ts';
import { requireOwnResource } from '../../domain/oauth/resource.ts';
import type { Counts } from '../../platform/metrics.ts';
import { rateLimits } from '../../platform/rate-limit-table.ts';
import type { RateLimits } from '../../platform/rate-limits.ts';
import { callerOf } from '../../web/caller.ts';
import type { StepDeps } from '../../web/connection-step.ts';
import { takeTurnOfNetwork } from '../../web/rate-limit-headers.ts';
import { answerFailures, noted, unstored } from './answers.ts';
import { clientNamedIn, readForm, readRequired, requireFormOfPublicClient } from './parameters.ts';
import { shareWithEveryOrigin } from './sharing.ts';
import { countTokenRequests } from './token-counts.ts';

export interface TokenDeps extends GrantDeps, StepDeps {
  readonly limits: RateLimits;
  /** Null where nobody reads them. */
  readonly counts: Pick<Counts, 'tokenRequests'> | null;
  readonly settings: {
    /** The issuer. */
    readonly baseUrl: string;
  };
}

const url = '/auth/mcp/token';

export const mountToken = (scope: FastifyInstance, deps: TokenDeps): void => {
  shareWithEveryOrigin(scope, [url], 'POST, OPTIONS');
  answerFailures(scope, 'invalid_request');
  countTokenRequests(scope, deps.counts);
  scope.post(url, async (request, reply) => {
    const form = readForm(request);
    const step = form?.get('grant_type')?.[0] === 'refresh_token' ? 'refresh' : 'token';
    const granted = await noted(deps, request, { step, clientId: clientNamedIn(form) }, async () => {
      await takeTurnOfNetwork({ ...deps, request, reply }, rateLimits.oauthToken);
      return grant(deps, requireFormOfPublicClient(request, form), request);
    });
    return unstored(reply).send(answerOf(granted));
  });
};

const grant = (deps: TokenDeps, form: RequestParameters, request: FastifyRequest): Promise<ScopedPair> => {
  const run = grants.get(readRequired(form, 'grant_type'));
  if (run === undefined) {
    throw new OAuthRefusal('unsupported_grant_type', 'request_malformed', unsupportedGrant);
  }
  const clientId = readRequired(form, 'client_id');
  requireOwnResource(form.get('resource') ?? [], deps.settings.baseUrl);
  return run(deps, form, { clientId, caller: callerOf(request) });
};

const unsupportedGrant = 'The grant_type must be authorization_code or refresh_token.';

type Grant = (
  deps: TokenDeps,
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
    throw new OAuthRefusal(
      'invalid_request',
      'pkce_missing',
      'PKCE is required: the parameter code_verifier is missing.',
    );
  }
  if (verifierShape.test(verifier)) return verifier;
  throw new OAuthRefusal(
    'invalid_request',
    'request_malformed',
    'A code_verifier has 43 to 128 letters, digits and characters of - . _ ~',
  );
};

/** RFC 6749, section 3.3. */
const scopeShape = /^[\u0021\u0023-\u005b\u005d-\u007e]+$/;

/** Null when nothing is asked for in particular. */
const readScopes = (form: RequestParameters): readonly string[] | null => {
  const names = [...new Set(scopeNames(readOnce(form, 'scope') ?? ''))];
  if (names.length === 0) return null;
  if (names.every((name) => scopeShape.test(name))) return names;
  throw new OAuthRefusal('invalid_scope', 'request_malformed', 'The parameter scope is no list of scopes.');
};

/** RFC 6749, section 5.1. */
const answerOf = ({ pair, scopes }: ScopedPair) => ({
  access_token: pair.accessToken,
  token_type: 'Bearer',
  expires_in: pair.accessTokenSecondsLeft,
  refresh_token: pair.refreshToken,
  scope: scopes.join(' '),
});
