/** A connection pooler in front of PostgreSQL: one that pools sessions serves, any other is refused at the start. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { statement } from '../../src/platform/database/database.ts';
import { openDatabase } from '../../src/platform/database/open.ts';
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
import { secondsAtNight, sized } from './support/load/size.ts';
import { PgBouncer, type PoolMode, pgBouncerVersion } from './support/sites/pgbouncer.ts';
import { postgresOfRun } from './support/sites/postgres-server.ts';

const version = await pgBouncerVersion();

const setting = statement<{ value: string }, readonly [string]>('test.setting', 'SELECT current_setting($1) AS value');

describe.skipIf(version === null)(`PgBouncer ${version}`, () => {
  const poolerOf = async (mode: PoolMode): Promise<PgBouncer> => {
    const pooler = await PgBouncer.start(mode, postgresOfRun().url);
    onTestFinished(() => pooler.close());
    return pooler;
  };

  // Contract: operation#connection-poolers — A pooler of sessions keeps the limits of every wait
  it('in session mode has the limits of each session', async () => {
    const pooler = await poolerOf('session');
    const stored = await createTestDatabase();
    onTestFinished(() => stored.drop());
    const url = pooler.addressOf(stored.url ?? '');
    // The second process gets the sessions that the first one left to the pooler.
    for (const _process of range(2)) {
      await withProductionLimits(async () => {
        const database = await openDatabase({ url, dataDirectory: '', logger: silentLogger });
        const value = async (of: Pick<typeof database, 'one'>, name: string) => (await of.one(setting, [name])).value;
        expect(await value(database, 'lock_timeout')).toBe('1500ms');
        expect(await value(database, 'idle_in_transaction_session_timeout')).toBe('2s');
        expect(await value(database.lookups, 'statement_timeout')).toBe('1200ms');
        expect(await value(database.lookups, 'lock_timeout')).toBe('500ms');
        await database.close();
      });
    }
  });

  // Contract: operation#connection-poolers — A pooler that restarts under load loses no session
  it('in session mode may restart under load, and no person is signed out', async () => {
    const pooler = await poolerOf('session');
    const stored = await createTestDatabase();
    onTestFinished(() => stored.drop());
    const direct = await openDatabase({ url: stored.url, dataDirectory: '', logger: silentLogger });
    onTestFinished(() => direct.close());
    const url = pooler.addressOf(stored.url ?? '');
    const server = await ServerProcess.start({ ...environmentFor({ ...stored, url }), BASE_URL: 'http://localhost:1' });
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
  });

  // Contract: operation#connection-poolers — A pooler of transactions or statements is refused, and nothing is created
  it.each<PoolMode>(['transaction', 'statement'])('in %s mode is refused in one sentence, each time', async (mode) => {
    const pooler = await poolerOf(mode);
    const { url, drop } = await createEmptyPostgres(postgresOfRun().url);
    onTestFinished(drop);
    const environment = environmentFor({ url: pooler.addressOf(url), dataDirectory: await newDirectory() });
    // The pooler keeps prepared statements of the first start.
    for (const _start of range(2)) {
      for (const command of ['migrate', 'serve']) {
        const { code, stderr } = await runGatehouse([command], environment);
        expect({ command, code }).toEqual({ command, code: 1 });
        expect(stderr).toMatch(
          /^A connection pooler in front of .+ does not keep .+ of a session; let it pool sessions/,
        );
      }
      expectFault(await diagnose(environment), 'database', {
        level: 'error',
        says: /connection pooler in front of .+ does not keep/,
        fix: /pool_mode = session/,
      });
    }
    const tables = await postgresOfRun().ask('psql', '-d', new URL(url).pathname.slice(1), '-Atc', '\\dt');
    expect(tables.trim()).toBe('');
  });
});
