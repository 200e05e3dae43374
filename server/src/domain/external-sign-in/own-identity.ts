/**
 * A user's own external identity: attach, show, unlink, review the password of a linked account, and the mails about
 * it.
 */

import { type Database, databaseNow, type Transaction } from '../../platform/database/database.ts';
import { instantInWords, type MailContent } from '../../platform/mail/message.ts';
import type { Actor } from '../access/actor.ts';
import { notAllowed, requireLiveSession, requireRecentAuthentication } from '../access/authorize.ts';
import type { Deps, Settings } from '../access/deps.ts';
import { requireNoPendingUndo } from '../access/pending-undo.ts';
import type { OwnIdentityRow } from '../credentials/holder-store.ts';
import { revokeOthersOfUser } from '../credentials/revoke.ts';
import { hasUsablePasskey } from '../factors/passkeys-store.ts';
import { endRequestedChange } from '../users/email-changes-store.ts';
import { getAddressee, lockUserRow, removePassword } from '../users/users-store.ts';
import type { KnownIdentity } from './attempt.ts';
import {
  deleteIdentities,
  findIdentityOfUser,
  insertIdentity,
  lockIdentitiesOfUser,
  settlePasswordQuestion,
} from './identities-store.ts';

export type IdentityMailDeps = Deps<'mail' | 'logger'> & Settings<'frontendUrl' | 'externalProvider'>;

/** The provider's name in mails, with a fallback for an identity of a provider that is no longer configured. */
const providerName = ({ externalProvider }: IdentityMailDeps['settings']): string =>
  externalProvider?.displayName ?? 'the identity provider';

/**
 * Links an identity to an existing account and notifies its user by mail. The caller holds the identity's lock and the
 * user's row, and has decided by facts that it read after that.
 */
export const attachIdentity = async (
  { mail, logger, settings }: IdentityMailDeps,
  transaction: Transaction,
  userId: string,
  { issuer, subject, email }: KnownIdentity,
  linking: Linking,
): Promise<void> => {
  const isByAddress = linking === 'by_address';
  const inserted = await transaction.one(insertIdentity, [issuer, subject, userId, email, isByAddress]);
  const addressee = await transaction.one(getAddressee, [userId]);
  const params = {
    to: addressee.email,
    name: addressee.name,
    provider: providerName(settings),
    email,
    at: inserted.linkedAt,
  };
  await mail.enqueue(transaction, linkedMail(settings.frontendUrl, { ...params, ...inserted }, linking));
  transaction.afterCommit(() =>
    logger.info(
      { event: 'auth.external_identity_linked', userId, linking },
      'An external identity was linked to an account',
    ),
  );
};

type OwnIdentityDeps = IdentityMailDeps & Deps<'database'> & Settings<'relyingParty'>;

/**
 * Operation unlinkExternalIdentity: the external provider no longer signs in to the caller's account. Sessions
 * continue, including those that began with the provider. Without a linked identity nothing changes, and the answer
 * shows it.
 * @returns the caller as they are now
 * @throws Refusal FORBIDDEN: the user has neither password nor passkey, and could not sign in any more, or the identity is
 *   older than a change of address that can be undone; REAUTHENTICATION_REQUIRED; UNAUTHENTICATED: the caller's session
 *   ended meanwhile
 */
export const unlinkExternalIdentity = async (deps: OwnIdentityDeps, actor: Actor): Promise<Actor> => {
  if (!(actor.user.hasPassword || (await hasPasskey(deps, actor)))) throw notAllowed();
  await deps.database.transaction((transaction) => unlink(deps, transaction, actor));
  return { ...actor, user: { ...actor.user, hasExternalIdentity: false } };
};

const hasPasskey = async ({ database, settings }: OwnIdentityDeps, { user }: Actor): Promise<boolean> =>
  (await database.one(hasUsablePasskey, [user.id, settings.relyingParty?.id ?? null])).has;

