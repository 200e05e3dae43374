/** The format of tokens (contract/credentials.md#format-of-tokens), for the server and a secret scanner. */
import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashToken, isWellFormedToken, newToken, tokenKindOf } from '../../src/domain/credentials/token.ts';
import { anyText } from '../support/random/any-text.ts';

/** The pattern of a secret scanner, from the documentation. */
const scannerPattern = /\bgate_[arps]_[A-Za-z0-9_-]{49}(?![A-Za-z0-9_-])/g;

const kinds = ['user_session', 'user_refresh', 'personal_token', 'service_token'] as const;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.split('');

describe('Token', () => {
  // Contract: credentials#format-of-tokens — Tokens: prefix, 32 random bytes, checksum
  it('is a prefix, 43 base64url characters of 32 random bytes and 6 of checksum', () => {
    expect(newToken('user_session')).toMatch(/^gate_a_[A-Za-z0-9_-]{49}$/);
    expect(newToken('user_refresh')).toMatch(/^gate_r_[A-Za-z0-9_-]{49}$/);
    const body = newToken('user_session').slice(7, 50);
    expect(Buffer.from(body, 'base64url')).toHaveLength(32);
  });

  it('is never the same twice', () => {
    const tokens = Array.from({ length: 1000 }, () => newToken('user_session'));
    expect(new Set(tokens).size).toBe(tokens.length);
  });

  it('is well formed only for its own kind', () => {
    for (const kind of kinds) {
      for (const other of kinds) expect(isWellFormedToken(other, newToken(kind))).toBe(kind === other);
      expect(tokenKindOf(newToken(kind))).toBe(kind);
    }
  });

  it('is malformed after a change of any one character', () => {
    fc.assert(
      fc.property(fc.nat(55), fc.constantFrom(...alphabet), (position, character) => {
        const token = newToken('user_session');
        const changed = token.slice(0, position) + character + token.slice(position + 1);
        expect(isWellFormedToken('user_session', changed)).toBe(changed === token);
      }),
    );
  });

  it('is malformed when shortened, lengthened, wrapped or in another case', () => {
    const token = newToken('user_refresh');
    const wrecks = ['', token.slice(0, -1), `${token}A`, ` ${token}`, `${token}\n`, `${token}=`, `x${token}`];
    const cases = [token.toUpperCase(), token.toLowerCase(), token.replace('gate_r_', 'gate_a_')];
    for (const text of [...wrecks, ...cases]) expect(isWellFormedToken('user_refresh', text)).toBe(false);
  });

  it('is not any other text', () => {
    fc.assert(
      fc.property(anyText(80), (text) => {
        expect(tokenKindOf(text)).toBeNull();
      }),
    );
  });

  // Contract: credentials#format-of-tokens — Tokens are recognised by secret scanners
  it('is found by a secret scanner in a text around it', () => {
    const tokens = kinds.map(newToken);
    const text = `{"accessToken":"${tokens[0]}"}\nAuthorization: Bearer ${tokens[1]}\ngate_a_tooShort token=${tokens[2]}&x,${tokens[3]}`;
    expect(text.match(scannerPattern)).toEqual(tokens);
  });

  it('is hashed whole with SHA-256', () => {
    const token = newToken('user_session');
    expect(hashToken(token)).toEqual(createHash('sha256').update(token, 'utf8').digest());
  });
});
