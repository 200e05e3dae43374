/** Revocation, of one session family or of everything a user holds. The one finalizer behind every surface. */
import type { Database, Transaction } from '../../platform/database/database.ts';
import { runAndRollBack } from '../../platform/database/transaction.ts';
import {
  dateRevocation,
  endUnredeemedCodes,
  findLastSuccessor,
  findRevocationTime,
  lockFamily,
  lockUser,
  type RevocationReason,
  type RevocationRow,
  readClock,
  revokeFamily,
  revokeOthers,
  revokeUser,
} from './credentials-store.ts';

/** What a revocation did. */
export interface RevocationReceipt extends RevocationRow {
  /** Of after the commit: from this instant on, nothing accepts what was revoked. */
  readonly revokedAt: Date;
}

/** Runs a revocation in a transaction of its own, and dates it once it is durable. */
export const revokeDurably = async <Revocation extends RevocationRow>(
  database: Database,
  work: (transaction: Transaction) => Promise<Revocation>,
): Promise<Revocation & RevocationReceipt> => {
  const revocation = await database.transaction(work);
  const { now } = await database.one(readClock, []);
  return { ...revocation, revokedAt: now };
};

/**
 * The same with an instant that is kept: revoking again what ended by it answers the same instant.
 * @param subject where to look for the instant at which everything had ended, when there was nothing left to revoke
 */
export const revokeOnce = async <Revocation extends RevocationRow>(
  database: Database,
  work: (transaction: Transaction) => Promise<Revocation>,
  subject: (revocation: Revocation) => RevocationSubject,
): Promise<Revocation & RevocationReceipt> => {
  const revocation = await database.transaction(work);
  const { credentialIds } = revocation;
  if (credentialIds.length > 0) {
    const { now } = await database.one(dateRevocation, [credentialIds]);
    return { ...revocation, revokedAt: now };
  }
  const { sessionFamilyId = null, userId = null } = subject(revocation);
  const { at } = await database.one(findRevocationTime, [sessionFamilyId, userId]);
  return { ...revocation, revokedAt: at ?? (await database.one(readClock, [])).now };
};

/** What a revocation ends: one session family, or everything of a user. */
type RevocationSubject = { readonly sessionFamilyId?: string; readonly userId?: string };

/** The same answer, of a revocation that is taken back: nothing is changed. */
export const dryRunRevocation = <Revocation extends RevocationRow>(
  database: Database,
  work: (transaction: Transaction) => Promise<Revocation>,
): Promise<Revocation & RevocationReceipt> =>
  runAndRollBack(database, async (transaction) => {
    const revocation = await work(transaction);
    const { now } = await transaction.one(readClock, []);
    return { ...revocation, revokedAt: now };
  });

/** What the revocation of a session did, and the family that it ended in the end. */
export interface SessionRevocation extends RevocationRow {
  readonly sessionFamilyId: string;
}

/** Revokes what is live in a family. Revoking a revoked one answers 0 credentials. */
export const revokeSessionFamily = async (
  transaction: Transaction,
  sessionFamilyId: string,
  reason: RevocationReason,
): Promise<RevocationRow> => {
  await transaction.many(lockFamily, [sessionFamilyId]);
  return transaction.one(revokeFamily, [sessionFamilyId, reason]);
};

/**
 * Revokes a session as its person sees it: the family, or the one that took its place while this call was under way or
 * before it.
 */
export const revokeSession = async (
  transaction: Transaction,
  sessionFamilyId: string,
  reason: RevocationReason,
): Promise<SessionRevocation> => {
  const revocation = { ...(await revokeSessionFamily(transaction, sessionFamilyId, reason)), sessionFamilyId };
  if (revocation.revokedCredentials > 0) return revocation;
  // A statement of its own: it sees a switch that was committed while the family's lock was waited for.
  const successor = await transaction.maybeOne(findLastSuccessor, [sessionFamilyId]);
  return successor === null ? revocation : revokeSession(transaction, successor.sessionFamilyId, reason);
};

/**
 * Revokes every live credential of a user. The caller bumps credentials_revision in the same transaction and before,
 * so that a pair that is being minted at this moment is refused as well.
 */
export const revokeAllOfUser = async (
  transaction: Transaction,
  userId: string,
  reason: RevocationReason,
): Promise<RevocationRow> => {
  await transaction.many(lockUser, [userId]);
  return transaction.one(revokeUser, [userId, reason]);
};

/**
 * Revokes every live credential of a user but those of one family, and ends authorization codes that were not redeemed.
 * The caller holds the person's row, so that no sign-in and no switch is in flight; the lock waits for rotations.
 */
export const revokeOthersOfUser = async (
  transaction: Transaction,
  userId: string,
  keptFamilyId: string,
  reason: RevocationReason,
): Promise<RevocationRow> => {
  await transaction.many(lockUser, [userId]);
  await transaction.execute(endUnredeemedCodes, [userId]);
  return transaction.one(revokeOthers, [userId, reason, keptFamilyId]);
};
