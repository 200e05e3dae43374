/** Registered clients: find one that is not revoked, list them, and revoke one with its credentials. */

import { Refusal } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { type Page, type PageRequest, pageOf, readPageRequestByInstant } from '../../kernel/paging.ts';
import type { Database, Queryable, Transaction } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import type { Actor } from '../access/actor.ts';
import { authorizeSuperAdmin, withSessionCheck } from '../access/authorize.ts';
import { listFamiliesOfClient, type RevocationRow } from '../credentials/credentials-store.ts';
import { dryRunRevocation, type RevocationReceipt, revokeDurably, revokeSessionFamily } from '../credentials/revoke.ts';
import { readSearch } from '../users/text-rules.ts';
import {
  type ClientRow,
  findClient,
  lockClient,
  type OAuthClientRow,
  registeredClients,
  revokeClientRow,
} from './clients-store.ts';
import { OAuthRefusal } from './oauth-refusal.ts';

/**
 * Finds a registered client that is not revoked.
 * @param clientId as the client sent it
 * @throws OAuthRefusal invalid_client: the client is unknown or revoked
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

/** The refusal of a revoked client, also for callers that detect the revocation later, on the locked row. */
export const revokedClient = (clientId: string): OAuthRefusal =>
  new OAuthRefusal('invalid_client', 'client_revoked', 'The registration of this client was revoked.', null, clientId);

// Query mcpClients: every registered client, for super admins, in pages, newest first.

const maxSearchLength = 100;

interface ClientListRequest extends PageRequest {
  /** Part of the name; null or empty matches every client. */
  readonly search?: string | null | undefined;
}

/**
 * Lists clients. The caller's guard has already required a super admin with mcp:access:view.
 * @throws Refusal BAD_USER_INPUT: names `first`, `after` or `search`
 */
export const listClients = async (
  { database }: { readonly database: Queryable },
  request: ClientListRequest,
): Promise<Page<ClientRow>> => {
  const { limit, afterMicros, afterId } = readPageRequestByInstant(request);
  const { list, count, values } = registeredClients(readSearch(request.search, maxSearchLength));
  const rows = await database.many(list, [...values, afterMicros, afterId, limit]);
  const { total } = await database.one(count, values);
  return pageOf(rows, request, total, ({ registeredAtMicros, id }) => [registeredAtMicros, id]);
};

// Revocation of a client by a super admin, with every credential that it was issued.

interface ClientRevocationDeps {
  readonly database: Database;
  readonly logger: Logger;
}

interface ClientRevocation {
  readonly clientId: string;
  /** Runs the same checks and returns the same answer, with nothing changed. */
  readonly dryRun: boolean;
}

/**
 * Revokes a client permanently: from the commit on, every endpoint refuses it and nothing accepts its credentials.
 * Repeating it returns 0 credentials.
 * @throws Refusal FORBIDDEN: the caller is no longer a super admin with sessions:revoke; NOT_FOUND: there is no such
 *   client; UNAUTHENTICATED: the caller's session ended meanwhile
 */
export const revokeClient = async (
  { database, logger }: ClientRevocationDeps,
  actor: Actor,
  { clientId, dryRun }: ClientRevocation,
): Promise<RevocationReceipt> => {
  const run = dryRun ? dryRunRevocation : revokeDurably;
  const receipt = await run(withSessionCheck(database, actor), (transaction) =>
    endClient(transaction, actor, clientId),
  );
  if (!dryRun) {
    const facts = { userId: actor.user.id, clientId, revoked: receipt.revokedCredentials };
    logger.info({ event: 'oauth.client_revoked', ...facts }, 'A super admin revoked a client');
  }
  return receipt;
};

const endClient = async (transaction: Transaction, actor: Actor, clientId: string): Promise<RevocationRow> => {
  const client = isId(clientId) ? await transaction.maybeOne(lockClient, [clientId]) : null;
  await authorizeSuperAdmin(transaction, actor, 'sessions:revoke');
  if (client === null) throw new Refusal('NOT_FOUND', 'There is no such client.');
  await transaction.execute(revokeClientRow, [clientId]);
  return endFamilies(transaction, clientId);
};

/** Revokes the client's families. Issuing to a client locks its row, so none of its families is missed. */
const endFamilies = async (transaction: Transaction, clientId: string): Promise<RevocationRow> => {
  const credentialIds: string[] = [];
  for (const { sessionFamilyId } of await transaction.many(listFamiliesOfClient, [clientId])) {
    credentialIds.push(...(await revokeSessionFamily(transaction, sessionFamilyId, 'client_revoked')).credentialIds);
  }
  return { revokedCredentials: credentialIds.length, credentialIds };
};
