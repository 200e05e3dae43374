/** How the PostgreSQL engine handles failures: cuts, time-outs, a full pool, and an unusable server. */
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { DatabaseUnavailable, statement } from '../../src/platform/database/database.ts';
import { Deadline, waitLimits } from '../../src/platform/database/deadlines.ts';
import { examinePostgres } from '../../src/platform/database/examine.ts';
import { DatabaseRefused } from '../../src/platform/database/failure.ts';
import { openDatabase } from '../../src/platform/database/open.ts';
import { PostgresPool } from '../../src/platform/database/postgres-pool.ts';
import type { ScriptDatabase } from '../../src/platform/database/transaction.ts';
import { withContext, workInProgress } from '../../src/platform/observability/context.ts';
import { TcpProxy } from '../support/clients/tcp-proxy.ts';
import { administer, newName, urlOf } from '../support/database/database-template.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/databases.ts';
import { postgresOnly, serverUrl } from '../support/database/engines.ts';
import { trustingWatch } from '../support/database/trusting-watch.ts';
import { testFixture } from '../support/fixture.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';
import { withProductionLimits } from '../support/gatehouse/wait-limits.ts';

const server = serverUrl ?? '';

let stored: TestDatabase;
let database: ScriptDatabase;
/** With the limits of production. */
let limited: ScriptDatabase;

const open = (url: string | undefined, poolSize = 2): Promise<ScriptDatabase> =>
  openDatabase({ url, dataDirectory: '', logger: silentLogger, poolSize });

const one = statement<{ one: number }>('test.one', 'SELECT 1 AS one');
const backend = statement<{ pid: number }>('test.backend', 'SELECT pg_backend_pid() AS pid');
const nap = statement<never, readonly [number]>('test.nap', 'SELECT pg_sleep($1)');
const fail = statement<never, readonly [string]>('test.fail', 'SELECT fail_with($1)');
const setting = statement<{ value: string }, readonly [string]>('test.setting', 'SELECT current_setting($1) AS value');
const readOnly = statement<never>('test.read_only', 'SET TRANSACTION READ ONLY');
const becomeStandby = statement<never>('test.become_standby', 'SET search_path TO public, pg_catalog');
const written = statement<{ name: string | null }>('test.written', "SELECT to_regclass('written')::text AS name");
const add = statement<never, readonly [string]>('test.add', 'INSERT INTO notes VALUES ($1)');
const takeNotes = statement<{ note: string }>('test.take_notes', 'DELETE FROM notes RETURNING note');
const notes = statement<{ note: string }>('test.notes', 'SELECT note FROM notes');

const schema = `
  CREATE TABLE notes (note text);
  CREATE FUNCTION fail_with(code text) RETURNS void LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION USING ERRCODE = code; END $$;`;

/** Ends these sessions, and waits until they have ended. */
const terminate = (...pids: readonly number[]): Promise<void> =>
  administer(server, ...pids.map((pid) => `SELECT pg_terminate_backend(${pid}, 60000)`));

const eventually = <T>(attempt: () => Promise<T>): Promise<T> => vi.waitFor(attempt, { timeout: 60_000, interval: 20 });

/** From now on, as if this time had passed. */
const moveClock = (millis: number): void => {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + millis);
};

/** Holds the locks of the SQL script, for as long as a test needs; the server ends other idle transactions. */
const holding = async (on: ScriptDatabase, script: string): Promise<() => Promise<void>> => {
  const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holder = on.transaction(async (transaction) => {
    await transaction.script(`SET LOCAL idle_in_transaction_session_timeout TO 0; ${script}`, 5_000);
    held.resolve();
    await release.promise;
  });
  await Promise.race([held.promise, holder]);
  return () => {
    release.resolve();
    return holder;
  };
};

const newPool = (
  size: number,
  { url = stored.url ?? '', logger = silentLogger, ended = () => {} } = {},
): PostgresPool => new PostgresPool(url, size, logger, trustingWatch(ended));

const proxied = async (address: string): Promise<{ readonly proxy: TcpProxy; readonly url: string }> => {
  const url = new URL(address);
  const proxy = await TcpProxy.start({ host: url.hostname, port: Number(url.port) || 5432 });
  url.host = `127.0.0.1:${proxy.port}`;
  return { proxy, url: url.href };
};

const inRequest = <T>(ask: () => Promise<T>): Promise<T> =>
  withContext({ correlationId: 'of a test', waits: new Deadline(2_000) }, ask);

