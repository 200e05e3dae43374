/** DATABASE_URL with several hosts of which one is a real server: every way to a session takes it. */
import { describe, expect, it } from 'vitest';
import { statement } from '../../../src/platform/database/database.ts';
import { examinePostgres, serverState } from '../../../src/platform/database/examine.ts';
import { migrate } from '../../../src/platform/database/migrate.ts';
import { openDatabase } from '../../../src/platform/database/open.ts';
import { openWorldDatabase } from '../../../src/testing/world-database.ts';
import { migrationsDirectory } from '../../support/database/database-template.ts';
import { createTestDatabase } from '../../support/database/databases.ts';
import { postgresOnly, serverUrl } from '../../support/database/engines.ts';
import { testFixture } from '../../support/fixture.ts';
import { silentLogger } from '../../support/gatehouse/silent-logger.ts';
import { freePort } from '../../support/servers/listen.ts';
import { startScriptedPostgres } from '../../support/servers/scripted-postgres.ts';

const port = statement<{ port: number }>('test.port', "SELECT current_setting('port')::int AS port");

/** The same address with hosts before its own: one that is closed, a standby, and one that is silent. */
const behindOthers = async (url: string): Promise<string> => {
  const [standby, silent] = [
    await testFixture(startScriptedPostgres('standby')),
    await testFixture(startScriptedPostgres('silent')),
  ];
  const { host, href } = new URL(url);
  const others = [await freePort(), standby.port, silent.port].map((at) => `127.0.0.1:${at}`);
  return href.replace(`@${host}`, `@${[...others, host].join(',')}`);
};

describe.runIf(serverUrl !== undefined)(`Several hosts of DATABASE_URL${postgresOnly}`, () => {
  const direct = serverUrl ?? '';

  it('give every kind of session the one that is a primary', async () => {
    const stored = await createTestDatabase();
    const several = await behindOthers(stored.url ?? '');
    const expected = { port: Number(new URL(direct).port) };
    const database = await openDatabase({ url: several, dataDirectory: '', logger: silentLogger });
    try {
      expect((await migrate(database, migrationsDirectory)).applied).toEqual([]);
      expect(await database.one(port, [])).toEqual(expected);
      expect(await database.lookups.one(port, [])).toEqual(expected);
      expect(await database.transaction((transaction) => transaction.one(port, []))).toEqual(expected);
      expect(await examinePostgres(several, (session) => session.one(port, []))).toEqual(expected);
      expect(await examinePostgres(several, (session) => session.one(serverState, []))).toMatchObject({
        isStandby: false,
      });
    } finally {
      await database.close();
      await stored.drop();
    }
  });

  it('are accepted by the tests of adopters', async () => {
    const world = await openWorldDatabase({ databaseUrl: await behindOthers(direct) });
    expect(await world.database.one(port, [])).toEqual({ port: Number(new URL(direct).port) });
    await world.drop();
    await expect(openWorldDatabase({ databaseUrl: 'postgres://a,,b/db' })).rejects.toThrow(
      'databaseUrl must have no empty host between its commas',
    );
  });
});
