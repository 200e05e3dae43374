/**
 * Owns: change of a user's e-mail address: request, confirmation, and undoing it from the former address.
 * Promises: A request is answered alike for known and unknown addresses, in content and in time; for 72 hours the
 *   former address puts back what signed in to the account 72 hours before the request.
 *
 * Operations requestEmailChange and confirmEmailChange (contract/account.md#request-for-another-address,
 * contract/account.md#confirmation-of-an-address).
 */
import { Refusal, requireValidInput } from '../../kernel/errors.ts';
import { randomHex, sha256 } from '../../kernel/secrets.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import type { Actor } from '../access/actor.ts';
import { requireLiveSession, requireNoPendingUndo, requireRecentAuthentication } from '../access/authorize.ts';
import type { Deps, MailDeps } from '../access/deps.ts';
import { answerLater, newValidationToken, sendToKnownAddress } from '../accounts/verify-email.ts';
import { findOwnerOfAddress } from '../users/accounts-store.ts';
import {
  confirmRequestedChange,
  deleteInvitedPerson,
  findRequestedChange,
  isReserved,
  lockAddresses,
  lockInvitedPerson,
  lockRequester,
  moveInvitations,
  requestChange,
  setEmail,
} from '../users/email-changes-store.ts';
import { emailReason, mailboxOf, normalizeEmail } from '../users/text-rules.ts';
import { lockUserRow } from '../users/users-store.ts';

type RequestDeps = Deps<'database' | 'intervals' | 'limits' | 'logger'> & MailDeps;

/**
 * Requests another address. It gets a link, valid once for 24 hours; a taken one a notice, at most one an hour; the
 * present address is told in both cases. Replaces an earlier request, and does nothing again within the hour.
 * @throws Refusal BAD_USER_INPUT: newEmail is malformed or the caller's; REAUTHENTICATION_REQUIRED; FORBIDDEN: an
 *   earlier change can be undone; RATE_LIMITED: person or mailbox; UNAUTHENTICATED. Nothing is stored or sent then
 */
export const requestEmailChange = async (deps: RequestDeps, actor: Actor, typed: string): Promise<void> => {
  const newEmail = normalizeEmail(typed);
  const isOwn = newEmail === actor.user.email;
  requireValidInput({ newEmail: emailReason(newEmail) ?? (isOwn ? 'This is your address already.' : null) });
  await requireRecentAuthentication(deps.database, actor);
  await deps.limits.consume(rateLimits.emailChange, actor.user.id);
  await answerLater(deps.intervals.signUpAnswer, () =>
    deps.database.transaction((transaction) => request(deps, transaction, actor, newEmail)),
  );
};

const request = async (deps: RequestDeps, transaction: Transaction, actor: Actor, newEmail: string): Promise<void> => {
  const { user, credential } = actor;
  const { mail, limits, logger, settings } = deps;
  await transaction.many(lockRequester, [user.id, newEmail]);
  await requireLiveSession(transaction, actor);
  await requireRecentAuthentication(transaction, actor);
  await requireNoPendingUndo(transaction, user.id, { addedAt: null });
  const token = newLinkToken();
  const requested = await transaction.maybeOne(requestChange, [user.id, newEmail, sha256(token)]);
  if (requested === null) return;
  await limits.consumeIn(transaction, rateLimits.emailChangeTo, mailboxOf(newEmail));
  const { email, name } = user;
  const { frontendUrl } = settings;
  const at = requested.requestedAt;
  const told = { mail: 'emailChangeRequested', to: email, values: { name, newEmail, at } } as const;
  await mail.enqueue(transaction, { ...told, links: [`${frontendUrl}/account`] });
  if (await isTaken(transaction, newEmail)) {
    const address = { email: newEmail, redirect: null, token: newValidationToken() };
    await sendToKnownAddress(deps, transaction, address, 'change_of_address');
  } else {
    const asked = { mail: 'emailChangeConfirmation', to: newEmail, accounts: [email], values: { email, at } } as const;
    await mail.enqueue(transaction, { ...asked, links: [`${frontendUrl}/account/email/${token}`] });
  }
  const line = { event: 'auth.email_change_requested', userId: user.id, credentialId: credential.id } as const;
  transaction.afterCommit(() => logger.info(line, 'A person requested another address for their account'));
};

