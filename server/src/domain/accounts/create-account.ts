/** A new person with an organization of their own, the same for a sign-up and for an outside identity. */
import { newPersonId } from '../../kernel/ids.ts';
import type { Keyring } from '../../kernel/secrets.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { type InsertedUserRow, insertUser } from '../users/users-store.ts';
import { addressDigest } from './address-digest.ts';
import { createDefaultOrganization } from './found-organization.ts';

export interface CreateAccountDeps {
  readonly keyring: Keyring;
  readonly settings: { readonly defaultProduct: string | null };
}

export interface NewAccount {
  /** Normalized. */
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string | null;
  /** Null: the address counts as verified. */
  readonly validationTokenHash: Buffer | null;
  readonly redirect: string | null;
  /** Of the portal's browser that signed up, as SHA-256; null for every other account. */
  readonly browserHash: Buffer | null;
}

/**
 * Inserts the user, unless the address is taken. The row of a person who was invited and never came does not count as
 * taken: it becomes this account, and the invitation stays what it was.
 * @returns null when the address is taken
 */
export const createAccount = async (
  { keyring, settings }: CreateAccountDeps,
  transaction: Transaction,
  account: NewAccount,
): Promise<InsertedUserRow | null> => {
  const { email, name, passwordHash, validationTokenHash, redirect, browserHash } = account;
  const user = await transaction.maybeOne(insertUser, [
    newPersonId(),
    email,
    name,
    passwordHash,
    validationTokenHash,
    redirect,
    addressDigest(keyring, email),
    browserHash,
  ]);
  if (user === null) return null;
  await createDefaultOrganization(transaction, { userId: user.id, name }, settings.defaultProduct);
  return user;
};
