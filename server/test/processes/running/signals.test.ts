/** Signals during the start, and repeated ones. A container's first process must handle each signal itself. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { until } from '../../support/checks/concurrency.ts';
import { operations } from '../../support/clients/clients.ts';
import { beginPost, RawConnection } from '../../support/clients/raw-http.ts';
import { createEmptyPostgres, createTestDatabase, type TestDatabase } from '../../support/database/databases.ts';
import { serverUrl } from '../../support/database/engines.ts';
import { environmentFor, inDirectory, serve, startGatehouse } from '../../support/gatehouse/gatehouse-process.ts';
import { freePort } from '../../support/servers/listen.ts';

/** As in `platform/database/migrate.ts`: the session that holds it delays every start. */
const takeMigrationLock = 'SELECT pg_advisory_lock(7046029254386353131)';
const countWaiting = `SELECT count(*)::int AS waiting FROM pg_locks l JOIN pg_database d ON d.oid = l.database
  WHERE d.datname = current_database() AND l.locktype = 'advisory' AND NOT l.granted`;

it.runIf(serverUrl !== undefined).each([
  { args: ['serve'], signal: 'SIGTERM', code: 0 },
  { args: ['serve'], signal: 'SIGINT', code: 0 },
  { args: ['serve', '--workers', '2'], signal: 'SIGTERM', code: 0 },
  { args: ['migrate'], signal: 'SIGTERM', code: 143 },
  { args: ['migrate'], signal: 'SIGINT', code: 130 },
] as const)(
  'A signal while a start waits for another one (PostgreSQL only) ends $args at $signal with $code',
  async ({ args, signal, code }) => {
    const { url, drop } = await createEmptyPostgres(serverUrl ?? '');
    onTestFinished(drop);
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query(takeMigrationLock);
    await inDirectory(async (dataDirectory) => {
      const started = startGatehouse(args, {
        ...environmentFor({ url, dataDirectory }),
        PORT: String(await freePort()),
        SMTP_URL: `smtp://127.0.0.1:${await freePort()}`,
      });
      await until('it waits', async () => {
        const { rows }: { readonly rows: readonly { readonly waiting: number }[] } = await holder.query(countWaiting);
        return rows[0]?.waiting === 1;
      });
      started.signal(signal);
      expect(await started.ended).toMatchObject({ code, stderr: '' });
    });
  },
);

it('A signal while a start creates the embedded database ends it, and the next start has a database', async () => {
  await inDirectory(async (dataDirectory) => {
    const environment = environmentFor({ dataDirectory });
    const started = startGatehouse(['serve'], { ...environment, PORT: String(await freePort()) });
    await until('it makes files', async () => existsSync(join(dataDirectory, 'database.unfinished', 'base')));
    started.signal('SIGTERM');
    expect(await started.ended).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(join(dataDirectory, 'database'))).toBe(false);
    const service = await serve(environment);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    expect(await service.stop()).toMatchObject({ code: 0, stderr: '' });
  });
  // Creates two, at the speed of a busy disk.
}, 120_000);

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  let stored: TestDatabase;
  beforeAll(async () => {
    stored = await createTestDatabase();
  });
  afterAll(() => stored.drop());

  it('that arrives twice at once, as from npm and the terminal, ends the service in order, five times out of five', async () => {
    for (const pause of [0, 0, 1, 2, 5]) {
      const service = await serve({ ...environmentFor(stored), DRAIN_SECONDS: '1' });
      service.signal(signal);
      // The kernel merges two pending ones.
      await sleep(pause);
      service.signal(signal);
      const { code, stdout, stderr } = await service.ended;
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout.match(/"event":"service\.stopping"/g)).toHaveLength(1);
    }
  });

  it('that arrives again later ends the service at once', async () => {
    const service = await serve({ ...environmentFor(stored), DRAIN_SECONDS: '5' });
    // The orderly shutdown would wait five seconds more for the rest of this request: ten in all.
    const unfinished = await RawConnection.open(service.url);
    onTestFinished(() => unfinished.close());
    await beginPost(unfinished, operations.me);
    service.signal(signal);
    await service.printed(/"event":"service\.stopping"/);
    // Signals within a second count as one.
    await sleep(2000);
    service.signal(signal);
    // Ended by the signal.
    expect(await service.ended).toMatchObject({ code: null, stderr: '' });
  });
});
