/** The instant of a revocation, which is set after its commit while rotations may hold rows of its credentials. */
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { revokeOnce } from '../../src/domain/credentials/revoke.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { openDatabase } from '../../src/platform/database/open.ts';
import { seedPerson, seedSession } from '../support/actors/seeding.ts';
import { until } from '../support/checks/concurrency.ts';
import { createTestDatabase } from '../support/database/databases.ts';
import { embedded, postgresOnly } from '../support/database/engines.ts';
import { sqlOn } from '../support/database/sql.ts';
import { fixture } from '../support/fixture.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';

describe.skipIf(embedded)(`The instant of a revocation${postgresOnly}`, () => {
  const stored = fixture(createTestDatabase, (database) => database.drop());
  const database = fixture(() => openDatabase({ ...stored, url: stored.url, logger: silentLogger }));
  const rotation = fixture(
    async () => {
      const client = new pg.Client({ connectionString: stored.url });
      await client.connect();
      return client;
    },
    (client) => client.end(),
  );

  // Contract: credentials#revocation-receipt — Revocation of a session against its rotation: no deadlock after the
  //   commit
  it('is set row by row, without waiting for one that a rotation holds while it waits for another', async () => {
    const sql = sqlOn(database);
    await seedSession(database, await seedPerson(database));
    const [held = '', free = ''] = await sql.column<string>('SELECT id FROM credentials ORDER BY kind');
    const [before] = await sql.column<Date>("SELECT now() - interval '1 hour'");
    const lockedAfterCommit: Database = {
      ...database,
      transaction: async (work) => {
        const done = await database.transaction(work);
        await rotation.query('BEGIN');
        await rotation.query('SELECT FROM credentials WHERE id = $1 FOR UPDATE', [held]);
        return done;
      },
    };
    const revoking = revokeOnce(
      lockedAfterCommit,
      async (transaction) => {
        await sqlOn(transaction)("UPDATE credentials SET revoked_at = $1, revocation_reason = 'revoked'", [
          before ?? null,
        ]);
        return { revokedCredentials: 2, credentialIds: [held, free] };
      },
      () => ({}),
    );
    const instantOf = async (id: string) =>
      (await sql.column<Date>('SELECT revoked_at FROM credentials WHERE id = $1', [id]))[0];
    await until('the free row is dated', async () => (await instantOf(free))?.getTime() !== before?.getTime());
    expect(await instantOf(held)).toEqual(before);
    // The rotation locks the row that is dated: it waits for nothing, and ends.
    await rotation.query('SELECT FROM credentials WHERE id = $1 FOR UPDATE', [free]);
    await rotation.query('COMMIT');
    const { revokedAt } = await revoking;
    expect(await instantOf(held)).toEqual(revokedAt);
    expect(await instantOf(free)).toEqual(revokedAt);
  });
});
