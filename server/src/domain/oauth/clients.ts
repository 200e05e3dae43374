/** Registered clients: find one that is not revoked, list them, and revoke one with its credentials. */
import type { Config } from '../../config/config.ts';
import { Refusal } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import type { Page, PageRequest } from '../../kernel/paging.ts';
import type { Database, Queryable, Transaction } from '../../platform/database/database.ts';
import { filteredPage } from '../../platform/database/filtered-list.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import type { Actor } from '../access/actor.ts';
import { authorizeSuperAdmin, inLiveSession } from '../access/authorize.ts';
import { listFamiliesOfClient, type RevocationRow } from '../credentials/credentials-store.ts';
import type { CredentialLifetimes } from '../credentials/issue-pair.ts';
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

/** Dependencies of the authorization server; each operation takes a part. */
export interface OAuthDeps {
  readonly database: Database;
  readonly logger: Logger;
  readonly lifetimes: CredentialLifetimes;
  readonly settings: { readonly mcp: Pick<Config['mcp'], 'redirectAllowList' | 'codeTtlSeconds'> };
}

/**
 * Finds a registered client that is not revoked.
 * @param clientId as the client sent it
 * @throws Refusal invalid_client: the client is unknown or revoked
 */
export const getLiveClient = async (
  queryable: Pick<Queryable, 'maybeOne'>,
  clientId: string,
): Promise<OAuthClientRow> => {
  const client = isId(clientId) ? await queryable.maybeOne(findClient, [clientId]) : null;
  if (client === null) {
    throw new Refusal('invalid_client', 'No client is registered under this client_id.', { rule: 'client_unknown' });
  }
  if (client.isRevoked) throw revokedClient(clientId);
  return client;
};

/** The refusal of a revoked client, also for callers that detect the revocation later, on the locked row. */
export const revokedClient = (clientId: string): Refusal =>
  new Refusal('invalid_client', 'The registration of this client was revoked.', { rule: 'client_revoked', clientId });

// Query mcpClients: every registered client, for super admins, in pages, newest first.

/** In characters. */
export const maxClientSearchLength = 100;

interface ClientListRequest extends PageRequest {
  /** Part of the name; null or empty matches every client. */
  readonly search?: string | null | undefined;
}

/**
 * Lists clients. The caller's guard has already required a super admin with mcp:access:view.
 * @throws Refusal BAD_USER_INPUT: names `first`, `after` or `search`
 */
export const listClients = (
  { database }: { readonly database: Queryable },
  request: ClientListRequest,
): Promise<Page<ClientRow>> =>
  filteredPage(database, registeredClients, request, { name: readSearch(request.search, maxClientSearchLength) });

// Revocation of a client by a super admin, with every credential that it was issued.

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
  { database, logger }: Pick<OAuthDeps, 'database' | 'logger'>,
  actor: Actor,
  { clientId, dryRun }: ClientRevocation,
): Promise<RevocationReceipt & NamedClient> => {
  const run = dryRun ? dryRunRevocation : revokeDurably;
  const receipt = await run(
    database,
    inLiveSession(actor, (transaction) => endClient(transaction, actor, clientId)),
  );
  if (!dryRun) {
    const facts = { userId: actor.user.id, clientId, revoked: receipt.revokedCredentials };
    logger.info({ event: 'oauth.client_revoked', ...facts }, 'A super admin revoked a client');
  }
  return receipt;
};

interface NamedClient {
  readonly clientName: string;
}

const endClient = async (
  transaction: Transaction,
  actor: Actor,
  clientId: string,
): Promise<RevocationRow & NamedClient> => {
  const client = isId(clientId) ? await transaction.maybeOne(lockClient, [clientId]) : null;
  await authorizeSuperAdmin(transaction, actor, 'sessions:revoke');
  if (client === null) throw new Refusal('NOT_FOUND', 'There is no such client.');
  await transaction.execute(revokeClientRow, [clientId]);
  const ended = await endFamilies(transaction, clientId);
  return { ...ended, clientName: client.name };
};

/** Revokes the client's families. Issuing to a client locks its row, so none of its families is missed. */
const endFamilies = async (transaction: Transaction, clientId: string): Promise<RevocationRow> => {
  const credentialIds: string[] = [];
  for (const { sessionFamilyId } of await transaction.many(listFamiliesOfClient, [clientId])) {
    credentialIds.push(...(await revokeSessionFamily(transaction, sessionFamilyId, 'client_revoked')).credentialIds);
  }
  return { revokedCredentials: credentialIds.length, credentialIds };
};
