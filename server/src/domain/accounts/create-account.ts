/** A new person with an organization of their own: whoever comes in, by whichever door, gets the same. */
import { newId } from '../../kernel/ids.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { insertActiveSubscription } from '../billing/subscriptions-store.ts';
import { insertMember, insertOrganization } from '../organizations/organizations-store.ts';
import { insertUser, setCurrentMembership } from '../users/users-store.ts';

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
 * Inserts the user, unless the address is taken.
 * @returns the user's id, or null when somebody has the address
 */
export const createAccount = async (
  transaction: Transaction,
  account: NewAccount,
  defaultProduct: string | null,
): Promise<string | null> => {
  const { email, name, passwordHash, validationTokenHash, redirect } = account;
  const user = await transaction.maybeOne(insertUser, [
    newId(),
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

/** The organization that a new person owns, with the default product, as their active membership. */
export const createDefaultOrganization = async (
  transaction: Transaction,
  owner: { readonly userId: string; readonly name: string },
  defaultProduct: string | null,
): Promise<void> => {
  const organizationId = newId();
  const membershipId = newId();
  await transaction.execute(insertOrganization, [organizationId, `${owner.name}'s organization`]);
  if (defaultProduct !== null) await transaction.execute(insertActiveSubscription, [organizationId, defaultProduct]);
  await transaction.execute(insertMember, [membershipId, owner.userId, organizationId, 'OWNER']);
  await transaction.execute(setCurrentMembership, [owner.userId, membershipId]);
};
