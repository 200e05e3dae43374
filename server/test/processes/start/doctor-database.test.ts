/** `gatehouse doctor` on the database and its super admins: each fault is a real one. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/platform/database/open.ts';
import { diagnose, expectFault, faults, theFault } from '../../doctor/run-doctor.ts';
import { administer } from '../../support/database/database-template.ts';
import {
  createEmptyPostgres,
  createTestDatabase,
  newDirectory,
  type TestDatabase,
} from '../../support/database/databases.ts';
import { embedded, embeddedOnly, postgresOnly, serverUrl } from '../../support/database/engines.ts';
import { sqlOn } from '../../support/database/sql.ts';
import { runHere } from '../../support/gatehouse/command-line.ts';
import { type Environment, environmentFor } from '../../support/gatehouse/gatehouse-process.ts';
import { silentLogger } from '../../support/gatehouse/silent-logger.ts';
import { freePort } from '../../support/servers/listen.ts';

const canMount = (directory: string): boolean => {
  try {
    execFileSync('mount', ['-t', 'ramfs', 'ramfs', directory], { stdio: 'ignore' });
    execFileSync('umount', [directory]);
    return true;
  } catch {
    return false;
  }
};

const mountable = process.platform === 'linux' && canMount(await newDirectory());
const needs = mountable ? '' : ' [not run: this user may not mount a ramfs]';

const says = (pattern: RegExp): unknown => expect.stringMatching(pattern);

let stored: TestDatabase;
let environment: Environment;
beforeAll(async () => {
  stored = await createTestDatabase();
  environment = { ...environmentFor(stored), BASE_URL: 'http://localhost:1' };
});
afterAll(() => stored.drop());

/** Runs statements on the database of these tests, which no other session uses. */
const change = async (...texts: readonly string[]): Promise<void> => {
  const database = await openDatabase({ ...stored, url: stored.url, logger: silentLogger });
  try {
    const sql = sqlOn(database);
    for (const text of texts) await sql(text);
  } finally {
    await database.close();
  }
};

const praise = (diagnosis: Awaited<ReturnType<typeof diagnose>>, subject: string): string[] =>
  diagnosis.findings.filter(({ check, level }) => check === subject && level === 'ok').map((finding) => finding.says);

describe('The database', () => {
  it('is valid when it is migrated', async () => {
    const diagnosis = await diagnose(environment);
    expect(faults(diagnosis, 'database')).toEqual([]);
    expect(praise(diagnosis, 'database')).toContain('The database is at the version of this build.');
  });

  it('has a fault while a migration is pending, which is not applied', async () => {
    const [row] = (await readdir(join(import.meta.dirname, '../../../migrations'))).toSorted().slice(-1);
    const newest = (row ?? '').replace(/\.sql$/, '');
    await change(
      'CREATE TABLE kept AS SELECT * FROM schema_migrations ORDER BY version DESC LIMIT 1',
      'DELETE FROM schema_migrations WHERE version = (SELECT version FROM kept)',
    );
    onTestFinished(() => change('INSERT INTO schema_migrations SELECT * FROM kept', 'DROP TABLE kept'));
    expectFault(await diagnose(environment), 'database', {
      level: 'warning',
      says: new RegExp(`Not applied yet: ${newest}`),
      fix: /gatehouse migrate/,
    });
    // A second time: the first run applied nothing.
    expect(theFault(await diagnose(environment), 'database').says).toContain(newest);
  });

  it('has a fault when a newer version of Gatehouse migrated it', async () => {
    await change(
      "INSERT INTO schema_migrations (version, name, checksum) VALUES (9999, '9999-from-the-future', 'unknown')",
    );
    onTestFinished(() => change('DELETE FROM schema_migrations WHERE version = 9999'));
    expectFault(await diagnose(environment), 'database', {
      level: 'error',
      says: /newer version of Gatehouse: it has the migration 9999-from-the-future/,
      fix: /Start a build that includes it/,
    });
  });

  it('has a fault when an applied migration differs', async () => {
    await change("UPDATE schema_migrations SET checksum = 'x' || checksum WHERE version = 1");
    onTestFinished(() => change('UPDATE schema_migrations SET checksum = substr(checksum, 2) WHERE version = 1'));
    expectFault(await diagnose(environment), 'database', {
      level: 'error',
      says: /is not the one that was applied to this database/,
    });
  });

  it('reports an error when no server listens at DATABASE_URL, without the password', async () => {
    const url = 'postgres://gatehouse:Canary-password@127.0.0.1:1/gatehouse';
    const diagnosis = await diagnose({ ...environment, DATABASE_URL: url });
    expectFault(diagnosis, 'database', { level: 'error', says: /127\.0\.0\.1:1 cannot be/ });
  });

  it('reports an error when the server refuses the password, without the password', async () => {
    const { url, close } = await serverThatRefuses('28P01');
    onTestFinished(() => close());
    expectFault(await diagnose({ ...environment, DATABASE_URL: url }), 'database', {
      level: 'error',
      says: /refused the password of user gatehouse/,
      fix: /DATABASE_URL/,
    });
  });
});

