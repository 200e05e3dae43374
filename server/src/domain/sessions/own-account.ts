/**
 * Operations of a user on their own account: changeName, setLanguage and changePassword
 * (contract/account.md#name-and-language, contract/account.md#change-of-password).
 */
import { invalidInput, requireValidInput } from '../../kernel/errors.ts';
import { isLanguage, languages } from '../../kernel/languages.ts';
import { databaseNow, type Transaction } from '../../platform/database/database.ts';
import { waitLimits, withNewDeadline } from '../../platform/database/deadlines.ts';
import type { Actor } from '../access/actor.ts';
import { requireLiveSession, requireRecentAuthentication } from '../access/authorize.ts';
import type { Deps, Settings } from '../access/deps.ts';
import { countPersonalTokens } from '../credentials/credentials-store.ts';
import { revokeOthersOfUser } from '../credentials/revoke.ts';
import { setPasswordHash } from '../users/accounts-store.ts';
import { endRequestedChange } from '../users/email-changes-store.ts';
import { setLanguageOfUser } from '../users/language.ts';
import { nameReason, normalizeName, passwordReason } from '../users/text-rules.ts';
import { lockUserRow, setName } from '../users/users-store.ts';
import { proveOwnPassword, wrongPassword } from './reauthenticate.ts';
import type { PresentedPassword, SignInDeps } from './sign-in.ts';

/** @returns the caller now @throws Refusal BAD_USER_INPUT: the name is empty or too long; UNAUTHENTICATED */
export const changeName = async (
  { database, logger }: Deps<'database' | 'logger'>,
  actor: Actor,
  typed: string,
): Promise<Actor> => {
  const name = normalizeName(typed);
  requireValidInput({ name: nameReason(name) });
  const { id: userId } = actor.user;
  await database.transaction(async (transaction) => {
    await transaction.maybeOne(lockUserRow, [userId]);
    await requireLiveSession(transaction, actor);
    await transaction.execute(setName, [userId, name]);
    const line = { event: 'auth.name_changed', userId, credentialId: actor.credential.id } as const;
    transaction.afterCommit(() => logger.info(line, 'A person changed their name'));
  });
  return { ...actor, user: { ...actor.user, name } };
};

/**
 * Sets the language of the caller's mails, and of the portal after sign-in.
 * @param typed null for no choice
 * @returns the caller as they are now
 * @throws Refusal BAD_USER_INPUT: there is no such language; UNAUTHENTICATED
 */
export const setLanguage = async (
  { database, logger }: Deps<'database' | 'logger'>,
  actor: Actor,
  typed: string | null,
): Promise<Actor> => {
  if (typed !== null && !isLanguage(typed)) {
    throw invalidInput({ language: `Choose one of ${languages.join(', ')}.` });
  }
  const { id: userId } = actor.user;
  await database.transaction(async (transaction) => {
    await transaction.maybeOne(lockUserRow, [userId]);
    await requireLiveSession(transaction, actor);
    await transaction.execute(setLanguageOfUser, [userId, typed]);
    const line = { event: 'auth.language_changed', userId, credentialId: actor.credential.id } as const;
    transaction.afterCommit(() => logger.info(line, 'A person changed their language'));
  });
  return { ...actor, user: { ...actor.user, language: typed } };
};

type ChangePasswordDeps = SignInDeps & Deps<'mail'> & Settings<'frontendUrl' | 'passwordBlocklist'>;

interface ChangePasswordInput extends Pick<PresentedPassword, 'caller' | 'deviceId'> {
  readonly currentPassword: string | null;
  readonly newPassword: string;
}

/**
 * Replaces the password, or sets the first. Other sessions, OAuth clients, codes and a requested change of address end;
 * personal tokens go on; a mail tells them. Has `bulkMillis`, because a person may have thousands (decision 0068).
 * @throws Refusal BAD_USER_INPUT: names the fields; REAUTHENTICATION_REQUIRED: for a first password, after 10 minutes;
 *   INVALID_CREDENTIALS: wrong, or changed meanwhile; RATE_LIMITED: as for a sign-in; UNAUTHENTICATED. Changes nothing
 */
export const changePassword = async (
  deps: ChangePasswordDeps,
  actor: Actor,
  { currentPassword, newPassword, caller, deviceId }: ChangePasswordInput,
): Promise<Actor> => {
  const { user } = actor;
  requireValidInput({
    currentPassword: currentPasswordReason(user.hasPassword, currentPassword),
    newPassword: passwordReason(newPassword, deps.settings.passwordBlocklist),
  });
  const current =
    currentPassword === null
      ? await proveRecently(deps, actor)
      : (await proveOwnPassword(deps, actor, { password: currentPassword, caller, deviceId })).passwordHash;
  const fresh = await deps.passwords.hash(newPassword, { ip: caller.ip, isKnown: deviceId !== null });
  const work = (transaction: Transaction) => replace(deps, transaction, actor, { current, fresh });
  await withNewDeadline(() => deps.database.transaction(work), waitLimits.bulkMillis);
  return { ...actor, user: { ...user, hasPassword: true } };
};

const currentPasswordReason = (hasPassword: boolean, current: string | null): string | null => {
  if (hasPassword) return current === null ? 'Enter your current password.' : null;
  return current === null ? null : 'Your account has no password yet: leave this out.';
};

/** Before the new password is hashed; the transaction checks again. @returns the hash of the account, which is none */
const proveRecently = async ({ database }: ChangePasswordDeps, actor: Actor): Promise<null> => {
  await requireRecentAuthentication(database, actor);
  return null;
};

interface PasswordHashes {
  /** Null where the account had no password. */
  readonly current: string | null;
  readonly fresh: string;
}

const replace = async (
  { mail, logger, settings }: ChangePasswordDeps,
  transaction: Transaction,
  actor: Actor,
  { current, fresh }: PasswordHashes,
): Promise<void> => {
  const { user, credential } = actor;
  await transaction.maybeOne(lockUserRow, [user.id]);
  await requireLiveSession(transaction, actor);
  if (current === null) await requireRecentAuthentication(transaction, actor);
  // Another change, or a removal of the password, has won.
  const replaced = await transaction.execute(setPasswordHash, [user.id, current, fresh]);
  if (replaced === 0) throw wrongPassword();
  await transaction.execute(endRequestedChange, [user.id]);
  const { sessionFamilyId, id: credentialId } = credential;
  const { revokedCredentials: revoked } = await revokeOthersOfUser(
    transaction,
    user.id,
    { keptFamilyId: sessionFamilyId, keepsTokens: true },
    'password_changed',
  );
  const { total: tokens } = await transaction.one(countPersonalTokens, [user.id]);
  await mail.enqueue(transaction, {
    mail: current === null ? 'passwordAdded' : 'passwordChanged',
    to: user.email,
    values: { name: user.name, at: await databaseNow(transaction), tokens },
    links: [`${settings.frontendUrl}/`],
  });
  const line = { event: 'auth.password_changed', userId: user.id, credentialId, revoked } as const;
  transaction.afterCommit(() => logger.info(line, 'A person changed their password'));
};
