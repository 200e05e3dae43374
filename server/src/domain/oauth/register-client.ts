/**
 * Dynamic client registration (RFC 7591): client metadata, the rules for redirect URIs, and the registration itself.
 */
import { newId } from '../../kernel/ids.ts';
import { isRecord } from '../../kernel/records.ts';
import type { Database } from '../../platform/database/database.ts';
import { isPrintable, normalizeName } from '../users/text-rules.ts';
import { evictClients, insertClient, type OAuthClientRow } from './clients-store.ts';
import { OAuthRefusal } from './oauth-refusal.ts';

// Operation: a client registers itself (RFC 7591; contract, "OAuth for MCP"). Nobody is asked, and nothing is granted.

export interface RegistrationDeps {
  readonly database: Database;
  readonly settings: {
    readonly mcp: {
      /** Redirect URIs beside loopback; exact. */
      readonly redirectAllowList: readonly string[];
    };
  };
}

export interface RegisteredClient {
  readonly client: OAuthClientRow;
  /** Those that were asked for and are not allowed, as they were sent. */
  readonly rejectedRedirectUris: readonly string[];
}

/**
 * Stores what is allowed of a registration, even when that is no redirect URI at all, and says what was rejected. Where
 * the clients that were never authorized have become too many, the oldest of them goes.
 * @param metadata the body of the request, parsed from JSON
 * @param ip of the caller
 * @throws OAuthRefusal invalid_client_metadata, invalid_redirect_uri for a malformed body; nothing is stored
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

// What a client says of itself when it registers (RFC 7591, section 2), and what is kept of it: a name and redirect URIs.
// Everything else is passed over; nothing that it names is ever fetched. Pure.

export interface ClientMetadata {
  /** As it is shown at consent. */
  readonly name: string;
  /** As they were sent, each once; whether they are allowed is another question. */
  readonly redirectUris: readonly string[];
}

const maxRedirectUris = 20;
/** Of all of them: anyone may register a client, and it is kept for a month. */
const maxRedirectBytes = 2048;
const maxNameLength = 100;
const unnamed = 'Unnamed client';
/** Characters that show nothing: a name of these alone would be a blank. */
const invisible = /[\p{Default_Ignorable_Code_Point}\s]/gu;

const textMembers = ['scope', 'token_endpoint_auth_method'] as const;
const listMembers = ['grant_types', 'response_types'] as const;

/**
 * @param body as it was parsed from JSON
 * @throws OAuthRefusal invalid_client_metadata or invalid_redirect_uri when it is not the form of RFC 7591
 */
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
  if (!isPrintable(name)) throw malformed('client_name cannot hold control or direction characters.');
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

const malformed = (message: string): OAuthRefusal =>
  new OAuthRefusal('invalid_client_metadata', 'registration_malformed', message);

const unusable = (message: string): OAuthRefusal =>
  new OAuthRefusal('invalid_redirect_uri', 'registration_malformed', message);

// Which redirect URIs a client may register and use (contract, "OAuth for MCP"; RFC 8252, section 7.3; RFC 6749,
// section 3.1.2.3). Pure, and about the text as it stands: a parser of URLs takes `127.1`, `2130706433` or a backslash
// for something else than they look like, so none is asked.

/** In bytes, which are characters: no URI that is accepted holds anything but ASCII. */
export const maxRedirectUriLength = 2000;

interface LoopbackUri {
  readonly host: string;
  /** Path and query as they stand; empty when there are none. */
  readonly rest: string;
}

/** Characters of RFC 3986, sections 3.3 and 3.4; no fragment, no user, no escape that is none. */
const loopbackShape =
  /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::([1-9][0-9]{0,4}))?((?:\/(?:[\w.~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*)?(?:\?(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?)$/;
/** Browsers take these segments out of a path, so that it is not the one that was registered. */
const dotSegment = /\/(?:\.|%2e){1,2}(?:\/|$)/i;
const highestPort = 65_535;

const readLoopbackUri = (uri: string): LoopbackUri | null => {
  if (uri.length > maxRedirectUriLength) return null;
  const [, host, port = '1', rest = ''] = loopbackShape.exec(uri) ?? [];
  if (host === undefined || Number(port) > highestPort) return null;
  const [path = ''] = rest.split('?', 1);
  return dotSegment.test(path) ? null : { host, rest };
};

/**
 * Whether a client may register this URI: loopback with any port or none, or one of the allow-list.
 * @param allowList exact texts (MCP_REDIRECT_ALLOW_LIST)
 */
export const isAllowedRedirectUri = (uri: string, allowList: readonly string[]): boolean =>
  readLoopbackUri(uri) !== null || allowList.includes(uri);

/**
 * Whether a request may name this URI: one that the client registered and may still register. The port of a loopback
 * URI is free, because the client takes whichever the system has left.
 * @param registered the client's, as they were accepted
 * @param allowList of this moment: what was taken off it since the registration is of no use any more
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

const maxBriefLength = 200;

/** A redirect URI for the record of connections: without query, fragment and user, which may hold a secret, and short. */
export const briefRedirectUri = (uri: string): string => {
  const [address = ''] = uri.split(/[?#]/, 1);
  const withoutUser = address.replace(/^([^/]*\/\/)[^/]*@/, '$1');
  return withoutUser.replaceAll(/[^\u0020-\u007e]/g, '?').slice(0, maxBriefLength);
};
