/** Time that passes in a world of `gatehouse/testing-support`: every stored instant moves, and nothing else does. */
import { beforeAll, describe, expect, it } from 'vitest';
import { verifyToolAudits } from '../../src/domain/audit/verify-tool-audits.ts';
import type { ScriptDatabase } from '../../src/platform/database/transaction.ts';
import { passTime } from '../../src/testing/pass-time.ts';
import { seedConnection, seedPerson } from '../support/actors/seeding.ts';
import { appendMany } from '../support/actors/tool-calls.ts';
import { lendDatabase } from '../support/database/database-pool.ts';
import { type Sql, sqlOn } from '../support/database/sql.ts';
import { fixture } from '../support/fixture.ts';

const stored = fixture(lendDatabase, (lent) => lent.drop());
const database = fixture((): Promise<ScriptDatabase> => stored.open());
let sql: Sql;

beforeAll(async () => {
  sql = sqlOn(database);
  const userId = await seedPerson(database);
  await seedConnection(database, userId, 'A client', ['sessions:read']);
  await appendMany(database, 3, 'called');
  await sql(`INSERT INTO rate_limits (key, due_at, taken_at)
    VALUES ('sign_in:someone', now() + interval '1 hour', ARRAY[now() - interval '2 minutes', now()])`);
  await sql(`INSERT INTO mail_outbox (id, sealed_message) VALUES (gen_random_uuid(), '\\x00')`);
  await sql(`UPDATE subscriptions SET current_period_ends_at = 'infinity'`);
});

interface Column {
  readonly name: string;
  readonly type: string;
}

const isInstant = (type: string): boolean => /^timestamp with time zone(?:\[\])?$/.test(type);

const columns = () =>
  sql<Column & { readonly table: string }>(
    `SELECT c.table_name AS table, c.column_name AS name,
       CASE c.data_type WHEN 'ARRAY' THEN format_type(to_regtype(substr(c.udt_name, 2)), NULL) || '[]'
         ELSE c.data_type END AS type
     FROM information_schema.columns c
     JOIN information_schema.tables t ON t.table_name = c.table_name AND t.table_schema = c.table_schema
     WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' ORDER BY 1, 2`,
  );

/** The finite instants of each column, also those in lists: how many there are, and the sum of their microseconds. */
const instants = async () => {
  const found = new Map<string, { readonly count: number; readonly sum: bigint }>();
  for (const { table, name, type } of await columns()) {
    if (!isInstant(type)) continue;
    const each = type.endsWith('[]') ? `unnest(${name})` : name;
    const [row] = await sql<{ count: number; sum: string }>(
      `SELECT count(*)::integer AS count, coalesce(sum((extract(epoch FROM at) * 1000000)::bigint), 0)::text AS sum
       FROM (SELECT ${each} AS at FROM ${table}) AS e WHERE isfinite(at)`,
    );
    if (row !== undefined && row.count > 0) found.set(`${table}.${name}`, { count: row.count, sum: BigInt(row.sum) });
  }
  return found;
};

const seconds = 3600.5;

describe('passTime', () => {
  it('moves every instant of every table back, also of unlogged ones, and keeps the record of tool calls', async () => {
    const before = await instants();
    await passTime(database, seconds);
    const after = await instants();
    const moved = [...before].map(([column, { count, sum }]) => {
      const difference = sum - (after.get(column)?.sum ?? 0n);
      return [column, Number(difference) / count / 1e6];
    });
    const expected = [...before.keys()].map((column) => [column, column.startsWith('mcp_tool_audits.') ? 0 : seconds]);
    expect(moved).toEqual(expected);
    expect([...before.keys()]).toEqual(
      expect.arrayContaining([
        'credentials.expires_at',
        'mail_outbox.next_attempt_at',
        'mcp_tool_audits.created_at',
        'rate_limits.due_at',
        'rate_limits.taken_at',
        'schema_migrations.applied_at',
        'users.email_validated_at',
      ]),
    );
    expect(await verifyToolAudits(database)).toMatchObject({ isSound: true, count: 3 });
  });

  it('counts the versions of rows that actors are built from, so that no cached actor has an instant of before', async () => {
    const versions = () =>
      sql<{ version: number }>(`SELECT id, version FROM users UNION ALL SELECT id, version FROM organizations
        UNION ALL SELECT id, version FROM organization_members ORDER BY id`);
    const before = await versions();
    await passTime(database, 1);
    const after = await versions();
    expect(after.length).toBe(before.length);
    expect(after.every(({ version }, at) => version > (before[at]?.version ?? Number.POSITIVE_INFINITY))).toBe(true);
  });

  it('finds every column that holds times: none has another type than timestamptz', async () => {
    const types = new Set((await columns()).map(({ type }) => type));
    expect(types).toContain('timestamp with time zone');
    expect([...types].filter((type) => /^(?:date|time|interval)/.test(type) && !isInstant(type))).toEqual([]);
  });
});
