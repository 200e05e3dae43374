/** Operation: a client registers itself (RFC 7591; contract, "OAuth for MCP"). Nobody is asked, and nothing is granted. */
import { newId } from '../../kernel/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import { readClientMetadata } from './client-metadata.ts';
import { evictClients, insertClient, type OAuthClientRow } from './clients-store.ts';
import { isAllowedRedirectUri } from './redirect-uris.ts';

export interface RegistrationDeps {
  readonly database: Database;
  readonly settings: {
    readonly mcp: {
      /** Redirect URIs beside loopback; exact. */
      readonly redirectAllowList: readonly string[];
    };
  };
}

export interface RegisteredClient {
  readonly client: OAuthClientRow;
  /** Those that were asked for and are not allowed, as they were sent. */
  readonly rejectedRedirectUris: readonly string[];
}

/**
 * Stores what is allowed of a registration, even when that is no redirect URI at all, and says what was rejected. Where
 * the clients that were never authorized have become too many, the oldest of them goes.
 * @param metadata the body of the request, parsed from JSON
 * @param ip of the caller
 * @throws OAuthRefusal invalid_client_metadata, invalid_redirect_uri for a malformed body; nothing is stored
 */
export const registerClient = async (
  { database, settings }: RegistrationDeps,
  metadata: unknown,
  ip: string,
): Promise<RegisteredClient> => {
  const { name, redirectUris } = readClientMetadata(metadata);
  const isAllowed = (uri: string): boolean => isAllowedRedirectUri(uri, settings.mcp.redirectAllowList);
  const kept = redirectUris.filter(isAllowed);
  const client = await database.transaction(async (transaction) => {
    const row = await transaction.one(insertClient, [newId(), name, kept, ip]);
    await transaction.execute(evictClients, []);
    return row;
  });
  return { client, rejectedRedirectUris: redirectUris.filter((uri) => !isAllowed(uri)) };
};
