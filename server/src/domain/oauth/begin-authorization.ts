/** Beginning an authorization: who asks, where the answer goes, and the request that a person is then asked about. */
import { newId } from '../../kernel/ids.ts';
import { sha256 } from '../../kernel/secrets.ts';
import type { Database } from '../../platform/database/database.ts';
import { type AuthorizationParameters, type RequestParameters, readOnce } from './authorization-parameters.ts';
import { shareLiveClient } from './clients-store.ts';
import { getLiveClient, revokedClient } from './live-client.ts';
import { OAuthRefusal } from './oauth-refusal.ts';
import { briefRedirectUri, isRegisteredRedirectUri } from './redirect-uris.ts';
import { insertRequest, requestLifeSeconds } from './requests-store.ts';

export interface AuthorizationDeps {
  readonly database: Database;
  readonly settings: { readonly mcp: { readonly redirectAllowList: readonly string[] } };
}

/** A client that answers may be sent to. */
export interface AskingClient {
  readonly clientId: string;
  readonly redirectUri: string;
}

/**
 * The client and the redirect URI of a request. Whatever is wrong with either is told to the person alone: an answer
 * that went to an address nobody registered would make this an open redirect (RFC 6749, section 3.1.2.4).
 * @throws OAuthRefusal invalid_request, invalid_client, invalid_redirect_uri
 */
export const identifyClient = async (
  { database, settings }: AuthorizationDeps,
  parameters: RequestParameters,
): Promise<AskingClient> => {
  const clientId = readOnce(parameters, 'client_id');
  if (clientId === null) {
    throw new OAuthRefusal('invalid_request', 'request_malformed', 'The parameter client_id is missing.');
  }
  const client = await getLiveClient(database, clientId);
  const redirectUri = readOnce(parameters, 'redirect_uri');
  if (redirectUri === null) {
    throw new OAuthRefusal('invalid_request', 'request_malformed', 'The parameter redirect_uri is missing.');
  }
  if (isRegisteredRedirectUri(redirectUri, client.redirectUris, settings.mcp.redirectAllowList)) {
    return { clientId, redirectUri };
  }
  throw new OAuthRefusal(
    'invalid_redirect_uri',
    'redirect_uri_not_registered',
    'The redirect_uri is none of those that this client registered and may use here. Only the port of a loopback URI is free.',
    briefRedirectUri(redirectUri),
    clientId,
  );
};

export interface BeginAuthorizationInput extends AskingClient, AuthorizationParameters {
  /** Raw; the browser alone keeps it. */
  readonly browserSecret: string;
}

/**
 * Keeps a request for the person to decide.
 * @returns the request's id
 * @throws OAuthRefusal client_revoked when the client was revoked meanwhile
 */
export const beginAuthorization = async (
  { database }: AuthorizationDeps,
  { clientId, redirectUri, state, scopes, codeChallenge, browserSecret }: BeginAuthorizationInput,
): Promise<string> => {
  const id = newId();
  await database.transaction(async (transaction) => {
    if ((await transaction.maybeOne(shareLiveClient, [clientId])) === null) throw revokedClient(clientId);
    const hash = sha256(browserSecret);
    const asked = [clientId, redirectUri, state, scopes, codeChallenge] as const;
    await transaction.execute(insertRequest, [id, ...asked, hash, requestLifeSeconds]);
  });
  return id;
};