const suite = describe.runIf(serverUrl !== undefined);

suite(`PostgreSQL connections${postgresOnly}`, () => {
  beforeAll(async () => {
    stored = await createTestDatabase();
    database = await open(stored.url);
    limited = await withProductionLimits(() => open(stored.url));
    await database.transaction((transaction) => transaction.script(schema, 5_000));
  });
  afterAll(async () => {
    await Promise.all([database.close(), limited.close()]);
    await stored.drop();
  });

  it('start with their settings, whatever the settings of the database', async () => {
    const name = new URL(stored.url ?? '').pathname.slice(1);
    await administer(
      server,
      `ALTER DATABASE ${name} SET TimeZone TO 'Asia/Kolkata'`,
      `ALTER DATABASE ${name} SET DateStyle TO 'German'`,
    );
    await withProductionLimits(async () => {
      const fresh = await open(stored.url);
      const value = async (of: Pick<typeof database, 'one'>, what: string) => (await of.one(setting, [what])).value;
      expect(await value(fresh, 'TimeZone')).toBe('UTC');
      expect(await value(fresh.lookups, 'TimeZone')).toBe('UTC');
      expect(await value(fresh.lookups, 'plan_cache_mode')).toBe('force_generic_plan');
      expect(await value(fresh, 'application_name')).toBe('gatehouse');
      const limit = (of: Pick<typeof database, 'one'>) => value(of, 'statement_timeout');
      expect(await limit(fresh)).toBe('5s');
      expect(await fresh.transaction((transaction) => limit(transaction))).toBe('5s');
      expect(await inRequest(() => limit(fresh))).toBe('1600ms');
      expect(await inRequest(() => fresh.transaction((transaction) => limit(transaction)))).toBe('1600ms');
      const afterItsEnd = new Deadline(2_000);
      afterItsEnd.end();
      const left = { correlationId: 'of a test', waits: afterItsEnd };
      expect(await withContext(left, () => limit(fresh))).toBe('1600ms');
      expect(await withContext(left, () => fresh.transaction((transaction) => limit(transaction)))).toBe('1600ms');
      expect(await value(fresh, 'lock_timeout')).toBe('1500ms');
      expect(await value(fresh, 'client_connection_check_interval')).toBe('500ms');
      expect(await value(fresh.lookups, 'statement_timeout')).toBe('1200ms');
      expect(await value(fresh.lookups, 'lock_timeout')).toBe('500ms');
      await fresh.close();
    });
  });

  it('for lookups recover automatically after a late cut, and are refused only meanwhile', async () => {
    const { pid } = await database.lookups.one(backend, []);
    const waiting = expect(database.lookups.execute(nap, [60])).rejects.toBeInstanceOf(DatabaseUnavailable);
    // Too late for another attempt within the time of a lookup.
    moveClock(60_000);
    await terminate(pid);
    await waiting;
    await database.lookups.one(one, []).catch((error: unknown) => {
      expect(error).toBeInstanceOf(DatabaseUnavailable);
    });
    const after = await eventually(() => database.lookups.one(backend, []));
    expect(after.pid).not.toBe(pid);
  });

  it('that are cut under a lookup have it repeated once on the next one', async () => {
    const { pid } = await database.lookups.one(backend, []);
    const napping = database.lookups.many(nap, [0.45]);
    await terminate(pid);
    expect(await napping).toHaveLength(1);
    expect((await database.lookups.one(backend, [])).pid).not.toBe(pid);
  });

  it('of the pool that are cut while idle are replaced', async () => {
    const pids = await Promise.all([database.one(backend, []), database.one(backend, [])]);
    await terminate(...pids.map(({ pid }) => pid));
    await eventually(() => database.one(one, []));
    await database.ping();
  });

  // Contract: operation#connections-that-end — A connection that ends under a transaction: run once more, one effect
  it('that are cut inside a transaction run its work once more, with one effect and one row', async () => {
    let runs = 0;
    let effects = 0;
    const pids = await Promise.all([database.one(backend, []), database.one(backend, [])]);
    const result = await database.transaction(async (transaction) => {
      runs += 1;
      transaction.afterCommit(() => {
        effects += 1;
      });
      await transaction.execute(add, ['twice']);
      // Also cuts the other, idle one: the second run gets neither.
      if (runs === 1) await terminate(...pids.map(({ pid }) => pid));
      return transaction.one(backend, []);
    });
    expect({ runs, effects }).toEqual({ runs: 2, effects: 1 });
    expect(pids).not.toContainEqual(result);
    expect(await database.many(takeNotes, [])).toEqual([{ note: 'twice' }]);
  });

  it('that are cut inside a transaction twice reject it as unavailable, without an effect and without a row', async () => {
    let effects = 0;
    const running = database.transaction(async (transaction) => {
      transaction.afterCommit(() => {
        effects += 1;
      });
      await transaction.execute(add, ['cut']);
      await terminate((await transaction.one(backend, [])).pid);
      await transaction.execute(add, ['after the cut']);
    });
    await expect(running).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(effects).toBe(0);
    expect(await eventually(() => database.many(notes, []))).toEqual([]);
  });

  it('that are cut before the answer to COMMIT leave the outcome unknown: unavailable, no effect', async () => {
    let effects = 0;
    const running = database.transaction(async (transaction) => {
      transaction.afterCommit(() => {
        effects += 1;
      });
      await terminate((await transaction.one(backend, [])).pid);
    });
    await expect(running).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(effects).toBe(0);
  });

  it('end a statement at its time-out as unavailable, and continue', async () => {
    await withProductionLimits(() =>
      expect(limited.lookups.execute(nap, [30])).rejects.toBeInstanceOf(DatabaseUnavailable),
    );
    await eventually(() => limited.lookups.one(one, []));
  });

  it('fail at the timeout of DATABASE_URL as unavailable, and recover', async () => {
    const url = new URL(stored.url ?? '');
    url.searchParams.set('query_timeout', '300');
    const hasty = await testFixture(open(url.href));
    await expect(hasty.execute(nap, [3])).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(await hasty.one(one, [])).toEqual({ one: 1 });
  });

  it('that are all in use refuse the next caller as unavailable', async () => {
    const releases = [await holding(limited, ''), await holding(limited, '')];
    await withProductionLimits(() => expect(limited.one(one, [])).rejects.toBeInstanceOf(DatabaseUnavailable));
    expect((await limited.lookups.one(one, [])).one).toBe(1);
    for (const release of releases) await release();
  });

  it('end a wait for a lock, and a statement that takes too long, as unavailable', async () => {
    const release = await holding(database, 'LOCK TABLE notes');
    await withProductionLimits(async () => {
      await expect(limited.many(notes, [])).rejects.toBeInstanceOf(DatabaseUnavailable);
      await expect(limited.lookups.many(notes, [])).rejects.toBeInstanceOf(DatabaseUnavailable);
      await expect(limited.transaction((within) => within.many(notes, []))).rejects.toBeInstanceOf(DatabaseUnavailable);
    });
    await release();
    expect(await eventually(() => limited.many(notes, []))).toEqual([]);
    await withProductionLimits(() =>
      expect(inRequest(() => limited.execute(nap, [30]))).rejects.toBeInstanceOf(DatabaseUnavailable),
    );
  });

  it.each([
    ['lock_timeout', '55P03'],
    ['statement_timeout', '57014'],
  ])('are all kept when the server has ended a wait by its %s', async (_, code) => {
    // Raised, not waited for: the server may end a wait later than the client gives up the connection.
    const pids = await Promise.all([database.one(backend, []), database.one(backend, [])]);
    await expect(inRequest(() => database.execute(fail, [code]))).rejects.toBeInstanceOf(DatabaseUnavailable);
    const inTransaction = database.transaction((within) => within.execute(fail, [code]));
    await expect(inTransaction).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(await Promise.all([database.one(backend, []), database.one(backend, [])])).toEqual(
      expect.arrayContaining(pids),
    );
  });

  it('are closed when their server has become read-only, and the work runs on the next', async () => {
    const begun = await database.one(backend, []);
    let runs = 0;
    const done = await database.transaction(async (transaction) => {
      runs += 1;
      if (runs === 1) await transaction.execute(readOnly, []);
      await transaction.execute(add, ['on the next']);
      return transaction.one(backend, []);
    });
    expect(runs).toBe(2);
    expect(done.pid).not.toBe(begun.pid);
    expect(await database.many(takeNotes, [])).toEqual([{ note: 'on the next' }]);
  });

  it('that are returned unused are trusted no more than before', async () => {
    const pool = newPool(3);
    const [unused, untouched, cut] = [await pool.take(), await pool.take(), await pool.take()];
    pool.putBack(untouched);
    expect(await pool.take()).toBe(untouched);
    pool.give(unused, 'usable');
    expect(await pool.take()).toBe(unused);
    pool.give(cut, 'unusable');
    for (const client of [unused, untouched]) pool.putBack(client);
    for (const next of [await pool.take(), await pool.take()]) {
      expect([unused, untouched]).not.toContain(next);
      pool.give(next, 'usable');
    }
    await pool.end();
  });

  it('that were in use when another one ended are not used again, and the end is logged', async () => {
    let ends = 0;
    const pool = newPool(3, { ended: () => (ends += 1) });
    const [inUse, ended] = [await pool.take(), await pool.take()];
    pool.give(ended, 'unusable');
    const later = await pool.take();
    pool.give(inUse, 'usable');
    pool.give(later, 'usable');
    expect(await pool.take()).toBe(later);
    const another = await pool.take();
    expect([inUse, ended]).not.toContain(another);
    for (const client of [later, another]) pool.give(client, 'usable');
    expect(ends).toBe(1);
    await pool.end();
  });

  it('that answered after another one was silent are used again', async () => {
    let ends = 0;
    const pool = newPool(2, { ended: () => (ends += 1) });
    const [inUse, silent] = [await pool.take(), await pool.take()];
    moveClock(waitLimits.answerMillis + 100);
    pool.give(silent, 'silent');
    pool.give(inUse, 'usable');
    expect(await pool.take()).toBe(inUse);
    pool.give(inUse, 'usable');
    expect(ends).toBe(0);
    await pool.end();
  });

  it('that open while another one ends are used when their server has answered after that', async () => {
    const { proxy, url } = await proxied(stored.url ?? '');
    const pool = newPool(2, { url });
    const first = await pool.take();
    let begun = 0;
    proxy.intercept({
      said: /pg_is_in_recovery/,
      isDelivered: () => true,
      isInterrupted: () => {
        begun += 1;
        if (begun === 1) pool.give(first, 'unusable');
        return false;
      },
    });
    const second = await pool.take();
    expect(begun).toBe(1);
    pool.give(second, 'usable');
    await pool.end();
    await proxy.cut();
  });

  it('belong to no request, whichever request caused them to open', async () => {
    const works: unknown[] = [];
    const warn = (): void => void works.push(workInProgress());
    const pool = newPool(1, { logger: { ...silentLogger, warn } });
    const end = async (client: pg.PoolClient): Promise<void> => {
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      client.once('end', resolve);
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await terminate(...rows.map(({ pid }) => pid));
      await ended;
    };
    const first = await pool.take();
    const waiting = pool.take();
    await end(first);
    withContext({ correlationId: 'of a test' }, () => pool.give(first, 'unusable'));
    const second = await waiting;
    works.length = 0;
    await end(second);
    expect(new Set(works)).toEqual(new Set([null]));
    pool.give(second, 'unusable');
    await pool.end();
  });

  // Contract: operation#deadline-of-a-request — Total waits of a request: a late connection of a full pool
  it('that are available after the deadline of a request run nothing for it, also when it has ended by then', async () => {
    const waits = new Deadline(200);
    const release = Promise.withResolvers<void>();
    const holders = [1, 2].map(() => database.transaction(() => release.promise));
    const late = () => database.execute(add, ['late']);
    const lateAsAWhole = () => database.transaction((transaction) => transaction.execute(add, ['late']));
    const asked = [late, lateAsAWhole].map((ask) => withContext({ correlationId: 'of a test', waits }, ask));
    const refusals = asked.map((each) => expect(each).rejects.toBeInstanceOf(DatabaseUnavailable));
    await Promise.all(refusals);
    waits.end();
    expect(database.stats()?.pool?.waiting).toBe(2);
    release.resolve();
    await Promise.all(holders);
    // Behind them in the queue.
    await Promise.all([database.one(one, []), database.one(one, [])]);
    expect(await database.many(notes, [])).toEqual([]);
  });

  it('are opened ahead of the first requests, half of them, and stay idle', async () => {
    const fresh = await testFixture(open(stored.url, 4));
    expect(fresh.stats()?.pool).toEqual({ size: 1, most: 4, idle: 1, waiting: 0 });
    await fresh.openAhead();
    expect(fresh.stats()?.pool).toEqual({ size: 2, most: 4, idle: 2, waiting: 0 });
  });

  it('are counted, with the callers that wait for one', async () => {
    const release = Promise.withResolvers<void>();
    const holders = [1, 2].map(() => database.transaction(() => release.promise));
    const waiting = database.one(one, []);
    await eventually(async () => expect(database.stats()?.pool).toEqual({ size: 2, most: 2, idle: 0, waiting: 1 }));
    release.resolve();
    await Promise.all([...holders, waiting]);
    expect(database.stats()?.pool).toEqual({ size: 2, most: 2, idle: 2, waiting: 0 });
  });
});

