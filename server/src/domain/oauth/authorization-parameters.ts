/**
 * What a client says in an authorization request, checked by its text alone (RFC 6749, sections 3.1 and 4.1.1, with the
 * rules of OAuth 2.1; RFC 7636; RFC 8707).
 */
import type { PlatformScope } from '../scopes/scopes.ts';
import { knownScopes, scopeNames } from './granted-scopes.ts';
import { OAuthRefusal } from './oauth-refusal.ts';
import { briefRedirectUri } from './redirect-uris.ts';
import { requireOwnResource } from './resource.ts';

/** Every value of each parameter, in the order of the request; null is a value whose escapes are no text. */
export type RequestParameters = ReadonlyMap<string, readonly (string | null)[]>;

export interface AuthorizationParameters {
  readonly state: string | null;
  /** Null asks for everything that the person holds. */
  readonly scopes: readonly PlatformScope[] | null;
  readonly codeChallenge: string;
}

const once = ['response_type', 'scope', 'state', 'code_challenge', 'code_challenge_method'] as const;
const longestState = 2000;
const challengeShape = /^[A-Za-z0-9_-]{43}$/;

/**
 * Everything but client and redirect URI, which are checked first: these refusals go back to the client.
 * @param baseUrl the issuer
 * @throws OAuthRefusal invalid_request, unsupported_response_type, invalid_target, invalid_scope
 */
export const readAuthorization = (parameters: RequestParameters, baseUrl: string): AuthorizationParameters => {
  for (const name of once) readOnce(parameters, name);
  requireCodeFlow(parameters);
  const codeChallenge = readChallenge(parameters);
  requireOwnResource(parameters.get('resource') ?? [], baseUrl);
  const scopes = readScopes(parameters);
  return { state: readState(parameters), scopes, codeChallenge };
};

/**
 * The only value of a parameter; one without a value counts as left out (RFC 6749, section 3.1).
 * @throws OAuthRefusal invalid_request when it is repeated or no text
 */
export const readOnce = (parameters: RequestParameters, name: string): string | null => {
  const values = parameters.get(name) ?? [];
  if (values.length > 1) throw malformed(`The parameter ${name} is given more than once.`);
  const [value = ''] = values;
  if (value === null) throw malformed(`The parameter ${name} is not UTF-8, percent-encoded.`);
  return value === '' ? null : value;
};

/** The state that an answer has to carry, refusals included: whatever one it was, unless nobody can tell. */
export const stateToReturn = (parameters: RequestParameters): string | null => {
  const [state, ...others] = parameters.get('state') ?? [];
  return others.length > 0 || state === undefined || state === '' ? null : state;
};

const malformed = (message: string): OAuthRefusal => new OAuthRefusal('invalid_request', 'request_malformed', message);

const requireCodeFlow = (parameters: RequestParameters): void => {
  const type = readOnce(parameters, 'response_type');
  if (type === null) throw malformed('The parameter response_type is missing; it has to be code.');
  if (type === 'code') return;
  throw new OAuthRefusal('unsupported_response_type', 'request_malformed', 'The only response_type here is code.');
};

const readChallenge = (parameters: RequestParameters): string => {
  const challenge = readOnce(parameters, 'code_challenge');
  const method = readOnce(parameters, 'code_challenge_method');
  if (challenge === null) throw pkceMissing('PKCE is required: the parameter code_challenge is missing.');
  // Left out it would mean `plain` (RFC 7636, section 4.3), which protects nothing here.
  if (method !== 'S256') throw pkceMissing('PKCE is required with code_challenge_method=S256.');
  if (challengeShape.test(challenge)) return challenge;
  throw malformed('The code_challenge is no SHA-256 in base64url: 43 characters without padding.');
};

const pkceMissing = (message: string): OAuthRefusal => new OAuthRefusal('invalid_request', 'pkce_missing', message);

const readScopes = (parameters: RequestParameters): readonly PlatformScope[] | null => {
  const names = scopeNames(readOnce(parameters, 'scope') ?? '');
  if (names.length === 0) return null;
  const scopes = knownScopes(names);
  if (scopes.length > 0) return scopes;
  const message = 'None of the scopes in the parameter scope exists here.';
  throw new OAuthRefusal('invalid_scope', 'scope_unknown', message, briefRedirectUri(names.join(' ')));
};

const readState = (parameters: RequestParameters): string | null => {
  const state = readOnce(parameters, 'state');
  if (state !== null && state.length > longestState) {
    throw malformed(`The parameter state has more than ${longestState} characters.`);
  }
  // The one character that a text in the database cannot hold.
  if (state?.includes('\u0000')) throw malformed('The parameter state holds the character NUL.');
  return state;
};
