/**
 * The shape of access and refresh tokens (contract, "Tokens"): `gate_a_` or `gate_r_`, 43 base64url characters of 32
 * random bytes, 6 characters of checksum. Secret scanners recognise them, and a malformed one costs no look-up.
 */
import { hash, randomBytes } from 'node:crypto';

export type CredentialKind = 'user_session' | 'user_refresh';

/** What credentials are issued for: the portal's cookies, GraphQL by Bearer, Platform MCP. */
export const audiences = ['portal', 'api', 'mcp'] as const;

const prefixes: Readonly<Record<CredentialKind, string>> = { user_session: 'gate_a_', user_refresh: 'gate_r_' };
const shape = /^gate_([ar])_[A-Za-z0-9_-]{49}$/;
const checksumLength = 6;

const checksumOf = (body: string): string =>
  hash('sha256', `gatehouse-token:${body}`, 'base64url').slice(0, checksumLength);

export const newToken = (kind: CredentialKind): string => {
  const body = `${prefixes[kind]}${randomBytes(32).toString('base64url')}`;
  return `${body}${checksumOf(body)}`;
};

/** Whether a text can be a token of this kind: prefix, alphabet, length and checksum fit. Asks nobody. */
export const isWellFormedToken = (kind: CredentialKind, text: string): boolean =>
  shape.test(text) &&
  text.startsWith(prefixes[kind]) &&
  checksumOf(text.slice(0, -checksumLength)) === text.slice(-checksumLength);

/** The hash by which a token is stored and found: SHA-256 of the whole string. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');

/** The hashes of several texts as PostgreSQL writes them, for a `bytea[]`; whatever is no token of a session is passed over. */
export const hashesOfTokens = (texts: readonly string[]): string[] =>
  texts.filter(isTokenOfSession).map((token) => `\\x${hashToken(token).toString('hex')}`);

const isTokenOfSession = (text: string): boolean =>
  isWellFormedToken('user_session', text) || isWellFormedToken('user_refresh', text);
