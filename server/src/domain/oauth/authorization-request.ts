/**
 * Owns: the authorization server for MCP clients: registration, consent, codes, grants, revocation.
 * Promises: A code is redeemed once, with its PKCE verifier, client and resource; a token that it leads to belongs to
 *   a super admin, or to a member of the organization that it is for.
 *
 * The authorization request (RFC 6749, section 4.1.1; RFC 7636; RFC 8707): reads and checks its parameters, stores it,
 * and builds the redirect back to the client.
 */
import { Refusal } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { sha256 } from '../../kernel/secrets.ts';
import { insertRequest, type RequestRow, requestLifeSeconds } from './authorizations-store.ts';
import { type DocumentClient, getStartingClient, type OAuthDeps, revokedClient } from './clients.ts';
import { shareLiveClient } from './clients-store.ts';
import { briefRedirectUri } from './redirect-uris.ts';
import { isRegisteredRedirectUri } from './register-client.ts';
import type { ProtectedResource, ProtectedResources } from './resources.ts';

/** A client whose redirect URI may receive an answer. */
export interface RequestingClient {
  /** The id in its row, whatever client_id the client sent. */
  readonly clientId: string;
  readonly redirectUri: string;
}

interface IdentifiedClient extends RequestingClient {
  /** The fetch of its metadata document, if there was one for this request. */
  readonly fetch: DocumentClient['fetch'];
}

/**
 * Identifies client and redirect URI. An error in either is shown to the user only: a redirect to an unregistered URI
 * would be an open redirect (RFC 6749, section 3.1.2.4).
 * @throws Refusal invalid_request, invalid_client, invalid_redirect_uri: missing or not registered
 */
export const identifyClient = async (
  deps: Pick<OAuthDeps, 'database' | 'settings' | 'documents'>,
  parameters: RequestParameters,
): Promise<IdentifiedClient> => {
  const { client, fetch } = await getStartingClient(deps, readRequired(parameters, 'client_id'));
  const { id: clientId, redirectUris } = client;
  const redirectUri = readRequired(parameters, 'redirect_uri');
  if (isRegisteredRedirectUri(redirectUri, redirectUris, deps.settings.mcp.redirectAllowList)) {
    return { clientId, redirectUri, fetch };
  }
  throw new Refusal(
    'invalid_redirect_uri',
    'The redirect_uri is not one that this client registered and may use here. Only the port of a loopback URI may differ.',
    { rule: 'redirect_uri_not_registered', detail: briefRedirectUri(redirectUri), clientId },
  );
};

interface BeginAuthorizationInput extends RequestingClient, AuthorizationParameters {
  /** Raw; stored in the browser only. */
  readonly browserSecret: string;
}

/** Stores a request for the user to decide. @returns its id @throws Refusal invalid_client: the client was revoked */
export const beginAuthorization = async (
  { database }: Pick<OAuthDeps, 'database'>,
  { clientId, redirectUri, state, scopes, codeChallenge, audience, browserSecret }: BeginAuthorizationInput,
): Promise<string> => {
  const id = newId();
  await database.transaction(async (transaction) => {
    if ((await transaction.maybeOne(shareLiveClient, [clientId])) === null) throw revokedClient(clientId);
    const hash = sha256(browserSecret);
    const asked = [clientId, redirectUri, state, scopes, codeChallenge, audience] as const;
    await transaction.execute(insertRequest, [id, ...asked, hash, requestLifeSeconds]);
  });
  return id;
};

// Parameters, validated by their text alone (RFC 6749, sections 3.1 and 4.1.1; OAuth 2.1; RFC 7636; RFC 8707).

/** All values of each parameter, in request order; null is a value whose escapes are not valid text. */
export type RequestParameters = ReadonlyMap<string, readonly (string | null)[]>;

type AuthorizationParameters = Pick<RequestRow, 'state' | 'scopes' | 'codeChallenge' | 'audience'>;

const once = ['response_type', 'scope', 'state', 'code_challenge', 'code_challenge_method'] as const;
const maxStateLength = 2000;
/** Redirect URI and encoded state: with the other headers less than the 4 KB that proxies let through. */
const maxReturnLength = 2100;
const challengeShape = /^[A-Za-z0-9_-]{43}$/;

/**
 * Reads all but client and redirect URI, which are checked first: these refusals are returned to the client.
 * @throws Refusal invalid_request, unsupported_response_type, invalid_target, invalid_scope
 */
export const readAuthorization = (
  parameters: RequestParameters,
  redirectUri: string,
  resources: ProtectedResources,
): AuthorizationParameters => {
  for (const name of once) readOnce(parameters, name);
  requireCodeFlow(parameters);
  const codeChallenge = readChallenge(parameters);
  const resource = resources.named(parameters.get('resource') ?? []) ?? resources.platform;
  const scopes = readScopes(resources.known(scopeNames(readOnce(parameters, 'scope') ?? '')), resource);
  return { state: readState(parameters, redirectUri), scopes, codeChallenge, audience: resource.audience };
};

