/**
 * DATABASE_URL names a primary and its standby: the service follows a fail-over, and tells of hosts without a primary.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/platform/database/open.ts';
import { observeOrigin } from '../../src/platform/database/origin.ts';
import { newClient } from '../../src/platform/database/primary-host.ts';
import { diagnose, faults, theFault } from '../doctor/run-doctor.ts';
import { newOwner } from '../support/actors/tenants.ts';
import { until } from '../support/checks/concurrency.ts';
import { bearer, operations, post } from '../support/clients/clients.ts';
import { createTestDatabase } from '../support/database/databases.ts';
import { sqlOn } from '../support/database/sql.ts';
import { environmentFor, runGatehouse } from '../support/gatehouse/gatehouse-process.ts';
import { ServerProcess } from '../support/gatehouse/processes.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';
import { freePort } from '../support/servers/listen.ts';
import { secondsAtNight } from './support/load/size.ts';
import { postgresOfRun, variables } from './support/sites/postgres-server.ts';

/** @returns the port of the server that a new session is with */
const portOfSession = async (url: string): Promise<number> => {
  const client = newClient(url);
  await client.connect();
  await client.end();
  return client.port;
};

describe('Several hosts of DATABASE_URL', () => {
  // Contract: operation#fail-over-under-patroni — A fail-over to another host of DATABASE_URL is followed, and is told
  //   as no restored backup
  it('are followed from the primary to the standby that is promoted', async () => {
    const primary = postgresOfRun();
    const stored = await createTestDatabase();
    const directory = await mkdtemp(join(process.env[variables.directory] ?? '', 'standby-'));
    const standby = await primary.copy(directory, await freePort(), 'standby');
    await standby.start();
    onTestFinished(async () => {
      await standby.stop('immediate').catch(() => undefined);
      // Its port is that of the run.
      await primary.start().catch(() => undefined);
      await stored.drop();
      await rm(directory, { recursive: true, force: true });
    });
    // The standby comes first, and is passed over.
    const url = (stored.url ?? '').replace('@', `@127.0.0.1:${standby.port},`);
    const environment = { ...environmentFor({ ...stored, url }), BASE_URL: 'http://localhost:1' };
    const server = await ServerProcess.start(environment);
    onTestFinished(() => server.stop());
    const database = await openDatabase({ url, dataDirectory: '', logger: silentLogger });
    onTestFinished(() => database.close());
    const sql = sqlOn(database);
    const { tokens } = await newOwner({ database, sql });
    const outcome = async () => (await post(server.url, operations.me, {}, bearer(tokens))).code ?? 'OK';
    expect(await outcome()).toBe('OK');
    // A note that the standby has while it runs as one.
    expect(await observeOrigin(database)).toBeNull();
    const noted = 'SELECT pg_current_wal_flush_lsn() <= replay_lsn AS done FROM pg_stat_replication';
    await until(
      'the standby has it',
      async () => (await sql<{ done: boolean }>(noted))[0]?.done === true,
      secondsAtNight(10),
    );

    await primary.stop('immediate');
    const readiness = async () => (await (await fetch(`${server.url}/readyz`)).json()) as { readonly checks: object };
    await until('the hosts are told', async () => 'databaseHosts' in (await readiness()).checks, secondsAtNight(10));
    const told = (await readiness()).checks;
    expect(told).toMatchObject({ database: 'unavailable', databaseHosts: { 1: 'standby', 2: 'unreachable' } });
    for (const { port } of [standby, primary]) expect(JSON.stringify(told)).not.toContain(String(port));
    const { says } = theFault(await diagnose(environment), 'database');
    expect(says).toContain(`127.0.0.1:${standby.port} is a read-only standby.`);
    expect(says).toMatch(new RegExp(`127\\.0\\.0\\.1:${primary.port} cannot be reached: .*ECONNREFUSED`));
    const start = await runGatehouse(['serve'], { ...environment, PORT: String(await freePort()) });
    expect([start.code, start.stderr]).toEqual([1, expect.stringContaining('names no server that is a primary')]);

    await standby.promote();
    await until('the service follows', async () => (await outcome()) === 'OK', secondsAtNight(10));
    await until(
      'its pool follows',
      async () => (await observeOrigin(database).catch(() => 'not yet')) === null,
      secondsAtNight(10),
    );
    expect(faults(await diagnose(environment), 'database')).toEqual([]);

    // The former primary lives on, and comes first.
    await primary.start();
    const former = (stored.url ?? '').replace(/(@[^/]+)/, `$1,127.0.0.1:${standby.port}`);
    await until('it is passed over', async () => (await portOfSession(former)) === standby.port, secondsAtNight(10));
    expect(await outcome()).toBe('OK');
    expect(server.output).not.toContain('database.restored');
    expect(server.defects).toEqual([]);
  });
});
