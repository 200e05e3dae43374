/** Operation endConnectedClient (contract/organization-mcp.md#end-of-a-connection), with the whole family. */
import { Refusal } from '../../kernel/errors.ts';
import { isId, normalizeGivenId } from '../../kernel/ids.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { type Actor, holdsScope } from '../access/actor.ts';
import { authorizeInOrganization, inLiveSession } from '../access/authorize.ts';
import type { Deps } from '../access/deps.ts';
import type { GrantRow } from '../credentials/ended-tokens.ts';
import { type RevocationReceipt, revokeOnce, revokeSessionFamily } from '../credentials/revoke.ts';
import { findGrant } from './connected-clients-store.ts';

/**
 * Ends a connection: the caller's own, or one with the active organization by those who manage MCP there. Again, it
 * returns 0 credentials and the instant of the end.
 * @param id of its session family, in any case
 * @throws Refusal NOT_FOUND: none, or another person's that the caller does not manage; UNAUTHENTICATED
 */
export const endConnectedClient = (
  { database, logger }: Deps<'database' | 'logger'>,
  actor: Actor,
  id: string,
): Promise<RevocationReceipt> => {
  const work = inLiveSession(actor, async (transaction) => {
    const grant = await endableGrant(transaction, actor, normalizeGivenId(id));
    const { sessionFamilyId, userId: ownerId, organizationId, clientId } = grant;
    const ended = await revokeSessionFamily(transaction, sessionFamilyId, 'connection_ended');
    const facts = { userId: actor.user.id, ownerId, organizationId, clientId, sessionFamilyId };
    const event = 'oauth.connection_ended';
    if (ended.revokedCredentials > 0)
      transaction.afterCommit(() => logger.info({ event, ...facts }, 'The connection of an MCP client was ended'));
    return { ...ended, sessionFamilyId };
  });
  return revokeOnce(database, work, ({ sessionFamilyId }) => ({ sessionFamilyId }));
};

const endableGrant = async (transaction: Transaction, actor: Actor, id: string): Promise<GrantRow> => {
  const grant = isId(id) ? await transaction.maybeOne(findGrant, [id]) : null;
  if (grant === null) throw connectionNotFound();
  if (grant.userId === actor.user.id) return grant;
  const isHere = grant.organizationId === actor.membership?.organization.id;
  if (!isHere || !holdsScope(actor, 'MCP_MANAGE')) throw connectionNotFound();
  await authorizeInOrganization(transaction, actor, 'MCP_MANAGE');
  return grant;
};

const connectionNotFound = (): Refusal => new Refusal('NOT_FOUND', 'There is no such connection.');
