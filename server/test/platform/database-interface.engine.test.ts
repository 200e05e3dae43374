/** The database interface, the same on both engines: answers, types, transactions, effects, and refusals. */
import { beforeAll, describe, expect, it } from 'vitest';
import { DatabaseUnavailable, statement } from '../../src/platform/database/database.ts';
import { sqlState } from '../../src/platform/database/failure.ts';
import { openDatabase } from '../../src/platform/database/open.ts';
import type { ScriptDatabase } from '../../src/platform/database/transaction.ts';
import { createTestDatabase } from '../support/database/databases.ts';
import { serverUrl } from '../support/database/engines.ts';
import { fixture } from '../support/fixture.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';

const engine = serverUrl === undefined ? 'embedded' : 'postgres';

const open = (): Promise<ScriptDatabase> =>
  openDatabase({ url: stored.url, dataDirectory: stored.dataDirectory, logger: silentLogger });

const stored = fixture(createTestDatabase, (stored) => stored.drop());
const database = fixture(open);
beforeAll(async () => {
  await database.transaction((transaction) =>
    transaction.script(
      `CREATE TABLE things (id int PRIMARY KEY, name text CONSTRAINT things_name_key UNIQUE);
       CREATE TABLE parts (thing_id int REFERENCES things DEFERRABLE INITIALLY DEFERRED);`,
      10_000,
    ),
  );
});

const insert = statement<never, readonly [number, string]>('test.insert', 'INSERT INTO things VALUES ($1, $2)');
const insertPart = statement<never, readonly [number]>('test.insert-part', 'INSERT INTO parts VALUES ($1)');
const byId = statement<{ id: number; name: string }, readonly [number]>(
  'test.by-id',
  'SELECT id, name FROM things WHERE id = $1',
);
const counted = statement<{ count: number }>('test.count', 'SELECT count(*) AS count FROM things');
const many = statement<{ n: number }, readonly [number]>('test.many', 'SELECT generate_series(1, $1) AS n');
const broken = statement('test.broken', 'SELECT 1 / 0');

const count = async (): Promise<number> => (await database.one(counted, [])).count;

describe(`Statements on the ${engine} engine`, () => {
  it('answer rows by alias, and the affected rows', async () => {
    expect(await database.execute(insert, [1, 'one'])).toBe(1);
    expect(await database.one(byId, [1])).toEqual({ id: 1, name: 'one' });
    expect(await database.maybeOne(byId, [404])).toBeNull();
    expect(await database.many(many, [3])).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(await database.lookups.one(byId, [1])).toEqual({ id: 1, name: 'one' });
  });

  it('throw when one row was expected and there are none or two', async () => {
    await expect(database.one(many, [0])).rejects.toThrow('test.many answered 0 rows');
    await expect(database.one(many, [2])).rejects.toThrow('test.many answered 2 rows');
    await expect(database.maybeOne(many, [2])).rejects.toThrow('test.many answered 2 rows');
  });

  it('convert each type both ways without loss', async () => {
    const all = statement<
      { int8: number; instant: Date; bytes: Buffer; texts: string[]; instants: Date[]; int8s: number[]; day: string },
      readonly [number, Date, Buffer, readonly string[], readonly Date[], readonly number[], string]
    >(
      'test.types',
      `SELECT $1::int8 AS int8, $2::timestamptz AS instant, $3::bytea AS bytes, $4::text[] AS texts,
              $5::timestamptz[] AS instants, $6::int8[] AS int8s, $7::date AS day`,
    );
    const instant = new Date('2026-03-29T01:30:00.123Z');
    const bytes = Buffer.from([0, 255, 92, 39]);
    const texts = ['', 'a "quoted" \\ back', '{},NULL', 'ünï 🎉'];
    const row = await database.one(all, [2 ** 53 - 1, instant, bytes, texts, [instant], [1, 2], '2026-02-28']);
    expect(row).toEqual({
      int8: 2 ** 53 - 1,
      instant,
      bytes,
      texts,
      instants: [instant],
      int8s: [1, 2],
      day: '2026-02-28',
    });
  });

  it('throw, and keep working, when a number does not fit or an instant is infinite', async () => {
    const tooBig = statement<{ n: number }>('test.too-big', 'SELECT 9007199254740993::int8 AS n');
    const endless = statement<{ at: Date }>('test.endless', "SELECT 'infinity'::timestamptz AS at");
    await expect(database.one(tooBig, [])).rejects.toThrow(RangeError);
    await expect(database.one(endless, [])).rejects.toThrow(RangeError);
    expect((await database.one(byId, [1])).name).toBe('one');
  });

  it('that fail leave concurrent ones their own answers', async () => {
    const asked = Array.from({ length: 40 }, (_, index) =>
      index % 4 === 1
        ? database.lookups.many(broken, []).then(
            () => 'answered',
            () => 'failed',
          )
        : database.lookups.many(many, [index]).then((rows) => rows.length),
    );
    expect(await Promise.all(asked)).toEqual(
      Array.from({ length: 40 }, (_, index) => (index % 4 === 1 ? 'failed' : index)),
    );
  });

  it('answer large rows and take large parameters', async () => {
    const echo = statement<{ text: string }, readonly [string]>('test.echo', 'SELECT $1::text AS text');
    const text = 'x'.repeat(3_000_000);
    expect((await database.one(echo, [text])).text.length).toBe(text.length);
  });

  it('pass a unique violation on unchanged', async () => {
    const error: unknown = await database.execute(insert, [2, 'one']).catch((thrown: unknown) => thrown);
    expect(error).not.toBeInstanceOf(DatabaseUnavailable);
    expect(sqlState(error)).toBe('23505');
  });
});

