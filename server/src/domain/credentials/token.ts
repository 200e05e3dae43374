/**
 * The format of tokens (contract/credentials.md#format-of-tokens): a prefix for each kind, 43 base64url characters of
 * 32 random bytes, 6 of checksum. Secret scanners recognise them, and a malformed token costs no look-up.
 */
import { hash } from 'node:crypto';
import { randomSecret } from '../../kernel/secrets.ts';

export type CredentialKind = 'user_session' | 'user_refresh' | 'machine';

/** The kind of a token, by its prefix. */
type TokenKind = 'user_session' | 'user_refresh' | MachineTokenKind;

/** A machine's token: a person's own, or that of a service account; also the auth_method of its credentials. */
export type MachineTokenKind = 'personal_token' | 'service_token';

/** Portal's cookies, GraphQL by Bearer, Platform MCP, MCP of an organization; a resource's grants have its URL. */
export const audiences = ['portal', 'api', 'mcp', 'mcp_organization'] as const;

/** The audience of every machine credential. */
export const machineAudience = 'api';

/** How a session began, or the kind of token that a machine has. */
export const authMethods = [
  'password',
  'google',
  'passkey',
  'invitation',
  'mcp_oauth',
  'personal_token',
  'service_token',
] as const;

export const credentialKinds = ['user_session', 'user_refresh', 'machine'] as const satisfies readonly CredentialKind[];

const prefixes: Readonly<Record<TokenKind, string>> = {
  user_session: 'gate_a_',
  user_refresh: 'gate_r_',
  personal_token: 'gate_p_',
  service_token: 'gate_s_',
};
const tokenKinds = [
  'user_session',
  'user_refresh',
  'personal_token',
  'service_token',
] as const satisfies readonly TokenKind[];
const shape = /^gate_([arps])_[A-Za-z0-9_-]{49}$/;
const checksumLength = 6;

const checksumOf = (body: string): string =>
  hash('sha256', `gatehouse-token:${body}`, 'base64url').slice(0, checksumLength);

export const newToken = (kind: TokenKind): string => {
  const body = `${prefixes[kind]}${randomSecret()}`;
  return `${body}${checksumOf(body)}`;
};

/** Whether a text has the format of a token of this kind: prefix, alphabet, length and checksum. Makes no look-up. */
export const isWellFormedToken = (kind: TokenKind, text: string): boolean =>
  shape.test(text) &&
  text.startsWith(prefixes[kind]) &&
  checksumOf(text.slice(0, -checksumLength)) === text.slice(-checksumLength);

/** The kind of token that a text is; null for one that has the format of none. Makes no look-up. */
export const tokenKindOf = (text: string): TokenKind | null =>
  tokenKinds.find((kind) => isWellFormedToken(kind, text)) ?? null;

/** Whether a text has the format of a machine's token. Makes no look-up. */
export const isMachineToken = (text: string): boolean =>
  isWellFormedToken('personal_token', text) || isWellFormedToken('service_token', text);

/** The hash by which a token is stored and found: SHA-256 of the whole string. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');

/** Hashes in PostgreSQL's hex format, for a `bytea[]`; texts that are not session tokens are skipped. */
export const hashesOfTokens = (texts: readonly string[]): string[] =>
  texts.filter(isTokenOfSession).map((token) => `\\x${hashToken(token).toString('hex')}`);

const isTokenOfSession = (text: string): boolean =>
  isWellFormedToken('user_session', text) || isWellFormedToken('user_refresh', text);
