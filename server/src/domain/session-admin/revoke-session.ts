/**
 * Operations of super admins on sessions of any user: revokeSession and revokeUserSessions
 * (contract/credentials.md#revocation-by-super-admins). Every surface that manages sessions calls these.
 */
import { Refusal } from '../../kernel/errors.ts';
import { isId, normalizeGivenId } from '../../kernel/ids.ts';
import { type Database, databaseNow, statement, type Transaction } from '../../platform/database/database.ts';
import { waitLimits, withNewDeadline } from '../../platform/database/deadlines.ts';
import { runAndRollBack } from '../../platform/database/transaction.ts';
import type { Actor } from '../access/actor.ts';
import { authorizeSuperAdmin, inLiveSession, requireLiveSession } from '../access/authorize.ts';
import type { Deps } from '../access/deps.ts';
import { ownerAddress, tokenName, withPerson } from '../credentials/credential-owner-store.ts';
import { findFamilyOfCredential, type RevocationRow } from '../credentials/credentials-store.ts';
import {
  type RevocationReceipt,
  revokeAllOfUser,
  revokeOnce,
  revokeSession,
  type SessionRevocation,
} from '../credentials/revoke.ts';
import type { SessionRow } from '../credentials/sessions-store.ts';
import { bumpCredentialsRevision, lockUserRow, shareUserRow } from '../users/users-store.ts';

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

/** The scope that a revocation by a super admin requires, and its reason. */
export const bySuperAdmin = { scope: 'sessions:revoke', reason: 'revoked_by_super_admin' } as const;
const { scope, reason } = bySuperAdmin;

/**
 * Ends a credential's session, followed through switches; one that ended returns 0 credentials and when it did.
 * @throws Refusal FORBIDDEN: no super admin with sessions:revoke; NOT_FOUND: no such credential
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
  return dryRunOf(database, actor, async (transaction) => ({
    ...(await describing(transaction)),
    revokedAt: await databaseNow(transaction),
  }));
};

/** Runs the work of a super admin and rolls it back: nothing changes. */
export const dryRunOf = async <Result>(
  database: Database,
  actor: Actor,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> => {
  const result = await runAndRollBack(database, work);
  // After the rollback, which may have restored the caller's own session.
  await requireLiveSession(database, actor);
  return result;
};

const endSession = async (transaction: Transaction, actor: Actor, credentialId: string): Promise<SessionRevocation> => {
  await authorizeSuperAdmin(transaction, actor, scope);
  const family = isId(credentialId) ? await transaction.maybeOne(findFamilyOfCredential, [credentialId]) : null;
  if (family === null) throw new Refusal('NOT_FOUND', 'There is no such session.');
  return revokeSession(transaction, family.sessionFamilyId, reason);
};

/**
 * Signs a user out everywhere, with a new credentials_revision. Without credentials, returns 0 and the instant at which
 * the last one ended. Has `bulkMillis`, because a person may have thousands (decision 0068).
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
    const line = { event: 'auth.user_revoked_by_super_admin', ...facts } as const;
    transaction.afterCommit(() => logger.info(line, 'A super admin signed a person out everywhere'));
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

/**
 * Holds the caller's row against changes, and the person's alone, in the order of ids: two super admins who act on each
 * other come one after the other, and none waits for a revocation that shares the caller's row.
 * @param targetId any text, in lower case
 * @returns whether the person exists
 */
export const holdTarget = async (transaction: Transaction, callerId: string, targetId: string): Promise<boolean> => {
  const ids = isId(targetId) ? [...new Set([callerId, targetId])].toSorted() : [callerId];
  let exists = false;
  for (const id of ids) {
    if (id !== targetId) await transaction.maybeOne(shareUserRow, [id]);
    else exists = (await transaction.maybeOne(lockUserRow, [id])) !== null;
  }
  return exists;
};

/** A revoked credential as the receipt of a revocation describes it. */
type RevokedCredential = Pick<
  SessionRow,
  'id' | 'kind' | 'userEmail' | 'audience' | 'clientName' | 'organizationName' | 'tokenName' | 'issuedAt'
>;

/** Credentials by their ids, live or not, newest first, at most 100. */
const describeCredentials = statement<RevokedCredential, [credentialIds: readonly string[]]>(
  'credentials.describe',
  `SELECT c.id, c.kind, ${ownerAddress} AS "userEmail", c.audience, k.name AS "clientName", o.name AS "organizationName",
     ${tokenName} AS "tokenName", c.issued_at AS "issuedAt"
   FROM credentials c
   ${withPerson}
   LEFT JOIN organizations o ON o.id = c.organization_id
   LEFT JOIN oauth_clients k ON k.id = c.client_id
   WHERE c.id = ANY ($1::uuid[])
   ORDER BY c.issued_at DESC, c.id DESC LIMIT 100`,
);
