/**
 * SQL of the table `email_changes`: the newest change of each user's address, first a request, then what undoing it
 * puts back; and SQL that gives a user another address.
 *
 * A transaction that may give an address to a user first takes the lock of the address, then the user's row: whether an
 * address is reserved, and by whom it is used, then stays as its next statement finds it.
 */
import { statement } from '../../platform/database/database.ts';
import { deletingExpired } from '../../platform/jobs/scheduled-jobs.ts';
import { endVerificationSql, onlyInvitedSql, reservedSql } from './users-store.ts';

const lockOf = (email: string): string => `hashtextextended('address ' || ${email}, 3)`;

/** For a transaction that inserts a user with the address. A separate statement: the next sees what it waited for. */
export const shareAddress = statement<unknown, [email: string]>(
  'email_changes.share_address',
  `SELECT pg_advisory_xact_lock_shared(${lockOf('$1')}) IS NOT NULL AS held`,
);

/** For a transaction that changes a user's address, in one order for all. */
export const lockAddresses = statement<unknown, [emails: readonly string[]]>(
  'email_changes.lock_addresses',
  `SELECT pg_advisory_xact_lock(key) IS NOT NULL AS held
   FROM (SELECT DISTINCT ${lockOf('email')} AS key FROM unnest($1::text[]) AS email ORDER BY 1 OFFSET 0) AS keys`,
);

/**
 * For a request of a user: holds their row and the one of the account that has the address, whose notice is claimed in
 * it, always in the same order. So two users who request each other's addresses do not deadlock.
 */
export const lockRequester = statement<{ readonly id: string }, [userId: string, newEmail: string]>(
  'email_changes.lock_requester',
  'SELECT id FROM users WHERE id = $1 OR email = $2 ORDER BY id FOR NO KEY UPDATE',
);

/** The caller holds the user's row. No row within the hour for the same address, or while a change can be undone. */
export const requestChange = statement<
  { readonly requestedAt: Date },
  [userId: string, newEmail: string, tokenHash: Buffer]
>(
  'email_changes.request',
  `INSERT INTO email_changes AS c
     (user_id, new_email, old_email, old_password_hash, credentials_revision, token_hash, expires_at)
   SELECT id, $2, email, password_hash, credentials_revision, $3, now() + interval '24 hours' FROM users WHERE id = $1
   ON CONFLICT (user_id) DO UPDATE SET new_email = excluded.new_email, old_email = excluded.old_email,
     old_password_hash = excluded.old_password_hash, credentials_revision = excluded.credentials_revision,
     token_hash = excluded.token_hash, requested_at = excluded.requested_at, expires_at = excluded.expires_at,
     confirmed_at = NULL, undo_token_hash = NULL, notice_sent_at = NULL
   WHERE CASE WHEN c.confirmed_at IS NULL
     THEN c.new_email <> excluded.new_email OR c.credentials_revision <> excluded.credentials_revision
       OR c.requested_at <= now() - interval '1 hour'
     ELSE c.expires_at <= now() END
   RETURNING requested_at AS "requestedAt"`,
);

/** Ends the user's request, if there is one; a confirmed change stays. */
export const endRequestedChange = statement<unknown, [userId: string]>(
  'email_changes.end_request',
  'DELETE FROM email_changes WHERE user_id = $1 AND confirmed_at IS NULL',
);

/** The addresses of a change `c` of the user `u`. */
interface ChangedAddresses {
  readonly userId: string;
  readonly oldEmail: string;
  readonly newEmail: string;
}

const addresses = `c.user_id AS "userId", c.old_email AS "oldEmail", c.new_email AS "newEmail"`;

const isOpen = `c.confirmed_at IS NULL AND c.expires_at > now() AND c.credentials_revision = u.credentials_revision
     AND c.old_email = u.email`;

export const findRequestedChange = statement<ChangedAddresses, [tokenHash: Buffer]>(
  'email_changes.find_requested',
  `SELECT ${addresses} FROM email_changes c JOIN users u ON u.id = c.user_id WHERE c.token_hash = $1 AND ${isOpen}`,
);

/** Confirms an open request, once: from now on it can be undone. The caller holds the user's row. */
export const confirmRequestedChange = statement<
  { readonly confirmedAt: Date },
  [userId: string, tokenHash: Buffer, undoTokenHash: Buffer]
>(
  'email_changes.confirm',
  `UPDATE email_changes c
   SET confirmed_at = now(), undo_token_hash = $3, expires_at = now() + interval '72 hours'
   FROM users u WHERE c.user_id = $1 AND u.id = c.user_id AND c.token_hash = $2 AND ${isOpen}
   RETURNING c.confirmed_at AS "confirmedAt"`,
);

const canBeUndone = 'confirmed_at IS NOT NULL AND expires_at > now()';

export const findUndoableChange = statement<ChangedAddresses, [undoTokenHash: Buffer]>(
  'email_changes.find_undoable',
  `SELECT ${addresses} FROM email_changes c WHERE c.undo_token_hash = $1 AND ${canBeUndone}`,
);

