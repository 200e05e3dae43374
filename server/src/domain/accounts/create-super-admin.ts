/** A super admin: made from the command line or at the start, never through a surface. */
import { requireValidInput } from '../../kernel/errors.ts';
import { newPersonId } from '../../kernel/ids.ts';
import { randomHex } from '../../kernel/secrets.ts';
import type { Database } from '../../platform/database/database.ts';
import type { PasswordHasher } from '../../platform/password-hasher.ts';
import { isPlatformScope } from '../scopes/scopes.ts';
import { emailReason, normalizeEmail, passwordReason } from '../users/text-rules.ts';
import { insertSuperAdmin } from '../users/users-store.ts';
import { createDefaultOrganization } from './found-organization.ts';

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
