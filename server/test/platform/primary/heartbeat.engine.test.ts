/**
 * The heartbeat on PostgreSQL: what it commits, who may, what is refused without it, and the end of abandoned sessions.
 */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { DatabaseUnavailable, statement } from '../../../src/platform/database/database.ts';
import { LookupConnection } from '../../../src/platform/database/lookup-connection.ts';
import { openDatabase } from '../../../src/platform/database/open.ts';
import { clientConfig } from '../../../src/platform/database/postgres-client.ts';
import { beginSession } from '../../../src/platform/database/postgres-session.ts';
import { AbandonedSessions } from '../../../src/platform/database/primary/abandoned-sessions.ts';
import { isChange } from '../../../src/platform/database/primary/commit-stall.ts';
import { Fence, type SessionKey } from '../../../src/platform/database/primary/fence.ts';
import { until } from '../../support/checks/concurrency.ts';
import { administer, newName } from '../../support/database/database-template.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/databases.ts';
import { postgresOnly, serverUrl } from '../../support/database/engines.ts';
import { trustingWatch } from '../../support/database/trusting-watch.ts';
import { testFixture } from '../../support/fixture.ts';
import { silentLogger } from '../../support/gatehouse/silent-logger.ts';
import { withProductionLimits } from '../../support/gatehouse/wait-limits.ts';

const server = serverUrl ?? '';
const one = statement<{ one: number }>('test.one', 'SELECT 1 AS one');
const heartbeats = statement<{ pid: number }>(
  'test.heartbeats',
  `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%pg_logical_emit_message%'
     AND pid <> pg_backend_pid()`,
);

const writers = statement<{ name: string }>(
  'test.writers',
  `SELECT DISTINCT proname AS name FROM pg_proc
   WHERE pronamespace = current_schema()::regnamespace AND provolatile = 'v' AND prorettype <> 'trigger'::regtype
     AND prosrc ~* '(INSERT|UPDATE|DELETE|MERGE)'`,
);

let stored: TestDatabase;
/** Counts how often it ran, and waits for a lock on the table; it is no change by its text. */
const counted = statement<{ runs: number }>('test.counted', 'SELECT count_run()::int AS runs FROM (TABLE locked) x');
const counter = `
  CREATE TABLE locked AS SELECT 1;
  CREATE SEQUENCE runs;
  CREATE FUNCTION count_run() RETURNS bigint LANGUAGE sql AS $$ SELECT nextval('runs') $$`;
const restart = "SELECT setval('runs', 1, false)";
const waiters = statement<never>(
  'test.waiters',
  "SELECT FROM pg_locks WHERE relation = 'locked'::regclass AND NOT granted",
);

/** From now on, as if this process had been suspended for a minute. */
const suspend = (): void => {
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
  onTestFinished(() => clock.mockRestore());
};

/** @param fence that judges its answers; it has a heartbeat of now */
const openLookups = async (fence: Fence): Promise<LookupConnection> => {
  const newClient = (settings: pg.ClientConfig) => new pg.Client({ ...clientConfig(stored.url ?? ''), ...settings });
  const connection = new LookupConnection(newClient, trustingWatch(undefined, fence), silentLogger);
  await connection.open();
  return connection;
};

const open = (url = stored.url) => openDatabase({ url, dataDirectory: '', logger: silentLogger, poolSize: 2 });

const begin = async (): Promise<{ readonly client: pg.Client; readonly key: SessionKey }> => {
  const client = new pg.Client({ ...clientConfig(stored.url ?? ''), pipeline: true });
  client.on('error', () => undefined);
  await client.connect();
  const { key } = await beginSession(client, 'RESET synchronous_commit', 60_000);
  if (key === null) throw new Error('No key');
  return { client, key };
};

