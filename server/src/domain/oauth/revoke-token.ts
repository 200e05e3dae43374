/** Operation: a client gives back what it was issued (RFC 7009). */
import type { Database } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/logger.ts';
import { findFamilyOfClientToken } from '../credentials/credentials-store.ts';
import { revokeSession } from '../credentials/revoke.ts';
import { hashToken, isWellFormedToken } from '../credentials/token.ts';
import { getLiveClient } from './live-client.ts';

export interface TokenRevocationDeps {
  readonly database: Database;
  readonly logger: Logger;
}

/**
 * Ends the session of a live token of either kind, when it is this client's; any other token changes nothing, and the
 * client does not learn why (RFC 7009, section 2.2).
 * @throws OAuthRefusal invalid_client when the client is unknown or revoked
 */
export const revokeToken = async (
  { database, logger }: TokenRevocationDeps,
  { clientId, token }: { readonly clientId: string; readonly token: string },
): Promise<void> => {
  await getLiveClient(database, clientId);
  if (!isWellFormedToken('user_session', token) && !isWellFormedToken('user_refresh', token)) return;
  const ended = await database.transaction(async (transaction) => {
    const family = await transaction.maybeOne(findFamilyOfClientToken, [hashToken(token), clientId]);
    return family === null ? null : revokeSession(transaction, family.sessionFamilyId, 'revoked_by_client');
  });
  if (ended === null) return;
  const { sessionFamilyId, revokedCredentials: revoked } = ended;
  logger.info({ event: 'oauth.token.revoked', sessionFamilyId, clientId, revoked }, 'A client ended its session');
};