/** Empty counts as omitted (RFC 6749, section 3.1). @throws Refusal invalid_request: repeated or not valid text */
export const readOnce = (parameters: RequestParameters, name: string): string | null => {
  const values = parameters.get(name) ?? [];
  if (values.length > 1) throw malformedRequest(`The parameter ${name} is given more than once.`);
  const [value = ''] = values;
  if (value === null) throw malformedRequest(`The parameter ${name} is not percent-encoded UTF-8.`);
  return value === '' ? null : value;
};

/** @throws Refusal invalid_request: the parameter is missing, repeated or not valid text */
export const readRequired = (parameters: RequestParameters, name: string): string => {
  const value = readOnce(parameters, name);
  if (value === null) throw malformedRequest(`The parameter ${name} is missing.`);
  return value;
};

export const malformedRequest = (message: string): Refusal =>
  new Refusal('invalid_request', message, { rule: 'request_malformed' });

const requireCodeFlow = (parameters: RequestParameters): void => {
  const type = readOnce(parameters, 'response_type');
  if (type === null) throw malformedRequest('The parameter response_type is missing; it must be code.');
  if (type === 'code') return;
  throw new Refusal('unsupported_response_type', 'The only supported response_type is code.', {
    rule: 'request_malformed',
  });
};

const readChallenge = (parameters: RequestParameters): string => {
  const challenge = readOnce(parameters, 'code_challenge');
  const method = readOnce(parameters, 'code_challenge_method');
  if (challenge === null) throw pkceMissing('PKCE is required: the parameter code_challenge is missing.');
  // An omitted method means `plain` (RFC 7636, section 4.3), which offers no protection here.
  if (method !== 'S256') throw pkceMissing('PKCE is required with code_challenge_method=S256.');
  if (challengeShape.test(challenge)) return challenge;
  throw malformedRequest('The code_challenge must be a SHA-256 hash in base64url: 43 characters without padding.');
};

export const pkceMissing = (message: string): Refusal =>
  new Refusal('invalid_request', message, { rule: 'pkce_missing' });

/** @param known the requested scopes that this server knows; null requests every scope that the user holds */
const readScopes = (known: readonly string[] | null, resource: ProtectedResource): readonly string[] | null => {
  if (known === null) return null;
  const scopes = known.filter((name) => resource.scopes.includes(name));
  if (scopes.length > 0) return scopes;
  const message = 'The scopes in the parameter scope are of another resource.';
  throw new Refusal('invalid_scope', message, { rule: 'scope_unknown', detail: briefRedirectUri(known.join(' ')) });
};

const canReturn = (redirectUri: string, state: string): boolean =>
  redirectUri.length + new URLSearchParams({ state }).toString().length <= maxReturnLength;

const readState = (parameters: RequestParameters, redirectUri: string): string | null => {
  const state = readOnce(parameters, 'state');
  if (state !== null && (state.length > maxStateLength || !canReturn(redirectUri, state))) {
    throw malformedRequest('The parameter state is too long, alone or together with the redirect URI.');
  }
  // PostgreSQL cannot store NUL in text.
  if (state?.includes('\u0000')) throw malformedRequest('The parameter state contains the character NUL.');
  return state;
};

// Scopes (contract/platform-mcp.md#requested-and-granted-scopes).

/** The names in a `scope` parameter (RFC 6749, section 3.3). */
export const scopeNames = (text: string): string[] => text.split(' ').filter((name) => name !== '');

/** @param requested null requests every scope that the user holds @param held scopes that the user holds now */
export const grantedScopes = (
  { scopes }: ProtectedResource,
  requested: readonly string[] | null,
  held: ReadonlySet<string>,
): string[] => scopes.filter((scope) => held.has(scope) && (requested === null || requested.includes(scope)));

// Authorization responses to a client (RFC 6749, sections 4.1.2 and 4.1.2.1; RFC 9207).

interface ReturnAddress {
  readonly clientId: string;
  /** A URI that the client registered. */
  readonly redirectUri: string;
  readonly state: string | null;
}

/** A raw authorization code, or the refusal. */
export type ClientAnswer = ReturnAddress & ({ readonly code: string } | { readonly refusal: Refusal });

/** The registered URI with parameters appended (RFC 6749, section 3.1.2). @param issuer without a trailing slash */
export const locationOf = (answer: ClientAnswer, issuer: string): string => {
  const { redirectUri, state } = answer;
  const parameters = new URLSearchParams(
    'code' in answer
      ? { code: answer.code }
      : { error: answer.refusal.code, error_description: answer.refusal.message },
  );
  // One that is refused for its length is not sent back.
  if (state !== null && canReturn(redirectUri, state)) parameters.set('state', state);
  parameters.set('iss', issuer);
  return `${redirectUri}${separatorAfter(redirectUri)}${parameters}`;
};

const separatorAfter = (uri: string): string => {
  if (!uri.includes('?')) return '?';
  return uri.endsWith('?') || uri.endsWith('&') ? '' : '&';
};
