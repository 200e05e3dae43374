/** A connection pooler in front of PostgreSQL: what it keeps serves, and what it does not is refused at the start. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Database, DatabaseUnavailable, statement } from '../../src/platform/database/database.ts';
import { openDatabase } from '../../src/platform/database/open.ts';
import type { PoolerOptions } from '../../src/platform/database/primary-host.ts';
import { diagnose, expectFault } from '../doctor/run-doctor.ts';
import { newOwner } from '../support/actors/tenants.ts';
import { inParallel, range, until } from '../support/checks/concurrency.ts';
import { type Answer, bearer, operations, post } from '../support/clients/clients.ts';
import { createEmptyPostgres, createTestDatabase, newDirectory } from '../support/database/databases.ts';
import { sqlOn } from '../support/database/sql.ts';
import { environmentFor, runGatehouse } from '../support/gatehouse/gatehouse-process.ts';
import { ServerProcess } from '../support/gatehouse/processes.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';
import { withProductionLimits } from '../support/gatehouse/wait-limits.ts';
import { freePort } from '../support/servers/listen.ts';
import { secondsAtNight, sized } from './support/load/size.ts';
import { keepsStatements, PgBouncer, type PoolMode, pgBouncerVersion } from './support/sites/pgbouncer.ts';
import { postgresOfRun, variables } from './support/sites/postgres-server.ts';

const version = await pgBouncerVersion();

const setting = statement<{ value: string }, readonly [string]>('test.setting', 'SELECT current_setting($1) AS value');

/** What a pooler has, what the service is told, and what its refusal advises. */
type Refused = [
  mode: PoolMode,
  more: Readonly<Record<string, number>>,
  variables: Readonly<Record<string, string>>,
  fix: string,
];

/** As in versions before 1.21, which do not know the setting. */
const statementsOff: Readonly<Record<string, number>> = keepsStatements(version) ? { max_prepared_statements: 0 } : {};

const openedFor = async (options: PoolerOptions & { readonly url: string | undefined }): Promise<Database> => {
  const database = await openDatabase({ ...options, dataDirectory: '', logger: silentLogger });
  onTestFinished(() => database.close());
  return database;
};

