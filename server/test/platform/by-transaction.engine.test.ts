/** Sessions of DATABASE_POOLER=transaction on PostgreSQL, without a pooler: each transaction has its settings. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { poolByTransaction } from '../../src/platform/database/by-transaction.ts';
import { statement } from '../../src/platform/database/database.ts';
import { Deadline } from '../../src/platform/database/deadlines.ts';
import { examinePostgres } from '../../src/platform/database/examine.ts';
import { openDatabase } from '../../src/platform/database/open.ts';
import { clientConfig } from '../../src/platform/database/postgres-client.ts';
import { PostgresPool } from '../../src/platform/database/postgres-pool.ts';
import { beginSession, readHistory, wasCommitted } from '../../src/platform/database/postgres-session.ts';
import { AbandonedSessions } from '../../src/platform/database/primary/abandoned-sessions.ts';
import type { PoolerOptions } from '../../src/platform/database/primary-host.ts';
import type { ScriptDatabase } from '../../src/platform/database/transaction.ts';
import { withContext } from '../../src/platform/observability/context.ts';
import { administer } from '../support/database/database-template.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/databases.ts';
import { postgresOnly, serverUrl } from '../support/database/engines.ts';
import { sqlOn } from '../support/database/sql.ts';
import { trustingWatch } from '../support/database/trusting-watch.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';
import { withProductionLimits } from '../support/gatehouse/wait-limits.ts';

const setting = statement<{ value: string }, readonly [string]>('test.setting', 'SELECT current_setting($1) AS value');
const add = statement<never, readonly [string]>('test.add', 'INSERT INTO notes VALUES ($1)');
const notes = statement<{ note: string }>('test.notes', 'SELECT note FROM notes');
const broken = statement<never>('test.broken', 'SELECT 1 / 0');
const prepared = statement<{ count: number }>('test.prepared', 'SELECT count(*) AS count FROM pg_prepared_statements');

const settings: readonly (readonly [string, PoolerOptions])[] = [
  ['with prepared statements', { pooler: 'transaction' }],
  ['without prepared statements', { pooler: 'transaction', preparedStatements: false }],
];

let stored: TestDatabase;

const open = async (options: PoolerOptions): Promise<ScriptDatabase> => {
  const database = await openDatabase({ ...options, url: stored.url, dataDirectory: '', logger: silentLogger });
  onTestFinished(() => database.close());
  return database;
};

/** A client as of a pooler of transactions, or the driver's own; not begun. */
const connect = async (isPooled: boolean): Promise<pg.Client> => {
  const client = new pg.Client({ ...clientConfig(stored.url ?? ''), pipeline: true });
  client.on('error', () => undefined);
  if (isPooled) poolByTransaction(client);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
};

