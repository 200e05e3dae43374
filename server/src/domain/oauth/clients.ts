/** Clients: find the one that a client_id names, list them, and revoke one with its credentials. */
import type { Config } from '../../config/config.ts';
import { Refusal } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import type { Page, PageRequest } from '../../kernel/paging.ts';
import { type Database, databaseNow, type Queryable, type Transaction } from '../../platform/database/database.ts';
import { waitLimits, withNewDeadline } from '../../platform/database/deadlines.ts';
import { filteredPage } from '../../platform/database/filtered-list.ts';
import type { ScheduledJob } from '../../platform/jobs/scheduled-jobs.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import type { Actor } from '../access/actor.ts';
import { authorizeSuperAdmin, liveTransaction, requireLiveSession } from '../access/authorize.ts';
import type { ReadDeps } from '../access/deps.ts';
import { actIn } from '../audit/audits-of-transaction.ts';
import { chunksOf, endFamilies } from '../credentials/end-families.ts';
import type { CredentialLifetimes } from '../credentials/issue-pair.ts';
import type { Application } from '../scopes/application.ts';
import { readSearch } from '../users/text-rules.ts';
import {
  type ClientRow,
  countActiveOfClient,
  findClient,
  listFamiliesOfClient,
  listFamiliesOfRevokedClients,
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
  readonly documents: { find(url: string): Promise<DocumentClient> };
  readonly settings: {
    readonly mcp: Pick<Config['mcp'], 'redirectAllowList' | 'clientMetadataAllowList' | 'codeTtlSeconds'>;
  };
}

/** A client whose metadata document may be used. */
export interface DocumentClient {
  readonly client: OAuthClientRow;
  /** The line about the fetch in the record of connections; null when the stored document was fresh. */
  readonly fetch: { readonly refused: { readonly rule: DocumentRule; readonly detail: string } | null } | null;
}

type ListDeps = { readonly settings: { readonly mcp: Pick<Config['mcp'], 'clientMetadataAllowList'> } };

/**
 * The client of a client_id, to continue what a person allowed: registered, or with a listed document. Fetches nothing.
 * @param clientId as sent: an id, or the URL of its document; everything stored has the client's `id`
 * @throws Refusal invalid_client: unknown, revoked or not listed
 */
export const getLiveClient = async (
  { database, settings }: ListDeps & { readonly database: Pick<Queryable, 'maybeOne'> },
  clientId: string,
): Promise<OAuthClientRow> => {
  const client = await findNamedClient(database, clientId);
  if (isDocumentUrl(clientId)) requireListed({ settings }, { id: client?.id ?? null, metadataUrl: clientId });
  return requireLive(client);
};

/** Finds a client, whose document need not be listed now. @throws Refusal invalid_client: it is unknown or revoked */
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

/** Requires that a client's metadata document, if it has one, is listed. @throws Refusal invalid_client */
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

/** The guard has required mcp:access:view. @throws Refusal BAD_USER_INPUT: names `first`, `after` or `search` */
export const listClients = ({ database }: ReadDeps, request: ClientListRequest): Promise<Page<ClientRow>> =>
  filteredPage(database, registeredClients, request, { name: readSearch(request.search, maxClientSearchLength) });

// Revocation of a client by a super admin, with every credential that it was issued.

interface ClientRevocation {
  readonly clientId: string;
  /** Runs the same checks and returns the same answer, with nothing changed. */
  readonly dryRun: boolean;
}

/** The result of a revocation, or of its dry run. */
interface ClientReceipt {
  readonly clientName: string;
  /** Credentials that were active, and that this call ended. */
  readonly revokedCredentials: number;
  /** From this instant on, nothing accepts a credential of the client; the time of the check for a dry run. */
  readonly revokedAt: Date;
}

type RevokingDeps = Pick<OAuthDeps, 'database' | 'logger'>;

