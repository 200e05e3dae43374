/**
 * Everything that a service stores, to compare before and after a refusal. Most refusals write nothing at all, and most
 * writes change one table: PostgreSQL's transaction ids tell which tables must be read again.
 */
import type { Service } from './gatehouse.ts';

/** Without the record of connections: a refusal is what it is there to record, and it is written late. */
const tables = [
  'users',
  'external_exchanges',
  'helper_session_entries',
  'external_identities',
  'organizations',
  'organization_members',
  'subscriptions',
  'credentials',
  'payment_events',
  'rate_limits',
  'rejected_sign_ups',
  'oauth_clients',
  'oauth_requests',
  'oauth_codes',
  'mcp_tool_audits',
] as const;

/** An attempt at the outside provider is over once its browser came back, also when it is refused. */
const withoutAttempts = ` WHERE name NOT LIKE 'external:%'`;

/**
 * Every row of a table by its place; its text only if a transaction wrote it that had not ended at the last reading.
 * Last-seen instants are left out: earlier requests write them, late.
 */
const rowsOf = (table: string): string =>
  `SELECT ctid::text AS place, CASE WHEN xmin::text::bigint >= $1::bigint
     THEN '${table} ' || (to_jsonb(t) - 'last_seen_at' - 'last_seen_ip')::text END AS line
   FROM ${table} t${table === 'helper_session_entries' ? withoutAttempts : ''}`;

/**
 * One line a table that changes whenever a row does: a new version of a row has the id of a later transaction in xmin,
 * so that with as many rows their sum has grown.
 */
const versions = tables
  .map(
    (table) => `SELECT '${table}' AS name, concat_ws(' ', count(*), sum(xmin::text::bigint)) AS version FROM ${table}`,
  )
  .join(' UNION ALL ');

/** As long as the next transaction id stays, no transaction has written a row, or locked one. */
const snapshotNow = `SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next,
  pg_snapshot_xmin(pg_current_snapshot())::text AS oldest`;

interface Snapshot {
  readonly next: string;
  /** The oldest transaction that had not ended. */
  readonly oldest: string;
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
  await service.mailsAreSent();
  const last = readings.get(service);
  const [snapshot] = await service.sql<Snapshot>(snapshotNow);
  if (snapshot === undefined) throw new Error('No snapshot');
  if (last?.next === snapshot.next) return last.everything;
  const reading = await readAgain(service, snapshot, last);
  readings.set(service, reading);
  return reading.everything;
};

const readAgain = async (service: Service, snapshot: Snapshot, last: Reading | undefined): Promise<Reading> => {
  const found = await service.sql<{ name: string; version: string }>(versions);
  const read = new Map(last?.tables);
  for (const { name, version } of found) {
    if (last?.versions.get(name) !== version) read.set(name, await linesOf(service, name, last));
  }
  const mailbox = await fetch(`${service.url}/dev/mailbox.json`);
  const everything = [
    ...tables.flatMap((table) => [...(read.get(table)?.values() ?? [])].toSorted()),
    await mailbox.text(),
  ];
  return {
    ...snapshot,
    versions: new Map(found.map(({ name, version }) => [name, version])),
    tables: read,
    everything,
  };
};

const linesOf = async (service: Service, table: string, last: Reading | undefined): Promise<Lines> => {
  const known = last?.tables.get(table);
  const rows = await service.sql<{ place: string; line: string | null }>(rowsOf(table), [last?.oldest ?? '0']);
  return new Map(
    rows.map(({ place, line }) => {
      const text = line ?? known?.get(place);
      if (text === undefined) throw new Error(`A row of ${table} was not read`);
      return [place, text];
    }),
  );
};
