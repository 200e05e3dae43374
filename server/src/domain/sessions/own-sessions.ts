/**
 * Owns: sign-in, step-up, sign-out; a user's own sessions and own account.
 * Promises: An unknown address and a wrong password are indistinguishable; a revocation is effective once answered.
 *
 * Operations of a user on their own sessions: mySessions, signOut, revokeMySession and signOutEverywhere
 * (contract/credentials.md#own-sessions, contract/credentials.md#sign-out).
 */
import { Refusal } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { waitLimits, withNewDeadline } from '../../platform/database/deadlines.ts';
import type { EventAt } from '../../platform/observability/events.ts';
import type { Actor } from '../access/actor.ts';
import type { Deps } from '../access/deps.ts';
import { actIn } from '../audit/audits-of-transaction.ts';
import { findFamilyOfUser } from '../credentials/credentials-store.ts';
import {
  type RevocationReceipt,
  revokeAllOfUser,
  revokeDurably,
  revokeSession,
  type SessionRevocation,
} from '../credentials/revoke.ts';
import { listSessionsOfUser, type SessionRow } from '../credentials/sessions-store.ts';
import { bumpCredentialsRevision } from '../users/users-store.ts';

/** The caller's active sessions, one for each session family, newest first. */
export const listOwnSessions = ({ database }: Deps<'database'>, actor: Actor): Promise<SessionRow[]> =>
  database.many(listSessionsOfUser, [actor.user.id]);

/** Ends the caller's own session, also during a concurrent switch to another organization. */
export const signOut = async (deps: Deps<'database' | 'logger'>, actor: Actor): Promise<RevocationReceipt> => {
  const { sessionFamilyId } = actor.credential;
  const receipt = await revokeDurably(deps.database, (transaction) =>
    revokeSession(transaction, sessionFamilyId, 'signed_out'),
  );
  record(deps, actor, 'auth.sign_out', receipt);
  return receipt;
};

/**
 * Ends a session of the caller's own, followed through switches; one that has ended returns 0 credentials.
 * @returns the receipt, with the last family
 * @throws Refusal NOT_FOUND: another user's is indistinguishable from none
 */
export const revokeOwnSession = async (
  deps: Deps<'database' | 'logger'>,
  actor: Actor,
  sessionFamilyId: string,
): Promise<RevocationReceipt & SessionRevocation> => {
  const receipt = await revokeDurably(deps.database, async (transaction) => {
    const family = isId(sessionFamilyId)
      ? await transaction.maybeOne(findFamilyOfUser, [sessionFamilyId, actor.user.id])
      : null;
    if (family === null) throw new Refusal('NOT_FOUND', 'There is no such session.');
    return revokeSession(transaction, sessionFamilyId, 'signed_out');
  });
  record(deps, actor, 'auth.session_revoked', receipt);
  return receipt;
};

/**
 * Bumps credentials_revision: from the commit on, every credential of the caller is refused on every instance. Has
 * `bulkMillis`, because a person may have thousands (decision 0068).
 */
export const signOutEverywhere = async (
  deps: Deps<'database' | 'logger'>,
  actor: Actor,
): Promise<RevocationReceipt> => {
  const work = async (transaction: Transaction) => {
    actIn(transaction, actor);
    await transaction.execute(bumpCredentialsRevision, [actor.user.id]);
    return revokeAllOfUser(transaction, actor.user.id, 'signed_out_everywhere');
  };
  const receipt = await withNewDeadline(() => revokeDurably(deps.database, work), waitLimits.bulkMillis);
  record(deps, actor, 'auth.sign_out_everywhere', receipt);
  return receipt;
};

const record = ({ logger }: Deps<'logger'>, actor: Actor, event: EventAt<'info'>, receipt: RevocationReceipt): void => {
  logger.info(
    { event, userId: actor.user.id, credentialId: actor.credential.id, revoked: receipt.revokedCredentials },
    'Credentials were revoked by their owner',
  );
};
