/** A process for the database tests: `node database-child.ts <job> <data directory or address> [more]`. */

import { statement } from '../../../src/platform/database/database.ts';
import { migrate } from '../../../src/platform/database/migrate.ts';
import { openDatabase } from '../../../src/platform/database/open.ts';
import type { ScriptDatabase } from '../../../src/platform/database/transaction.ts';

const [job = '', place = '', more = ''] = process.argv.slice(2);

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: (_facts: object, message: string) => say(`error ${message}`),
};

const open = (): Promise<ScriptDatabase> =>
  place.startsWith('postgres')
    ? openDatabase({ url: place, dataDirectory: '', logger })
    : openDatabase({ url: undefined, dataDirectory: place, logger });

const makeTable = (database: ScriptDatabase): Promise<void> =>
  database.transaction((transaction) =>
    transaction.script('CREATE TABLE IF NOT EXISTS written (id int PRIMARY KEY, twin int, filler bytea)', 10_000),
  );

const insert = statement<never, readonly [number, Buffer]>(
  'child.insert',
  'INSERT INTO written (id, filler) VALUES ($1, $2)',
);
const twin = statement<never, readonly [number]>('child.twin', 'UPDATE written SET twin = id WHERE id = $1');
const touch = statement<never, readonly [Buffer]>('child.touch', 'UPDATE written SET filler = $1 WHERE id = 0');

/** Incompressible, so that the engine writes every byte. */
const filler = (bytes: number): Buffer => Buffer.from(crypto.getRandomValues(new Uint8Array(bytes)));

const jobs: Readonly<Record<string, (database: ScriptDatabase) => Promise<unknown>>> = {
  hold: async () => {
    say('held');
    await new Promise(() => setInterval(() => {}, 1_000));
  },
  /** Endless rows, each in a transaction of two statements; prints each when it was acknowledged. */
  write: async (database) => {
    await makeTable(database);
    const from = Number(more);
    await Promise.all(
      Array.from({ length: 4 }, async (_, worker) => {
        for (let id = from + worker; ; id += 4) {
          await database.transaction(async (transaction) => {
            await transaction.execute(insert, [id, filler(200)]);
            await transaction.execute(twin, [id]);
          });
          say(`acknowledged ${id}`);
        }
      }),
    );
  },
  fill: async (database) => {
    await makeTable(database);
    for (let id = 1; ; id += 1) {
      await database.execute(insert, [id, filler(50_000)]);
      say(`acknowledged ${id}`);
    }
  },
  /** Changes one row repeatedly: only the write-ahead log grows. */
  rewrite: async (database) => {
    await makeTable(database);
    await database.execute(insert, [0, filler(10)]);
    for (let count = 1; ; count += 1) {
      await database.execute(touch, [filler(1_000)]);
      say(`acknowledged ${count}`);
    }
  },
  migrate: async (database) => {
    const { applied, version } = await migrate(database, more);
    say(`applied ${JSON.stringify(applied)} ${version}`);
    await database.close();
  },
};

const run = jobs[job];
if (run === undefined) throw new Error(`There is no job ${job}`);
try {
  await run(await open());
} catch (error) {
  say(`failed ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`);
  process.exitCode = 1;
}