describe.skipIf(version === null)(`PgBouncer ${version}`, () => {
  const poolerOf = async (mode: PoolMode, more: Readonly<Record<string, number>> = {}): Promise<PgBouncer> => {
    const pooler = await PgBouncer.start(mode, postgresOfRun().url, more);
    onTestFinished(() => pooler.close());
    return pooler;
  };
  const isKept = keepsStatements(version);
  /** A pooler of transactions, and the setting that this version needs. */
  const transactionPooler = () => poolerOf('transaction', isKept ? { max_prepared_statements: 200 } : {});
  const pooling: PoolerOptions = { pooler: 'transaction', preparedStatements: isKept };
  const wayInVariables = { DATABASE_POOLER: 'transaction', DATABASE_PREPARED_STATEMENTS: String(isKept) };

  const expectLimits = async (database: Database): Promise<void> => {
    const value = async (of: Pick<Database, 'one'>, name: string) => (await of.one(setting, [name])).value;
    expect(await value(database, 'lock_timeout')).toBe('1500ms');
    expect(await value(database, 'idle_in_transaction_session_timeout')).toBe('2s');
    expect(await value(database.lookups, 'statement_timeout')).toBe('1200ms');
    expect(await value(database.lookups, 'lock_timeout')).toBe('500ms');
    expect(await value(database.lookups, 'TimeZone')).toBe('UTC');
    expect(await database.transaction((transaction) => value(transaction, 'lock_timeout'))).toBe('1500ms');
  };

  // Contract: operation#connection-poolers — A pooler of sessions keeps the limits of every wait
  it.each(['none', 'session'] as const)('in session mode has the limits of each session, with %s', async (setTo) => {
    const pooler = await poolerOf('session');
    const stored = await createTestDatabase();
    onTestFinished(() => stored.drop());
    const url = pooler.addressOf(stored.url ?? '');
    // The second process gets the sessions that the first one left to the pooler.
    for (const _process of range(2)) {
      await withProductionLimits(async () => {
        const database = await openDatabase({ url, dataDirectory: '', logger: silentLogger, pooler: setTo });
        await expectLimits(database);
        await database.close();
      });
    }
  });

  // Contract: operation#connection-poolers — Each transaction has its limits, and leaves none behind
  it('in transaction mode has the limits in each transaction, and leaves none of them to other clients', async () => {
    const pooler = await transactionPooler();
    const stored = await createTestDatabase();
    onTestFinished(() => stored.drop());
    const url = pooler.addressOf(stored.url ?? '');
    await withProductionLimits(async () => {
      const database = await openDatabase({ url, dataDirectory: '', logger: silentLogger, ...pooling });
      await expectLimits(database);
      const failed = statement<never>('test.failed', 'SELECT 1 / 0');
      await expect(database.one(failed, [])).rejects.toThrow('division by zero');
      await expect(database.lookups.one(failed, [])).rejects.toThrow('division by zero');
      await expectLimits(database);
      await database.close();
    });
    const other = new pg.Client(url);
    await other.connect();
    for (const name of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) {
      expect((await other.query(`SHOW ${name}`)).rows).toEqual([{ [name]: '0' }]);
    }
    await other.end();
  });

  // Contract: operation#connection-poolers — A pooler that leads to a former primary has no answer of it used
  it('in transaction mode is not believed once it leads back to a former primary', async () => {
    const pooler = await transactionPooler();
    const stored = await createTestDatabase();
    onTestFinished(() => stored.drop());
    const direct = sqlOn(await openedFor({ url: stored.url }));
    await direct('CREATE TABLE marks AS SELECT 1 AS mark');
    const directory = await mkdtemp(join(process.env[variables.directory] ?? '', 'pooled-'));
    const promoted = await postgresOfRun().copy(directory, await freePort(), 'recovered');
    await promoted.start();
    onTestFinished(async () => {
      await promoted.stop('immediate');
      await rm(directory, { recursive: true, force: true });
    });
    await until('it is a primary', async () => (await promoted.query('SELECT pg_is_in_recovery()')) === 'f');
    const database = await openedFor({ url: pooler.addressOf(stored.url ?? ''), ...pooling });
    const mark = statement<{ mark: number }>('test.mark', 'SELECT mark FROM marks');
    const change = statement<never>('test.change_mark', 'UPDATE marks SET mark = 3');
    expect(await database.lookups.one(mark, [])).toEqual({ mark: 1 });
    await promoted.ask('psql', '-d', new URL(stored.url ?? '').pathname.slice(1), '-qc', 'UPDATE marks SET mark = 2');
    await pooler.leadTo(promoted.url);
    const isMoved = () =>
      database.lookups.one(mark, []).then(
        (found) => found.mark === 2,
        () => false,
      );
    await until('the promoted server is used', isMoved);
    await pooler.leadTo(postgresOfRun().url);
    const outcomes = new Set<string>();
    const tell = (asked: Promise<unknown>) =>
      asked.then(
        (found) => outcomes.add(JSON.stringify(found)),
        (error: unknown) => outcomes.add(error instanceof DatabaseUnavailable ? 'unavailable' : String(error)),
      );
    const asAll = () => [
      database.lookups.one(mark, []),
      database.one(mark, []),
      database.execute(change, []),
      database.transaction((transaction) => transaction.execute(change, [])),
    ];
    await until('the former primary is refused', async () => {
      await Promise.all(asAll().map(tell));
      return outcomes.has('unavailable') && database.stats()?.primary?.refusal === 'earlier_timeline';
    });
    outcomes.clear();
    for (const _round of range(10)) await Promise.all(asAll().map(tell));
    expect([...outcomes]).toEqual(['unavailable']);
    expect(await direct('SELECT mark FROM marks')).toEqual([{ mark: 1 }]);
  });

  // Contract: operation#connection-poolers — A pooler that restarts under load loses no session
  it.each<PoolMode>(['session', 'transaction'])(
    'in %s mode may restart under load: none is signed out',
    async (mode) => {
      const isOfTransactions = mode === 'transaction';
      const pooler = await (isOfTransactions ? transactionPooler() : poolerOf(mode));
      const stored = await createTestDatabase();
      onTestFinished(() => stored.drop());
      const direct = await openedFor({ url: stored.url });
      const url = pooler.addressOf(stored.url ?? '');
      const server = await ServerProcess.start({
        ...environmentFor({ ...stored, url }),
        ...(isOfTransactions ? wayInVariables : {}),
        BASE_URL: 'http://localhost:1',
      });
      onTestFinished(() => server.stop());
      const people = await inParallel(range(8), 4, () => newOwner({ database: direct, sql: sqlOn(direct) }));
      const state = { isOver: false };
      const codes = new Set<string | null>();
      const asking = people.map(async ({ tokens }) => {
        for (; !state.isOver; await sleep(20)) {
          const change = operations.changeName;
          for (const text of [operations.me, change]) {
            const variables = text === change ? { name: 'Ada' } : {};
            const { code }: Answer = await post(server.url, text, variables, bearer(tokens));
            codes.add(code);
          }
        }
      });
      const works = async ({ tokens }: (typeof people)[number]): Promise<boolean> =>
        (await post(server.url, operations.me, {}, bearer(tokens))).code === null;
      try {
        for (const _restart of range(sized(2, 10))) {
          await pooler.restart();
          for (const person of people) await until('it answers', () => works(person), secondsAtNight(20));
        }
      } finally {
        state.isOver = true;
        await Promise.all(asking);
      }
      codes.delete('UNAVAILABLE');
      expect([...codes]).toEqual([null]);
    },
  );

  // Contract: operation#connection-poolers — A pooler of transactions or statements is refused, and nothing is created
  it.each<Refused>([
    ['transaction', {}, { DATABASE_POOLER: 'none' }, 'pool_mode = session'],
    ['transaction', {}, { DATABASE_POOLER: 'session' }, 'DATABASE_POOLER=transaction'],
    ['statement', {}, { DATABASE_POOLER: 'session' }, 'pool_mode = session'],
    ['statement', {}, wayInVariables, 'pool_mode = transaction'],
    ['transaction', statementsOff, { DATABASE_POOLER: 'transaction' }, 'DATABASE_PREPARED_STATEMENTS=false'],
  ])('in %s mode %j with %j is refused in one sentence, each time', async (mode, more, variables, fix) => {
    const pooler = await poolerOf(mode, more);
    const { url, drop } = await createEmptyPostgres(postgresOfRun().url);
    onTestFinished(drop);
    const place = environmentFor({ url: pooler.addressOf(url), dataDirectory: await newDirectory() });
    const environment = { ...place, ...variables, PORT: '0' };
    // The pooler keeps prepared statements of the first start.
    for (const _start of range(2)) {
      for (const command of ['migrate', 'serve']) {
        const { code, stderr } = await runGatehouse([command], environment);
        expect({ command, code }).toEqual({ command, code: 1 });
        expect(stderr).toMatch(/^(A|The) connection pooler in front of [^;]+ does not keep [^;]+; [^;]+\.\n$/);
        expect(stderr).toContain(fix);
      }
      expectFault(await diagnose(environment), 'database', {
        level: 'error',
        says: /connection pooler in front of .+ does not keep/,
        fix: new RegExp(fix),
      });
    }
    const tables = await postgresOfRun().ask('psql', '-d', new URL(url).pathname.slice(1), '-Atc', '\\dt');
    expect(tables.trim()).toBe('');
  });
});
