/** Which client asks: one that is registered, and whose registration nobody revoked. */
import { isId } from '../../kernel/ids.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { findClient, type OAuthClientRow } from './clients-store.ts';
import { OAuthRefusal } from './oauth-refusal.ts';

/**
 * @param clientId as the client names itself
 * @throws OAuthRefusal invalid_client when it is unknown or revoked
 */
export const getLiveClient = async (
  queryable: Pick<Queryable, 'maybeOne'>,
  clientId: string,
): Promise<OAuthClientRow> => {
  const client = isId(clientId) ? await queryable.maybeOne(findClient, [clientId]) : null;
  if (client === null) throw unknownClient();
  if (client.isRevoked) throw revokedClient(clientId);
  return client;
};

const unknownClient = (): OAuthRefusal =>
  new OAuthRefusal('invalid_client', 'client_unknown', 'No client is registered under this client_id.');

/** Also for who finds out later, by the row that is held. */
export const revokedClient = (clientId: string): OAuthRefusal =>
  new OAuthRefusal('invalid_client', 'client_revoked', 'The registration of this client was revoked.', null, clientId);
