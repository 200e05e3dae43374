/** Operation undoEmailChange (contract/account.md#undo-of-a-change): the former address takes the account back. */
import { sha256 } from '../../kernel/secrets.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { waitLimits, withNewDeadline } from '../../platform/database/deadlines.ts';
import type { Deps, MailDeps } from '../access/deps.ts';
import { endUnredeemedCodes } from '../credentials/credentials-store.ts';
import { revokeAllOfUser } from '../credentials/revoke.ts';
import { deleteIdentitiesSince, lockIdentitiesOfUser } from '../external-sign-in/identities-store.ts';
import { forgetFormer, restoreAuthenticators } from '../factors/former-authenticators.ts';
import { removeFactors } from '../factors/remove-factors.ts';
import { findUndoableChange, lockAddresses, restoreAccount, takeUndoableChange } from '../users/email-changes-store.ts';
import { bumpCredentialsRevision, getAddressee, lockUserRow } from '../users/users-store.ts';
import { absorbInvitedPerson, isLinkToken, linkNotOpen } from './change-email.ts';

type UndoDeps = Deps<'database' | 'logger'> & MailDeps;

/**
 * Puts back the former address, and password, passkeys, codes and provider links of 72 hours before the request: who
 * took the account over may have replaced them first (decision 0077). Ends every credential, and signs no one in. Has
 * `bulkMillis`, because a person may have thousands (decision 0068).
 * @param token raw; any other text is LINK_NOT_OPEN without a look-up
 * @throws Refusal LINK_NOT_OPEN: unknown, used, older than 72 hours, or the address was taken. Nothing changes then
 */
export const undoEmailChange = async (deps: UndoDeps, token: string): Promise<void> => {
  if (!isLinkToken(token)) throw linkNotOpen();
  const work = (transaction: Transaction) => undo(deps, transaction, sha256(token));
  await withNewDeadline(() => deps.database.transaction(work), waitLimits.bulkMillis);
};

const undo = async (deps: UndoDeps, transaction: Transaction, tokenHash: Buffer): Promise<void> => {
  const change = await transaction.maybeOne(findUndoableChange, [tokenHash]);
  if (change === null) throw linkNotOpen();
  const { userId } = change;
  // Lock order: addresses, identities, users.
  await transaction.many(lockAddresses, [[change.oldEmail, change.newEmail]]);
  await transaction.many(lockIdentitiesOfUser, [userId]);
  await transaction.maybeOne(lockUserRow, [userId]);
  const taken = await transaction.maybeOne(takeUndoableChange, [tokenHash]);
  if (taken === null) throw linkNotOpen();
  const { oldEmail, passwordHash, asOf } = taken;
  await transaction.execute(bumpCredentialsRevision, [userId]);
  const { revokedCredentials: revoked } = await revokeAllOfUser(transaction, userId, 'email_change_undone');
  await transaction.execute(endUnredeemedCodes, [userId]);
  await removeFactors(transaction, userId, asOf);
  await transaction.execute(deleteIdentitiesSince, [userId, asOf]);
  await restoreAuthenticators(transaction, userId, asOf);
  await absorbInvitedPerson(transaction, oldEmail, userId);
  // Comes last: it changes a unique column, see `completeInvitedProfile`.
  if ((await transaction.execute(restoreAccount, [userId, oldEmail, passwordHash])) === 0) throw linkNotOpen();
  // The factors between the two are no state that a later change may return to.
  await transaction.execute(forgetFormer, [userId, null]);
  await tell(deps, transaction, userId, asOf);
  const line = { event: 'auth.email_change_undone', userId, revoked } as const;
  transaction.afterCommit(() => deps.logger.warn(line, 'The former address of an account was put back'));
};

const tell = async (
  { mail, settings }: MailDeps,
  transaction: Transaction,
  userId: string,
  asOf: Date,
): Promise<void> => {
  const { email: to, name } = await transaction.one(getAddressee, [userId]);
  const links = [`${settings.frontendUrl}/signin`] as const;
  await mail.enqueue(transaction, { mail: 'emailChangeUndone', to, values: { name, at: asOf }, links });
};
