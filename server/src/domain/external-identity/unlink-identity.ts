/** Operation unlinkExternalIdentity: the outside provider is no way to sign in to the caller's account any more. */
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { Actor } from '../access/actor.ts';
import { notAllowed, requireLiveSession } from '../access/authorize.ts';
import { lockUserRow } from '../users/users-store.ts';
import { providerName, type TellDeps } from './attach-identity.ts';
import { deleteIdentities, findIdentityOfUser, lockIdentitiesOfUser } from './identities-store.ts';
import { unlinkedMail } from './mails.ts';

export interface UnlinkDeps extends TellDeps {
  readonly database: Database;
}

/**
 * Sessions go on, those too that began with the provider. Who has nothing linked is told so by the answer, and nothing is
 * changed.
 * @returns the caller as they are now
 * @throws Refusal FORBIDDEN for a person without a password, who could not sign in any more; UNAUTHENTICATED when the
 *   caller's session ended meanwhile
 */
export const unlinkExternalIdentity = async (deps: UnlinkDeps, actor: Actor): Promise<Actor> => {
  if (!actor.user.hasPassword) throw notAllowed();
  await deps.database.transaction((transaction) => unlink(deps, transaction, actor));
  return { ...actor, user: { ...actor.user, hasExternalIdentity: false } };
};

const unlink = async (
  { mail, logger, settings }: UnlinkDeps,
  transaction: Transaction,
  actor: Actor,
): Promise<void> => {
  const { id: userId, email, name } = actor.user;
  // The identity before the person, like whoever signs in by it.
  await transaction.many(lockIdentitiesOfUser, [userId]);
  await transaction.maybeOne(lockUserRow, [userId]);
  await requireLiveSession(transaction, actor);
  const [unlinked] = await transaction.many(deleteIdentities, [userId]);
  if (unlinked === undefined) return requireNothingLinked(transaction, userId);
  const letter = {
    to: email,
    name,
    provider: providerName(settings),
    email: unlinked.email,
    at: unlinked.unlinkedAt,
  };
  await mail.enqueue(transaction, unlinkedMail(settings.frontendUrl, letter));
  transaction.afterCommit(() =>
    logger.info(
      { event: 'auth.external_identity_unlinked', userId, credentialId: actor.credential.id },
      'An external identity is no way to sign in to an account any more',
    ),
  );
};

/** @throws Refusal FORBIDDEN when it is the last way in by now */
const requireNothingLinked = async (transaction: Transaction, userId: string): Promise<void> => {
  if ((await transaction.maybeOne(findIdentityOfUser, [userId])) !== null) throw notAllowed();
};
