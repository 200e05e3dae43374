/** Super admins who sign in with a password, created as by the command line. */
import { createSuperAdmin } from '../../../src/domain/accounts/create-account.ts';
import { platformScopes } from '../../../src/domain/scopes/scopes.ts';
import { cheapPasswords } from '../../../src/testing/cheap-passwords.ts';
import { goodPassword, newAddress } from '../clients/clients.ts';
import type { Service } from '../gatehouse/gatehouse.ts';
import { silentLogger } from '../gatehouse/silent-logger.ts';

export const createSuperAdminAccount = async (
  { database, config }: Pick<Service, 'database' | 'config'>,
  scopes: readonly string[] = platformScopes,
): Promise<string> => {
  const email = newAddress();
  await createSuperAdmin(
    { database, logger: silentLogger, passwords: cheapPasswords, settings: config },
    { email, password: goodPassword, scopes },
  );
  return email;
};

/** Grants every super admin exactly these scopes during `work`, then restores the former ones. */
export const whileScopesAre = async (
  { sql }: Pick<Service, 'sql'>,
  scopes: readonly string[],
  act: () => Promise<void>,
): Promise<void> => {
  const granted = await sql<{ id: string; scopes: string[] }>(
    'SELECT id, platform_scopes AS scopes FROM users WHERE is_super_admin',
  );
  await sql('UPDATE users SET platform_scopes = $1 WHERE is_super_admin', [scopes]);
  try {
    await act();
  } finally {
    for (const person of granted) {
      await sql('UPDATE users SET platform_scopes = $2 WHERE id = $1', [person.id, person.scopes]);
    }
  }
};
