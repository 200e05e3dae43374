/**
 * The jobs of tokens: reminders, and the deletion of tokens and service accounts once they are not listed any more.
 *
 * Reminders are mails before a token expires: 30, 7 and 1 day before, each once for a secret, to the owner of a
 * personal token and to those who manage tokens of a service account.
 *
 * A reminder is for a token that was given more than so many days, so that one of 5 days has only the last; where
 * several are due, after a pause of the service, the last of them is sent alone. What the policy blocks and what waits
 * for approval cannot be used, so it is not reminded of until it can. A rotation begins anew.
 */
import { type Database, statement, type Transaction } from '../../platform/database/database.ts';
import { deletingExpired, rowsAtOnce, type ScheduledJob } from '../../platform/jobs/scheduled-jobs.ts';
import type { Deps, MailDeps } from '../access/deps.ts';
import { withheldSql } from '../credentials/machine-actor-store.ts';
import { notifyManagers, tokenLinks } from './token-mails.ts';
import { listedDays } from './tokens-store.ts';

/** Few: a service token may have a mail for each of many people. */
const remindedAtOnce = 10;

type ReminderDeps = MailDeps & Deps<'application'>;

const everySeconds = 600;

export const tokenReminders = (deps: ReminderDeps): ScheduledJob => ({
  name: 'machine_token_reminders',
  everySeconds,
  deletes: false,
  purge: (database) => remindOfTokens(deps, database),
});

/**
 * Reminds of some tokens. Processes may run it together: each skips what another has, and the mails are queued in the
 * transaction that notes them.
 * @returns how many tokens; 0 when none is due
 */
const remindOfTokens = (deps: ReminderDeps, database: Pick<Database, 'transaction'>): Promise<number> =>
  database.transaction(async (transaction) => {
    const due = await transaction.many(noteReminders, []);
    for (const token of due) await remind(deps, transaction, token);
    return due.length;
  });

const remind = async (
  deps: ReminderDeps,
  transaction: Transaction,
  { name: token, organizationId, organizationName: organization, ownerEmail, ownerName, until, days }: DueTokenRow,
): Promise<void> => {
  const links = tokenLinks(deps.settings.frontendUrl);
  const facts = { organization, until, days };
  if (ownerEmail !== null) {
    const values = { ...facts, name: ownerName ?? '', token };
    await deps.mail.enqueue(transaction, { mail: 'personalTokenExpires', to: ownerEmail, values, links: links.own });
    return;
  }
  await notifyManagers(deps, transaction, organizationId, ({ email, name }) => ({
    mail: 'serviceTokenExpires',
    to: email,
    values: { ...facts, name, account: token },
    links: links.managed,
  }));
};

interface DueTokenRow {
  readonly name: string;
  readonly organizationId: string;
  readonly organizationName: string;
  /** Null for a service token. */
  readonly ownerEmail: string | null;
  readonly ownerName: string | null;
  readonly until: Date;
  readonly days: number;
}

/** The days of the reminder for what is left of a secret `c`. */
const reminderDays = `CASE WHEN c.expires_at <= now() + interval '24 hours' THEN 1
     WHEN c.expires_at <= now() + 7 * interval '24 hours' THEN 7 ELSE 30 END`;

const noteReminders = statement<DueTokenRow>(
  'machine_tokens.note_reminders',
  `WITH due AS MATERIALIZED (
     SELECT t.id, ${reminderDays} AS days, c.expires_at AS until, coalesce(t.name, a.name) AS name, o.id AS organization_id,
       o.name AS organization_name, u.email, u.name AS user_name
     FROM credentials c
     JOIN machine_tokens t ON t.id = c.session_family_id AND t.credential_id = c.id
     JOIN organizations o ON o.id = t.organization_id
     LEFT JOIN users u ON u.id = t.user_id
     LEFT JOIN service_accounts a ON a.id = t.service_account_id
     WHERE c.kind = 'machine' AND c.revoked_at IS NULL AND c.expires_at > now()
       AND c.expires_at <= now() + 30 * interval '24 hours'
       AND t.lifetime_seconds > ${reminderDays} * 86400 AND (t.reminded_days IS NULL OR t.reminded_days > ${reminderDays})
       AND ${withheldSql} IS NULL
     ORDER BY c.expires_at LIMIT ${remindedAtOnce} FOR UPDATE OF t SKIP LOCKED)
   UPDATE machine_tokens t SET reminded_days = due.days FROM due WHERE t.id = due.id
   RETURNING due.name, due.organization_id AS "organizationId", due.organization_name AS "organizationName",
     due.email AS "ownerEmail", due.user_name AS "ownerName", due.until, due.days`,
);

// Deletion.

/** As in the index `credentials_of_machines_by_end`. */
const newestEnd = 'coalesce(c.revoked_at, c.expires_at)';

/**
 * Deletes tokens that ended so many days ago, with the rows of their newest secrets, by which they are found. Those of
 * replaced secrets are deleted with other credentials, in their own time; purgeCredentials leaves the newest ones.
 *
 * The trigger of `machine_tokens` deletes the secrets of a token that are not revoked, and would wait for a lock of
 * one. The deletion of an account locks the secrets first and then the token, so a token is deleted only when this
 * statement has locked all of them without waiting, and is left for the next run otherwise.
 */
export const purgeTokens = statement(
  'machine_tokens.purge',
  `WITH over AS MATERIALIZED (
     SELECT t.id, t.credential_id FROM credentials c JOIN machine_tokens t ON t.id = c.session_family_id AND t.credential_id = c.id
     WHERE c.kind = 'machine' AND c.revocation_reason IS DISTINCT FROM 'rotated' AND ${newestEnd} < now() - interval '${listedDays} days'
     ORDER BY ${newestEnd} LIMIT ${rowsAtOnce} FOR UPDATE OF t, c SKIP LOCKED),
   held AS MATERIALIZED (
     SELECT id FROM credentials
     WHERE session_family_id IN (SELECT id FROM over) AND kind = 'machine' AND revoked_at IS NULL FOR UPDATE SKIP LOCKED),
   due AS MATERIALIZED (
     SELECT id, credential_id FROM over WHERE NOT EXISTS (
       SELECT FROM credentials x WHERE x.session_family_id = over.id AND x.kind = 'machine' AND x.revoked_at IS NULL
         AND x.id NOT IN (SELECT id FROM held))),
   secrets AS (DELETE FROM credentials WHERE id = ANY (ARRAY(SELECT credential_id FROM due)))
   DELETE FROM machine_tokens WHERE id = ANY (ARRAY(SELECT id FROM due))`,
);

/** Deletes service accounts that were deleted so many days ago, once none of their tokens is left. */
export const purgeServiceAccounts = deletingExpired('service_accounts', 'id', 'deleted_at', [
  `deleted_at < now() - interval '${listedDays} days'`,
  'NOT EXISTS (SELECT FROM machine_tokens t WHERE t.service_account_id = service_accounts.id)',
]);
