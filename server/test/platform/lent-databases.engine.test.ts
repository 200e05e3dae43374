/** Databases that tests lend one another: nothing of one test reaches the next, and a broken engine is reported. */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { DatabaseUnavailable, statement } from '../../src/platform/database/database.ts';
import { openEmbedded } from '../../src/platform/database/embedded/embedded.ts';
import { lendDatabase } from '../support/database/database-pool.ts';
import { createTestDatabase } from '../support/database/databases.ts';
import { openHere } from '../support/database/embedded-in-thread.ts';
import { embedded, embeddedOnly, postgresOnly } from '../support/database/engines.ts';
import { sqlOn } from '../support/database/sql.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';

/** A multiplication of a quarter of a second, in which the server checks for no interrupt. */
const uninterrupted = `DO $$ BEGIN RAISE NOTICE 'begun';
  PERFORM repeat('7', 131000)::numeric * repeat('7', 131000)::numeric; END $$`;

it.runIf(!embedded)(
  `A lent database on PostgreSQL${postgresOnly} is emptied after the end of its connections`,
  async () => {
    const lent = await lendDatabase();
    const client = new pg.Client({ connectionString: lent.url });
    client.on('error', () => undefined);
    await client.connect();
    const pid = (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid;
    const begun = once(client, 'notice');
    const running = client.query(uninterrupted).catch(() => undefined);
    await begun;
    await lent.drop();
    const next = await lendDatabase();
    const database = await next.open();
    const sql = sqlOn(database);
    expect(await sql(`SELECT FROM pg_stat_activity WHERE pid = ${pid}`)).toEqual([]);
    await running;
    await database.close();
    await next.drop();
  },
);

it.runIf(embedded)(`A broken embedded engine reports itself, and refuses later statements${embeddedOnly}`, async () => {
  const stored = await createTestDatabase();
  const { dataDirectory } = stored;
  const reasons: string[] = [];
  const onFatal = (reason: string): void => void reasons.push(reason);
  const database = await openEmbedded({ dataDirectory, logger: silentLogger, onFatal, openEngine: openHere });
  await rm(join(dataDirectory, 'database', 'pg_wal'), { recursive: true });
  const grow = statement<never>('test.grow', 'CREATE TABLE grown AS SELECT generate_series(1, 100000)');
  const growing = database.execute(grow, []);
  const queued = database.ping();
  await expect(growing).rejects.toBeInstanceOf(DatabaseUnavailable);
  await expect(queued).rejects.toBeInstanceOf(DatabaseUnavailable);
  expect(reasons).toEqual([expect.stringMatching(/ stopped: PANIC: could not create file .+\.$/)]);
  await expect(database.ping()).rejects.toBeInstanceOf(DatabaseUnavailable);
  await database.close();
  await stored.drop();
});
