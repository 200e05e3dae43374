/** A new person with an organization of their own: whoever comes in, by whichever door, gets the same. */
import { newPersonId } from '../../kernel/ids.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { insertUser } from '../users/users-store.ts';
import { createDefaultOrganization } from './found-organization.ts';

export interface NewAccount {
  /** Normalized. */
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string | null;
  /** Null: the address counts as verified. */
  readonly validationTokenHash: Buffer | null;
  readonly redirect: string | null;
}

/**
 * Inserts the user, unless the address is taken. Somebody who was invited and never came does not count as taken: their
 * row becomes this account, and the invitation stays what it was.
 * @returns the user's id, or null when somebody has the address
 */
export const createAccount = async (
  transaction: Transaction,
  account: NewAccount,
  defaultProduct: string | null,
): Promise<string | null> => {
  const { email, name, passwordHash, validationTokenHash, redirect } = account;
  const user = await transaction.maybeOne(insertUser, [
    newPersonId(),
    email,
    name,
    passwordHash,
    validationTokenHash,
    redirect,
  ]);
  if (user === null) return null;
  await createDefaultOrganization(transaction, { userId: user.id, name }, defaultProduct);
  return user.id;
};
