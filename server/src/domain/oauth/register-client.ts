/** Operation: a client registers itself (RFC 7591; contract, "OAuth for MCP"). Nobody is asked, and nothing is granted. */
import { newId } from '../../kernel/ids.ts';
import { networkOf } from '../../kernel/network.ts';
import type { Database } from '../../platform/database/database.ts';
import type { RateLimit, RateLimits } from '../../platform/rate-limits.ts';
import { readClientMetadata } from './client-metadata.ts';
import { insertClient, type OAuthClientRow, sweepClients } from './clients-store.ts';
import { isAllowedRedirectUri } from './redirect-uris.ts';

export interface RegistrationDeps {
  readonly database: Database;
  readonly limits: RateLimits;
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

/** Generous: clients behind one address of a company register anew with each installation. */
const registrationLimit: RateLimit = { name: 'oauth_registration', perHour: 1000, burst: 1000 };
const mostSwept = 20;

/**
 * Stores what is allowed of a registration, even when that is no redirect URI at all, and says what was rejected.
 * @param metadata the body of the request, parsed from JSON
 * @param ip of the caller, whose network's registrations are counted
 * @throws OAuthRefusal invalid_client_metadata, invalid_redirect_uri for a malformed body; nothing is stored
 * @throws Refusal RATE_LIMITED
 */
export const registerClient = async (
  { database, limits, settings }: RegistrationDeps,
  metadata: unknown,
  ip: string,
): Promise<RegisteredClient> => {
  const { name, redirectUris } = readClientMetadata(metadata);
  const isAllowed = (uri: string): boolean => isAllowedRedirectUri(uri, settings.mcp.redirectAllowList);
  await limits.take(database, registrationLimit, networkOf(ip));
  await database.execute(sweepClients, [mostSwept]);
  const client = await database.one(insertClient, [newId(), name, redirectUris.filter(isAllowed), ip]);
  return { client, rejectedRedirectUris: redirectUris.filter((uri) => !isAllowed(uri)) };
};