describe(`A transaction on the ${engine} engine`, () => {
  it('commits when its work resolves, and then runs its effects', async () => {
    const events: string[] = [];
    const result = await database.transaction(async (transaction) => {
      transaction.afterCommit(() => events.push('effect'));
      await transaction.execute(insert, [10, 'ten']);
      events.push('work');
      return 'result';
    });
    expect(result).toBe('result');
    expect(events).toEqual(['work', 'effect']);
    expect(await database.maybeOne(byId, [10])).not.toBeNull();
  });

  it('leaves nothing, runs no effect and rethrows the reason when its work rejects', async () => {
    const before = await count();
    let effects = 0;
    const reason = new Error('no');
    const running = database.transaction(async (transaction) => {
      transaction.afterCommit(() => {
        effects += 1;
      });
      await transaction.execute(insert, [11, 'eleven']);
      throw reason;
    });
    await expect(running).rejects.toBe(reason);
    expect([await count(), effects]).toEqual([before, 0]);
  });

  it('whose work swallowed the error of a statement is not reported as committed', async () => {
    const before = await count();
    let effects = 0;
    const running = database.transaction(async (transaction) => {
      transaction.afterCommit(() => {
        effects += 1;
      });
      await transaction.execute(insert, [12, 'twelve']);
      await transaction.execute(broken, []).catch(() => null);
    });
    await expect(running).rejects.toThrow('rolled back');
    expect([await count(), effects]).toEqual([before, 0]);
  });

  it('whose COMMIT fails rejects with that error, runs no effect and leaves the session usable', async () => {
    let effects = 0;
    const running = database.transaction(async (transaction) => {
      transaction.afterCommit(() => {
        effects += 1;
      });
      await transaction.execute(insertPart, [999]);
    });
    await expect(running).rejects.toMatchObject({ code: '23503' });
    expect(effects).toBe(0);
    await database.ping();
  });

  it('refuses its handle after its end', async () => {
    const escaped = await database.transaction(async (transaction) => ({ transaction }));
    await expect(escaped.transaction.one(counted, [])).rejects.toThrow('The transaction has ended');
  });

  it('refuses the database, its lookups and a second transaction inside its work', async () => {
    const inside = (use: () => Promise<unknown>): Promise<unknown> => database.transaction(() => use());
    await expect(inside(() => database.one(counted, []))).rejects.toThrow('inside a transaction');
    await expect(inside(() => database.lookups.one(counted, []))).rejects.toThrow('inside a transaction');
    await expect(inside(() => database.transaction(async () => null))).rejects.toThrow('inside a transaction');
  });

  it('lets its effects use the database again, and a throwing one stops neither the others nor the caller', async () => {
    const used: Promise<number>[] = [];
    await database.transaction(async (transaction) => {
      transaction.afterCommit(() => {
        throw new Error('an effect of its own');
      });
      transaction.afterCommit(() => used.push(count()));
    });
    expect(await Promise.all(used)).toEqual([await count()]);
  });

  it('is neither visible half done to concurrent statements, nor joined by them', async () => {
    const before = await count();
    const middle = Promise.withResolvers<void>();
    const rolledBack = database.transaction(async (transaction) => {
      await transaction.execute(insert, [20, 'twenty']);
      await middle.promise;
      throw new Error('roll back');
    });
    const meanwhile = Array.from({ length: 5 }, (_, index) =>
      database.execute(insert, [30 + index, `thirty ${index}`]),
    );
    middle.resolve();
    await expect(rolledBack).rejects.toThrow('roll back');
    await Promise.all(meanwhile);
    expect(await count()).toBe(before + 5);
  });

  it('runs statements of one tick together, in order', async () => {
    const rows = await database.transaction(async (transaction) => {
      const asked = [3, 1, 2].map((n) => transaction.many(many, [n]));
      return Promise.all(asked);
    });
    expect(rows.map((each) => each.length)).toEqual([3, 1, 2]);
  });

  it('is one of many concurrent ones, each with its own outcome', async () => {
    const before = await count();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) =>
        database.transaction(async (transaction) => {
          await transaction.execute(insert, [100 + index, `many ${index}`]);
          if (index % 3 === 0) throw new Error('odd one out');
          await transaction.one(byId, [100 + index]);
        }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(20);
    expect(await count()).toBe(before + 20);
  });
});

it(`Closing the ${engine} engine waits for running work, can be repeated, and refuses later work as unavailable`, async () => {
  const other = await createTestDatabase();
  const closing = await openDatabase({ url: other.url, dataDirectory: other.dataDirectory, logger: silentLogger });
  const running = closing.transaction(async (transaction) => {
    await transaction.one(many, [1]);
    return (await transaction.one(many, [1])).n;
  });
  await Promise.all([closing.close(), closing.close()]);
  expect(await running).toBe(1);
  await expect(closing.one(many, [1])).rejects.toBeInstanceOf(DatabaseUnavailable);
  await expect(closing.lookups.one(many, [1])).rejects.toBeInstanceOf(DatabaseUnavailable);
  await expect(closing.transaction(async () => null)).rejects.toBeInstanceOf(DatabaseUnavailable);
  await expect(closing.ping()).rejects.toBeInstanceOf(DatabaseUnavailable);
  await other.drop();
});
