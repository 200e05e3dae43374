/**
 * Operations of super admins on sessions of any user: revokeSession and revokeUserSessions
 * (contract/credentials.md#revocation-by-super-admins). Every surface that manages sessions calls these.
 */
import { Refusal } from '../../kernel/errors.ts';
import { isId, normalizeGivenId } from '../../kernel/ids.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { waitLimits, withNewDeadline } from '../../platform/database/deadlines.ts';
import type { Actor } from '../access/actor.ts';
import { authorizeSuperAdmin, inLiveSession, requireLiveSession } from '../access/authorize.ts';
import type { Deps } from '../access/deps.ts';
import { findFamilyOfCredential, type RevocationRow } from '../credentials/credentials-store.ts';
import {
  dryRunRevocation,
  type RevocationReceipt,
  revokeAllOfUser,
  revokeOnce,
  revokeSession,
  type SessionRevocation,
} from '../credentials/revoke.ts';
import { describeCredentials, type RevokedCredential } from '../credentials/sessions-store.ts';
import { holdTarget } from '../users/hold-target.ts';
import { bumpCredentialsRevision } from '../users/users-store.ts';

export interface AdminRevocation extends Omit<RevocationReceipt, 'credentialIds'> {
  /** The credentials that were active and are revoked, newest first, at most 100. */
  readonly credentials: readonly RevokedCredential[];
  /** Whether the caller's own session is among those that ended. */
  readonly endsOwnSession: boolean;
}

interface DryRunnable {
  /** Runs the same checks and returns the same answer, with nothing changed. */
  readonly dryRun: boolean;
}

const scope = 'sessions:revoke';
const reason = 'revoked_by_super_admin';

/**
 * Ends the session that a credential belongs to, followed through switches of organization. A session that has already
 * ended returns 0 credentials and the instant at which it ended.
 * @throws Refusal FORBIDDEN: the caller is no longer a super admin with sessions:revoke; NOT_FOUND: there is no such
 *   credential
 */
export const adminRevokeSession = async (
  { database, logger }: Deps<'database' | 'logger'>,
  actor: Actor,
  { credentialId: given, dryRun }: DryRunnable & { readonly credentialId: string },
): Promise<AdminRevocation> => {
  const credentialId = normalizeGivenId(given);
  const work = (transaction: Transaction) => endSession(transaction, actor, credentialId);
  const ended = await revoke(database, actor, dryRun, work, (session) => ({
    sessionFamilyId: session.sessionFamilyId,
  }));
  const { sessionFamilyId, revokedCredentials: revoked, revokedAt, credentials } = ended;
  if (!dryRun) {
    const facts = { userId: actor.user.id, credentialId, sessionFamilyId, revoked };
    logger.info({ event: 'auth.session_revoked_by_super_admin', ...facts }, 'A super admin ended a session');
  }
  const endsOwnSession = sessionFamilyId === actor.credential.sessionFamilyId;
  return { revokedCredentials: revoked, revokedAt, credentials, endsOwnSession };
};

const revoke = async <Revocation extends RevocationRow>(
  database: Database,
  actor: Actor,
  dryRun: boolean,
  work: (transaction: Transaction) => Promise<Revocation>,
  subject: Parameters<typeof revokeOnce<Revocation>>[2],
) => {
  // Describes the credentials in the transaction that revokes them: their users may be deleted later.
  const describing = async (transaction: Transaction) => {
    const revocation = await work(transaction);
    return { ...revocation, credentials: await transaction.many(describeCredentials, [revocation.credentialIds]) };
  };
  if (!dryRun) return revokeOnce(database, inLiveSession(actor, describing), subject);
  const revocation = await dryRunRevocation(database, describing);
  // After the rollback, which may have restored the caller's own session.
  await requireLiveSession(database, actor);
  return revocation;
};

const endSession = async (transaction: Transaction, actor: Actor, credentialId: string): Promise<SessionRevocation> => {
  await authorizeSuperAdmin(transaction, actor, scope);
  const family = isId(credentialId) ? await transaction.maybeOne(findFamilyOfCredential, [credentialId]) : null;
  if (family === null) throw new Refusal('NOT_FOUND', 'There is no such session.');
  return revokeSession(transaction, family.sessionFamilyId, reason);
};

/**
 * Signs a user out everywhere with a new credentials_revision: from the commit on, every credential of theirs is
 * refused. A user without credentials returns 0 credentials and the instant at which the last one ended. Has
 * `bulkMillis`, because a person may have thousands (decision 0068).
 * @throws Refusal FORBIDDEN and NOT_FOUND, as {@link adminRevokeSession}
 */
export const revokeSessionsOfUser = async (
  { database, logger }: Deps<'database' | 'logger'>,
  actor: Actor,
  { userId: given, dryRun }: DryRunnable & { readonly userId: string },
): Promise<AdminRevocation> => {
  const userId = normalizeGivenId(given);
  const work = async (transaction: Transaction) => {
    const revocation = await endUser(transaction, actor, userId);
    const facts = { userId: actor.user.id, revokedUserId: userId, revoked: revocation.revokedCredentials };
    transaction.afterCommit(() =>
      logger.info(
        { event: 'auth.user_revoked_by_super_admin', ...facts },
        'A super admin signed a person out everywhere',
      ),
    );
    return revocation;
  };
  const ended = await withNewDeadline(
    () => revoke(database, actor, dryRun, work, () => ({ userId })),
    waitLimits.bulkMillis,
  );
  const { revokedCredentials, revokedAt, credentials } = ended;
  return { revokedCredentials, revokedAt, credentials, endsOwnSession: userId === actor.user.id };
};

const endUser = async (transaction: Transaction, actor: Actor, userId: string): Promise<RevocationRow> => {
  const exists = await holdTarget(transaction, actor.user.id, userId);
  await authorizeSuperAdmin(transaction, actor, scope);
  if (!exists) throw new Refusal('NOT_FOUND', 'There is no such person.');
  await transaction.execute(bumpCredentialsRevision, [userId]);
  return revokeAllOfUser(transaction, userId, reason);
};