describe.runIf(serverUrl !== undefined)(`The heartbeat${postgresOnly}`, () => {
  beforeAll(async () => {
    stored = await createTestDatabase();
    await administer(stored.url ?? '', counter);
  });
  afterAll(() => stored.drop());

  it('is committed before the database is open, and again and again', async () => {
    const database = await testFixture(open());
    expect(database.stats()?.primary).toMatchObject({ isConfirmed: true, refusal: null, isStalled: false });
    const before = database.stats()?.primary?.ageSeconds ?? 0;
    await until('another was sent', async () => (database.stats()?.primary?.ageSeconds ?? 0) < before);
  });

  it('needs no right that a role does not have by itself', async () => {
    const role = newName('role');
    await administer(server, `CREATE ROLE ${role} LOGIN`);
    try {
      const url = new URL(stored.url ?? '');
      url.username = role;
      const database = await open(url.href);
      expect(database.stats()?.primary).toMatchObject({ isConfirmed: true });
      await database.close();
    } finally {
      await administer(server, `DROP ROLE ${role}`);
    }
  });

  // Contract: operation#heartbeat-and-fence — Without a heartbeat nothing that the server reads counts, until one is
  //   committed again
  it('gives no look-up, read or refusal a meaning once it has failed for longer than the fence', async () => {
    const database = await testFixture(open());
    const name = new URL(stored.url ?? '').pathname.slice(1);
    await administer(
      stored.url ?? '',
      `CREATE FUNCTION public.pg_logical_emit_message(boolean, text, text) RETURNS pg_lsn LANGUAGE plpgsql
         AS $$ BEGIN RAISE EXCEPTION USING ERRCODE = '57014'; END $$`,
      `ALTER DATABASE ${name} SET search_path TO public, pg_catalog`,
    );
    for (const { pid } of await database.many(heartbeats, []))
      await administer(server, `SELECT pg_terminate_backend(${pid}, 60000)`);
    await until('a heartbeat has failed', async () => (database.stats()?.primary?.ageSeconds ?? 0) > 1.5);
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
    await withProductionLimits(async () => {
      await expect(database.lookups.one(one, [])).rejects.toBeInstanceOf(DatabaseUnavailable);
      await expect(database.one(one, [])).rejects.toBeInstanceOf(DatabaseUnavailable);
      const refusing = database.transaction(async () => {
        throw new Error('refused by the work');
      });
      await expect(refusing).rejects.toBeInstanceOf(DatabaseUnavailable);
    });
    expect(database.stats()?.primary).toMatchObject({ isConfirmed: false });
    clock.mockRestore();
    await administer(stored.url ?? '', `ALTER DATABASE ${name} RESET search_path`);
    await administer(stored.url ?? '', 'DROP FUNCTION public.pg_logical_emit_message(boolean, text, text)');
    await until('it is committed again', async () => (database.stats()?.primary?.ageSeconds ?? 9) < 1);
    expect(await database.lookups.one(one, [])).toEqual({ one: 1 });
  });

  // Contract: operation#heartbeat-and-fence — An answer from before a suspension of this process is not used after it
  it('lets a look-up from before a suspension be asked anew', async () => {
    await administer(stored.url ?? '', restart);
    const fence = new Fence({ millis: 3_000 });
    const lookups = await openLookups(fence);
    const answered = lookups.run(counted, []);
    suspend();
    fence.confirm(fence.admit(null, fence.seen), performance.now(), 0);
    expect((await answered).rows).toEqual([{ runs: 2 }]);
    expect((await lookups.run(counted, [])).rows).toEqual([{ runs: 3 }]);
    await lookups.close();
  });

  it('uses none of two answers that were outdated', async () => {
    await administer(stored.url ?? '', restart);
    // It believes its server, and each answer is a minute old for it.
    const fence = new Fence({ millis: 3_000, now: () => performance.now() + 60_000 });
    const lookups = await openLookups(fence);
    fence.confirm(fence.admit(null, fence.seen), performance.now() + 60_000, 0);
    await expect(lookups.run(counted, [])).rejects.toBeInstanceOf(DatabaseUnavailable);
    await lookups.close();
    const database = await testFixture(open());
    expect(await database.one(counted, [])).toEqual({ runs: 3 });
  });

  it('lets a read from before a suspension be run anew', async () => {
    await administer(stored.url ?? '', restart);
    const [database, other] = [await testFixture(open()), await testFixture(open())];
    const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holder = other.transaction(async (transaction) => {
      const lock = 'SET LOCAL idle_in_transaction_session_timeout TO 0; LOCK TABLE locked';
      await transaction.script(lock, 5_000);
      locked.resolve();
      await release.promise;
    });
    await Promise.race([locked.promise, holder]);
    const read = database.one(counted, []);
    await until('it waits', async () => (await database.many(waiters, [])).length > 0);
    suspend();
    await until('a heartbeat counts', async () => database.stats()?.primary?.isConfirmed === true);
    release.resolve();
    expect(await read).toEqual({ runs: 2 });
    await holder;
    expect(await database.one(counted, [])).toEqual({ runs: 3 });
  });

  // Contract: operation#commits-that-wait — No change is begun while the server waits for a standby, until a commit
  //   returns
  it('takes a statement with a function that writes for a change, whatever its name', async () => {
    const database = await testFixture(open());
    const names = (await database.many(writers, [])).map(({ name }) => name);
    expect(names).toContain('note_mcp_connection_steps');
    const reads = names.filter((name) => !isChange({ name, text: `SELECT ${name}()` })).sort();
    // Those of connections are called by other functions only; permits are unlogged, so they wait for no standby.
    expect(reads).toEqual([
      'begin_mcp_connection',
      'mcp_connection_of',
      'merge_mcp_connections',
      'refund_rate_limit_permits',
      'settle_mcp_connections',
      'take_rate_limit_permits',
    ]);
  });

  it('ends the sessions that were given up, by their start and not by their number alone', async () => {
    const abandoned = new AbandonedSessions(silentLogger);
    const [given, kept, ending] = [await begin(), await begin(), await begin()];
    abandoned.add(given.key);
    abandoned.add({ ...kept.key, begunAt: given.key.begunAt });
    const ended = new Promise((resolve) => given.client.once('end', resolve));
    expect(await abandoned.end(ending.client, 60_000)).toBe(false);
    await ended;
    expect(abandoned.isEmpty).toBe(true);
    await expect(kept.client.query('SELECT 1 AS one')).resolves.toMatchObject({ rows: [{ one: 1 }] });
    await Promise.all([kept, ending].map(({ client }) => client.end()));
  });

  it('ends by the next call what was given up while the server answered', async () => {
    const abandoned = new AbandonedSessions(silentLogger);
    const [first, second, ending] = [await begin(), await begin(), await begin()];
    const ended = [first, second].map(({ client }) => new Promise((resolve) => client.once('end', resolve)));
    abandoned.add(first.key);
    const call = abandoned.end(ending.client, 60_000);
    abandoned.add(second.key);
    await call;
    await ended[0];
    expect(abandoned.isEmpty).toBe(false);
    await abandoned.end(ending.client, 60_000);
    await ended[1];
    expect(abandoned.isEmpty).toBe(true);
    await ending.client.end();
  });

  // Contract: operation#heartbeat-and-fence — What a role may not do costs no look-up
  it('goes on where the server lets the role end none of its sessions', async () => {
    const logged: string[] = [];
    const warn = ({ event }: { readonly event: string }): void => void logged.push(event);
    const abandoned = new AbandonedSessions({ ...silentLogger, warn });
    const [given, ending] = [await begin(), await begin()];
    await administer(
      stored.url ?? '',
      `CREATE FUNCTION public.pg_terminate_backend(integer) RETURNS boolean LANGUAGE plpgsql
         AS $$ BEGIN RAISE EXCEPTION USING ERRCODE = '42501'; END $$`,
    );
    await ending.client.query('SET search_path TO public, pg_catalog');
    for (const _time of [1, 2]) {
      abandoned.add(given.key);
      expect(await abandoned.end(ending.client, 60_000)).toBe(false);
      expect(abandoned.isEmpty).toBe(true);
    }
    expect(logged).toEqual(['database.abandoned_left']);
    await expect(given.client.query('SELECT 1 AS one')).resolves.toMatchObject({ rows: [{ one: 1 }] });
    await administer(stored.url ?? '', 'DROP FUNCTION public.pg_terminate_backend(integer)');
    await Promise.all([given, ending].map(({ client }) => client.end()));
  });
});
