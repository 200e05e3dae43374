/**
 * Operation reviewPassword: an identity was linked by its address to an account that had a password already, and its
 * person says once whether to keep that password. A stranger may have set it, and may be signed in with it.
 */
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { Actor } from '../access/actor.ts';
import { notAllowed, requireLiveSession } from '../access/authorize.ts';
import { readClock } from '../credentials/credentials-store.ts';
import { revokeOthersOfUser } from '../credentials/revoke.ts';
import { lockUserRow, removePassword } from '../users/users-store.ts';
import { providerName, type TellDeps } from './attach-identity.ts';
import { lockIdentitiesOfUser, settlePasswordQuestion } from './identities-store.ts';
import { passwordRemovedMail } from './mails.ts';

export interface ReviewPasswordDeps extends TellDeps {
  readonly database: Database;
}

/**
 * Whether this session is asked: the account has such a password, and the session began with the provider. A session that
 * began with the password does not see the question, and cannot answer it.
 */
export const hasPasswordToReview = ({ user, credential }: Actor): boolean =>
  user.isPasswordInQuestion && credential.authMethod === 'google';

/**
 * Keeps the password, or removes it and ends every other session of the person, with clients and unredeemed codes. The
 * person is mailed of a removal.
 * @returns the caller as they are now
 * @throws Refusal FORBIDDEN for a session that is not asked, and when the question was answered meanwhile; UNAUTHENTICATED
 *   when the caller's session ended meanwhile
 */
export const reviewPassword = async (deps: ReviewPasswordDeps, actor: Actor, keep: boolean): Promise<Actor> => {
  if (!hasPasswordToReview(actor)) throw notAllowed();
  await deps.database.transaction((transaction) => review(deps, transaction, actor, keep));
  return { ...actor, user: { ...actor.user, hasPassword: keep, isPasswordInQuestion: false } };
};

const review = async (
  deps: ReviewPasswordDeps,
  transaction: Transaction,
  actor: Actor,
  keep: boolean,
): Promise<void> => {
  const { id: userId } = actor.user;
  // The identity before the person, like a sign-in by it.
  await transaction.many(lockIdentitiesOfUser, [userId]);
  await transaction.maybeOne(lockUserRow, [userId]);
  await requireLiveSession(transaction, actor);
  if ((await transaction.execute(settlePasswordQuestion, [userId])) === 0) throw notAllowed();
  const revoked = keep ? 0 : await remove(deps, transaction, actor);
  const facts = { userId, credentialId: actor.credential.id, kept: keep, revoked };
  transaction.afterCommit(() =>
    deps.logger.info({ event: 'auth.password_reviewed', ...facts }, 'A password in question was kept or removed'),
  );
};

/** @returns how many credentials ended */
const remove = async (
  { mail, settings }: ReviewPasswordDeps,
  transaction: Transaction,
  { user, credential }: Actor,
): Promise<number> => {
  const { sessionFamilyId } = credential;
  const { revokedCredentials } = await revokeOthersOfUser(transaction, user.id, sessionFamilyId, 'password_removed');
  await transaction.execute(removePassword, [user.id]);
  const { now } = await transaction.one(readClock, []);
  const letter = { to: user.email, name: user.name, provider: providerName(settings), at: now };
  await mail.enqueue(transaction, passwordRemovedMail(settings.frontendUrl, letter));
  return revokedCredentials;
};
