/**
 * The format of access and refresh tokens (contract, "Tokens"): `gate_a_` or `gate_r_`, 43 base64url characters of 32
 * random bytes, 6 characters of checksum. Secret scanners recognise it, and a malformed token costs no look-up.
 */

import { hash } from 'node:crypto';
import { randomSecret } from '../../kernel/secrets.ts';

export type CredentialKind = 'user_session' | 'user_refresh';

/** The audiences of credentials: the portal's cookies, GraphQL by Bearer, Platform MCP. */
export const audiences = ['portal', 'api', 'mcp'] as const;

/**
 * How a session began: by a password, at an identity provider, by a passkey, from an invitation, or as the grant of an
 * OAuth client.
 */
export const authMethods = ['password', 'google', 'passkey', 'invitation', 'mcp_oauth'] as const;

export const credentialKinds = ['user_session', 'user_refresh'] as const satisfies readonly CredentialKind[];

const prefixes: Readonly<Record<CredentialKind, string>> = { user_session: 'gate_a_', user_refresh: 'gate_r_' };
const shape = /^gate_([ar])_[A-Za-z0-9_-]{49}$/;
const checksumLength = 6;

const checksumOf = (body: string): string =>
  hash('sha256', `gatehouse-token:${body}`, 'base64url').slice(0, checksumLength);

export const newToken = (kind: CredentialKind): string => {
  const body = `${prefixes[kind]}${randomSecret()}`;
  return `${body}${checksumOf(body)}`;
};

/** Whether a text has the format of a token of this kind: prefix, alphabet, length and checksum. Makes no look-up. */
export const isWellFormedToken = (kind: CredentialKind, text: string): boolean =>
  shape.test(text) &&
  text.startsWith(prefixes[kind]) &&
  checksumOf(text.slice(0, -checksumLength)) === text.slice(-checksumLength);

/** The hash by which a token is stored and found: SHA-256 of the whole string. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');

/**
 * The hashes of several texts in PostgreSQL's hex format, for a `bytea[]`; texts that are not session tokens are
 * skipped.
 */
export const hashesOfTokens = (texts: readonly string[]): string[] =>
  texts.filter(isTokenOfSession).map((token) => `\\x${hashToken(token).toString('hex')}`);

const isTokenOfSession = (text: string): boolean =>
  isWellFormedToken('user_session', text) || isWellFormedToken('user_refresh', text);