/** A PostgreSQL server that refuses every client with one SQLSTATE; the real one here needs no password. */
const serverThatRefuses = async (state: string): Promise<{ url: string; close: () => Promise<void> }> => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      const fields = Buffer.from(`SFATAL\0VFATAL\0C${state}\0Mrefused\0\0`);
      const head = Buffer.from([0x45, 0, 0, 0, fields.length + 4]);
      socket.end(Buffer.concat([head, fields]));
    });
  });
  const port = await freePort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `postgres://gatehouse:Canary-password@127.0.0.1:${port}/gatehouse`,
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
};

describe.runIf(!embedded)(`A PostgreSQL server${postgresOnly}`, () => {
  it('has a fault while synchronous_commit is off for the database', async () => {
    const name = new URL(stored.url ?? '').pathname.slice(1);
    await administer(serverUrl ?? '', `ALTER DATABASE ${name} SET synchronous_commit TO off`);
    onTestFinished(() => administer(serverUrl ?? '', `ALTER DATABASE ${name} RESET synchronous_commit`));
    expectFault(await diagnose(environment), 'database', {
      level: 'error',
      says: /synchronous_commit off/,
      fix: /ALTER DATABASE/,
    });
  });

  it('reports the pending migrations of an empty database, and leaves it empty', async () => {
    const empty = await createEmptyPostgres(serverUrl ?? '');
    onTestFinished(() => empty.drop());
    const diagnosis = await diagnose({ ...environment, DATABASE_URL: empty.url });
    expectFault(diagnosis, 'database', {
      says: /Not applied yet: \d+ migrations, 0001-people to \d{4}-[a-z-]+\. Super admins/,
    });
    const database = await openDatabase({ url: empty.url, dataDirectory: '', logger: silentLogger });
    const [tables] = await sqlOn(database)<{ count: number }>(
      "SELECT count(*)::int AS count FROM information_schema.tables WHERE table_schema = 'public'",
    );
    await database.close();
    expect(tables).toEqual({ count: 0 });
  });

  it('has a fault when the database does not exist', async () => {
    const url = new URL(stored.url ?? '');
    url.pathname = '/gatehouse_missing';
    const diagnosis = await diagnose({ ...environment, DATABASE_URL: url.href });
    expectFault(diagnosis, 'database', { level: 'error', fix: /^Create it first\./ });
  });

  it('has its clock compared', async () => {
    expect(praise(await diagnose(environment), 'clock')).toHaveLength(1);
  });

  it('has a fault when the role may neither create nor read', async () => {
    const role = `gatehouse_reader_${Math.random().toString(36).slice(2, 10)}`;
    await administer(serverUrl ?? '', `CREATE ROLE ${role} LOGIN PASSWORD 'Canary-password'`);
    onTestFinished(() => administer(serverUrl ?? '', `DROP ROLE ${role}`));
    const url = new URL(stored.url ?? '');
    url.username = role;
    url.password = 'Canary-password';
    const diagnosis = await diagnose({ ...environment, DATABASE_URL: url.href });
    expectFault(diagnosis, 'database', { level: 'error', says: /may not read the tables/ });
  });
});

