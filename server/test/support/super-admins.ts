/** Super admins who sign in with a password, as the command line makes them. */
import { createSuperAdmin } from '../../src/domain/accounts/create-super-admin.ts';
import { platformScopes } from '../../src/domain/scopes/scopes.ts';
import { createPasswordHasher } from '../../src/platform/password-hasher.ts';
import { goodPassword, newAddress } from './clients.ts';
import type { Service } from './gatehouse.ts';

/** A super admin with these scopes; answers the address. */
export const createSuperAdminAccount = async (
  { database, config }: Pick<Service, 'database' | 'config'>,
  scopes: readonly string[] = platformScopes,
): Promise<string> => {
  const email = newAddress();
  const passwords = createPasswordHasher(10);
  await createSuperAdmin({ database, passwords, settings: config }, { email, password: goodPassword, scopes });
  await passwords.close();
  return email;
};
