/**
 * Clients whose client_id is the URL of a metadata document: the document is fetched when it is due, and stored as the
 * client's row (decision 0066). Only URLs that the operator listed get here.
 */
import { newId } from '../../kernel/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import type { FetchedDocument } from '../../platform/guarded-fetch.ts';
import { outsideContext } from '../../platform/observability/context.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import { type DocumentClient, revokedClient } from './clients.ts';
import type { OAuthClientRow } from './clients-store.ts';
import { findDocument, type KnownDocumentRow, storeDocument, storeFailure } from './document-clients-store.ts';
import {
  type DocumentFault,
  type DocumentRule,
  detailOf,
  documentRefusal,
  readDocument,
} from './metadata-documents.ts';
import type { ClientMetadata } from './register-client.ts';

interface DocumentClientsDeps {
  readonly database: Database;
  readonly logger: Logger;
  /** Never rejects. */
  readonly fetch: (url: string) => Promise<FetchedDocument>;
  readonly settings: { readonly mcp: { readonly redirectAllowList: readonly string[] } };
}

/** The clients of one process. */
export class DocumentClients {
  readonly #deps: DocumentClientsDeps;
  /** The fetches in progress, by URL: all requests that need a document wait for the same one. */
  readonly #fetches = new Map<string, Promise<DocumentClient>>();

  constructor(deps: DocumentClientsDeps) {
    this.#deps = deps;
  }

  /**
   * Finds a client, and fetches its document if it is due.
   * @param url on MCP_CLIENT_METADATA_ALLOW_LIST
   * @throws Refusal invalid_client: revoked, or no document to use
   */
  async find(url: string): Promise<DocumentClient> {
    const known = await this.#deps.database.one(findDocument, [url]);
    const client = clientOf(known);
    if (client?.isRevoked === true) throw revokedClient(client.id);
    if (client !== null && known.isFresh) return { client, fetch: null };
    const { failedRule: rule, failedReason: reason } = known;
    if (rule !== null && reason !== null) return { client: lastKnown(url, known, { rule, reason }), fetch: null };
    return this.#fetchOnce(url, known);
  }

  #fetchOnce(url: string, known: KnownDocumentRow): Promise<DocumentClient> {
    const inProgress = this.#fetches.get(url);
    if (inProgress !== undefined) return inProgress;
    // The work of many requests: neither the deadline nor the correlation id of the first one is its own.
    const begun = outsideContext(() => this.#fetch(url, known)).finally(() => this.#fetches.delete(url));
    this.#fetches.set(url, begun);
    return begun;
  }

  async #fetch(url: string, known: KnownDocumentRow): Promise<DocumentClient> {
    const { fetch, settings } = this.#deps;
    const outcome = outcomeOf(url, await fetch(url), settings.mcp.redirectAllowList);
    return 'rule' in outcome ? this.#keepFault(url, known, outcome) : this.#keep(url, known, outcome);
  }

  async #keep(url: string, { id }: KnownDocumentRow, { metadata, freshSeconds }: Found): Promise<DocumentClient> {
    const { database, logger } = this.#deps;
    const { name, redirectUris } = metadata;
    const client = await database.maybeOne(storeDocument, [newId(), name, redirectUris, url, freshSeconds]);
    if (client === null) throw revokedClient(id);
    const line = { event: 'oauth.document_fetched', clientId: client.id } as const;
    logger.info(line, 'The metadata document of a client was fetched');
    return { client, fetch: { refused: null } };
  }

  async #keepFault(url: string, known: KnownDocumentRow, { rule, reason }: DocumentFault): Promise<DocumentClient> {
    const { database, logger } = this.#deps;
    const ends = !passing.has(rule);
    await database.execute(storeFailure, [url, rule, reason, ends]);
    const facts = { event: 'oauth.document_refused', clientId: known.id, rule, reason } as const;
    logger.warn(facts, 'The metadata document of a client cannot be used');
    const client = lastKnown(url, ends ? { ...known, isUsable: false } : known, { rule, reason });
    return { client, fetch: { refused: { rule, detail: detailOf(url, reason) } } };
  }
}

/** A valid document. */
interface Found {
  readonly metadata: ClientMetadata;
  readonly freshSeconds: number;
}

const outcomeOf = (url: string, fetched: FetchedDocument, allowList: readonly string[]): Found | DocumentFault => {
  if (fetched.kind !== 'document') return { rule: rules[fetched.kind], reason: fetched.reason };
  const read = readDocument(url, fetched.text, allowList);
  return 'rule' in read ? read : { metadata: read, freshSeconds: fetched.freshSeconds };
};

/** Faults of the way to the document, which say nothing of the document. */
const passing: ReadonlySet<DocumentRule> = new Set(['client_document_unreachable', 'client_document_address']);

const rules = {
  outage: 'client_document_unreachable',
  address: 'client_document_address',
  gone: 'client_document_gone',
  unusable: 'client_document_invalid',
} as const;

/** The client with its last document. @throws Refusal: it has none that may be used */
const lastKnown = (url: string, known: KnownDocumentRow, fault: DocumentFault): OAuthClientRow => {
  const client = clientOf(known);
  if (client !== null && known.isUsable) return client;
  throw documentRefusal(url, fault, known.id);
};

const clientOf = ({
  id,
  name,
  redirectUris,
  registeredAt,
  isRevoked,
  metadataUrl,
}: KnownDocumentRow): OAuthClientRow | null =>
  id === null || name === null || redirectUris === null || registeredAt === null
    ? null
    : { id, name, redirectUris, registeredAt, isRevoked: isRevoked === true, metadataUrl };
