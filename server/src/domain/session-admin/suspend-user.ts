/**
 * Operations suspendUser and reinstateUser (contract/incidents.md#suspension-of-a-person; decision 0056). The statement
 * that issues a pair decides, so that no sign-in survives a suspension at the same moment.
 */
import { Refusal, requireValidInput } from '../../kernel/errors.ts';
import { newId, normalizeGivenId } from '../../kernel/ids.ts';
import { databaseNow, statement, type Transaction } from '../../platform/database/database.ts';
import { waitLimits, withNewDeadline } from '../../platform/database/deadlines.ts';
import type { Actor } from '../access/actor.ts';
import { authorizeSuperAdmin, liveTransaction } from '../access/authorize.ts';
import type { Deps, MailDeps } from '../access/deps.ts';
import { endUnredeemedCodes } from '../credentials/credentials-store.ts';
import { revokeAllOfUser } from '../credentials/revoke.ts';
import { findOwnerOfAddress } from '../users/accounts-store.ts';
import { explanationReason, normalizeEmail, normalizeName } from '../users/text-rules.ts';
import { lockUserRow, onlyInvitedSql } from '../users/users-store.ts';
import { dryRunOf, holdTarget } from './revoke-session.ts';

type SuspensionDeps = Deps<'database' | 'logger'> & MailDeps;

/** The source object of the GraphQL type Suspension. */
export interface Suspension {
  readonly userId: string;
  /** After a dry run: whether the person would be. */
  readonly isSuspended: boolean;
  /** Null for a person who is not, also after a dry run. */
  readonly suspendedAt: Date | null;
  readonly revokedCredentials: number;
  readonly userEmail: string;
}

interface SuspendInput {
  readonly userId: string;
  /** For super admins alone. */
  readonly reason: string;
  /** Runs the same checks and returns the same answer, with nothing changed. */
  readonly dryRun: boolean;
}

const scope = 'users:suspend';

/**
 * Suspends a person: every credential ends, no way to sign in is accepted, and a mail tells them. One who is suspended
 * stays so, for that reason, without a mail. Has `bulkMillis`, because a person may have thousands (decision 0068).
 * @throws Refusal BAD_USER_INPUT: names `reason`; FORBIDDEN: the caller's own account, or no super admin with
 *   users:suspend; NOT_FOUND; UNAUTHENTICATED. Nothing changes then
 */
export const suspendUser = async (
  deps: SuspensionDeps,
  actor: Actor,
  { userId: given, reason: typed, dryRun }: SuspendInput,
): Promise<Suspension> => {
  const userId = normalizeGivenId(given);
  const reason = normalizeName(typed);
  requireValidInput({ reason: explanationReason(reason) });
  const work = async (transaction: Transaction): Promise<Suspension> => {
    const person = await holdPerson(transaction, actor, userId);
    // The caller is a super admin who is not suspended, and stays one: the last such one is never suspended.
    if (userId === actor.user.id) throw new Refusal('FORBIDDEN', 'You cannot suspend your own account.');
    const suspension = await suspendHeld(deps, transaction, actor, { userId, reason, person });
    return dryRun ? { ...suspension, suspendedAt: person.suspendedAt } : suspension;
  };
  const run = () => (dryRun ? dryRunOf(deps.database, actor, work) : liveTransaction(deps.database, actor, work));
  return withNewDeadline(run, waitLimits.bulkMillis);
};

/** @param userId normalized */
const holdPerson = async (transaction: Transaction, actor: Actor, userId: string): Promise<SuspendableRow> => {
  const exists = await holdTarget(transaction, actor.user.id, userId);
  await authorizeSuperAdmin(transaction, actor, scope);
  const person = exists ? await transaction.maybeOne(findSuspendable, [userId]) : null;
  if (person === null) throw new Refusal('NOT_FOUND', 'There is no such person.');
  return person;
};

const suspendHeld = async (
  { mail, logger }: SuspensionDeps,
  transaction: Transaction,
  actor: Actor,
  { userId, reason, person }: { readonly userId: string; readonly reason: string; readonly person: SuspendableRow },
): Promise<Suspension> => {
  const facts = { userId, userEmail: person.email, isSuspended: true };
  if (person.suspendedAt !== null) return { ...facts, suspendedAt: person.suspendedAt, revokedCredentials: 0 };
  const { suspendedAt } = await transaction.one(suspend, [userId, newId(), actor.user.id, reason]);
  const { revokedCredentials } = await revokeAllOfUser(transaction, userId, 'suspended');
  await transaction.execute(endUnredeemedCodes, [userId]);
  if (!person.isOnlyInvited) {
    // The mail does not contain the reason.
    const values = { name: person.name, at: suspendedAt };
    await mail.enqueue(transaction, { mail: 'suspended', to: person.email, values, links: [] });
  }
  const logged = { userId: actor.user.id, suspendedUserId: userId, revoked: revokedCredentials };
  transaction.afterCommit(() =>
    logger.warn({ event: 'auth.user_suspended', ...logged }, 'A super admin suspended a person'),
  );
  return { ...facts, suspendedAt, revokedCredentials };
};

