/** Migrations, on both engines. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { statement } from '../../../src/platform/database/database.ts';
import { inMemory } from '../../../src/platform/database/embedded/embedded.ts';
import { DatabaseRefused } from '../../../src/platform/database/failure.ts';
import { migrate } from '../../../src/platform/database/migrate.ts';
import { openDatabase } from '../../../src/platform/database/open.ts';
import type { ScriptDatabase } from '../../../src/platform/database/transaction.ts';
import { createEmptyPostgres, newDirectory } from '../../support/database/databases.ts';
import { postgresOnly, serverUrl } from '../../support/database/engines.ts';
import { silentLogger } from '../../support/gatehouse/silent-logger.ts';
import { startChild } from './child.ts';

let directory: string;
let url: string | undefined;
let database: ScriptDatabase;
let drop: () => Promise<void>;

beforeAll(async () => {
  const made = serverUrl === undefined ? null : await createEmptyPostgres(serverUrl);
  url = made?.url;
  database = await openDatabase({ url, dataDirectory: inMemory, logger: silentLogger });
  drop = async () => {
    await database.close();
    await made?.drop();
  };
});
afterAll(() => drop());

beforeEach(async () => {
  directory = join(await newDirectory(), 'migrations');
  await mkdir(directory);
  await database.transaction((transaction) =>
    transaction.script('DROP SCHEMA public CASCADE; CREATE SCHEMA public', 10_000),
  );
});

const write = (name: string, text: string): Promise<void> => writeFile(join(directory, name), text);

const versions = statement<{ version: number; name: string }>(
  'test.versions',
  'SELECT version, name FROM schema_migrations ORDER BY version',
);
const logged = statement<{ step: string }>('test.log', 'SELECT step FROM log ORDER BY id');

const first = "CREATE TABLE log (id serial, step text); INSERT INTO log (step) VALUES ('first');";
const second = "INSERT INTO log (step) VALUES ('second'); ALTER TABLE log ADD COLUMN more int;";

describe('Migrating', () => {
  it('applies missing files in order, each once, and prints them', async () => {
    await write('0001-first.sql', first);
    expect(await migrate(database, directory)).toEqual({ applied: ['0001-first'], version: 1 });
    await write('0002-second.sql', second);
    expect(await migrate(database, directory)).toEqual({ applied: ['0002-second'], version: 2 });
    expect(await migrate(database, directory)).toEqual({ applied: [], version: 2 });
    expect(await database.many(logged, [])).toEqual([{ step: 'first' }, { step: 'second' }]);
    expect(await database.many(versions, [])).toEqual([
      { version: 1, name: '0001-first' },
      { version: 2, name: '0002-second' },
    ]);
  });

  it('leaves nothing of a failing file, and applies it whole once it is fixed', async () => {
    await write('0001-first.sql', first);
    await write('0002-second.sql', `${second} SELECT 1 / 0;`);
    await expect(migrate(database, directory)).rejects.toMatchObject({ code: '22012' });
    expect(await database.many(logged, [])).toEqual([{ step: 'first' }]);
    await write('0002-second.sql', second);
    expect((await migrate(database, directory)).applied).toEqual(['0002-second']);
  });

  it('refuses a schema that already contains a table, and creates none', async () => {
    await database.transaction((transaction) => transaction.script('CREATE TABLE theirs ()', 10_000));
    await write('0001-first.sql', first);
    await expect(migrate(database, directory)).rejects.toThrow(DatabaseRefused);
    await expect(database.many(versions, [])).rejects.toMatchObject({ code: '42P01' });
    await database.transaction((transaction) => transaction.script('DROP TABLE theirs', 10_000));
    expect(await migrate(database, directory)).toEqual({ applied: ['0001-first'], version: 1 });
  });

  it('accepts the same file with Windows line ends', async () => {
    await write('0001-first.sql', `${first}\n-- end\n`);
    await migrate(database, directory);
    await write('0001-first.sql', `${first}\r\n-- end\r\n`);
    expect(await migrate(database, directory)).toEqual({ applied: [], version: 1 });
  });

  it('refuses a changed file that was applied, and applies nothing', async () => {
    await write('0001-first.sql', first);
    await migrate(database, directory);
    await write('0001-first.sql', `${first} -- changed`);
    await write('0002-second.sql', second);
    await expect(migrate(database, directory)).rejects.toThrow(/^The migration 0001-first is not the one .+\.$/);
    expect(await database.many(logged, [])).toEqual([{ step: 'first' }]);
  });

  it('refuses a database that a build with other migrations made, and applies nothing', async () => {
    await write('0001-first.sql', first);
    await migrate(database, directory);
    await rm(join(directory, '0001-first.sql'));
    await write('0001-other.sql', `${first} -- other`);
    await write('0002-second.sql', second);
    await expect(migrate(database, directory)).rejects.toThrow(
      'The database has the migration 0001-first where this build has 0001-other: a build with other migrations created it; ',
    );
    expect(await database.many(logged, [])).toEqual([{ step: 'first' }]);
  });

  // Contract: operation#start-on-a-newer-database — A process of the previous version that starts on a migrated
  //   database
  it('refuses a database that a newer version made', async () => {
    await write('0001-first.sql', first);
    await write('0002-second.sql', second);
    await migrate(database, directory);
    await rm(join(directory, '0002-second.sql'));
    const migrating = migrate(database, directory);
    await expect(migrating).rejects.toBeInstanceOf(DatabaseRefused);
    await expect(migrating).rejects.toThrow(/^The database was created by a newer version .+0002-second.+\.$/);
  });

  it('refuses a gap in the numbers, a duplicate number, and another name', async () => {
    await write('0002-second.sql', second);
    await expect(migrate(database, directory)).rejects.toThrow('0002-second should have the number 1');
    await write('0001-first.sql', first);
    await write('0002-twin.sql', second);
    await expect(migrate(database, directory)).rejects.toThrow('0002-twin should have the number 3');
    await rm(join(directory, '0002-twin.sql'));
    await write('3-third.sql', second);
    await expect(migrate(database, directory)).rejects.toThrow('3-third.sql is not named like');
  });

  it.runIf(serverUrl !== undefined)(
    `by three processes applies each file once, despite a kill${postgresOnly}`,
    async () => {
      await write('0001-first.sql', first);
      await write('0002-second.sql', `SELECT pg_sleep(0.5); ${second}`);
      const killed = startChild('migrate', url ?? '', directory);
      const children = Array.from({ length: 3 }, () => startChild('migrate', url ?? '', directory));
      setTimeout(() => void killed.kill(), 400);
      const codes = await Promise.all(children.map((child) => child.ended()));
      await killed.ended();
      expect(codes, children.flatMap(({ lines }) => lines).join('\n')).toEqual([0, 0, 0]);
      for (const child of children) expect(child.lines.at(-1)).toMatch(/^applied .+ 2$/);
      expect(await database.many(logged, [])).toEqual([{ step: 'first' }, { step: 'second' }]);
    },
  );

  it.runIf(serverUrl !== undefined)(`delays no request behind a waiting change${postgresOnly}`, async () => {
    await write('0001-first.sql', first);
    await migrate(database, directory);
    await write('0002-second.sql', second);
    const reading = { isOver: false };
    const began = Promise.withResolvers<void>();
    const reader = database.transaction(async (transaction) => {
      for (; !reading.isOver; await sleep(100)) {
        await transaction.many(logged, []);
        began.resolve();
      }
    });
    await began.promise;
    const migrating = migrate(database, directory);
    // Longer than the lock timeout of a statement: each of these runs between two attempts.
    const end = performance.now() + 4_000;
    let read = 0;
    for (; performance.now() < end; read += 1) expect(await database.many(logged, [])).toEqual([{ step: 'first' }]);
    expect(read).toBeGreaterThan(2);
    reading.isOver = true;
    await reader;
    expect((await migrating).applied).toEqual(['0002-second']);
  });
});
