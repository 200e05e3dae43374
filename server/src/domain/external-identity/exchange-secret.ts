/**
 * The one-time secret of an exchange, and what waits under it: sealed, and bound to the secret's hash, so that a dump of
 * the database tells nothing and whoever writes into it lets nobody in.
 */
import { randomBytes } from 'node:crypto';
import type { Keyring } from '../../kernel/secrets.ts';
import type { KnownIdentity } from './known-identity.ts';

/** An identity as the callback found it. */
export interface OpenedExchange {
  readonly identity: KnownIdentity;
  /** Whose it was then; null for nobody's. */
  readonly ownerId: string | null;
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

/** Null for what was not sealed here, under this hash. */
export const openSealedExchange = (keyring: Keyring, secretHash: Buffer, sealed: Buffer): OpenedExchange | null => {
  const text = keyring.open(purpose, secretHash.toString('hex'), sealed);
  return text === null ? null : (JSON.parse(text) as OpenedExchange);
};