/**
 * Ends a suspension, which a mail tells; sessions stay ended. Without one, nothing happens.
 * @throws Refusal FORBIDDEN, NOT_FOUND, UNAUTHENTICATED: as {@link suspendUser}
 */
export const reinstateUser = async (
  deps: SuspensionDeps,
  actor: Actor,
  { userId: given, dryRun }: Omit<SuspendInput, 'reason'>,
): Promise<Suspension> => {
  const userId = normalizeGivenId(given);
  const work = async (transaction: Transaction): Promise<Suspension> => {
    const person = await holdPerson(transaction, actor, userId);
    const facts = { event: 'auth.user_reinstated', userId: actor.user.id, reinstatedUserId: userId } as const;
    if (await endSuspension(deps, transaction, { userId, by: actor.user.id, person })) {
      transaction.afterCommit(() => deps.logger.warn(facts, 'A super admin ended the suspension of a person'));
    }
    return { userId, userEmail: person.email, isSuspended: false, suspendedAt: null, revokedCredentials: 0 };
  };
  return dryRun ? dryRunOf(deps.database, actor, work) : liveTransaction(deps.database, actor, work);
};

interface EndedSuspension {
  readonly userId: string;
  /** Null for an operator. */
  readonly by: string | null;
  readonly person: SuspendableRow;
}

/** @returns whether the person was suspended */
const endSuspension = async (
  { mail, settings }: MailDeps,
  transaction: Transaction,
  { userId, by, person }: EndedSuspension,
): Promise<boolean> => {
  if ((await transaction.maybeOne(reinstate, [userId, by])) === null) return false;
  await revokeAllOfUser(transaction, userId, 'suspended');
  const at = await databaseNow(transaction);
  if (!person.isOnlyInvited) {
    const links = [`${settings.frontendUrl}/signin`] as const;
    await mail.enqueue(transaction, { mail: 'reinstated', to: person.email, values: { name: person.name, at }, links });
  }
  return true;
};

/**
 * Ends the suspension of an account from the operator's shell: for an installation without another super admin.
 * @returns whether it was suspended; null, with nothing changed, when no account has the address
 */
export const reinstateByOperator = (deps: SuspensionDeps, typed: string): Promise<boolean | null> =>
  deps.database.transaction(async (transaction) => {
    const found = await transaction.maybeOne(findOwnerOfAddress, [normalizeEmail(typed)]);
    if (found === null) return null;
    await transaction.maybeOne(lockUserRow, [found.id]);
    const person = await transaction.maybeOne(findSuspendable, [found.id]);
    if (person === null) return null;
    const wasSuspended = await endSuspension(deps, transaction, { userId: found.id, by: null, person });
    if (wasSuspended) {
      const facts = { event: 'auth.user_reinstated_by_operator', reinstatedUserId: found.id } as const;
      transaction.afterCommit(() => deps.logger.warn(facts, 'An operator ended the suspension of a person'));
    }
    return wasSuspended;
  });

// SQL of `suspended_at` in the table `users`, and of the table `suspensions` with the reasons.

/** A person who may be suspended. */
interface SuspendableRow {
  readonly suspendedAt: Date | null;
  readonly email: string;
  readonly name: string;
  /** They have no account yet, so that no mail tells them of it. */
  readonly isOnlyInvited: boolean;
}

const findSuspendable = statement<SuspendableRow, [userId: string]>(
  'suspensions.find_suspendable',
  `SELECT u.suspended_at AS "suspendedAt", u.email, u.name, ${onlyInvitedSql} AS "isOnlyInvited" FROM users u WHERE u.id = $1`,
);

/** Suspends a person who is not suspended; else no row. From the commit on, every credential of theirs is refused. */
const suspend = statement<{ readonly suspendedAt: Date }, [userId: string, id: string, by: string, reason: string]>(
  'suspensions.suspend',
  `WITH suspended AS (
     UPDATE users SET suspended_at = now(), credentials_revision = credentials_revision + 1
     WHERE id = $1 AND suspended_at IS NULL RETURNING id, suspended_at)
   INSERT INTO suspensions (id, user_id, suspended_at, suspended_by, reason)
   SELECT $2, id, suspended_at, $3, $4 FROM suspended RETURNING suspended_at AS "suspendedAt"`,
);

/** Ends a suspension; else no row. A pair issued meanwhile by an earlier version stays dead. @param by null: shell */
const reinstate = statement<{ readonly id: string }, [userId: string, by: string | null]>(
  'suspensions.reinstate',
  `WITH reinstated AS (
     UPDATE users SET suspended_at = NULL, credentials_revision = credentials_revision + 1
     WHERE id = $1 AND suspended_at IS NOT NULL RETURNING id),
   ended AS (
     UPDATE suspensions s SET reinstated_at = now(), reinstated_by = $2
     FROM reinstated r WHERE s.user_id = r.id AND s.reinstated_at IS NULL)
   SELECT id FROM reinstated`,
);
