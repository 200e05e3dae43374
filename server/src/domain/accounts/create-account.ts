/**
 * Creates accounts: a person with an organization of their own, for a sign-up, an external identity or a super admin.
 */

import { requireValidInput } from '../../kernel/errors.ts';
import { newId, newPersonId } from '../../kernel/ids.ts';
import { type Keyring, randomHex } from '../../kernel/secrets.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { PasswordHasher } from '../../platform/passwords/password-hasher.ts';
import { insertActiveSubscription } from '../billing/billing-store.ts';
import { insertMember, insertOrganization, renameOwnOrganizations } from '../organizations/organizations-store.ts';
import { isPlatformScope } from '../scopes/scopes.ts';
import { emailReason, normalizeEmail, passwordReason } from '../users/text-rules.ts';
import { type InsertedUserRow, insertSuperAdmin, insertUser, setCurrentMembership } from '../users/users-store.ts';

// A new person with an organization of their own, the same for a sign-up and for an outside identity.

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

// A new organization: it begins with its owner and the default product.

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

// A super admin: made from the command line or at the start, never through a surface.

export interface CreateSuperAdminDeps {
  readonly database: Database;
  readonly passwords: PasswordHasher;
  readonly settings: { readonly passwordBlocklist: boolean; readonly defaultProduct: string | null };
}

export interface SuperAdminInput {
  readonly email: string;
  readonly password: string;
  readonly scopes: readonly string[];
}

const name = 'Super Admin';

/** A password for who gave none: random, and of the composition that the password rules ask for. */
export const generatedPassword = (): string => `Gate.${randomHex(10)}.7`;

/**
 * Creates a verified super admin with the given platform scopes and an organization of their own.
 * @returns false, with nothing changed, when the address has an account
 * @throws Refusal BAD_USER_INPUT naming email, password or scopes
 */
export const createSuperAdmin = async (deps: CreateSuperAdminDeps, input: SuperAdminInput): Promise<boolean> => {
  const email = normalizeEmail(input.email);
  requireValidInput({
    email: emailReason(email),
    password: passwordReason(input.password, deps.settings.passwordBlocklist),
    scopes: input.scopes.every(isPlatformScope) ? null : 'One of the scopes does not exist.',
  });
  const hash = await deps.passwords.hash(input.password);
  return deps.database.transaction(async (transaction) => {
    const user = await transaction.maybeOne(insertSuperAdmin, [newPersonId(), email, name, hash, input.scopes]);
    if (user === null) return false;
    await createDefaultOrganization(transaction, { userId: user.id, name }, deps.settings.defaultProduct);
    return true;
  });
};

// How an address is recognised for an hour after its account was deleted, without being stored.

/** @param email normalized. Under the newest secret alone: a rotation of GATEHOUSE_SECRET ends such an hour early. */
export const addressDigest = (keyring: Keyring, email: string): string => keyring.mac('rejected sign-up', email);