/** Whether another account has the address, or it is reserved for one. A row that was only invited is no account. */
const isTaken = async (transaction: Transaction, email: string): Promise<boolean> =>
  (await transaction.maybeOne(findOwnerOfAddress, [email])) !== null ||
  (await transaction.one(isReserved, [email])).held;

/**
 * Gives the account the address that the link was sent to, with invitations to it. The former address gets a link that
 * undoes it, valid once for 72 hours.
 * @param token raw; any other text is LINK_NOT_OPEN without a look-up
 * @returns the caller as they are now
 * @throws Refusal LINK_NOT_OPEN: not open, or the address was taken; ACCOUNT_MISMATCH: another person's, which stays
 *   open; UNAUTHENTICATED. Nothing changes then
 */
export const confirmEmailChange = async (
  deps: Deps<'database' | 'logger'> & MailDeps,
  actor: Actor,
  token: string,
): Promise<Actor> => {
  if (!isLinkToken(token)) throw linkNotOpen();
  const { email, emailValidatedAt } = await deps.database.transaction((transaction) =>
    confirm(deps, transaction, actor, sha256(token)),
  );
  return { ...actor, user: { ...actor.user, email, emailValidatedAt } };
};

const confirm = async (
  { mail, logger, settings }: Deps<'logger'> & MailDeps,
  transaction: Transaction,
  actor: Actor,
  tokenHash: Buffer,
): Promise<{ readonly email: string; readonly emailValidatedAt: Date }> => {
  const { user, credential } = actor;
  const change = await transaction.maybeOne(findRequestedChange, [tokenHash]);
  if (change === null) throw linkNotOpen();
  if (change.userId !== user.id) {
    throw new Refusal('ACCOUNT_MISMATCH', 'This link is for another account. Sign in with that one to use it.');
  }
  const { oldEmail, newEmail } = change;
  // Lock order: addresses, then users.
  await transaction.many(lockAddresses, [[oldEmail, newEmail]]);
  await transaction.maybeOne(lockUserRow, [user.id]);
  await requireLiveSession(transaction, actor);
  const undoToken = newLinkToken();
  const confirmed = await transaction.maybeOne(confirmRequestedChange, [user.id, tokenHash, sha256(undoToken)]);
  if (confirmed === null) throw linkNotOpen();
  await absorbInvitedPerson(transaction, newEmail, user.id);
  if ((await transaction.execute(setEmail, [user.id, newEmail])) === 0) throw linkNotOpen();
  const { confirmedAt: at } = confirmed;
  await mail.enqueue(transaction, {
    mail: 'emailChanged',
    to: oldEmail,
    accounts: [newEmail],
    values: { name: user.name, email: oldEmail, newEmail, at },
    links: [`${settings.frontendUrl}/account/email/undo/${undoToken}`],
  });
  const line = { event: 'auth.email_changed', userId: user.id, credentialId: credential.id } as const;
  transaction.afterCommit(() => logger.info(line, 'A person confirmed the new address of their account'));
  return { email: newEmail, emailValidatedAt: at };
};

/** Gives a user who proved to own an address the invitations to it. The caller holds the lock of the address. */
export const absorbInvitedPerson = async (transaction: Transaction, email: string, userId: string): Promise<void> => {
  const invited = await transaction.maybeOne(lockInvitedPerson, [email]);
  if (invited === null) return;
  await transaction.execute(moveInvitations, [invited.id, userId]);
  await transaction.execute(deleteInvitedPerson, [invited.id]);
};

// The secrets of the links, 32 random bytes as hex; stored as SHA-256.

const newLinkToken = (): string => randomHex(32);

export const isLinkToken = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

export const linkNotOpen = (): Refusal => new Refusal('LINK_NOT_OPEN', 'This link is no longer open.');
