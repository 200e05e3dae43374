/** Revocation, of one session family or of everything a user holds. The one finalizer behind every surface. */
import type { Database, Transaction } from '../../platform/database/database.ts';
import { rehearse } from '../../platform/database/rehearse.ts';
import {
  findLastSuccessor,
  lockFamily,
  lockUser,
  type RevocationReason,
  type RevocationRow,
  readClock,
  revokeFamily,
  revokeUser,
} from './credentials-store.ts';

/** What a revocation did. */
export interface RevocationReceipt extends RevocationRow {
  /** Read after the commit: from this instant on, nothing accepts what was revoked. */
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

/** The same answer, of a revocation that is taken back: nothing is changed. */
export const rehearseRevocation = <Revocation extends RevocationRow>(
  database: Database,
  work: (transaction: Transaction) => Promise<Revocation>,
): Promise<Revocation & RevocationReceipt> =>
  rehearse(database, async (transaction) => {
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
