/**
 * Client ID metadata documents (draft-ietf-oauth-client-id-metadata-document;
 * contract/organization-mcp.md#valid-document): the rules that a document has to meet, and the refusals of a client
 * that has none. Pure.
 */
import { parseJson } from '../../kernel/attempts.ts';
import { type ConnectionRule, Refusal } from '../../kernel/errors.ts';
import { isRecord, type JsonRecord } from '../../kernel/records.ts';
import { briefRedirectUri } from './redirect-uris.ts';
import { type ClientMetadata, isAllowedRedirectUri, readClientMetadata } from './register-client.ts';

/** The rules by which the step `client_document` of a connection is refused. */
export type DocumentRule = Extract<ConnectionRule, `client_document_${string}` | 'redirect_uri_not_allowed'>;

/** Why a document cannot be used. */
export interface DocumentFault {
  readonly rule: DocumentRule;
  /** In our own words, for the client's developer and the operator. */
  readonly reason: string;
}

/**
 * Reads a document; unknown members are ignored, and no URI is ever fetched.
 * @param url at which it was found
 * @param redirectAllowList exact URIs (MCP_REDIRECT_ALLOW_LIST)
 * @returns its name, and those of its redirect URIs that the client may use
 */
export const readDocument = (
  url: string,
  text: string,
  redirectAllowList: readonly string[],
): ClientMetadata | DocumentFault => {
  const document = parseJson(text);
  if (!isRecord(document)) return invalid('it is not a JSON object');
  if (document['client_id'] !== url) return invalid('its client_id is not its URL');
  if (!isOfPublicClient(document)) {
    return invalid('its token_endpoint_auth_method is not none, or it has a client_secret');
  }
  const metadata = readMetadata(document);
  if (metadata === null) return invalid('its metadata is not that of RFC 7591, with 1 to 20 redirect_uris');
  const redirectUris = metadata.redirectUris.filter((uri) => isAllowedRedirectUri(uri, redirectAllowList));
  if (redirectUris.length > 0) return { ...metadata, redirectUris };
  return { rule: 'redirect_uri_not_allowed', reason: briefRedirectUri(metadata.redirectUris[0] ?? '') };
};

const invalid = (reason: string): DocumentFault => ({ rule: 'client_document_invalid', reason });

/** Everyone can read the document, so it holds no secret, and the client has none. */
const isOfPublicClient = (document: JsonRecord): boolean =>
  [undefined, 'none'].includes(document['token_endpoint_auth_method'] as string | undefined) &&
  document['client_secret'] === undefined;

const readMetadata = (document: JsonRecord): ClientMetadata | null => {
  try {
    return readClientMetadata(document);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
};

const sentences: Readonly<Record<DocumentRule, string>> = {
  client_document_not_listed: 'No client is registered under this client_id.',
  client_document_address: 'The metadata document of this client is not on the public internet.',
  client_document_unreachable: 'The metadata document of this client cannot be fetched now.',
  client_document_gone: 'The metadata document of this client does not exist any more.',
  client_document_invalid: 'The metadata document of this client is not valid.',
  redirect_uri_not_allowed: 'The metadata document of this client has no redirect URI that is allowed here.',
};

/** The line in the record of connections. @param reason null: the URL says all */
export const detailOf = (url: string, reason: string | null): string =>
  reason === null ? briefRedirectUri(url) : `${briefRedirectUri(url)}: ${reason}`;

/** The message names the fault, and no value of the document. @param clientId of its row; null when it has none */
export const documentRefusal = (url: string, { rule, reason }: DocumentFault, clientId: string | null): Refusal => {
  const message = rule === 'client_document_invalid' ? `${sentences[rule]} The fault: ${reason}.` : sentences[rule];
  return new Refusal('invalid_client', message, { rule, detail: detailOf(url, reason), clientId });
};

/** For a URL that MCP_CLIENT_METADATA_ALLOW_LIST lacks. @param clientId of its row, from before; null: no row */
export const unlistedClient = (url: string, clientId: string | null): Refusal =>
  new Refusal('invalid_client', sentences.client_document_not_listed, {
    rule: 'client_document_not_listed',
    detail: detailOf(url, null),
    clientId,
  });

/** Whether codes reach only the user's own machine, where every program could receive them. */
export const isOfLoopbackAlone = (redirectUris: readonly string[]): boolean =>
  redirectUris.every((uri) => isAllowedRedirectUri(uri, []));
