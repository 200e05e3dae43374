/**
 * All rows of a service, to compare before and after a refusal. Most refusals write nothing at all, and most writes
 * change one table: PostgreSQL's transaction ids show which tables must be read again.
 */

import type { MailboxEntry } from '../../../src/platform/mail/transport.ts';
import type { Service } from '../gatehouse/gatehouse.ts';

/** Without the record of connections and the history of sign-ins: they record refusals, and are written late. */
const tables = [
  'users',
  'suspensions',
  'passkeys',
  'totp_enrolments',
  'totp_secrets',
  'recovery_codes',
  'former_authenticators',
  'second_factor_challenges',
  'external_exchanges',
  'helper_session_entries',
  'external_identities',
  'organizations',
  'organization_members',
  'subscriptions',
  'credentials',
  'service_accounts',
  'machine_tokens',
  'payment_events',
  'rate_limits',
  'rejected_sign_ups',
  'email_changes',
  'passkey_challenges',
  'oauth_clients',
  'oauth_requests',
  'oauth_codes',
  'mcp_tool_audits',
  'organization_audits',
  'organization_audit_ends',
  'token_reports',
] as const;

/** Rows that are no effect of a request. */
const left: Readonly<Record<string, string>> = {
  // An attempt at the external provider ends when its browser returns, also when it is refused.
  helper_session_entries: ` AND name NOT LIKE 'external:%'`,
  // An earlier use of a token, written late.
  organization_audits: ` AND event <> 'TOKEN_USED_FROM_NEW_NETWORK'`,
};

const usedLate = (table: string): string => (table === 'oauth_clients' ? ` - 'last_used_at'` : '');

/**
 * Every row of the given tables, by its place; its text only if a transaction wrote it that had not ended at the last
 * reading. Instants of the last use of a credential and of a client are omitted: earlier requests write them, late. So
 * are the tries of a challenge, which a wrong code consumes. Other tables are not read.
 */
const rows = tables
  .map(
    (table) => `SELECT '${table}' AS name, ctid::text AS place, CASE WHEN xmin::text::bigint >= $1::bigint
     THEN '${table} ' || (to_jsonb(t) - 'last_seen_at' - 'last_seen_ip' - 'tries_left'${usedLate(table)})::text END AS line
   FROM ${table} t WHERE '${table}' = ANY ($2::text[])${left[table] ?? ''}`,
  )
  .join(' UNION ALL ');

/**
 * One line a table that changes whenever a row does: a new version of a row has the id of a later transaction in xmin,
 * so that with as many rows their sum has grown.
 */
const versions = tables
  .map(
    (table) => `SELECT '${table}' AS name, concat_ws(' ', count(*), sum(xmin::text::bigint)) AS version FROM ${table}`,
  )
  .join(' UNION ALL ');

/** While the next transaction id is unchanged, no transaction has written or locked a row. */
const snapshotNow = `SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next,
  pg_snapshot_xmin(pg_current_snapshot())::text AS oldest, EXISTS (SELECT FROM mail_outbox) AS "hasMails"`;

interface Snapshot {
  readonly next: string;
  /** The oldest transaction that had not ended. */
  readonly oldest: string;
  /** Whether mails wait to be sent. */
  readonly hasMails: boolean;
}

type Lines = ReadonlyMap<string, string>;

interface Reading extends Snapshot {
  readonly versions: ReadonlyMap<string, string>;
  /** Of each table, by the place of the row. */
  readonly tables: ReadonlyMap<string, Lines>;
  readonly everything: readonly string[];
}

const readings = new WeakMap<Service, Reading>();

/** Every row of every table and every mail sent, one line each. The same array as before when nothing was written. */
export const everythingStored = async (service: Service): Promise<readonly string[]> => {
  const last = readings.get(service);
  const snapshot = await snapshotWithoutMails(service);
  if (last?.next === snapshot.next) return last.everything;
  const reading = await readAgain(service, snapshot, last);
  readings.set(service, reading);
  return reading.everything;
};

/** Once every mail is sent. */
const snapshotWithoutMails = async (service: Service): Promise<Snapshot> => {
  const [snapshot] = await service.sql<Snapshot>(snapshotNow);
  if (snapshot === undefined) throw new Error('No snapshot');
  if (!snapshot.hasMails) return snapshot;
  await service.mailsAreSent();
  return snapshotWithoutMails(service);
};

const readAgain = async (service: Service, snapshot: Snapshot, last: Reading | undefined): Promise<Reading> => {
  const found = await service.sql<{ name: string; version: string }>(versions);
  const changed = found.filter(({ name, version }) => last?.versions.get(name) !== version);
  const read = await linesOf(
    service,
    changed.map(({ name }) => name),
    last,
  );
  const everything = [
    ...tables.flatMap((table) => [...(read.get(table)?.values() ?? [])].toSorted()),
    `[${service.mailbox().map(textOf).join()}]`,
  ];
  return {
    ...snapshot,
    versions: new Map(found.map(({ name, version }) => [name, version])),
    tables: read,
    everything,
  };
};

const texts = new WeakMap<MailboxEntry, string>();

/** A mail as JSON, written once. */
const textOf = (mail: MailboxEntry): string => {
  const text = texts.get(mail) ?? JSON.stringify(mail);
  texts.set(mail, text);
  return text;
};

/** The lines of all tables, of which these have changed since the last reading. */
const linesOf = async (
  service: Service,
  changed: readonly string[],
  last: Reading | undefined,
): Promise<ReadonlyMap<string, Lines>> => {
  const read = new Map<string, Lines>(last?.tables);
  if (changed.length === 0) return read;
  const fresh = new Map(changed.map((table) => [table, new Map<string, string>()]));
  const found = await service.sql<Place>(rows, [last?.oldest ?? '0', changed]);
  for (const { name, place, line } of found) {
    const text = line ?? last?.tables.get(name)?.get(place);
    if (text === undefined) throw new Error(`A row of ${name} was not read`);
    fresh.get(name)?.set(place, text);
  }
  for (const [table, lines] of fresh) read.set(table, lines);
  return read;
};

interface Place {
  readonly name: string;
  readonly place: string;
  readonly line: string | null;
}
