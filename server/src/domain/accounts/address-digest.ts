/** How an address is recognised for an hour after its account was deleted, without being stored. */
import type { Keyring } from '../../kernel/secrets.ts';

/** @param email normalized. Under the newest secret alone: a rotation of GATEHOUSE_SECRET ends such an hour early. */
export const addressDigest = (keyring: Keyring, email: string): string => keyring.mac('rejected sign-up', email);
