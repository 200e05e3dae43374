/**
 * The one-time secret of an exchange, and what waits under it: sealed, and bound to the secret's hash, so that a dump of
 * the database tells nothing and whoever writes into it lets nobody in.
 */
import { randomBytes } from 'node:crypto';
import { isRecord } from '../../kernel/records.ts';
import type { Keyring } from '../../kernel/secrets.ts';
import type { PersonRow } from './identities-store.ts';
import type { KnownIdentity } from './known-identity.ts';

/** Whom the callback found, as they were then. */
export interface FoundPerson extends PersonRow {
  /** The identity was theirs; otherwise the address is. */
  readonly isOwner: boolean;
}

/** An identity as the callback found it. */
export interface OpenedExchange {
  readonly identity: KnownIdentity;
  /** Null for nobody. */
  readonly found: FoundPerson | null;
}

/** From the callback until the portal must have fetched the session. */
export const exchangeLifeSeconds = 120;

const shape = /^[A-Za-z0-9_-]{43}$/;
const purpose = 'external exchange';

export const newExchangeSecret = (): string => randomBytes(32).toString('base64url');

/** Whether a text can be such a secret at all. Asks nobody. */
export const isWellFormedExchangeSecret = (text: string): boolean => shape.test(text);

export const sealExchange = (keyring: Keyring, secretHash: Buffer, exchange: OpenedExchange): Buffer =>
  keyring.seal(purpose, secretHash.toString('hex'), JSON.stringify(exchange));

/** Null for what was not sealed here, under this hash, or by a version that wrote something else. */
export const openSealedExchange = (keyring: Keyring, secretHash: Buffer, sealed: Buffer): OpenedExchange | null => {
  const text = keyring.open(purpose, secretHash.toString('hex'), sealed);
  return text === null ? null : parseExchange(JSON.parse(text));
};

const parseExchange = (value: unknown): OpenedExchange | null => {
  if (!isRecord(value)) return null;
  const { identity, found } = value;
  if (!isIdentity(identity)) return null;
  return found === null || isFoundPerson(found) ? { identity, found } : null;
};

const isIdentity = (value: unknown): value is KnownIdentity =>
  isRecord(value) &&
  [value['issuer'], value['subject'], value['name']].every((text) => typeof text === 'string') &&
  (value['email'] === null || typeof value['email'] === 'string') &&
  [value['isEmailVerified'], value['isEmailAuthoritative']].every((flag) => typeof flag === 'boolean');

const isFoundPerson = (value: unknown): value is FoundPerson =>
  isRecord(value) &&
  typeof value['userId'] === 'string' &&
  typeof value['credentialsRevision'] === 'number' &&
  typeof value['isOwner'] === 'boolean';
