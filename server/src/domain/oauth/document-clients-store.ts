/** SQL of clients with a metadata document: their rows in `oauth_clients`, and the table `oauth_document_failures`. */
import { statement } from '../../platform/database/database.ts';
import { clientColumns, type OAuthClientRow } from './clients-store.ts';
import type { DocumentRule } from './metadata-documents.ts';

/** How long a document is used while its site does not answer, from the end of its freshness on. */
const outageDays = 7;

/** The row of a URL. The columns of the client are null while no document of it was ever valid. */
export type KnownDocumentRow = { readonly [Name in keyof OAuthClientRow]: OAuthClientRow[Name] | null } & {
  /** Need not be fetched. */
  readonly isFresh: boolean;
  /** May be used when it cannot be fetched. */
  readonly isUsable: boolean;
  /** The rule that the last fetch broke, so recently that there is no other fetch yet. */
  readonly failedRule: DocumentRule | null;
  readonly failedReason: string | null;
};

export const findDocument = statement<KnownDocumentRow, [url: string]>(
  'oauth.find_document',
  `SELECT ${clientColumns('c')}, coalesce(c.document_fresh_until > now(), false) AS "isFresh",
     coalesce(c.document_fresh_until > now() - interval '${outageDays} days', false) AS "isUsable",
     f.rule AS "failedRule", f.reason AS "failedReason"
   FROM (SELECT $1::text AS url) AS asked LEFT JOIN oauth_clients c ON c.metadata_url = asked.url
     LEFT JOIN oauth_document_failures f ON f.metadata_url = asked.url AND f.failed_until > now()`,
);

/** The client of a URL, whatever became of its document. */
export const findDocumentClient = statement<OAuthClientRow, [url: string]>(
  'oauth.find_document_client',
  `SELECT ${clientColumns('c')} FROM oauth_clients c WHERE c.metadata_url = $1`,
);

/** Stores a valid document, unless its client was revoked: then there is no row. */
export const storeDocument = statement<
  OAuthClientRow,
  [id: string, name: string, redirectUris: readonly string[], url: string, freshSeconds: number]
>(
  'oauth.store_document',
  `WITH answered AS (DELETE FROM oauth_document_failures WHERE metadata_url = $4)
   INSERT INTO oauth_clients AS c (id, name, redirect_uris, metadata_url, document_fresh_until)
   VALUES ($1, $2, $3, $4, now() + $5 * interval '1 second')
   ON CONFLICT (metadata_url) WHERE metadata_url IS NOT NULL DO UPDATE SET name = excluded.name,
     redirect_uris = excluded.redirect_uris, document_fresh_until = excluded.document_fresh_until
     WHERE c.revoked_at IS NULL
   RETURNING ${clientColumns('c')}`,
);

/** How long a failure counts for all processes. */
const failureSeconds = 60;

/** @param ends whether the site said that there is no valid document: the last one is not used again */
export const storeFailure = statement<unknown, [url: string, rule: DocumentRule, reason: string, ends: boolean]>(
  'oauth.store_document_failure',
  `WITH ended AS (
     UPDATE oauth_clients SET document_fresh_until = NULL
     WHERE metadata_url = $1 AND $4 AND document_fresh_until IS NOT NULL)
   INSERT INTO oauth_document_failures AS f (metadata_url, rule, reason, failed_until)
   VALUES ($1, $2, $3, now() + interval '${failureSeconds} seconds')
   ON CONFLICT (metadata_url) DO UPDATE SET rule = excluded.rule, reason = excluded.reason,
     failed_until = excluded.failed_until`,
);
