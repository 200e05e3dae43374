/** A rolling upgrade: every change that docs/upgrading.md allows in a migration, under a running service. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { addMember } from '../../support/actors/invitations.ts';
import { newSuperAdmin } from '../../support/actors/tenants.ts';
import { bearer, newAddress, operations, post, registerAndSignIn, tokensOf } from '../../support/clients/clients.ts';
import { callTool, newMcpClient } from '../../support/clients/mcp.ts';
import { connect, refreshAs } from '../../support/clients/oauth.ts';
import { createEmptyPostgres } from '../../support/database/databases.ts';
import { postgresOnly, serverUrl } from '../../support/database/engines.ts';
import { type Service, startService } from '../../support/gatehouse/gatehouse.ts';
import { environmentFor, runGatehouse, serve } from '../../support/gatehouse/gatehouse-process.ts';
import { everyOperation } from '../../support/random/any-operation.ts';

/**
 * Columns, with and without a default, on every table; a new table, index and trigger; and the row of the migration.
 */
const nextMigration = `DO $$
  DECLARE known regclass;
  BEGIN
    FOR known IN SELECT oid FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace LOOP
      EXECUTE format('ALTER TABLE %s ADD COLUMN later_note text, ADD COLUMN later_count int NOT NULL DEFAULT 0', known);
    END LOOP;
    CREATE TABLE later_things (user_id uuid REFERENCES users (id), note text NOT NULL);
    CREATE INDEX later_index ON users (later_note);
    CREATE FUNCTION later_note() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN NEW.later_note := ''written by a trigger''; RETURN NEW; END';
    CREATE TRIGGER later_trigger BEFORE INSERT OR UPDATE ON users FOR EACH ROW EXECUTE FUNCTION later_note();
    INSERT INTO schema_migrations (version, name, checksum) SELECT max(version) + 1, '9999-later', 'x' FROM schema_migrations;
  END $$`;

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const useIt = async (): Promise<void> => {
  const { tokens } = await registerAndSignIn(service);
  const member = await addMember(service, tokens);
  const refreshed = tokensOf(await post(service.url, operations.refresh, { ...member.tokens }));
  const me = await post(service.url, '{ me { name currentMembership { role scopes } } }', {}, bearer(refreshed));
  expect(me.data).toMatchObject({ me: { currentMembership: { role: 'MEMBER' } } });
  const made = await post(service.url, operations.createOrganization, { input: { name: 'Later' } }, bearer(tokens));
  expect(made.code).toBeNull();
  const ended = await post(service.url, operations.signOutEverywhere, {}, bearer(refreshed));
  expect(ended.data).toMatchObject({ signOutEverywhere: { success: true } });
};

const useMcp = async (): Promise<void> => {
  const called = await callTool(service, await newMcpClient(service), 'mcp_whoami');
  expect([called.status, called.body]).toMatchObject([200, { result: { structuredContent: {} } }]);
  const refreshed = await refreshAs(service, await connect(service));
  expect(refreshed.status).toBe(200);
};

/** The outcome of each operation of the schema for a super admin of its own. */
const howAllEnd = async (): Promise<Record<string, string>> => {
  const ends: Record<string, string> = {};
  for (const { name, query, variables } of everyOperation({ email: newAddress() })) {
    const person = await newSuperAdmin(service);
    const { status, code } = await post(service.url, query, variables, bearer(person.tokens));
    ends[name] = `${status} ${code ?? 'done'}`;
  }
  return ends;
};

describe('A service whose database was migrated by the next version', () => {
  // Contract: operation#migrations-that-the-previous-version-survives — Migrations that the previous version survives:
  //   below a running service
  it('continues all operations, with its prepared statements', { timeout: 120_000 }, async () => {
    await useIt();
    await useMcp();
    const before = await howAllEnd();
    expect(Object.keys(before).length).toBeGreaterThan(30);

    await service.sql(nextMigration);

    expect(await howAllEnd()).toEqual(before);
    await useIt();
    await useMcp();
    expect(service.logs.filter((line) => line.includes('"request.failed"'))).toEqual([]);
    const [row] = await service.sql<{ count: number }>(
      "SELECT count(*)::int AS count FROM users WHERE later_note = 'written by a trigger'",
    );
    expect(row?.count).toBeGreaterThan(0);
  });

  it.runIf(serverUrl !== undefined)(`refuses another process of its old version${postgresOnly}`, async () => {
    const stored = await createEmptyPostgres(serverUrl ?? '');
    const environment = environmentFor({ url: stored.url, dataDirectory: '/nonexistent' });
    const first = await serve(environment);
    onTestFinished(async () => {
      first.signal('SIGKILL');
      await first.ended;
      await stored.drop();
    });
    const later = `INSERT INTO schema_migrations (version, name, checksum)
        SELECT max(version) + 1, '9999-later', 'x' FROM schema_migrations`;
    await onDatabase(stored.url, later);
    const history = 'SELECT version, name, checksum, applied_at FROM schema_migrations ORDER BY version';
    const before = await onDatabase(stored.url, history);
    const second = await runGatehouse(['serve'], { ...environment, PORT: '0' });
    expect([second.code, second.stderr.trim().split('\n')]).toEqual([1, [expect.stringContaining('newer version')]]);
    expect(await onDatabase(stored.url, history)).toEqual(before);
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
    expect((await first.stop()).code).toBe(0);
  });
});

const onDatabase = async (url: string, text: string): Promise<object[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<object>(text);
  await client.end();
  return rows;
};
