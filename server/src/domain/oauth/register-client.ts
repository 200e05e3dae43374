/**
 * Dynamic client registration (RFC 7591; contract/platform-mcp.md#client-registration): client metadata, the rules for
 * redirect URIs, and the registration itself, which needs no approval and grants nothing.
 */
import { Refusal } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { isPrintable } from '../../kernel/printable.ts';
import { isRecord } from '../../kernel/records.ts';
import type { Database } from '../../platform/database/database.ts';
import { normalizeName } from '../users/text-rules.ts';
import { evictClients, insertClient, type OAuthClientRow } from './clients-store.ts';

interface RegistrationDeps {
  readonly database: Database;
  readonly settings: { readonly mcp: { readonly redirectAllowList: readonly string[] } };
}

export interface RegisteredClient {
  readonly client: OAuthClientRow;
  /** The requested URIs that are not allowed, as they were sent. */
  readonly rejectedRedirectUris: readonly string[];
}

/**
 * Registers a client with the allowed part of its metadata, even without a redirect URI; evicts the oldest clients that
 * were never authorized, beyond a number.
 * @param metadata the request body, parsed from JSON
 * @param ip of the caller
 * @throws Refusal invalid_client_metadata, invalid_redirect_uri: malformed; nothing is stored
 */
export const registerClient = async (
  { database, settings }: RegistrationDeps,
  metadata: unknown,
  ip: string,
): Promise<RegisteredClient> => {
  const { name, redirectUris } = readClientMetadata(metadata);
  const isAllowed = (uri: string): boolean => isAllowedRedirectUri(uri, settings.mcp.redirectAllowList);
  const kept = redirectUris.filter(isAllowed);
  const client = await database.transaction(async (transaction) => {
    const row = await transaction.one(insertClient, [newId(), name, kept, ip]);
    await transaction.execute(evictClients, []);
    return row;
  });
  return { client, rejectedRedirectUris: redirectUris.filter((uri) => !isAllowed(uri)) };
};

// Client metadata (RFC 7591, section 2): only name and redirect URIs are kept, and no URI is ever fetched.

export interface ClientMetadata {
  /** As shown at consent. */
  readonly name: string;
  /** As they were sent, without duplicates; not yet checked against the allowed ones. */
  readonly redirectUris: readonly string[];
}

const maxRedirectUris = 20;
/** Total of all redirect URIs: any client may register, and is kept for a month. */
const maxRedirectBytes = 2048;
const maxNameLength = 100;
const unnamed = 'Unnamed client';
/** Invisible characters: a name of these alone would be blank. */
const invisible = /[\p{Default_Ignorable_Code_Point}\s]/gu;

const textMembers = ['scope', 'token_endpoint_auth_method'] as const;
const listMembers = ['grant_types', 'response_types'] as const;

/** @param body parsed from JSON @throws Refusal invalid_client_metadata, invalid_redirect_uri: against RFC 7591 */
export const readClientMetadata = (body: unknown): ClientMetadata => {
  if (!isRecord(body)) throw malformed('The body must be a JSON object.');
  for (const member of textMembers)
    if (!isAbsentOr(isText, body[member])) throw malformed(`${member} must be a string.`);
  for (const member of listMembers) {
    if (!isAbsentOr(isTextList, body[member])) throw malformed(`${member} must be a list of strings.`);
  }
  return { name: readName(body['client_name']), redirectUris: readRedirectUris(body['redirect_uris']) };
};

const readName = (value: unknown): string => {
  if (value === undefined || value === null) return unnamed;
  if (!isText(value)) throw malformed('client_name must be a string.');
  const name = normalizeName(value);
  if (!isPrintable(name)) throw malformed('client_name cannot contain control or text-direction characters.');
  if ([...name].length > maxNameLength) throw malformed(`client_name has at most ${maxNameLength} characters.`);
  return name.replaceAll(invisible, '') === '' ? unnamed : name;
};