describe.runIf(embedded)(`The embedded database${embeddedOnly}`, () => {
  it('is valid before it exists, and is not created', async () => {
    const directory = await newDirectory();
    const diagnosis = await diagnose({ ...environment, DATA_DIR: directory });
    expect(praise(diagnosis, 'database')).toEqual(['There is no embedded database yet; the first start creates it.']);
    expect(await readdir(directory)).toEqual([]);
  });

  it('has a fault when DATA_DIR has files of another program', async () => {
    const directory = await newDirectory();
    await writeFile(join(directory, 'orders.csv'), '1,2,3');
    expectFault(await diagnose({ ...environment, DATA_DIR: directory }), 'database', {
      level: 'error',
      says: /files of another program/,
      fix: /^Choose another DATA_DIR/,
    });
    expect(await readdir(directory)).toEqual(['orders.csv']);
  });

  it('has a fault when DATA_DIR is in a pseudo file system', async () => {
    expectFault(await diagnose({ ...environment, DATA_DIR: '/proc/data' }), 'database', {
      says: /^The data directory \/proc\/data cannot be used by this process\.$/,
    });
  });

  it.runIf(mountable)(`has a warning when DATA_DIR is in a file system that reports no size${needs}`, async () => {
    const directory = await newDirectory();
    execFileSync('mount', ['-t', 'ramfs', 'ramfs', directory]);
    onTestFinished(() => void execFileSync('umount', [directory]));
    const diagnosis = await diagnose({ ...environment, DATA_DIR: join(directory, 'data') });
    expectFault(diagnosis, 'database', { level: 'warning', says: /reports no size/ });
    expect(praise(diagnosis, 'database')).toEqual(['There is no embedded database yet; the first start creates it.']);
    expect(await readdir(directory)).toEqual([]);
  });

  it('has a fault when DATA_DIR is a file', async () => {
    const file = join(await newDirectory(), 'a-file');
    await writeFile(file, '');
    expectFault(await diagnose({ ...environment, DATA_DIR: file }), 'database', { level: 'error', fix: /DATA_DIR/ });
  });

  it('has a fault when its files cannot be opened', async () => {
    const broken = await newDirectory();
    await cp(stored.dataDirectory, broken, { recursive: true });
    await writeFile(join(broken, 'database', 'global', 'pg_control'), 'Canary');
    expectFault(await diagnose({ ...environment, DATA_DIR: broken }), 'database', {
      level: 'error',
      says: /did not open/,
    });
    expect(await readFile(join(broken, 'database', 'global', 'pg_control'), 'utf8')).toBe('Canary');
  });

  it('is valid and untouched while a running service holds it', async () => {
    const database = await openDatabase({ ...stored, url: undefined, logger: silentLogger });
    onTestFinished(() => database.close());
    const diagnosis = await diagnose(environment);
    expect(praise(diagnosis, 'database')).toEqual([says(/uses the embedded database.*not checked/)]);
    expect(faults(diagnosis, 'database')).toEqual([]);
  });
});

describe('The payments', () => {
  // Contract: organizations#owner-and-product-of-a-subscription — A price that cannot be read is shown in gatehouse
  //   doctor
  it('have a fault while the price of a running subscription names no product', async () => {
    expect(faults(await diagnose(environment), 'payments')).toEqual([]);
    await change(`WITH founded AS (
        INSERT INTO organizations (id, name) SELECT gen_random_uuid(), 'Of the tests' FROM generate_series(1, 7) RETURNING id
      )
      INSERT INTO subscriptions (organization_id, status, unread_subscription)
      SELECT id, 'NONE', 'sub_' || row_number() OVER (ORDER BY id) FROM founded`);
    expectFault(await diagnose(environment), 'payments', {
      level: 'warning',
      says: /^The prices of 7 subscriptions name no product \(sub_1, sub_2, sub_3, sub_4, sub_5, …\)/,
      fix: /^Set product in the subscription's metadata/,
    });
    await change("DELETE FROM subscriptions WHERE unread_subscription > 'sub_1'");
    expectFault(await diagnose(environment), 'payments', {
      says: /^The price of the subscription sub_1 names no product/,
    });
    await change("DELETE FROM organizations WHERE name = 'Of the tests'");
  });
});

describe('The super admins', () => {
  const create = async (email: string, scopes: string): Promise<void> => {
    const { code } = await runHere(['create-super-admin', '--email', email, '--scopes', scopes], environment);
    expect(code).toBe(0);
  };

  it('have a fault while none may use Platform MCP', async () => {
    expectFault(await diagnose(environment), 'accounts', { level: 'warning', fix: /create-super-admin/ });
    const named = { ...environment, SUPER_ADMIN_EMAIL: 'first@example.com' };
    expect(praise(await diagnose(named), 'accounts')).toEqual([says(/next start creates/)]);

    await create('first@example.com', 'users:view');
    expectFault(await diagnose(environment), 'accounts', { says: /none holds a scope of Platform MCP/ });
    expect(faults(await diagnose({ ...environment, MCP_ENABLED: 'false' }), 'accounts')).toEqual([]);

    await create('second@example.com', 'mcp:whoami');
    expect(praise(await diagnose(named), 'accounts')).toEqual(['There are 2 super admins.']);
    await change("UPDATE users SET suspended_at = now() WHERE email = 'first@example.com'");
    expect(praise(await diagnose(named), 'accounts')).toEqual(['There is one super admin.']);
  });

  it('have a fault when SUPER_ADMIN_EMAIL names no account', async () => {
    await create('person@example.com', 'mcp:whoami');
    await change("UPDATE users SET is_super_admin = false, platform_scopes = '{}' WHERE email = 'person@example.com'");
    const diagnosis = await diagnose({ ...environment, SUPER_ADMIN_EMAIL: 'Person@example.com' });
    expectFault(diagnosis, 'accounts', {
      level: 'error',
      says: /SUPER_ADMIN_EMAIL names an account that is not a super admin/,
    });
  });
});