const unlink = async (
  { mail, logger, settings }: OwnIdentityDeps,
  transaction: Transaction,
  actor: Actor,
): Promise<void> => {
  const { id: userId, email, name } = actor.user;
  // The identity before the user, in the lock order of a sign-in by it.
  const identities = await transaction.many(lockIdentitiesOfUser, [userId]);
  await transaction.maybeOne(lockUserRow, [userId]);
  await requireRecentAuthentication(transaction, actor);
  for (const { linkedAt: addedAt } of identities) await requireNoPendingUndo(transaction, userId, { addedAt });
  const [unlinked] = await transaction.many(deleteIdentities, [userId, settings.relyingParty?.id ?? null]);
  if (unlinked === undefined) return requireNothingLinked(transaction, userId);
  // Undoing a change of address could not put the identity back.
  await transaction.execute(endRequestedChange, [userId]);
  const params = {
    to: email,
    name,
    provider: providerName(settings),
    email: unlinked.email,
    at: unlinked.unlinkedAt,
    hasPassword: unlinked.hasPassword,
  };
  await mail.enqueue(transaction, unlinkedMail(settings.frontendUrl, params));
  transaction.afterCommit(() =>
    logger.info(
      { event: 'auth.external_identity_unlinked', userId, credentialId: actor.credential.id },
      'An external identity was unlinked from an account',
    ),
  );
};

/** @throws Refusal FORBIDDEN: an identity is still linked, because it is now the last way to sign in */
const requireNothingLinked = async (transaction: Transaction, userId: string): Promise<void> => {
  if ((await transaction.maybeOne(findIdentityOfUser, [userId])) !== null) throw notAllowed();
};

// Operation reviewPassword: after an identity was linked by its address to an account with a password, the user decides
// once whether to keep that password. Another person may have set it, and may be signed in with it.

/**
 * Whether this session may review the password: the account has such a password, and the session began with the
 * provider. A session that began with the password neither sees nor answers the question.
 */
export const hasPasswordToReview = ({ user, credential }: Actor): boolean =>
  user.isPasswordInQuestion && credential.authMethod === 'google';

/**
 * Keeps the password, or removes it and ends every other session of the user, with OAuth clients and unredeemed codes.
 * The user is notified of a removal by mail.
 * @returns the caller as they are now
 * @throws Refusal FORBIDDEN: the session may not review, the question was answered meanwhile, or the password would go
 *   while a change of address can be undone; UNAUTHENTICATED: the caller's session ended meanwhile
 */
export const reviewPassword = async (deps: OwnIdentityDeps, actor: Actor, keep: boolean): Promise<Actor> => {
  if (!hasPasswordToReview(actor)) throw notAllowed();
  await deps.database.transaction((transaction) => review(deps, transaction, actor, keep));
  return { ...actor, user: { ...actor.user, hasPassword: keep, isPasswordInQuestion: false } };
};

const review = async (deps: OwnIdentityDeps, transaction: Transaction, actor: Actor, keep: boolean): Promise<void> => {
  const { id: userId } = actor.user;
  // The identity before the user, in the lock order of a sign-in by it.
  await transaction.many(lockIdentitiesOfUser, [userId]);
  await transaction.maybeOne(lockUserRow, [userId]);
  await requireLiveSession(transaction, actor);
  if ((await transaction.execute(settlePasswordQuestion, [userId])) === 0) throw notAllowed();
  const revoked = keep ? 0 : await remove(deps, transaction, actor);
  const facts = { userId, credentialId: actor.credential.id, kept: keep, revoked };
  transaction.afterCommit(() =>
    deps.logger.info(
      { event: 'auth.password_reviewed', ...facts },
      'A person reviewed the password of a linked account',
    ),
  );
};

/** @returns number of revoked credentials */
const remove = async (
  { mail, settings }: OwnIdentityDeps,
  transaction: Transaction,
  { user, credential }: Actor,
): Promise<number> => {
  const { sessionFamilyId } = credential;
  await requireNoPendingUndo(transaction, user.id, { addedAt: null });
  const { revokedCredentials } = await revokeOthersOfUser(transaction, user.id, sessionFamilyId, 'password_removed');
  await transaction.execute(removePassword, [user.id]);
  await transaction.execute(endRequestedChange, [user.id]);
  const at = await databaseNow(transaction);
  const params = { to: user.email, name: user.name, provider: providerName(settings), at };
  await mail.enqueue(transaction, passwordRemovedMail(settings.frontendUrl, params));
  return revokedCredentials;
};

// The external identity that the caller can sign in with.

/** Null when none is linked. */
export const findOwnIdentity = async (
  { database }: { readonly database: Database },
  { user }: Actor,
): Promise<OwnIdentityRow | null> =>
  user.hasExternalIdentity ? database.maybeOne(findIdentityOfUser, [user.id]) : null;

