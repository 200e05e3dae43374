/** PostgreSQL whose commits wait for a standby: what begins, what goes on, and what is told while none returns. */
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DatabaseUnavailable, statement } from '../../src/platform/database/database.ts';
import {
  examinePostgres,
  type ServerState,
  serverState,
  warnOfUnawaitedStandby,
} from '../../src/platform/database/examine.ts';
import { openDatabase } from '../../src/platform/database/open.ts';
import { until } from '../support/checks/concurrency.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';
import { waitAsInTests, withProductionLimits } from '../support/gatehouse/wait-limits.ts';
import { freePort } from '../support/servers/listen.ts';
import { findPrograms, makePostgresServer, type PostgresServer } from './support/sites/postgres-server.ts';

const add = statement<never, readonly [string]>('test.add', 'INSERT INTO changes VALUES ($1)');

const factsOf = (url: string): Promise<ServerState> => examinePostgres(url, (session) => session.one(serverState, []));

describe('PostgreSQL whose commits wait for a standby', () => {
  // What must succeed has the limits of tests, what must not the limits of production.
  waitAsInTests();
  let directory: string;
  let primary: PostgresServer;
  let standby: PostgresServer;
  const open = () => openDatabase({ url: primary.url, dataDirectory: '', logger: silentLogger });
  const waiting = async (): Promise<number> =>
    Number(await primary.query("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"));

  beforeAll(async () => {
    const programs = await findPrograms();
    if (programs === null) throw new Error('No PostgreSQL');
    directory = await mkdtemp(join(tmpdir(), 'gatehouse-standby-'));
    await chmod(directory, 0o777);
    await mkdir(join(directory, 'primary'));
    primary = await makePostgresServer(programs, join(directory, 'primary'), await freePort());
    await primary.start();
    await primary.query('CREATE TABLE changes (note text)');
    await primary.query('ALTER DATABASE postgres SET synchronous_commit TO remote_apply');
    standby = await primary.copy(join(directory, 'standby'), await freePort(), 'standby');
    await standby.start();
    await primary.query("ALTER SYSTEM SET synchronous_standby_names TO '*'");
    await primary.query('SELECT pg_reload_conf()');
    await until('the standby is waited for', async () => {
      return (await primary.query('SELECT sync_state FROM pg_stat_replication')) === 'sync';
    });
  });
  afterAll(async () => {
    await Promise.all([primary, standby].map((server) => server.stop('immediate')));
    await rm(directory, { recursive: true, force: true });
  });

  it('is told from one whose commits wait for none', async () => {
    const waited = { isStandbyMissing: false, hasUnawaitedStandby: false };
    expect(await factsOf(primary.url)).toMatchObject(waited);
    await primary.query('ALTER DATABASE postgres SET synchronous_commit TO local');
    expect(await factsOf(primary.url)).toMatchObject({ ...waited, hasUnawaitedStandby: true });
    const events: string[] = [];
    const logger = { ...silentLogger, warn: ({ event }: { readonly event: string }) => void events.push(event) };
    const database = await open();
    await warnOfUnawaitedStandby(database, logger);
    await database.close();
    expect(events).toEqual(['database.standby_not_awaited']);
    await primary.query('ALTER DATABASE postgres SET synchronous_commit TO remote_apply');
  });

  // Contract: operation#commits-that-wait — No change is begun while the server waits for a standby, until a commit
  //   returns
  it('lets a transaction that had begun before that go on and be committed', async () => {
    const database = await open();
    const [begun, stalled] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const work = database.transaction(async (transaction) => {
      await transaction.script('SET LOCAL idle_in_transaction_session_timeout TO 0; SELECT 1', 5_000);
      begun.resolve();
      await stalled.promise;
      await transaction.execute(add, ['begun']);
      await standby.query('SELECT pg_wal_replay_resume()');
    });
    await Promise.race([begun.promise, work]);
    await standby.query('SELECT pg_wal_replay_pause()');
    await withProductionLimits(async () => {
      await expect(database.execute(add, ['lost'])).rejects.toBeInstanceOf(DatabaseUnavailable);
      await until('commits do not return', async () => database.stats()?.primary?.isStalled === true);
    });
    stalled.resolve();
    try {
      await work;
    } finally {
      await standby.query('SELECT pg_wal_replay_resume()');
    }
    await until('changes return', async () => database.stats()?.primary?.isStalled === false);
    expect(await primary.query("SELECT count(*) FROM changes WHERE note = 'begun'")).toBe('1');
    await database.close();
  });

  // Contract: operation#commits-that-wait — A start while the synchronous standby is gone names it, and succeeds once
  //   it is back
  it('is refused a start while the standby is gone, with the reason, and serves once it is back', async () => {
    await standby.stop('fast');
    expect(await factsOf(primary.url)).toMatchObject({ isStandbyMissing: true, hasUnawaitedStandby: false });
    await withProductionLimits(() =>
      expect(open()).rejects.toThrow(
        `The PostgreSQL server at 127.0.0.1:${primary.port} answers, but its commits do not return`,
      ),
    );
    await until('none of its heartbeats waits', async () => (await waiting()) <= 1);
    await standby.start();
    await until('it is followed', async () => !(await factsOf(primary.url)).isStandbyMissing);
    const database = await open();
    await database.execute(add, ['after']);
    await database.close();
    expect(await primary.query("SELECT count(*) FROM changes WHERE note = 'after'")).toBe('1');
  });
});
