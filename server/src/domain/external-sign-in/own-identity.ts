/** A user's own external identity: attach, show, unlink, review the account's password, and the mails about it. */
import { type Database, databaseNow, type Transaction } from '../../platform/database/database.ts';
import { waitLimits, withNewDeadline } from '../../platform/database/deadlines.ts';
import type { Mail, MailValues } from '../../platform/mail/mails.ts';
import type { Actor } from '../access/actor.ts';
import {
  notAllowed,
  requireLiveSession,
  requireNoPendingUndo,
  requireRecentAuthentication,
} from '../access/authorize.ts';
import type { Deps, Settings } from '../access/deps.ts';
import { actIn } from '../audit/audits-of-transaction.ts';
import type { OwnIdentityRow } from '../credentials/actor-store.ts';
import { revokeOthersOfUser } from '../credentials/revoke.ts';
import { settlePassword } from '../factors/former-authenticators.ts';
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

/** Links an identity and tells the user by mail. The caller holds identity and user, and has decided since. */
export const attachIdentity = async (
  { mail, logger, settings }: IdentityMailDeps,
  transaction: Transaction,
  userId: string,
  { issuer, subject, email }: KnownIdentity,
  linking: Linking,
): Promise<void> => {
  const isByAddress = linking === 'by_address';
  const inserted = await transaction.one(insertIdentity, [issuer, subject, userId, email, isByAddress]);
  const { email: to, name } = await transaction.one(getAddressee, [userId]);
  await mail.enqueue(transaction, {
    mail: inserted.isPasswordInQuestion ? 'identityLinkedWithPassword' : linkedMails[linking],
    to,
    values: valuesOf(settings, { name, email, at: inserted.linkedAt }),
    links: [`${settings.frontendUrl}/account`],
  });
  const line = { event: 'auth.external_identity_linked', userId, linking } as const;
  transaction.afterCommit(() => logger.info(line, 'An external identity was linked to an account'));
};

type OwnIdentityDeps = IdentityMailDeps & Deps<'database'> & Settings<'relyingParty'>;

/**
 * Operation unlinkExternalIdentity: ends sign-in by the provider, not its sessions; without an identity, nothing.
 * @returns the caller as they are now
 * @throws Refusal FORBIDDEN: no other way to sign in, or older than a change of address that can be undone;
 *   REAUTHENTICATION_REQUIRED; UNAUTHENTICATED
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
  const values = valuesOf(settings, { name, email: unlinked.email, at: unlinked.unlinkedAt });
  await mail.enqueue(transaction, {
    mail: 'identityUnlinked',
    to: email,
    values: { ...values, way: unlinked.hasPassword ? 'password' : 'passkey' },
    links: [`${settings.frontendUrl}/account`],
  });
  const line = { event: 'auth.external_identity_unlinked', userId, credentialId: actor.credential.id } as const;
  transaction.afterCommit(() => logger.info(line, 'An external identity was unlinked from an account'));
};

/** @throws Refusal FORBIDDEN: an identity is still linked, because it is now the last way to sign in */
const requireNothingLinked = async (transaction: Transaction, userId: string): Promise<void> => {
  if ((await transaction.maybeOne(findIdentityOfUser, [userId])) !== null) throw notAllowed();
};

// Operation reviewPassword: an identity was linked by its address, and another person may have set the password and be
// signed in with it. The user decides once whether to keep it.

/** Whether the question of the password is this session's: it began with the provider, not with that password. */
export const hasPasswordToReview = ({ user, credential }: Actor): boolean =>
  user.isPasswordInQuestion && credential.authMethod === 'google';

/**
 * Keeps the password, or removes it and ends every other session, with OAuth clients and codes, of which a mail tells.
 * Has `bulkMillis`, because a person may have thousands (decision 0068).
 * @returns the caller as they are now
 * @throws Refusal FORBIDDEN: not this session's, answered already, or removal while a change of address can be undone;
 *   UNAUTHENTICATED
 */
export const reviewPassword = async (deps: OwnIdentityDeps, actor: Actor, keep: boolean): Promise<Actor> => {
  if (!hasPasswordToReview(actor)) throw notAllowed();
  const work = (transaction: Transaction) => review(deps, transaction, actor, keep);
  await withNewDeadline(() => deps.database.transaction(work), waitLimits.bulkMillis);
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
  const line = { event: 'auth.password_reviewed', ...facts } as const;
  transaction.afterCommit(() => deps.logger.info(line, 'A person reviewed the password of a linked account'));
};

/** @returns number of revoked credentials */
const remove = async ({ mail, settings }: OwnIdentityDeps, transaction: Transaction, actor: Actor): Promise<number> => {
  const { user } = actor;
  const { sessionFamilyId } = actor.credential;
  await requireNoPendingUndo(transaction, user.id, { addedAt: null });
  // Who set the password may have made tokens with it.
  const kept = { keptFamilyId: sessionFamilyId, keepsTokens: false };
  actIn(transaction, actor);
  const { revokedCredentials } = await revokeOthersOfUser(transaction, user.id, kept, 'password_removed');
  await transaction.execute(removePassword, [user.id]);
  await transaction.execute(settlePassword, [user.id]);
  await transaction.execute(endRequestedChange, [user.id]);
  await mail.enqueue(transaction, {
    mail: 'passwordRemoved',
    to: user.email,
    values: { name: user.name, at: await databaseNow(transaction), provider: providerName(settings) },
    links: [`${settings.frontendUrl}/account`],
  });
  return revokedCredentials;
};

// The external identity that the caller can sign in with.

/** Null when none is linked. */
export const findOwnIdentity = async (
  { database }: { readonly database: Database },
  { user }: Actor,
): Promise<OwnIdentityRow | null> =>
  user.hasExternalIdentity ? database.maybeOne(findIdentityOfUser, [user.id]) : null;

// The recipient may not have caused the change: each mail says what it does and how to respond to it.

type Linking =
  /** A sign-in with the identity, whose address is the account's. */
  | 'by_address'
  /** As `by_address`; the account's password, set without the address ever being verified, was removed. */
  | 'by_address_instead_of_password'
  /** A user who was signed in to the account added it. */
  | 'by_session';

const linkedMails = {
  by_address: 'identityLinked',
  by_address_instead_of_password: 'identityLinkedInsteadOfPassword',
  by_session: 'identityLinkedInSession',
} as const satisfies Readonly<Record<Linking, Mail['mail']>>;

/** The provider's name; null for an identity of a provider that is no longer configured. */
const providerName = ({ externalProvider }: IdentityMailDeps['settings']): string | null =>
  externalProvider?.displayName ?? null;

const valuesOf = (
  settings: IdentityMailDeps['settings'],
  { email, ...facts }: Pick<MailValues<'identityLinked'>, 'name' | 'at'> & Pick<OwnIdentityRow, 'email'>,
): MailValues<'identityLinked'> => ({
  ...facts,
  provider: providerName(settings),
  email: email ?? '',
  hasEmail: email === null ? 'no' : 'yes',
});
