/** Signed tokens as an issuer makes them, and ones that no client should accept. */
import { createHmac, generateKeyPairSync, type JsonWebKey, type KeyObject, randomBytes, sign } from 'node:crypto';

export type Json = Readonly<Record<string, unknown>>;

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  /** As published in the issuer's key set. */
  readonly jwk: JsonWebKey & { readonly kid: string };
  readonly pem: string;
}

export const newSigningKey = (): SigningKey => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const kid = randomBytes(8).toString('hex');
  return {
    kid,
    privateKey,
    jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' },
    pem: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
  };
};

const partOf = (value: unknown): string => Buffer.from(JSON.stringify(value), 'utf8').toString('base64url');

/** @param header on top of the usual one */
export const signedWith = (key: SigningKey, claims: unknown, header: Json = {}): string => {
  const input = `${partOf({ alg: 'RS256', typ: 'JWT', kid: key.kid, ...header })}.${partOf(claims)}`;
  return `${input}.${sign('sha256', Buffer.from(input, 'utf8'), key.privateKey).toString('base64url')}`;
};

/** By a shared secret, or one that an attacker guesses. */
export const hashedWith = (secret: string, claims: unknown, header: Json = {}): string => {
  const input = `${partOf({ alg: 'HS256', typ: 'JWT', ...header })}.${partOf(claims)}`;
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
};

export const unsigned = (claims: unknown, alg = 'none'): string => `${partOf({ alg, typ: 'JWT' })}.${partOf(claims)}.`;

/** The token with other claims under its signature. */
export const withClaims = (token: string, change: (claims: Json) => Json): string => {
  const [header = '', claims = '', signature = ''] = token.split('.');
  const changed = change(JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as Json);
  return `${header}.${partOf(changed)}.${signature}`;
};
