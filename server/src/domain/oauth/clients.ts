/** Clients: find the one that a client_id names and that is not revoked, list them, and revoke one with its credentials. */
import type { Config } from '../../config/config.ts';
import { Refusal } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import type { Page, PageRequest } from '../../kernel/paging.ts';
import type { Database, Queryable, Transaction } from '../../platform/database/database.ts';
import { filteredPage } from '../../platform/database/filtered-list.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import type { Actor } from '../access/actor.ts';
import { authorizeSuperAdmin, inLiveSession } from '../access/authorize.ts';
import { listFamiliesOfClient } from '../credentials/client-tokens-store.ts';
import type { RevocationRow } from '../credentials/credentials-store.ts';
import type { CredentialLifetimes } from '../credentials/issue-pair.ts';
import { dryRunRevocation, type RevocationReceipt, revokeDurably, revokeSessionFamily } from '../credentials/revoke.ts';
import type { Application } from '../scopes/application.ts';
import { readSearch } from '../users/text-rules.ts';
import {
  type ClientRow,
  findClient,
  lockClient,
  type OAuthClientRow,
  registeredClients,
  revokeClientRow,
} from './clients-store.ts';
import { findDocumentClient } from './document-clients-store.ts';
import { type DocumentRule, unlistedClient } from './metadata-documents.ts';
import type { ProtectedResources } from './resources.ts';

/** Dependencies of the authorization server; each operation takes a part. */
export interface OAuthDeps {
  readonly application: Application;
  readonly resources: ProtectedResources;
  readonly database: Database;
  readonly logger: Logger;
  readonly lifetimes: CredentialLifetimes;
  /** Fetches metadata documents. */
  readonly documents: { find(url: string): Promise<DocumentClient> };
  readonly settings: {
    readonly mcp: Pick<Config['mcp'], 'redirectAllowList' | 'clientMetadataAllowList' | 'codeTtlSeconds'>;
  };
}

/** A client whose metadata document may be used. */
export interface DocumentClient {
  readonly client: OAuthClientRow;
  /** What the record of connections shows of the fetch; null when the stored document was fresh. */
  readonly fetch: { readonly refused: { readonly rule: DocumentRule; readonly detail: string } | null } | null;
}

type ListDeps = { readonly settings: { readonly mcp: Pick<Config['mcp'], 'clientMetadataAllowList'> } };

/**
 * Finds the client that a client_id names, to continue what a person allowed: one that registered itself, or one whose
 * metadata document is listed and was valid before. Nothing is fetched.
 * @param clientId as the client sent it: an id, or the URL of its document
 * @returns the client; everything stored has its `id`
 * @throws Refusal invalid_client: the client is unknown, revoked or not listed
 */
export const getLiveClient = async (
  { database, settings }: ListDeps & { readonly database: Pick<Queryable, 'maybeOne'> },
  clientId: string,
): Promise<OAuthClientRow> => {
  const client = await findNamedClient(database, clientId);
  if (isDocumentUrl(clientId)) requireListed({ settings }, { id: client?.id ?? null, metadataUrl: clientId });
  return requireLive(client);
};

/**
 * Finds the client that a client_id names, to end what it has: its document need not be listed any more.
 * @throws Refusal invalid_client: the client is unknown or revoked
 */
export const getClientToEnd = async (
  database: Pick<Queryable, 'maybeOne'>,
  clientId: string,
): Promise<OAuthClientRow> => requireLive(await findNamedClient(database, clientId));

/**
 * Finds the client that a client_id names, to begin an authorization: a metadata document that is due is fetched.
 * @throws Refusal invalid_client: the client is unknown, revoked or not listed, or its document cannot be used
 */
export const getStartingClient = async (
  deps: ListDeps & Pick<OAuthDeps, 'documents'> & { readonly database: Pick<Queryable, 'maybeOne'> },
  clientId: string,
): Promise<DocumentClient> => {
  if (!isDocumentUrl(clientId)) return { client: await getLiveClient(deps, clientId), fetch: null };
  requireListed(deps, { id: null, metadataUrl: clientId });
  return deps.documents.find(clientId);
};

/**
 * Requires that the metadata document of a client is listed, if it has one.
 * @throws Refusal invalid_client
 */
export const requireListed = (
  { settings }: ListDeps,
  { id, metadataUrl }: { readonly id: string | null; readonly metadataUrl: string | null },
): void => {
  if (metadataUrl === null || settings.mcp.clientMetadataAllowList.includes(metadataUrl)) return;
  throw unlistedClient(metadataUrl, id);
};

/** No other text can be on MCP_CLIENT_METADATA_ALLOW_LIST, or is the id of a client. */
const isDocumentUrl = (clientId: string): boolean => /^https?:\/\/[\x21-\x7e]{1,2000}$/.test(clientId);

const findNamedClient = async (
  database: Pick<Queryable, 'maybeOne'>,
  clientId: string,
): Promise<OAuthClientRow | null> => {
  if (isDocumentUrl(clientId)) return database.maybeOne(findDocumentClient, [clientId]);
  return isId(clientId) ? database.maybeOne(findClient, [clientId]) : null;
};

const requireLive = (client: OAuthClientRow | null): OAuthClientRow => {
  if (client === null) {
    throw new Refusal('invalid_client', 'No client is registered under this client_id.', { rule: 'client_unknown' });
  }
  if (client.isRevoked) throw revokedClient(client.id);
  return client;
};

/** The refusal of a revoked client, also for callers that detect the revocation later, on the locked row. */
export const revokedClient = (clientId: string | null): Refusal =>
  new Refusal('invalid_client', 'The registration of this client was revoked.', { rule: 'client_revoked', clientId });

// Query mcpClients: every client, for super admins, in pages, newest first.

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
