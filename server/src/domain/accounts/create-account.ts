/** Creates accounts: a user with an organization of their own, for a sign-up, an external identity or a super admin. */
import { requireValidInput } from '../../kernel/errors.ts';
import { newId, newPersonId } from '../../kernel/ids.ts';
import { type Keyring, randomHex } from '../../kernel/secrets.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Deps, Settings } from '../access/deps.ts';
import { insertActiveSubscription } from '../billing/billing-store.ts';
import { insertMember, insertOrganization, renameOwnOrganizations } from '../organizations/organizations-store.ts';
import { isPlatformScope } from '../scopes/scopes.ts';
import { shareAddress } from '../users/email-changes-store.ts';
import { emailReason, normalizeEmail, passwordReason } from '../users/text-rules.ts';
import { type InsertedUserRow, insertSuperAdmin, insertUser, setCurrentMembership } from '../users/users-store.ts';

// A new user with an organization of their own, for sign-ups and external identities alike.

interface NewAccount {
  /** Normalized. */
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string | null;
  /** Null when the address is already verified. */
  readonly validationTokenHash: Buffer | null;
  readonly redirect: string | null;
  /** SHA-256 of the id of the portal's browser that signed up; null for every other account. */
  readonly browserHash: Buffer | null;
}

/** A person who was only invited becomes this account. @returns null when the address is taken or reserved */
export const createAccount = async (
  { keyring, settings }: Deps<'keyring'> & Settings<'defaultProduct'>,
  transaction: Transaction,
  account: NewAccount,
): Promise<InsertedUserRow | null> => {
  const { email, name, passwordHash, validationTokenHash, redirect, browserHash } = account;
  await transaction.maybeOne(shareAddress, [email]);
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

interface NewOrganization {
  readonly ownerId: string;
  /** Normalized. */
  readonly name: string;
}

/** Creates an organization with its owner. @param defaultProduct null: no subscription, so every scope check denies */
export const foundOrganization = async (
  transaction: Transaction,
  { ownerId, name }: NewOrganization,
  defaultProduct: string | null,
): Promise<{ readonly organizationId: string; readonly membershipId: string }> => {
  const organizationId = newId();
  const membershipId = newId();
  await transaction.execute(insertOrganization, [organizationId, name]);
  if (defaultProduct !== null) await transaction.execute(insertActiveSubscription, [organizationId, defaultProduct]);
  await transaction.execute(insertMember, [membershipId, ownerId, organizationId, 'OWNER']);
  return { organizationId, membershipId };
};

/** Creates the organization that a new user owns, as their active membership. */
const createDefaultOrganization = async (
  transaction: Transaction,
  owner: { readonly userId: string; readonly name: string },
  defaultProduct: string | null,
): Promise<void> => {
  const organization = { ownerId: owner.userId, name: defaultNameOf(owner.name) };
  const { membershipId } = await foundOrganization(transaction, organization, defaultProduct);
  await transaction.execute(setCurrentMembership, [owner.userId, membershipId]);
};

/**
 * Renames the organization named after the user when an untrusted name of theirs is replaced, unless the organization
 * has other members. The caller holds the user's row.
 */
export const renameDefaultOrganization = (
  transaction: Transaction,
  userId: string,
  names: { readonly old: string; readonly new: string },
): Promise<unknown> =>
  transaction.execute(renameOwnOrganizations, [userId, defaultNameOf(names.old), defaultNameOf(names.new)]);

const defaultNameOf = (owner: string): string => `${owner}'s organization`;

// Super admins are created from the command line or at start-up, never through a surface.

interface SuperAdminInput {
  readonly email: string;
  readonly password: string;
  readonly scopes: readonly string[];
}

const name = 'Super Admin';

/** A random password that satisfies the password rules, for when none was given. */
export const generatedPassword = (): string => `Gate.${randomHex(10)}.7`;

/**
 * Creates a verified super admin with an organization.
 * @returns false, with nothing changed, when the address has an account
 * @throws Refusal BAD_USER_INPUT: names email, password or scopes
 */
export const createSuperAdmin = async (
  deps: Deps<'database' | 'logger' | 'passwords'> & Settings<'passwordBlocklist' | 'defaultProduct'>,
  input: SuperAdminInput,
): Promise<boolean> => {
  const email = normalizeEmail(input.email);
  requireValidInput({
    email: emailReason(email),
    password: passwordReason(input.password, deps.settings.passwordBlocklist),
    scopes: input.scopes.every(isPlatformScope) ? null : 'One of the scopes does not exist.',
  });
  const hash = await deps.passwords.hash(input.password);
  return deps.database.transaction(async (transaction) => {
    await transaction.maybeOne(shareAddress, [email]);
    const user = await transaction.maybeOne(insertSuperAdmin, [newPersonId(), email, name, hash, input.scopes]);
    if (user === null) return false;
    await createDefaultOrganization(transaction, { userId: user.id, name }, deps.settings.defaultProduct);
    const facts = { userId: user.id, scopes: input.scopes };
    transaction.afterCommit(() =>
      deps.logger.warn({ event: 'auth.super_admin_created', ...facts }, 'A super admin was created'),
    );
    return true;
  });
};

/**
 * Recognises an address for an hour after its account was deleted, with the newest secret alone: a rotation of
 * GATEHOUSE_SECRET ends that hour early.
 * @param email normalized
 */
export const addressDigest = (keyring: Keyring, email: string): string => keyring.mac('rejected sign-up', email);
