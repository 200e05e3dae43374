/**
 * The one-time secret of an exchange, and what waits under it: sealed, and bound to the hash under which it
 * waits, so that a dump of the database tells nothing and what is written into it opens nothing.
 */
import { randomBytes } from 'node:crypto';
import { isRecord } from '../../kernel/records.ts';
import { type Keyring, sha256 } from '../../kernel/secrets.ts';
import type { PersonRow } from './identities-store.ts';
import { isKnownIdentity, type KnownIdentity } from './known-identity.ts';

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

/** What opens an exchange: the secret, in the browser that began the sign-in. Both raw. */
export interface ExchangeKey {
  readonly secret: string;
  readonly marker: string;
}

/** Where the exchange waits. With another marker the secret finds nothing, and nothing is burned. */
export const exchangeHashOf = ({ secret, marker }: ExchangeKey): Buffer => sha256(`${secret} ${marker}`);

export const sealExchange = (keyring: Keyring, hash: Buffer, exchange: OpenedExchange): Buffer =>
  keyring.seal(purpose, hash.toString('hex'), JSON.stringify(exchange));

/** Null for what was not sealed here, under this hash, or by a version that wrote something else. */
export const openSealedExchange = (keyring: Keyring, hash: Buffer, sealed: Buffer): OpenedExchange | null => {
  const text = keyring.open(purpose, hash.toString('hex'), sealed);
  return text === null ? null : parseExchange(JSON.parse(text));
};

const parseExchange = (value: unknown): OpenedExchange | null => {
  if (!isRecord(value)) return null;
  const { identity, found } = value;
  if (!isKnownIdentity(identity)) return null;
  return found === null || isFoundPerson(found) ? { identity, found } : null;
};

const isFoundPerson = (value: unknown): value is FoundPerson =>
  isRecord(value) &&
  typeof value['userId'] === 'string' &&
  typeof value['credentialsRevision'] === 'number' &&
  typeof value['isOwner'] === 'boolean';
