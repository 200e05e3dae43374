/**
 * What a client says of itself when it registers (RFC 7591, section 2), and what is kept of it: a name and redirect URIs.
 * Everything else is passed over; nothing that it names is ever fetched. Pure.
 */
import { isRecord } from '../../kernel/records.ts';
import { isPrintable, normalizeName } from '../users/text-rules.ts';
import { OAuthRefusal } from './oauth-refusal.ts';
import { longestRedirectUri } from './redirect-uris.ts';

export interface ClientMetadata {
  /** As it is shown at consent. */
  readonly name: string;
  /** As they were sent, each once; whether they are allowed is another question. */
  readonly redirectUris: readonly string[];
}

const mostRedirectUris = 20;
/** Of all of them: anyone may register a client, and it is kept for a month. */
const mostRedirectBytes = 2048;
const longestName = 100;
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
  if ([...name].length > longestName) throw malformed(`client_name has at most ${longestName} characters.`);
  return name.replaceAll(invisible, '') === '' ? unnamed : name;
};

const readRedirectUris = (value: unknown): readonly string[] => {
  if (!isTextList(value)) throw unusable('redirect_uris must be a list of strings.');
  if (value.length === 0) throw unusable('redirect_uris must name at least one URI.');
  if (value.length > mostRedirectUris) throw unusable(`redirect_uris may name at most ${mostRedirectUris} URIs.`);
  if (value.some((uri) => uri.length > longestRedirectUri)) {
    throw unusable(`A redirect URI has at most ${longestRedirectUri} characters.`);
  }
  const each = [...new Set(value)];
  if (Buffer.byteLength(each.join('')) > mostRedirectBytes) {
    throw unusable(`The redirect URIs have at most ${mostRedirectBytes} bytes together.`);
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
