/** Revocation of one session family or of everything that a user holds: the one implementation behind every surface. */
import { setTimeout as pause } from 'node:timers/promises';
import { scaledMillis } from '../../kernel/waits/wait-scale.ts';
import { type Database, DatabaseUnavailable, databaseNow, type Transaction } from '../../platform/database/database.ts';
import {
  dateRevocation,
  endUnredeemedCodes,
  findLastSuccessor,
  findRevocationTime,
  listFamiliesOfUser,
  lockFamily,
  lockUser,
  type RevocationRow,
  revokeFamilies,
  revokeRefusedFamilies,
} from './credentials-store.ts';
import { chunksOf } from './end-families.ts';
import { auditEndedGrants, auditEndedTokens, type RevocationReason } from './ended-tokens.ts';

/** The result of a revocation. */
export interface RevocationReceipt extends RevocationRow {
  /** Read after the commit: from this instant on, nothing accepts the revoked credentials. */
  readonly revokedAt: Date;
}

/** Runs a revocation in its own transaction, and sets its instant once it is durable. */
export const revokeDurably = async <Revocation extends RevocationRow>(
  database: Database,
  work: (transaction: Transaction) => Promise<Revocation>,
): Promise<Revocation & RevocationReceipt> => {
  const revocation = await database.transaction(work);
  return { ...revocation, revokedAt: await databaseNow(database) };
};

/** {@link revokeDurably}; a repeated one returns the instant of the first. @param subject where to find that */
export const revokeOnce = async <Revocation extends RevocationRow>(
  database: Database,
  work: (transaction: Transaction) => Promise<Revocation>,
  subject: (revocation: Revocation) => RevocationSubject,
): Promise<Revocation & RevocationReceipt> => {
  const revocation = await database.transaction(work);
  const { credentialIds } = revocation;
  if (credentialIds.length > 0) {
    const revokedAt = await databaseNow(database);
    for (const some of chunksOf(credentialIds)) await date(database, some, revokedAt);
    return { ...revocation, revokedAt };
  }
  const { sessionFamilyId = null, userId = null, endedAt } = subject(revocation);
  if (endedAt !== undefined) return { ...revocation, revokedAt: endedAt ?? (await databaseNow(database)) };
  const { at } = await database.one(findRevocationTime, [sessionFamilyId, userId]);
  return { ...revocation, revokedAt: at ?? (await databaseNow(database)) };
};

const pauseMillis = 10;
/** Sum of the pauses. A rotation holds its rows for milliseconds. */
const limits = scaledMillis({ pausedMillis: 1_000 });

/** @throws DatabaseUnavailable: other transactions hold the rows; the credentials have ended all the same */
const date = async (database: Database, credentialIds: readonly string[], at: Date): Promise<void> => {
  for (let paused = 0; (await database.one(dateRevocation, [credentialIds, at])).held > 0; paused += pauseMillis) {
    if (paused >= limits.pausedMillis) throw new DatabaseUnavailable('Other transactions hold credentials that ended');
    await pause(pauseMillis);
  }
};

/** What was revoked: a session family, everything of a user, or what is known to have ended at an instant. */
interface RevocationSubject {
  readonly sessionFamilyId?: string;
  readonly userId?: string;
  /** Null: it has not been revoked before. */
  readonly endedAt?: Date | null;
}

/** The result of revoking a session, with the family that was revoked in the end. */
export interface SessionRevocation extends RevocationRow {
  readonly sessionFamilyId: string;
}

/** Some families at a time; audits and counts what ended. @param statement by which the active ones are told */
const revokeEach = async (
  transaction: Transaction,
  sessionFamilyIds: readonly string[],
  reason: RevocationReason,
  statement: typeof revokeFamilies = revokeFamilies,
): Promise<RevocationRow> => {
  const credentialIds: string[] = [];
  for (const some of chunksOf(sessionFamilyIds)) {
    const ended = await transaction.one(statement, [some, reason]);
    await auditEndedTokens(transaction, ended.tokenIds, reason);
    await auditEndedGrants(transaction, ended.grantIds, reason);
    for (const id of ended.credentialIds) credentialIds.push(id);
  }
  const revokedCredentials = credentialIds.length;
  if (revokedCredentials > 0) {
    transaction.count('revocations', [reason]);
    transaction.count('revokedCredentials', [reason], revokedCredentials);
  }
  return { revokedCredentials, credentialIds };
};

/** Revokes the live credentials of a family. Repeating it returns 0 credentials. */
export const revokeSessionFamily = async (
  transaction: Transaction,
  sessionFamilyId: string,
  reason: RevocationReason,
): Promise<RevocationRow> => {
  await transaction.many(lockFamily, [sessionFamilyId]);
  return revokeEach(transaction, [sessionFamilyId], reason);
};

/** Revokes a session as its user sees it: the family, or the successor that replaced it before or during this call. */
export const revokeSession = async (
  transaction: Transaction,
  sessionFamilyId: string,
  reason: RevocationReason,
): Promise<SessionRevocation> => {
  const revocation = { ...(await revokeSessionFamily(transaction, sessionFamilyId, reason)), sessionFamilyId };
  if (revocation.revokedCredentials > 0) return revocation;
  // A separate statement sees a switch that was committed while this one waited for the family's lock.
  const successor = await transaction.maybeOne(findLastSuccessor, [sessionFamilyId]);
  return successor === null ? revocation : revokeSession(transaction, successor.sessionFamilyId, reason);
};

/** The live families of a user. No row is added to them until the transaction ends: the lock waits for rotations. */
const holdFamilies = async (
  transaction: Transaction,
  userId: string,
  kept: KeptCredentials | null,
): Promise<readonly string[]> => {
  await transaction.many(lockUser, [userId]);
  const { keptFamilyId = null, keepsTokens = false } = kept ?? {};
  const families = await transaction.many(listFamiliesOfUser, [userId, keptFamilyId, keepsTokens]);
  return families.map(({ sessionFamilyId }) => sessionFamilyId);
};

/**
 * Revokes everything of a user. The caller has bumped credentials_revision, so that a pair issued concurrently is
 * refused, and has `bulkMillis` where a person may have thousands.
 */
export const revokeAllOfUser = async (
  transaction: Transaction,
  userId: string,
  reason: RevocationReason,
): Promise<RevocationRow> =>
  revokeEach(transaction, await holdFamilies(transaction, userId, null), reason, revokeRefusedFamilies);

/** The credentials that stay when everything else of a user ends. */
interface KeptCredentials {
  readonly keptFamilyId: string;
  /** Whether the user's personal tokens go on. */
  readonly keepsTokens: boolean;
}

/** Ends all of a user but one family, and their codes. The caller holds the user's row, and has `bulkMillis`. */
export const revokeOthersOfUser = async (
  transaction: Transaction,
  userId: string,
  kept: KeptCredentials,
  reason: RevocationReason,
): Promise<RevocationRow> => {
  const families = await holdFamilies(transaction, userId, kept);
  await transaction.execute(endUnredeemedCodes, [userId]);
  return revokeEach(transaction, families, reason);
};