interface TakenChange {
  readonly oldEmail: string;
  /** 72 hours before the request, or the beginning of a younger account; rounded up to whole milliseconds. */
  readonly asOf: Date;
  /** The hash of the password that the account had then. */
  readonly passwordHash: string | null;
}

/** Takes a change to undo, once. The first password that was replaced since `asOf` is the one of then. */
export const takeUndoableChange = statement<TakenChange, [undoTokenHash: Buffer]>(
  'email_changes.take_undoable',
  `WITH taken AS (
     DELETE FROM email_changes c USING users u
     WHERE c.undo_token_hash = $1 AND c.confirmed_at IS NOT NULL AND c.expires_at > now() AND u.id = c.user_id
     RETURNING c.user_id, c.old_email, c.old_password_hash,
       date_trunc('milliseconds', greatest(c.requested_at - interval '72 hours', coalesce(u.signed_up_at, u.created_at)))
         + interval '1 millisecond' AS as_of)
   SELECT t.old_email AS "oldEmail", t.as_of AS "asOf",
     CASE WHEN f.stored IS NULL THEN t.old_password_hash ELSE f.stored ->> 'password_hash' END AS "passwordHash"
   FROM taken t LEFT JOIN LATERAL (SELECT stored FROM former_authenticators
     WHERE user_id = t.user_id AND kind = 'users' AND replaced_at > t.as_of ORDER BY replaced_at LIMIT 1) AS f ON true`,
);

/** Until when a change can be undone, or no row. @param addedAt not null: what was added before the request is kept */
export const findPendingUndo = statement<{ readonly undoableUntil: Date }, [userId: string, addedAt: Date | null]>(
  'email_changes.find_pending_undo',
  `SELECT expires_at AS "undoableUntil" FROM email_changes
   WHERE user_id = $1 AND ${canBeUndone} AND ($2::timestamptz IS NULL OR $2 < requested_at)`,
);

export const isReserved = statement<{ readonly held: boolean }, [email: string]>(
  'email_changes.is_held_back',
  `SELECT ${reservedSql('$1')} AS held`,
);

/** The former owner of an address that is reserved, whom a sign-up with it is told to. */
interface FormerOwner {
  /** The address that the account has now. */
  readonly accountEmail: string;
  readonly name: string;
  readonly triedAt: Date;
  readonly heldUntil: Date;
}

/** Claims the hourly notice to an address that is reserved; no row while the last one is under an hour old. */
export const claimReservedNotice = statement<FormerOwner, [email: string]>(
  'email_changes.claim_notice',
  `UPDATE email_changes c SET notice_sent_at = now() FROM users u
   WHERE c.old_email = $1 AND u.id = c.user_id AND c.confirmed_at IS NOT NULL AND c.expires_at > now()
     AND (c.notice_sent_at IS NULL OR c.notice_sent_at <= now() - interval '1 hour')
   RETURNING u.email AS "accountEmail", u.name, now() AS "triedAt", c.expires_at AS "heldUntil"`,
);

/** The row of a user with this address who was only invited and is not suspended, held until the transaction ends. */
export const lockInvitedPerson = statement<{ readonly id: string }, [email: string]>(
  'email_changes.lock_invited',
  `SELECT u.id FROM users u WHERE u.email = $1 AND u.suspended_at IS NULL AND ${onlyInvitedSql} FOR UPDATE`,
);

/** Gives a user the invitations of another one, except to organizations that know the user already. */
export const moveInvitations = statement<unknown, [invitedId: string, userId: string]>(
  'email_changes.move_invitations',
  `UPDATE organization_members m SET user_id = $2 WHERE m.user_id = $1 AND NOT EXISTS (
     SELECT 1 FROM organization_members o WHERE o.user_id = $2 AND o.organization_id = m.organization_id)`,
);

export const deleteInvitedPerson = statement<unknown, [invitedId: string]>(
  'email_changes.delete_invited',
  'DELETE FROM users WHERE id = $1',
);

/** Gives a user a proven address. No row when another account has it or it is reserved for another user. */
export const setEmail = statement<unknown, [userId: string, email: string]>(
  'email_changes.set_email',
  `UPDATE users SET email = $2, email_validated_at = now(), ${endVerificationSql}
   WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM users WHERE email = $2) AND NOT ${reservedSql('$2')}`,
);

/**
 * Puts back address and password. Affects no row when another account has the address: it was free
 * between the end of the 72 hours and this statement, whose transaction began before that end.
 */
export const restoreAccount = statement<unknown, [userId: string, email: string, passwordHash: string | null]>(
  'email_changes.restore_account',
  `UPDATE users SET email = $2, password_hash = $3, email_validated_at = now(), ${endVerificationSql}
   WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM users WHERE email = $2 AND id <> $1)`,
);

export const purgeEmailChanges = deletingExpired('email_changes', 'user_id', 'expires_at', ['expires_at < now()']);