const readRedirectUris = (value: unknown): readonly string[] => {
  if (!isTextList(value)) throw unusable('redirect_uris must be a list of strings.');
  if (value.length === 0) throw unusable('redirect_uris must name at least one URI.');
  if (value.length > maxRedirectUris) throw unusable(`redirect_uris may name at most ${maxRedirectUris} URIs.`);
  if (value.some((uri) => uri.length > maxRedirectUriLength)) {
    throw unusable(`A redirect URI has at most ${maxRedirectUriLength} characters.`);
  }
  const each = [...new Set(value)];
  if (Buffer.byteLength(each.join('')) > maxRedirectBytes) {
    throw unusable(`The redirect URIs have at most ${maxRedirectBytes} bytes together.`);
  }
  return each;
};

const isText = (value: unknown): value is string => typeof value === 'string';

const isTextList = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);

const isAbsentOr = (isRight: (value: unknown) => boolean, value: unknown): boolean =>
  value === undefined || value === null || isRight(value);

const malformed = (message: string): Refusal =>
  new Refusal('invalid_client_metadata', message, { rule: 'registration_malformed' });

const unusable = (message: string): Refusal =>
  new Refusal('invalid_redirect_uri', message, { rule: 'registration_malformed' });

// Redirect URIs (contract/platform-mcp.md#redirect-uris; RFC 8252, section 7.3; RFC 6749, section 3.1.2.3), matched as
// text: a URL parser would interpret `127.1`, `2130706433` or a backslash as something other than they appear.

/** In bytes, which equal characters: an accepted URI contains only ASCII. */
const maxRedirectUriLength = 2000;

interface LoopbackUri {
  readonly host: string;
  /** Path, at least a slash, and query. */
  readonly rest: string;
}

/** Characters of RFC 3986, sections 3.3 and 3.4; no fragment, no user info, no invalid escape. */
const loopbackShape =
  /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::([1-9][0-9]{0,4}))?((?:\/(?:[\w.~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*)?(?:\?(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?)$/;
/** Browsers remove these segments from a path, so that it would differ from the registered one. */
const dotSegment = /\/(?:\.|%2e){1,2}(?:\/|$)/i;
const highestPort = 65_535;

const readLoopbackUri = (uri: string): LoopbackUri | null => {
  if (uri.length > maxRedirectUriLength) return null;
  const [, host, port = '1', rest = ''] = loopbackShape.exec(uri) ?? [];
  if (host === undefined || Number(port) > highestPort) return null;
  const [path = ''] = rest.split('?', 1);
  return dotSegment.test(path) ? null : { host, rest: withPath(rest) };
};

/** An empty path is the same as a slash (RFC 9110, section 4.2.3). */
const withPath = (rest: string): string => (rest.startsWith('/') ? rest : `/${rest}`);

/** A redirect URI as it is, and a loopback URI without a path also with the slash that programs add or take off. */
export const spellingsOf = (uri: string): readonly string[] => {
  const [, origin, query = ''] = /^(http:\/\/[^/?#]+)\/?(\?.*)?$/.exec(uri) ?? [];
  return origin === undefined || readLoopbackUri(uri) === null ? [uri] : [`${origin}${query}`, `${origin}/${query}`];
};

/** Loopback with any port or none, or a URI of the allow-list. @param allowList exact (MCP_REDIRECT_ALLOW_LIST) */
export const isAllowedRedirectUri = (uri: string, allowList: readonly string[]): boolean =>
  readLoopbackUri(uri) !== null || allowList.includes(uri);

/**
 * Whether the client registered this URI and may still use it, a loopback URI with any port.
 * @param registered as they were accepted
 * @param allowList as of now: a URI removed from it is no longer usable
 */
export const isRegisteredRedirectUri = (
  uri: string,
  registered: readonly string[],
  allowList: readonly string[],
): boolean => {
  const loopback = readLoopbackUri(uri);
  if (loopback === null) return allowList.includes(uri) && registered.includes(uri);
  return registered.some((known) => isSameApartFromPort(readLoopbackUri(known), loopback));
};

const isSameApartFromPort = (known: LoopbackUri | null, { host, rest }: LoopbackUri): boolean =>
  known !== null && known.host === host && known.rest === rest;
