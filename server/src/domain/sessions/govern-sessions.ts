/**
 * Operations of super admins on anybody's sessions: revokeSession, revokeUserSessions (specification, "Credential
 * pair"). Every surface that governs sessions calls these two.
 */
import { Refusal } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Actor } from '../access/actor.ts';
import { authorizeSuperAdmin } from '../access/authorize.ts';
import { onBehalfOf } from '../access/on-behalf-of.ts';
import { findFamilyOfCredential, type RevocationRow } from '../credentials/credentials-store.ts';
import {
  type RevocationReceipt,
  rehearseRevocation,
  revokeAllOfUser,
  revokeOnce,
  revokeSession,
  type SessionRevocation,
} from '../credentials/revoke.ts';
import { describeCredentials, type RevokedCredential } from '../credentials/sessions-store.ts';
import { bumpCredentialsRevision, lockUserRows } from '../users/users-store.ts';

export interface GovernanceDeps {
  readonly database: Database;
  readonly logger: Logger;
}

export interface GovernedRevocation extends Omit<RevocationReceipt, 'credentialIds'> {
  /** What was active and is revoked, the newest first: the first hundred of it. */
  readonly credentials: readonly RevokedCredential[];
  /** Whether the session that the caller came with is one of those that ended. */
  readonly endsOwnSession: boolean;
}

interface Rehearsable {
  /** The same checks and the same answer, with nothing changed. */
  readonly dryRun: boolean;
}

const scope = 'sessions:revoke';
const reason = 'revoked_by_super_admin';

/**
 * Ends the session that a credential belongs to, wherever it has switched to since; one that has ended already answers
 * 0 credentials, and the instant at which it ended.
 * @throws Refusal FORBIDDEN when the caller is no super admin with sessions:revoke by now; NOT_FOUND when there is no
 *   such credential; UNAUTHENTICATED when the caller's session ended meanwhile
 */
export const revokeSessionOfAnybody = async (
  { database, logger }: GovernanceDeps,
  actor: Actor,
  { credentialId, dryRun }: Rehearsable & { readonly credentialId: string },
): Promise<GovernedRevocation> => {
  const work = (transaction: Transaction) => describing(transaction, endSession(transaction, actor, credentialId));
  const ended = dryRun
    ? await rehearseRevocation(onBehalfOf(database, actor), work)
    : await revokeOnce(onBehalfOf(database, actor), work, ({ sessionFamilyId }) => ({ sessionFamilyId }));
  const { sessionFamilyId, revokedCredentials: revoked, revokedAt, credentials } = ended;
  if (!dryRun) {
    const facts = { userId: actor.user.id, credentialId, sessionFamilyId, revoked };
    logger.info({ event: 'auth.session_revoked_by_super_admin', ...facts }, 'A super admin ended a session');
  }
  const endsOwnSession = sessionFamilyId === actor.credential.sessionFamilyId;
  return { revokedCredentials: revoked, revokedAt, credentials, endsOwnSession };
};

/** Names what was revoked, in the transaction that did it: later, somebody may be gone. */
const describing = async <Revocation extends RevocationRow>(
  transaction: Transaction,
  revoking: Promise<Revocation>,
): Promise<Revocation & { readonly credentials: readonly RevokedCredential[] }> => {
  const revocation = await revoking;
  return { ...revocation, credentials: await transaction.many(describeCredentials, [revocation.credentialIds]) };
};

const endSession = async (transaction: Transaction, actor: Actor, credentialId: string): Promise<SessionRevocation> => {
  await authorizeSuperAdmin(transaction, actor, scope);
  const family = isId(credentialId) ? await transaction.maybeOne(findFamilyOfCredential, [credentialId]) : null;
  if (family === null) throw new Refusal('NOT_FOUND', 'There is no such session.');
  return revokeSession(transaction, family.sessionFamilyId, reason);
};

/**
 * Signs a person out everywhere by a new credentials_revision: every credential of theirs is refused from the commit on.
 * Who has none left answers 0 credentials, and the instant at which the last one ended.
 * @throws Refusal FORBIDDEN when the caller is no super admin with sessions:revoke by now; NOT_FOUND when there is no
 *   such person; UNAUTHENTICATED when the caller's session ended meanwhile
 */
export const revokeSessionsOfUser = async (
  { database, logger }: GovernanceDeps,
  actor: Actor,
  { userId, dryRun }: Rehearsable & { readonly userId: string },
): Promise<GovernedRevocation> => {
  const work = (transaction: Transaction) => describing(transaction, endUser(transaction, actor, userId));
  const ended = dryRun
    ? await rehearseRevocation(onBehalfOf(database, actor), work)
    : await revokeOnce(onBehalfOf(database, actor), work, () => ({ userId }));
  const { revokedCredentials, revokedAt, credentials } = ended;
  if (!dryRun) {
    const facts = { userId: actor.user.id, revokedUserId: userId, revoked: revokedCredentials };
    logger.info(
      { event: 'auth.user_revoked_by_super_admin', ...facts },
      'A super admin signed a person out everywhere',
    );
  }
  return { revokedCredentials, revokedAt, credentials, endsOwnSession: userId === actor.user.id };
};

/** Both rows are locked at once, before either is read. */
const endUser = async (transaction: Transaction, actor: Actor, userId: string): Promise<RevocationRow> => {
  const people = await transaction.many(lockUserRows, [isId(userId) ? [actor.user.id, userId] : [actor.user.id]]);
  await authorizeSuperAdmin(transaction, actor, scope);
  if (people.every(({ id }) => id !== userId)) throw new Refusal('NOT_FOUND', 'There is no such person.');
  await transaction.execute(bumpCredentialsRevision, [userId]);
  return revokeAllOfUser(transaction, userId, reason);
};