suite(`Opening PostgreSQL${postgresOnly}`, () => {
  const made: string[] = [];
  const roles: string[] = [];
  const make = async (...settings: readonly string[]): Promise<string> => {
    const name = newName('test');
    made.push(name);
    await administer(server, `CREATE DATABASE ${name}`, ...settings.map((text) => `ALTER DATABASE ${name} ${text}`));
    return name;
  };
  afterEach(async () => {
    await administer(
      server,
      ...made.splice(0).map((name) => `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
      ...roles.splice(0).map((name) => `DROP ROLE IF EXISTS ${name}`),
    );
  });

  const refusal = async (url: string): Promise<Error> => {
    const error: unknown = await open(url).then(
      async (opened) => opened.close().then(() => null),
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof Error)) throw new Error('It opened');
    const said = `${error.message} ${String(error.stack)} ${JSON.stringify(error)} ${String(error.cause)}`;
    expect(said).not.toContain('hunter2');
    return error;
  };

  const withPassword = (url: string, change: (parsed: URL) => void = () => {}): string => {
    const parsed = new URL(url);
    parsed.password = 'hunter2';
    change(parsed);
    return parsed.href;
  };

  it('refuses a server that would lose acknowledged writes, and explains the fix', async () => {
    const name = await make('SET synchronous_commit TO off');
    const error = await refusal(withPassword(urlOf(server, name)));
    expect(error).toBeInstanceOf(DatabaseRefused);
    expect(error.message).toMatch(/synchronous_commit off.+set it to on/);
  });

  // Contract: operation#former-primary — A primary that became a standby is not used
  it('refuses a standby, at the start and on each later session, for every caller', async () => {
    const name = await make();
    const url = urlOf(server, name);
    const opened = await open(url);
    // Replaces the function by which the server is examined.
    await administer(
      url,
      'CREATE FUNCTION public.pg_is_in_recovery() RETURNS boolean LANGUAGE sql RETURN true',
      `ALTER DATABASE ${name} SET search_path TO public, pg_catalog`,
    );
    const [first, second] = await Promise.all([opened.one(backend, []), opened.lookups.one(backend, [])]);
    await terminate(first.pid, second.pid);
    // Only later sessions matter.
    await expect.poll(() => opened.stats()?.pool?.size).toBe(0);
    await expect(opened.one(one, [])).rejects.toThrow(/read-only standby/);
    await expect(opened.lookups.one(one, [])).rejects.toBeInstanceOf(DatabaseUnavailable);
    await administer(url, `ALTER DATABASE ${name} RESET search_path`);
    await eventually(() => Promise.all([opened.one(one, []), opened.lookups.one(one, [])]));
    await administer(url, `ALTER DATABASE ${name} SET search_path TO public, pg_catalog`);
    await opened.close();
    const error = await refusal(url);
    expect(error).toBeInstanceOf(DatabaseRefused);
    expect(error.message).toMatch(/read-only standby; point DATABASE_URL at the primary/);
  });

  it.each([
    ['under its sessions', false],
    ['after the pool had lost its session', true],
  ])('closes a server that became a standby %s, with the lookups too', async (_when, isPoolCut) => {
    const name = await make();
    const url = urlOf(server, name);
    const opened = await open(url);
    const { pid } = await opened.lookups.one(backend, []);
    await administer(
      url,
      'CREATE FUNCTION public.pg_is_in_recovery() RETURNS boolean LANGUAGE sql RETURN true',
      `ALTER DATABASE ${name} SET search_path TO public, pg_catalog`,
    );
    await opened.lookups.execute(becomeStandby, []);
    expect((await opened.lookups.one(backend, [])).pid).toBe(pid);
    if (isPoolCut) {
      await terminate((await opened.one(backend, [])).pid);
      await expect.poll(() => opened.stats()?.pool?.size).toBe(0);
    }
    const writing = opened.transaction(async (transaction) => {
      await transaction.execute(readOnly, []);
      await transaction.script('CREATE TABLE written ()', 5_000);
    });
    await expect(writing).rejects.toBeInstanceOf(DatabaseUnavailable);
    const lookUp = (): Promise<unknown> =>
      opened.lookups.one(backend, []).then(
        () => 'answered',
        (error: unknown) => error,
      );
    await expect.poll(lookUp).toBeInstanceOf(DatabaseUnavailable);
    expect(await lookUp()).toBeInstanceOf(DatabaseUnavailable);
    await administer(url, `ALTER DATABASE ${name} RESET search_path`);
    const after = await eventually(() => opened.lookups.one(backend, []));
    expect(after.pid).not.toBe(pid);
    expect(await opened.one(written, [])).toEqual({ name: null });
    await opened.close();
  });

  it('keeps the lookup connection when a session of another kind ends and the server is a primary', async () => {
    const opened = await open(server);
    const [first, second] = await Promise.all([opened.one(backend, []), opened.lookups.one(backend, [])]);
    await opened
      .transaction(async (transaction) => {
        await transaction.execute(readOnly, []);
        await transaction.script('CREATE TABLE written ()', 5_000);
      })
      .catch((error: unknown) => expect(error).toBeInstanceOf(DatabaseUnavailable));
    expect((await opened.one(backend, [])).pid).not.toBe(first.pid);
    expect((await opened.lookups.one(backend, [])).pid).toBe(second.pid);
    await opened.close();
  });

  it('leaves no connection open when lookups fail after the pool was opened', async () => {
    const { proxy, url } = await proxied(server);
    // The first lookup, and every later session for them.
    const lookupsOnly = { said: /plan_cache_mode/, isDelivered: () => false, isInterrupted: () => true };
    let isCut = false;
    const firstAsked = () => {
      isCut = true;
      proxy.intercept(lookupsOnly);
      return true;
    };
    proxy.intercept({ said: /SELECT 1 AS one/, isDelivered: () => false, isInterrupted: firstAsked });
    const error = await refusal(url);
    expect(error).toBeInstanceOf(DatabaseUnavailable);
    expect(isCut).toBe(true);
    await expect.poll(() => proxy.farPorts).toEqual([]);
    await proxy.cut();
  });

  it('leaves no connection open when an examined server does not answer to the settings', async () => {
    const { proxy, url } = await proxied(server);
    const block = () => {
      proxy.block();
      return false;
    };
    proxy.intercept({ said: /default_transaction_read_only/, isDelivered: () => true, isInterrupted: block });
    let looks = 0;
    const look = async (): Promise<void> => {
      looks += 1;
    };
    await withProductionLimits(() => expect(examinePostgres(url, look)).rejects.toBeInstanceOf(DatabaseUnavailable));
    expect(looks).toBe(0);
    expect(proxy.farPorts).toHaveLength(1);
    await proxy.restore();
    await expect.poll(() => proxy.farPorts).toEqual([]);
    await proxy.cut();
  });

  it('refuses a missing database by its name', async () => {
    const error = await refusal(withPassword(urlOf(server, 'no_such_database')));
    expect(error).toBeInstanceOf(DatabaseRefused);
    expect(error.message).toContain('There is no database no_such_database');
  });

  it('refuses a user that the server rejects by its name', async () => {
    const error = await refusal(
      withPassword(server, (url) => {
        url.username = 'no_such_user';
      }),
    );
    expect(error).toBeInstanceOf(DatabaseRefused);
    expect(error.message).toContain('user no_such_user');
  });

  it('refuses a user who may not connect to the database', async () => {
    const name = await make();
    const role = newName('role');
    roles.push(role);
    await administer(server, `CREATE ROLE ${role} LOGIN`, `REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`);
    const url = withPassword(urlOf(server, name), (parsed) => {
      parsed.username = role;
    });
    const error = await refusal(url);
    expect(error).toBeInstanceOf(DatabaseRefused);
    expect(error.message).toContain(`User ${role} may not use the database ${name}`);
  });

  it('calls a port where nothing listens unavailable, with host and port', async () => {
    const error = await refusal(
      withPassword(server, (url) => {
        url.port = '1';
      }),
    );
    expect(error).toBeInstanceOf(DatabaseUnavailable);
    expect(error.message).toMatch(/cannot be reached: .+ECONNREFUSED/);
  });

  it('refuses an invalid address, without repeating it', async () => {
    for (const url of ['postgres://user:hunter2@host:port/db', 'postgres://user:hunter2@@@:/', 'hunter2']) {
      expect(await refusal(url)).toBeInstanceOf(DatabaseRefused);
    }
  });
});
