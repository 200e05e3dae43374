/** The initial accounts of a new instance: SUPER_ADMIN_EMAIL with SUPER_ADMIN_PASSWORD, and SEED_DEMO_DATA. */
import { type Config, ConfigRefused } from '../config/config.ts';
import { createSuperAdmin, generatedPassword } from '../domain/accounts/create-account.ts';
import type { Application } from '../domain/scopes/application.ts';
import { platformScopes } from '../domain/scopes/scopes.ts';
import { normalizeEmail } from '../domain/users/text-rules.ts';
import { findAccountByEmail } from '../domain/users/users-store.ts';
import { Refusal } from '../kernel/errors.ts';
import type { Database } from '../platform/database/database.ts';
import type { MailQueue } from '../platform/mail/outbox.ts';
import type { Logger } from '../platform/observability/logger.ts';
import type { PasswordHasher } from '../platform/passwords/password-hasher.ts';
import { demoInvitations, demoPassword, demoPeopleOf, seedDemoData } from './demo/demo-data.ts';

export interface FirstAccounts {
  /** One line for each demo account, with its password; shown in development. */
  readonly demo: readonly string[];
  /** One line for each demo invitation whose mail was just queued. */
  readonly invitations: readonly string[];
}

interface FirstAccountsDeps {
  readonly application: Application;
  readonly database: Database;
  readonly logger: Logger;
  readonly passwords: PasswordHasher;
  readonly mail: MailQueue;
  readonly config: Config;
  /** Called once the account exists, if its password was just generated: it is stored nowhere else. */
  readonly showSuperAdmin: (line: string) => void;
}

/** Creates missing accounts; changes no existing one. */
export const prepareAccounts = async (deps: FirstAccountsDeps): Promise<FirstAccounts> => {
  await prepareSuperAdmin(deps);
  if (!deps.config.seedDemoData) return { demo: [], invitations: [] };
  const isNew = await seedDemoData({ ...deps, settings: deps.config });
  return { demo: demoLinesOf(deps.application), invitations: isNew ? invitationLines : [] };
};

const demoLinesOf = (application: Application): string[] =>
  demoPeopleOf(application).map(({ email, memberships }) => {
    const roles = memberships.map(([organization, role]) => `${role} of ${organization}`);
    return `${email}  ${demoPassword}  ${roles.join(', ')}`;
  });

const invitationLines = demoInvitations
  .filter(({ isExpired }) => !isExpired)
  .map(({ email, organization }) => `${email}  to ${organization}; the link is in the mail`);

const prepareSuperAdmin = async (deps: FirstAccountsDeps): Promise<void> => {
  const { database, logger, passwords, config, showSuperAdmin } = deps;
  if (config.superAdmin === null) return;
  const email = normalizeEmail(config.superAdmin.email);
  const known = await database.maybeOne(findAccountByEmail, [email]);
  // Avoids the hash at later starts. An unaccepted invitation has neither field set, and its row becomes this account.
  if (known !== null && (known.passwordHash !== null || known.isUnverified)) return;
  const password = config.superAdmin.password ?? generatedPassword();
  const input = { email, password, scopes: platformScopes };
  const creating = createSuperAdmin({ database, logger, passwords, settings: config }, input);
  const isNew = await creating.catch(asConfigurationProblem);
  // One of several starting processes creates the account; the passwords that the others generated are unused.
  if (isNew && config.superAdmin.password === undefined) showSuperAdmin(`${email}  ${password}  shown this once`);
};

const asConfigurationProblem = (error: unknown): never => {
  if (!(error instanceof Refusal)) throw error;
  const fields = Object.entries(error.details.fields ?? {});
  throw new ConfigRefused(fields.map(([field, reason]) => `SUPER_ADMIN_${field.toUpperCase()}: ${reason}`));
};
