/** A backup of the database is restored: what had ended since opens again until `gatehouse after-restore`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../src/platform/database/database.ts';
import { openDatabase } from '../../src/platform/database/open.ts';
import { observeOrigin } from '../../src/platform/database/origin.ts';
import { diagnose, faults } from '../doctor/run-doctor.ts';
import { newOwner, type Tenant } from '../support/actors/tenants.ts';
import { bearer, operations, post } from '../support/clients/clients.ts';
import { newName, urlOf } from '../support/database/database-template.ts';
import { createEmptyPostgres, createTestDatabase, type TestDatabase } from '../support/database/databases.ts';
import { sqlOn } from '../support/database/sql.ts';
import { runHere } from '../support/gatehouse/command-line.ts';
import { type Environment, environmentFor } from '../support/gatehouse/gatehouse-process.ts';
import { ServerProcess } from '../support/gatehouse/processes.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';
import { waitAsInTests } from '../support/gatehouse/wait-limits.ts';
import { freePort } from '../support/servers/listen.ts';
import { postgresOfRun, variables } from './support/sites/postgres-server.ts';

const accepted: unknown = expect.stringContaining('is accepted again');

describe('A restored backup', () => {
  // How soon the server answers is no part of the rule.
  waitAsInTests();
  const postgres = postgresOfRun();
  let stored: TestDatabase;
  let source: Database;
  let person: Tenant;

  beforeAll(async () => {
    stored = await createTestDatabase();
    source = await openDatabase({ ...stored, url: stored.url, logger: silentLogger });
    expect(await observeOrigin(source)).toBeNull();
    person = await newOwner({ database: source, sql: sqlOn(source) });
  });
  afterAll(async () => {
    await source.close();
    await stored.drop();
  });

  /** Below the one of the run's server, whose user may enter it. */
  const newDirectoryOfServer = async (prefix: string): Promise<string> => {
    const directory = await mkdtemp(join(process.env[variables.directory] ?? '', prefix));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    return directory;
  };

  /** Ends the person's session where the backup was taken, after it was taken. */
  const signOut = () =>
    sqlOn(source)(
      "UPDATE credentials SET revoked_at = now(), revocation_reason = 'signed_out' WHERE revoked_at IS NULL",
    );

  const meAt = async (server: ServerProcess): Promise<string> => {
    const { code } = await post(server.url, operations.me, {}, bearer(person.tokens));
    return code ?? 'OK';
  };

  /** Of what is known to be a restored backup, at an address. */
  const expectEnded = async (url: string, change: string): Promise<void> => {
    const environment: Environment = { ...environmentFor({ ...stored, url }), BASE_URL: 'http://localhost:1' };
    const server = await ServerProcess.start(environment);
    onTestFinished(() => server.stop());
    expect(server.output).toMatch(new RegExp(`"event":"database.restored".*"change":"${change}"`));
    expect(await meAt(server)).toBe('OK');
    expect(faults(await diagnose(environment), 'database')).toMatchObject([{ level: 'warning', says: accepted }]);
    const ended = await runHere(['after-restore', '--json'], environment);
    expect([ended.code, JSON.parse(ended.stdout)]).toMatchObject([0, { sessions: 1, people: 1, isSettled: true }]);
    expect(await meAt(server)).toBe('UNAUTHENTICATED');
    expect(faults(await diagnose(environment), 'database')).toEqual([]);
  };

  // Contract: operation#database-that-was-restored — A restored backup is told, and what ended after it opens until
  //   after-restore, not after it
  it('of the files of the server opens what had ended since, until it is ended again', async () => {
    const restored = await postgres.copy(await newDirectoryOfServer('files-'), await freePort(), 'recovered');
    await signOut();
    await restored.start();
    onTestFinished(() => restored.stop('immediate'));
    await expectEnded(urlOf(restored.url, new URL(stored.url ?? '').pathname.slice(1)), 'TIMELINE');
  });

  it('of a dump opens what had ended since, until it is ended again', async () => {
    await sqlOn(source)('UPDATE credentials SET revoked_at = NULL, revocation_reason = NULL');
    const dump = join(await newDirectoryOfServer('dump-'), 'dump');
    await postgres.ask('pg_dump', '-Fc', '-f', dump, '-d', new URL(stored.url ?? '').pathname.slice(1));
    await signOut();
    const { url, drop } = await createEmptyPostgres(postgres.url, 'template1', newName('restored'));
    onTestFinished(drop);
    await postgres.ask('pg_restore', '-d', new URL(url).pathname.slice(1), dump);
    await expectEnded(url, 'DUMP');
  });
});
