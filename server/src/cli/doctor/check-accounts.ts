/** Doctor check of super admins: one exists, one may use Platform MCP, and SUPER_ADMIN_EMAIL can take effect. */
import type { Config } from '../../config/config.ts';
import { present } from '../../kernel/collections.ts';
import type { NamedAccount, SuperAdminCounts } from './doctor-store.ts';
import { type Finding, findingsOn } from './findings.ts';

const { ok, warning, error } = findingsOn('accounts');

interface AccountCounts extends SuperAdminCounts {
  /** The account with the address SUPER_ADMIN_EMAIL; null when there is none, or the variable is not set. */
  readonly named: NamedAccount | null;
}

export const checkAccounts = (config: Config, facts: AccountCounts): Finding[] => {
  const { named, superAdmins, withSecondFactor } = facts;
  return present(
    named !== null &&
      !named.isSuperAdmin &&
      !named.isOnlyInvited &&
      error(
        'SUPER_ADMIN_EMAIL names an account that is not a super admin, and the service never changes an existing account.',
        'Set it to an address that has no account, or run gatehouse create-super-admin --email with one.',
      ),
    existenceFinding(config, facts),
    config.superAdminsNeedSecondFactor &&
      superAdmins > withSecondFactor &&
      warning(
        `${superAdmins - withSecondFactor} of ${superAdmins} super admins have no second factor, and cannot act as super admins without one.`,
        'Let them sign in and set up a passkey or one-time codes under “Account”, “Security”, or set SUPER_ADMIN_SECOND_FACTOR=optional.',
      ),
  );
};

const existenceFinding = ({ superAdmin, mcp }: Config, { superAdmins, withMcp, named }: AccountCounts): Finding => {
  if (superAdmins === 0) {
    const willBeMade = superAdmin !== null && (named === null || named.isOnlyInvited);
    return willBeMade
      ? ok('There is no super admin yet; the next start creates the one of SUPER_ADMIN_EMAIL.')
      : warning('There is no super admin.', 'Run gatehouse create-super-admin --email with your address.');
  }
  const number = superAdmins === 1 ? 'There is one super admin' : `There are ${superAdmins} super admins`;
  return mcp.enabled && withMcp === 0
    ? warning(
        `${number}, and none holds a scope of Platform MCP, so no MCP client can be connected.`,
        'Run gatehouse create-super-admin --email with a new address; without --scopes it grants all of them.',
      )
    : ok(`${number}.`);
};