/**
 * Revokes a client permanently: from the commit on, nothing accepts it or its credentials. Their rows are then ended,
 * some at a time, within `bulkMillis`. Repeating it goes on, and at last returns 0 credentials; {@link
 * revokedClientsJob} goes on too.
 * @throws Refusal FORBIDDEN: no super admin with sessions:revoke; NOT_FOUND: no such client; UNAUTHENTICATED
 * @throws DatabaseUnavailable: nothing changed, or the client is revoked and rows are left
 */
export const revokeClient = async (
  deps: RevokingDeps,
  actor: Actor,
  { clientId, dryRun }: ClientRevocation,
): Promise<ClientReceipt> => {
  const { database } = deps;
  if (dryRun) return withNewDeadline(() => dryRunOf(database, actor, clientId), waitLimits.bulkMillis);
  const { name: clientName } = await liveTransaction(database, actor, async (transaction) => {
    const client = await requireClientToRevoke(transaction, actor, clientId);
    await transaction.execute(revokeClientRow, [clientId]);
    return client;
  });
  const revokedAt = await databaseNow(database);
  const revokedCredentials = await withNewDeadline(() => endFamiliesOf(deps, actor, clientId), waitLimits.bulkMillis);
  return { clientName, revokedCredentials, revokedAt };
};

const dryRunOf = (database: Database, actor: Actor, clientId: string): Promise<ClientReceipt> =>
  database.transaction(async (transaction) => {
    const { name: clientName } = await requireClientToRevoke(transaction, actor, clientId);
    const { total } = await transaction.one(countActiveOfClient, [clientId]);
    await requireLiveSession(transaction, actor);
    return { clientName, revokedCredentials: total, revokedAt: await databaseNow(transaction) };
  });

const requireClientToRevoke = async (
  transaction: Transaction,
  actor: Actor,
  clientId: string,
): Promise<{ readonly name: string }> => {
  const client = isId(clientId) ? await transaction.maybeOne(lockClient, [clientId]) : null;
  await authorizeSuperAdmin(transaction, actor, 'sessions:revoke');
  if (client === null) throw new Refusal('NOT_FOUND', 'There is no such client.');
  return client;
};

/**
 * Ends the families of a revoked client, in transactions of some hundred. Nothing is issued to it any more: a
 * redemption shares its row, and a rotation in progress holds rows that are tried again.
 */
const endFamiliesOf = async ({ database, logger }: RevokingDeps, actor: Actor, clientId: string): Promise<number> => {
  let revoked = 0;
  try {
    for (let families = await familiesOf(database, clientId); families.length > 0; ) {
      for (const some of chunksOf(families)) revoked += await endSome(database, actor, some);
      families = await familiesOf(database, clientId);
    }
  } finally {
    const facts = { userId: actor.user.id, clientId, revoked };
    logger.info({ event: 'oauth.client_revoked', ...facts }, 'A super admin revoked a client');
  }
  return revoked;
};

const familiesOf = async (database: Database, clientId: string): Promise<readonly string[]> =>
  (await database.many(listFamiliesOfClient, [clientId])).map(({ sessionFamilyId }) => sessionFamilyId);

/** The caller's session need not be live any more: the revocation of the client is what it was asked for. */
const endSome = (database: Database, actor: Actor, families: readonly string[]): Promise<number> =>
  database.transaction(async (transaction) => {
    actIn(transaction, actor);
    return (await endFamilies(transaction, families, 'client_revoked')).revokedCredentials;
  });

/** The job that ends what an interrupted revocation left. Its rows in the audits have no actor. */
export const revokedClientsJob: ScheduledJob = {
  name: 'revoked_client_credentials',
  everySeconds: 600,
  deletes: false,
  purge: (database) =>
    database.transaction(async (transaction) => {
      const rows = await transaction.many(listFamiliesOfRevokedClients, []);
      const families = rows.map(({ sessionFamilyId }) => sessionFamilyId);
      await endFamilies(transaction, families, 'client_revoked');
      return families.length;
    }),
};
