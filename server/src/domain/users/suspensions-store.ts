/** SQL of suspensions: `suspended_at` of the table `users`, and the table `suspensions` with the reasons. */
import { statement } from '../../platform/database/statement.ts';
import { onlyInvitedSql } from './users-store.ts';

/** A person who may be suspended. */
export interface SuspendableRow {
  readonly suspendedAt: Date | null;
  readonly email: string;
  readonly name: string;
  /** They have no account yet, so that no mail tells them of it. */
  readonly isOnlyInvited: boolean;
}

export const findSuspendable = statement<SuspendableRow, [userId: string]>(
  'suspensions.find_suspendable',
  `SELECT u.suspended_at AS "suspendedAt", u.email, u.name, ${onlyInvitedSql} AS "isOnlyInvited" FROM users u WHERE u.id = $1`,
);

/** Suspends a person who is not suspended; else no row. From the commit on, every credential of theirs is refused. */
export const suspend = statement<
  { readonly suspendedAt: Date },
  [userId: string, id: string, by: string, reason: string]
>(
  'suspensions.suspend',
  `WITH suspended AS (
     UPDATE users SET suspended_at = now(), credentials_revision = credentials_revision + 1
     WHERE id = $1 AND suspended_at IS NULL RETURNING id, suspended_at)
   INSERT INTO suspensions (id, user_id, suspended_at, suspended_by, reason)
   SELECT $2, id, suspended_at, $3, $4 FROM suspended RETURNING suspended_at AS "suspendedAt"`,
);

/**
 * Ends a suspension; else no row. A pair that a process of the version before issued meanwhile does not become live.
 * @param by null for an operator
 */
export const reinstate = statement<{ readonly id: string }, [userId: string, by: string | null]>(
  'suspensions.reinstate',
  `WITH reinstated AS (
     UPDATE users SET suspended_at = NULL, credentials_revision = credentials_revision + 1
     WHERE id = $1 AND suspended_at IS NOT NULL RETURNING id),
   ended AS (
     UPDATE suspensions s SET reinstated_at = now(), reinstated_by = $2
     FROM reinstated r WHERE s.user_id = r.id AND s.reinstated_at IS NULL)
   SELECT id FROM reinstated`,
);

/** A suspension as super admins see it. */
export interface SuspensionRow {
  readonly id: string;
  readonly suspendedAt: Date;
  readonly suspendedBy: string;
  /** Null for an account that is gone. */
  readonly suspendedByEmail: string | null;
  readonly reason: string;
  readonly reinstatedAt: Date | null;
  /** Null while it lasts, and where an operator ended it. */
  readonly reinstatedBy: string | null;
  readonly reinstatedByEmail: string | null;
}

/** The suspensions of a person, the newest first. */
export const listSuspensions = statement<SuspensionRow, [userId: string, limit: number]>(
  'suspensions.list',
  `SELECT s.id, s.suspended_at AS "suspendedAt", s.suspended_by AS "suspendedBy", b.email AS "suspendedByEmail", s.reason,
     s.reinstated_at AS "reinstatedAt", s.reinstated_by AS "reinstatedBy", r.email AS "reinstatedByEmail"
   FROM suspensions s LEFT JOIN users b ON b.id = s.suspended_by LEFT JOIN users r ON r.id = s.reinstated_by
   WHERE s.user_id = $1 ORDER BY s.suspended_at DESC, s.id DESC LIMIT $2`,
);
