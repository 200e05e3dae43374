/** How a store of helper sessions keeps a value: sealed, and bound to the session and the name that it belongs to. */
import type { Keyring } from '../kernel/secrets.ts';

const purpose = 'helper session';

const contextOf = (sessionHash: Buffer, name: string): string => `${sessionHash.toString('hex')} ${name}`;

export const sealValue = (keyring: Keyring, sessionHash: Buffer, name: string, value: string): Buffer =>
  keyring.seal(purpose, contextOf(sessionHash, name), value);

/** Null for what was not sealed here, for this place: it counts as not there. */
export const openValue = (keyring: Keyring, sessionHash: Buffer, name: string, sealed: Buffer): string | null =>
  keyring.open(purpose, contextOf(sessionHash, name), sealed);