describe.runIf(serverUrl !== undefined)(`Sessions through a pooler of transactions${postgresOnly}`, () => {
  beforeAll(async () => {
    stored = await createTestDatabase();
    const name = new URL(stored.url ?? '').pathname.slice(1);
    await administer(
      stored.url ?? '',
      'CREATE TABLE notes (note text)',
      `ALTER DATABASE ${name} SET TimeZone TO 'Asia/Kolkata'`,
    );
  });
  afterAll(() => stored.drop());

  // Contract: operation#connection-poolers — Each transaction has its limits in the message that begins it
  it.each(settings)('have their limits and settings in each transaction, %s', async (_which, options) => {
    await withProductionLimits(async () => {
      const database = await open(options);
      const value = async (of: Pick<ScriptDatabase, 'one'>, what: string) => (await of.one(setting, [what])).value;
      const inRequest = <T>(ask: () => Promise<T>): Promise<T> =>
        withContext({ correlationId: 'of a test', waits: new Deadline(2_000) }, ask);
      for (const _twice of [1, 2]) {
        expect(await value(database, 'TimeZone')).toBe('UTC');
        expect(await value(database.lookups, 'TimeZone')).toBe('UTC');
        expect(await value(database.lookups, 'plan_cache_mode')).toBe('force_generic_plan');
        expect(await value(database.lookups, 'statement_timeout')).toBe('1200ms');
        expect(await value(database.lookups, 'lock_timeout')).toBe('500ms');
        const limit = (of: Pick<ScriptDatabase, 'one'>) => value(of, 'statement_timeout');
        expect(await limit(database)).toBe('5s');
        expect(await database.transaction(limit)).toBe('5s');
        expect(await inRequest(() => limit(database))).toBe('1600ms');
        expect(await inRequest(() => database.transaction(limit))).toBe('1600ms');
        expect(await value(database, 'idle_in_transaction_session_timeout')).toBe('2s');
      }
    });
  });

  it.each(settings)('commit and roll back as others, %s', async (_which, options) => {
    const database = await open(options);
    const sql = sqlOn(database);
    await sql('DELETE FROM notes');
    await expect(database.one(broken, [])).rejects.toThrow('division by zero');
    await expect(database.lookups.one(broken, [])).rejects.toThrow('division by zero');
    await database.execute(add, ['alone']);
    await database.transaction((transaction) => transaction.execute(add, ['together']));
    const failing = database.transaction(async (transaction) => {
      await transaction.execute(add, ['rolled back']);
      await transaction.one(broken, []);
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect(await database.many(notes, [])).toEqual([{ note: 'alone' }, { note: 'together' }]);
    expect(await Promise.all([1, 2, 3].map(() => database.lookups.many(notes, [])))).toHaveLength(3);
  });

  // Contract: operation#connection-poolers — Without prepared statements no statement has a name
  it('prepare nothing where no statement has a name', async () => {
    const database = await open({ pooler: 'transaction', preparedStatements: false });
    expect(await database.lookups.one(prepared, [])).toEqual({ count: 0 });
    expect(await database.transaction((transaction) => transaction.one(prepared, []))).toEqual({ count: 0 });
  });

  it('know the outcome of a transaction', async () => {
    const pool = new PostgresPool(stored.url ?? '', 2, silentLogger, trustingWatch(), { pooler: 'transaction' });
    onTestFinished(() => pool.end());
    const client = await connect(false);
    await beginSession(client, '', 60_000);
    const history = await readHistory(client, 60_000);
    for (const [end, isCommitted] of [
      ['COMMIT', true],
      ['ROLLBACK', false],
    ] as const) {
      await client.query('BEGIN');
      const { rows } = await client.query<{ id: string }>('SELECT pg_current_xact_id()::text AS id');
      await client.query(end);
      expect(await wasCommitted(pool, rows[0]?.id ?? '', history)).toBe(isCommitted);
    }
    await expect(wasCommitted(pool, '3', null)).rejects.toThrow('another one now');
  });

  // Contract: operation#connection-poolers — A process that may serve other clients of the pooler is not ended
  it('end none that was given up and waits for no standby', async () => {
    const [other, pooled, direct] = [await connect(false), await connect(true), await connect(false)];
    await beginSession(pooled, '', 60_000);
    const { key } = await beginSession(other, '', 60_000);
    if (key === null) throw new Error('No key');
    const abandoned = new AbandonedSessions(silentLogger);
    abandoned.add(key);
    expect(await abandoned.end(pooled, 60_000)).toBe(false);
    expect((await other.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    abandoned.add(key);
    await abandoned.end(direct, 60_000);
    await expect(other.query('SELECT 1 AS one')).rejects.toThrow(/terminating connection|not queryable/);
  });

  it('are examined in transactions that refuse writes', async () => {
    const writing = examinePostgres(stored.url ?? '', (session) => session.execute(add, ['examined']), {
      pooler: 'transaction',
    });
    await expect(writing).rejects.toThrow('read-only transaction');
    expect(await (await open({})).many(notes, [])).not.toContainEqual({ note: 'examined' });
  });
});