// Mails about ways to sign in. The recipient may not have caused the change, so each mail states its effect and how to
// respond to it. A password cannot be reset, so no mail mentions that.

/** How an identity was linked to an existing account. */
type Linking =
  /** A sign-in with the identity, whose address is the account's. */
  | 'by_address'
  /** As `by_address`; the account's password, set without the address ever being verified, was removed. */
  | 'by_address_instead_of_password'
  /** A user who was signed in to the account added it. */
  | 'by_session';

interface IdentityMailParams {
  readonly to: string;
  readonly name: string;
  /** The provider's display name. */
  readonly provider: string;
  /** The user's address at the provider; null without one. */
  readonly email: string | null;
  readonly at: Date;
}

const linkedMail = (
  frontendUrl: string,
  params: IdentityMailParams & { readonly isPasswordInQuestion: boolean },
  linking: Linking,
): MailContent => ({
  to: params.to,
  subject: `You can now sign in with ${params.provider}`,
  greeting: `Hello ${params.name},`,
  paragraphs: [
    `On ${instantInWords(params.at)}, ${accountInWords(params)} was connected to your account ${causes[linking]}. It can be used to sign in to your account from now on.`,
    ...(linking === 'by_address_instead_of_password' ? [passwordIsGone] : []),
    ...(params.isPasswordInQuestion ? [passwordInQuestion(params.provider)] : []),
  ],
  action: { label: 'See your ways to sign in', url: `${frontendUrl}/account` },
  remark: linkedRemarks[linking](params.provider),
});

const causes: Readonly<Record<Linking, string>> = {
  by_address: 'because it has your address and was used to sign in here',
  by_address_instead_of_password: 'because it has your address and was used to sign in here',
  by_session: 'from a session that was signed in to your account',
};

const passwordIsGone =
  'Before that, the address of the account was not confirmed, so the password of the account was removed, and every session that began with it has ended.';

const passwordInQuestion = (provider: string): string =>
  `The account also has a password. If you did not set it, sign in with ${provider}: you are asked once whether to remove it, which signs out every other device.`;

const disconnect = (provider: string): string =>
  `If it was not you, sign in with your password, disconnect ${provider} under “Ways to sign in”, and sign out everywhere under “Your devices”.`;

const linkedRemarks: Readonly<Record<Linking, (provider: string) => string>> = {
  by_address: (provider) =>
    `${disconnect(provider)} Another person may then be able to use ${provider} with your address: secure that account too.`,
  by_address_instead_of_password: (provider) =>
    `If it was not you, another person can use ${provider} with your address: secure that account, and contact the operator of this service.`,
  by_session: disconnect,
};

const unlinkedMail = (
  frontendUrl: string,
  params: IdentityMailParams & { readonly hasPassword: boolean },
): MailContent => ({
  to: params.to,
  subject: `You can no longer sign in with ${params.provider}`,
  greeting: `Hello ${params.name},`,
  paragraphs: [
    `On ${instantInWords(params.at)}, ${accountInWords(params)} was disconnected from your account in a session that was signed in to it. You sign in with your ${params.hasPassword ? 'password' : 'passkey'} from now on.`,
    `Your sessions stay signed in. If you sign in with ${params.provider} and this address again, it may be connected again.`,
  ],
  action: { label: 'See your ways to sign in', url: `${frontendUrl}/account` },
  remark: `If it was not you, sign in with your ${params.hasPassword ? 'password' : 'passkey'}, and sign out everywhere under “Your devices”.`,
});

const passwordRemovedMail = (
  frontendUrl: string,
  params: Pick<IdentityMailParams, 'to' | 'name' | 'provider' | 'at'>,
): MailContent => ({
  to: params.to,
  subject: 'The password of your account was removed',
  greeting: `Hello ${params.name},`,
  paragraphs: [
    `On ${instantInWords(params.at)}, the password of your account was removed from a session that began with ${params.provider}. Every other device and client was signed out. You sign in with ${params.provider} from now on.`,
  ],
  action: { label: 'See your ways to sign in', url: `${frontendUrl}/account` },
  remark: `If it was not you, another person can use ${params.provider} with your address: secure that account, and contact the operator of this service.`,
});

const accountInWords = ({ provider, email }: IdentityMailParams): string =>
  email === null ? `an account at ${provider}` : `the account ${email} at ${provider}`;
