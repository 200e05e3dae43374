/** `gatehouse set-password`, `remove-second-factor` and `reinstate-user`, for a person who is locked out. */
import { type Config, optionalPartsOf } from '../../config/config.ts';
import type { MailDeps } from '../../domain/access/deps.ts';
import { type Application, mailLookOf } from '../../domain/scopes/application.ts';
import { removeSecondFactorByOperator, setPasswordByOperator } from '../../domain/session-admin/operator-shell.ts';
import { reinstateByOperator } from '../../domain/session-admin/suspend-user.ts';
import { findLanguageOfMail } from '../../domain/users/language.ts';
import { Keyring } from '../../kernel/secrets.ts';
import type { Database } from '../../platform/database/database.ts';
import { createOutbox } from '../../platform/mail/outbox.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import { createPasswordHasher } from '../../platform/passwords/password-hasher.ts';
import { loadApplication } from '../application.ts';
import { CommandFailed } from '../exit.ts';
import { loadConfig, quietLogger, withUnchanged } from '../open.ts';
import { counted, type JsonOption, print } from '../output.ts';

/** @throws CommandFailed when no account has the address */
export const runSetPassword = (email: string, options: JsonOption): Promise<void> =>
  withAccounts(async ({ database, logger, mail, config }) => {
    const passwords = createPasswordHasher(config.saltRounds);
    try {
      const set = await setPasswordByOperator({ database, logger, passwords, mail, settings: config }, email);
      if (set === null) throw noAccountWith(email);
      // Printed before anything else can fail or a signal can end the process: the password is stored nowhere else.
      const { password, revokedCredentials, isUnverified } = set;
      const unverified = isUnverified ? ' The address is not verified: the link in its mail comes first.' : '';
      print(
        options,
        { email, password, revokedCredentials, isUnverified },
        `Everything of ${email} was signed out.${unverified} The new password, shown this once: ${password}`,
      );
    } finally {
      await passwords.close();
    }
  });

/** @throws CommandFailed when no account has the address */
export const runRemoveSecondFactor = (email: string, options: JsonOption): Promise<void> =>
  withAccounts(async ({ database, logger, mail, config }) => {
    const removed = await removeSecondFactorByOperator({ database, logger, mail, settings: config }, email);
    if (removed === null) throw noAccountWith(email);
    print(options, { email, ...removed }, `${inWords(removed)} of ${email}.${removed.canSignIn ? '' : noWayLeft}`);
  });

/** @throws CommandFailed when no account has the address */
export const runReinstateUser = (email: string, options: JsonOption): Promise<void> =>
  withAccounts(async ({ database, logger, mail, config }) => {
    const wasSuspended = await reinstateByOperator({ database, logger, mail, settings: config }, email);
    if (wasSuspended === null) throw noAccountWith(email);
    const sentence = wasSuspended ? `${email} can sign in again.` : `${email} was not suspended; nothing was changed.`;
    print(options, { email, wasSuspended }, sentence);
  });

const noWayLeft = ' The person has no password and no identity at a provider: run gatehouse set-password.';

const inWords = ({ passkeys, oneTimeCodes }: { readonly passkeys: number; readonly oneTimeCodes: boolean }): string => {
  const codes = oneTimeCodes ? ', one-time codes and recovery codes' : '';
  return passkeys === 0 && !oneTimeCodes
    ? 'Nothing to remove: there is no second factor'
    : `Removed ${counted(passkeys, 'passkey')}${codes}`;
};

const noAccountWith = (email: string): CommandFailed =>
  new CommandFailed(`No account has the address ${email}; nothing was changed.`);

interface Accounts extends Pick<MailDeps, 'mail'> {
  readonly application: Application;
  readonly config: Config;
  readonly database: Database;
  /** Its lines of what the operator did go to standard error. */
  readonly logger: Logger;
}

/** Opens the accounts. The mails are queued, each in its recipient's language; the service sends them. */
export const withAccounts = async (work: (accounts: Accounts) => Promise<void>): Promise<void> => {
  const config = loadConfig();
  const application = (await loadApplication(config)).serving(optionalPartsOf(config));
  const logger = quietLogger();
  await withUnchanged(config, logger, async (database) => {
    const mail = createOutbox({
      database,
      logger,
      keyring: new Keyring(config.secrets),
      transport: noTransport,
      look: mailLookOf(application),
      overrides: application.mailTexts,
      findLanguage: findLanguageOfMail,
    });
    await work({ application, database, logger, mail, config });
  });
};

/** For an outbox that is never started. */
const noTransport = {
  send: (): Promise<void> => Promise.reject(new Error('This process sends no mail')),
  close: (): void => undefined,
};
