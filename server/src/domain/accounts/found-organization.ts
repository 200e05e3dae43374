/** A new organization: it begins with its owner and the default product. */
import { newId } from '../../kernel/ids.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { insertActiveSubscription } from '../billing/subscriptions-store.ts';
import { insertMember, insertOrganization, renameOwnOrganizations } from '../organizations/organizations-store.ts';
import { setCurrentMembership } from '../users/users-store.ts';

export interface NewOrganization {
  readonly ownerId: string;
  /** Normalized. */
  readonly name: string;
}

export interface FoundedOrganization {
  readonly organizationId: string;
  readonly membershipId: string;
}

/** @param defaultProduct null: no subscription, so every scope check denies */
export const foundOrganization = async (
  transaction: Transaction,
  { ownerId, name }: NewOrganization,
  defaultProduct: string | null,
): Promise<FoundedOrganization> => {
  const organizationId = newId();
  const membershipId = newId();
  await transaction.execute(insertOrganization, [organizationId, name]);
  if (defaultProduct !== null) await transaction.execute(insertActiveSubscription, [organizationId, defaultProduct]);
  await transaction.execute(insertMember, [membershipId, ownerId, organizationId, 'OWNER']);
  return { organizationId, membershipId };
};

/** The organization that a new person owns, as their active membership. */
export const createDefaultOrganization = async (
  transaction: Transaction,
  owner: { readonly userId: string; readonly name: string },
  defaultProduct: string | null,
): Promise<void> => {
  const organization = { ownerId: owner.userId, name: defaultNameOf(owner.name) };
  const { membershipId } = await foundOrganization(transaction, organization, defaultProduct);
  await transaction.execute(setCurrentMembership, [owner.userId, membershipId]);
};

/**
 * The person is called otherwise from now on, because the old name was somebody else's word: so is the organization that
 * was named after it, unless others have joined it. The caller holds the person's row.
 */
export const renameDefaultOrganization = (
  transaction: Transaction,
  userId: string,
  names: { readonly old: string; readonly new: string },
): Promise<unknown> =>
  transaction.execute(renameOwnOrganizations, [userId, defaultNameOf(names.old), defaultNameOf(names.new)]);

const defaultNameOf = (owner: string): string => `${owner}'s organization`;
