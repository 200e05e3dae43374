/** Where the database is, and which changes of it may be a restored backup; a service asks that on PostgreSQL alone. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/platform/database/database.ts';
import { openDatabase } from '../../../src/platform/database/open.ts';
import { examineOrigin, observeOrigin, originJob, settleChange } from '../../../src/platform/database/origin.ts';
import { createTestDatabase } from '../../support/database/databases.ts';
import { type Sql, sqlOn } from '../../support/database/sql.ts';
import { fixture } from '../../support/fixture.ts';
import { silentLogger } from '../../support/gatehouse/silent-logger.ts';

const instant: unknown = expect.any(Date);

describe('Where the database is', () => {
  const opened = fixture(
    async () => {
      const stored = await createTestDatabase();
      return { stored, database: await openDatabase({ ...stored, url: stored.url, logger: silentLogger }) };
    },
    async ({ stored, database }) => {
      await database.close();
      await stored.drop();
    },
  );
  let database: Database;
  let sql: Sql;
  beforeEach(async () => {
    database = opened.database;
    sql = sqlOn(database);
    await sql('DELETE FROM database_origin');
    expect(await examineOrigin(database)).toBeNull();
    expect(await observeOrigin(database)).toBeNull();
  });

  const row = async () => (await sql('SELECT * FROM database_origin'))[0];
  const without = (value: unknown, ...names: readonly string[]): unknown =>
    Object.fromEntries(Object.entries(value ?? {}).filter(([name]) => !names.includes(name)));

  it('is noted at the first start and renewed, and is no change', async () => {
    const first = await row();
    expect(first).toMatchObject({ change: null, changed_after: null });
    expect(await observeOrigin(database)).toBeNull();
    const second = await row();
    expect(without(second, 'seen_at')).toEqual(without(first, 'seen_at'));
    expect(
      await sql('SELECT FROM database_origin WHERE seen_at > $1', [Reflect.get(first ?? {}, 'seen_at')]),
    ).toHaveLength(1);
  });

  // Contract: operation#database-that-was-restored — A database that may have been restored is told until after-restore
  //   was run
  it.each([
    ['DUMP', "object_ids = '1 2', system_identifier = '1'"],
    ['SERVER', "system_identifier = '1', timeline = 'FFFFFFFE'"],
    ['TIMELINE', "timeline = 'FFFFFFFE', seen_at = pg_postmaster_start_time() - interval '1 second'"],
  ])('has changed by %s until the operator has dealt with it', async (change, set) => {
    const noted = await row();
    await sql(`UPDATE database_origin SET ${set}`);
    const [{ seen_at: seenAt } = { seen_at: null }] = await sql<{ seen_at: Date | null }>(
      'SELECT seen_at FROM database_origin',
    );
    const altered = await row();
    expect(await examineOrigin(database)).toEqual({ change, changedAfter: seenAt, isNew: true });
    expect(await row()).toEqual(altered);
    expect(await observeOrigin(database)).toEqual({ change, changedAfter: seenAt, isNew: true });
    expect(without(await row(), 'seen_at', 'change', 'changed_after')).toEqual(
      without(noted, 'seen_at', 'change', 'changed_after'),
    );
    for (const again of [observeOrigin, examineOrigin])
      expect(await again(database)).toEqual({ change, changedAfter: seenAt, isNew: false });
    expect([await settleChange(database), await settleChange(database)]).toEqual([true, false]);
    for (const again of [observeOrigin, examineOrigin]) expect(await again(database)).toBeNull();
  });

  // Contract: operation#database-that-was-restored — A fail-over under running processes is no restored backup
  it('has not changed by a fail-over to a server that had the last note as a standby', async () => {
    const noted = await row();
    await sql(
      "UPDATE database_origin SET timeline = 'FFFFFFFE', seen_at = pg_postmaster_start_time() + interval '1 ms'",
    );
    expect(await examineOrigin(database)).toBeNull();
    expect(await observeOrigin(database)).toBeNull();
    expect(without(await row(), 'seen_at')).toEqual(without(noted, 'seen_at'));
  });

  it('is noted by a job of running processes, which tells of a change once', async () => {
    const lines: unknown[] = [];
    const job = originJob({ ...silentLogger, warn: (facts: object) => void lines.push(facts) });
    expect(await job.purge(database)).toBe(0);
    await sql("UPDATE database_origin SET system_identifier = '1'");
    expect([await job.purge(database), await job.purge(database)]).toEqual([0, 0]);
    expect(lines).toEqual([{ event: 'database.restored', change: 'SERVER', changedAfter: instant }]);
  });

  it('is found once by those who note it at the same time', async () => {
    await sql("UPDATE database_origin SET system_identifier = '1'");
    const found = await Promise.all([1, 2, 3, 4].map(() => observeOrigin(database)));
    expect(found.filter((each) => each?.isNew === true)).toHaveLength(1);
    expect(found.filter((each) => each?.isNew === false)).toHaveLength(3);
  });

  it('is not told by a server that keeps it from this role', async () => {
    await sql('CREATE ROLE without_origin');
    // A failed statement ends the transaction, which is only there for the role.
    let told: unknown = 'not asked';
    const asked = database.transaction(async (transaction) => {
      await sqlOn(transaction)('SET LOCAL ROLE without_origin');
      told = await examineOrigin(transaction);
    });
    await expect(asked).rejects.toThrow('a statement in it had failed');
    await sql('DROP ROLE without_origin');
    expect(told).toBeNull();
  });
});
