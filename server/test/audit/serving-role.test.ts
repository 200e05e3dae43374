/** A role that serves, owns nothing, and adds to the record of tool calls by its function alone. */
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { operations, post, registerAndSignIn, tokensOf } from '../support/clients.ts';
import { runHere } from '../support/command-line.ts';
import { administer, newName } from '../support/database-template.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases.ts';
import { embedded, postgresOnly, serverUrl } from '../support/engines.ts';
import { type Service, startService, testSecret } from '../support/gatehouse.ts';
import type { Environment } from '../support/gatehouse-process.ts';
import { auditRows, callTool, newMcpClient } from '../support/mcp.ts';
import { expectSoundChain } from '../support/tool-calls.ts';

const migrateAt = (stored: Pick<TestDatabase, 'url' | 'dataDirectory'>, role: string) => {
  const environment: Environment = {
    NODE_ENV: 'test',
    DATA_DIR: stored.dataDirectory,
    GATEHOUSE_SECRET: testSecret,
    ...(stored.url === undefined ? {} : { DATABASE_URL: stored.url }),
  };
  return runHere(['migrate', '--grant-to', role, '--json'], environment);
};

describe.skipIf(embedded)(`A role for serving${postgresOnly}`, () => {
  const role = newName('serve');
  let stored: TestDatabase;
  let service: Service;
  let session: pg.Client;

  beforeAll(async () => {
    stored = await createTestDatabase();
    await administer(serverUrl ?? '', `CREATE ROLE ${role} LOGIN PASSWORD 'of-the-tests'`);
    const granted = await migrateAt(stored, role);
    expect(granted).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(granted.stdout)).toMatchObject({ grantedTo: role });
    const url = new URL(stored.url ?? '');
    [url.username, url.password] = [role, 'of-the-tests'];
    service = await startService({ DATABASE_URL: url.href, RATE_LIMITS_ENABLED: 'true' });
    session = new pg.Client({ connectionString: url.href });
    await session.connect();
  });
  afterAll(async () => {
    await session.end();
    await service.close();
    await stored.drop();
    await administer(serverUrl ?? '', `DROP ROLE ${role}`);
  });

  const bearer = (accessToken: string): Environment => ({ authorization: `Bearer ${accessToken}` });

  // Specification: Audit and metrics — Serving by a role that owns nothing
  it('serves a sign-up, a sign-in, a refresh, tool calls, a revocation and a sign-out', async () => {
    const { tokens } = await registerAndSignIn(service);
    const refreshed = tokensOf(await post(service.url, operations.refresh, { ...tokens }));
    const client = await newMcpClient(service);
    const before = (await auditRows(service)).length;
    expect((await callTool(service, client, 'mcp_whoami')).status).toBe(200);
    const [person] = await service.sql<{ id: string }>(
      'SELECT user_id AS id FROM credentials ORDER BY issued_at LIMIT 1',
    );
    const ended = await callTool(service, client, 'sessions_revoke_user', { userId: person?.id ?? '' });
    expect(ended.body).toMatchObject({ result: { structuredContent: { revokedCredentials: 2 } } });
    expect(await auditRows(service)).toHaveLength(before + 2);
    await expectSoundChain(service.database, before + 2);
    const asked = await post(service.url, '{ me { name } }', {}, bearer(refreshed.accessToken));
    expect(asked.code).toBe('UNAUTHENTICATED');
  });

  it.each([
    ['adds no row', 'INSERT INTO mcp_tool_audits SELECT * FROM mcp_tool_audits'],
    ['changes no row', `UPDATE mcp_tool_audits SET outcome = 'deny'`],
    ['deletes no row', 'DELETE FROM mcp_tool_audits'],
    ['empties nothing', 'TRUNCATE mcp_tool_audits'],
    ['turns no trigger off', 'ALTER TABLE mcp_tool_audits DISABLE TRIGGER ALL'],
    ['drops nothing', 'DROP TABLE mcp_tool_audits'],
    [
      'calls the function of before in vain',
      `SELECT append_mcp_tool_audits(ARRAY[gen_random_uuid()],
      ARRAY[gen_random_uuid()], ARRAY[gen_random_uuid()], ARRAY[gen_random_uuid()], ARRAY['x'], ARRAY['deny'],
      ARRAY[gen_random_uuid()], ARRAY['x'])`,
    ],
    ['writes no migration', `INSERT INTO schema_migrations VALUES (9999, 'x', 'x')`],
    ['makes no table', 'CREATE TABLE of_the_tests (id int)'],
    ['replaces no function', 'DROP FUNCTION record_mcp_tool_calls'],
  ])('%s', async (_what, text) => {
    await callTool(service, await newMcpClient(service), 'mcp_whoami');
    const before = await auditRows(service);
    await expect(session.query(text)).rejects.toThrow(/permission denied|must be owner/);
    expect(await auditRows(service)).toEqual(before);
  });

  // Specification: Audit and metrics — That role cannot touch the record but through its function
  it('leads the function to no table of its own', async () => {
    const before = await auditRows(service);
    await session.query('CREATE TEMP TABLE mcp_tool_audits AS TABLE public.mcp_tool_audits WITH NO DATA');
    await session.query('SET search_path = pg_temp, public');
    const { rows } = await session.query<{ place: string }>(
      `SELECT place FROM public.record_mcp_tool_calls(ARRAY[gen_random_uuid()], ARRAY[gen_random_uuid()],
         ARRAY[gen_random_uuid()], ARRAY[gen_random_uuid()], ARRAY['x'], ARRAY['deny'], ARRAY[gen_random_uuid()], ARRAY['x'])`,
    );
    expect((await session.query('SELECT * FROM pg_temp.mcp_tool_audits')).rows).toEqual([]);
    expect(rows.map(({ place }) => Number(place))).toEqual([before.length + 1]);
    await expectSoundChain(service.database, before.length + 1);
  });

  // Specification: Audit and metrics — That role after later migrations
  it('has its rights on what a later migration makes, and is granted them again without a change', async () => {
    const owner = new pg.Client({ connectionString: stored.url });
    await owner.connect();
    await owner.query('CREATE TABLE public.later_things (id bigint GENERATED ALWAYS AS IDENTITY, note text)');
    await owner.end();
    await session.query(`INSERT INTO public.later_things (note) VALUES ('later')`);
    expect((await session.query('SELECT note FROM public.later_things')).rows).toEqual([{ note: 'later' }]);
    expect(await migrateAt(stored, role)).toMatchObject({ code: 0 });
    await expect(session.query('DELETE FROM public.mcp_tool_audits')).rejects.toThrow('permission denied');
  });

  it.each([
    ['nobody_of_this_name', 'has no role'],
    ['postgres"; DROP TABLE users; --', 'has no role'],
    [new URL(serverUrl ?? 'postgres://postgres@localhost').username, 'is a superuser or owns the tables'],
  ])('is not %s', async (name, says) => {
    const { code, stderr } = await migrateAt(stored, name);
    expect(code).toBe(1);
    expect(stderr).toContain(says);
  });
});

/** Every privilege that was granted in the database. */
const readRights = async (sql: pg.Client): Promise<unknown> => {
  const { rows } = await sql.query(`
    SELECT relname::text AS of, relacl::text AS rights FROM pg_class WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT attrelid::regclass || '.' || attname, attacl::text FROM pg_attribute WHERE attacl IS NOT NULL
    UNION ALL SELECT proname, proacl::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT nspname, nspacl::text FROM pg_namespace
    UNION ALL SELECT 'later ' || defaclobjtype::text, defaclacl::text FROM pg_default_acl ORDER BY 1, 2`);
  return rows;
};

describe.skipIf(embedded)(`A role that had more than serving needs${postgresOnly}`, () => {
  const [role, group, outer] = [newName('serve'), newName('group'), newName('outer')];
  const makeTrigger =
    'CREATE TRIGGER of_its_own BEFORE INSERT ON mcp_tool_audits FOR EACH ROW EXECUTE FUNCTION own.act()';
  const ofItsOwn = `CREATE SCHEMA own AUTHORIZATION ${role}; GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role};
    SET ROLE ${role}; CREATE FUNCTION own.act() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
    ${makeTrigger}; RESET ROLE`;
  let stored: TestDatabase;
  let owner: pg.Client;

  beforeEach(async () => {
    stored = await createTestDatabase();
    owner = new pg.Client({ connectionString: stored.url });
    await owner.connect();
    await owner.query(`CREATE ROLE ${role}; CREATE ROLE ${group}; CREATE ROLE ${outer}`);
  });
  afterEach(async () => {
    await owner.query(
      `RESET ROLE; ALTER DATABASE ${new URL(stored.url ?? '').pathname.slice(1)} OWNER TO CURRENT_USER`,
    );
    await owner.query(`REVOKE ALL ON PARAMETER archive_command FROM ${role}`);
    for (const name of [role, group, outer]) await owner.query(`DROP OWNED BY ${name} CASCADE`);
    await owner.query(`DROP ROLE ${role}, ${group}, ${outer}`);
    await owner.end();
    await stored.drop();
  });

  it('is left with what a new role gets, however often it is granted', async () => {
    await owner.query('CREATE VIEW calls AS SELECT * FROM mcp_tool_audits');
    expect(await migrateAt(stored, role)).toMatchObject({ code: 0, stderr: '' });
    const rights = await readRights(owner);
    await owner.query(`
      GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role} WITH GRANT OPTION;
      GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${role}; GRANT UPDATE (outcome) ON mcp_tool_audits TO ${role};
      ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT ALL ON TABLES TO ${role};
      ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT ALL ON SEQUENCES TO ${role};
      SET ROLE ${role}; GRANT INSERT ON mcp_tool_audits TO PUBLIC; RESET ROLE`);
    for (const _time of [1, 2]) {
      expect(await migrateAt(stored, role)).toMatchObject({ code: 0, stderr: '' });
      expect(await readRights(owner)).toEqual(rights);
    }
    await owner.query(`SET ROLE ${role}`);
    await expect(owner.query(`UPDATE calls SET outcome = 'deny'`)).rejects.toThrow('permission denied for view calls');
  });

  it.each([
    [
      'DELETE ON public.mcp_tool_audits as a member of',
      `GRANT ALL ON mcp_tool_audits TO ${group}; GRANT ${group} TO ${role}`,
    ],
    [
      'UPDATE ON public.mcp_tool_audits as a member of',
      `GRANT UPDATE (outcome) ON mcp_tool_audits TO ${outer}; GRANT ${outer} TO ${group}; GRANT ${group} TO ${role}`,
    ],
    [
      'INSERT ON public.mcp_tool_audits as a member of',
      `ALTER ROLE ${role} NOINHERIT; GRANT INSERT ON mcp_tool_audits TO ${group}; GRANT ${group} TO ${role}`,
    ],
    ['TRUNCATE ON public.schema_migrations as everybody has', 'GRANT TRUNCATE ON schema_migrations TO PUBLIC'],
    ['UPDATE ON public.mcp_tool_audits as everybody has', 'GRANT UPDATE (outcome) ON mcp_tool_audits TO PUBLIC'],
    [
      'INSERT ON apart.calls as',
      `CREATE SCHEMA apart; CREATE VIEW apart.calls AS SELECT * FROM mcp_tool_audits;
      GRANT INSERT ON apart.calls TO PUBLIC`,
    ],
    [
      'INSERT ON public.mcp_tool_audits,',
      `GRANT INSERT ON mcp_tool_audits TO ${group} WITH GRANT OPTION;
       SET ROLE ${group}; GRANT INSERT ON mcp_tool_audits TO ${role}; RESET ROLE`,
      group,
    ],
    ['DELETE ON public.mcp_tool_audits as a member of pg_write_all_data', `GRANT pg_write_all_data TO ${role}`],
    ['TRIGGER ON public.users as', 'GRANT TRIGGER ON users TO PUBLIC'],
    ['TRIGGER ON public.mcp_tool_audits as', `GRANT TRIGGER ON mcp_tool_audits TO ${group}; GRANT ${group} TO ${role}`],
    ['TRIGGER ON later TABLES of', `ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO ${role}`],
    ['a function of its own in the TRIGGER of_its_own ON public.mcp_tool_audits,', ofItsOwn],
    ['CREATEROLE,', `ALTER ROLE ${role} CREATEROLE`],
    ['CREATEROLE as a member of', `ALTER ROLE ${group} CREATEROLE; GRANT ${group} TO ${role}`],
    [
      'EXECUTE ON ROUTINE write_directly() as everybody has',
      `CREATE FUNCTION write_directly() RETURNS void LANGUAGE sql SECURITY DEFINER AS 'DELETE FROM mcp_tool_audits'`,
    ],
    ['CREATE ON SCHEMA public as everybody has', 'GRANT CREATE ON SCHEMA public TO PUBLIC'],
    ['CREATE ON SCHEMA public,', `GRANT CREATE ON SCHEMA public TO ${role}`],
    [
      'CREATE ON DATABASE',
      `DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO ${role}', current_database()); END $$`,
    ],
    ['ALTER SYSTEM ON PARAMETER archive_command,', `GRANT ALTER SYSTEM ON PARAMETER archive_command TO ${role}`],
    ...['pg_execute_server_program', 'pg_write_server_files', 'pg_read_server_files'].map(
      (files) =>
        [`the rights of ${files} as a member of`, `GRANT ${files} TO ${group}; GRANT ${group} TO ${role}`] as const,
    ),
  ] as const)(
    'is refused with %s, until the statement that the refusal names was run',
    async (right, given, giver?: string) => {
      await owner.query(given);
      const before = await readRights(owner);
      const { code, stderr } = await migrateAt(stored, role);
      expect(code).toBe(1);
      expect(stderr).toContain(`The role ${role} has ${right}`);
      expect(await readRights(owner)).toEqual(before);
      if (giver !== undefined) await owner.query(`SET ROLE ${giver}`);
      await owner.query(/as who gave it that: (.+;)/.exec(stderr)?.[1] ?? 'the refusal names none');
      await owner.query('RESET ROLE');
      expect(await migrateAt(stored, role)).toMatchObject({ code: 0, stderr: '' });
    },
  );

  it('is refused for a trigger that it is about to make', async () => {
    await owner.query(ofItsOwn);
    await owner.query('DROP TRIGGER of_its_own ON mcp_tool_audits');
    await owner.query(`BEGIN; SET LOCAL ROLE ${role}; ${makeTrigger}`);
    const granted = migrateAt(stored, role);
    const isWaiting = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'mcp_tool_audits'::regclass`;
    await vi.waitFor(async () => expect((await owner.query(isWaiting)).rowCount).toBe(1), 20_000);
    await owner.query('COMMIT');
    const { code, stderr } = await granted;
    expect(code).toBe(1);
    expect(stderr).toContain('TRIGGER of_its_own');
  });

  it.each([
    ['the owner of a function', `GRANT ${group} TO ${role}; ALTER FUNCTION refuse_change_of_record OWNER TO ${group}`],
    ['the owner of the schema', `ALTER SCHEMA public OWNER TO ${role}`],
    [
      'the owner of the database',
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I OWNER TO ${role}', current_database()); END $$`,
    ],
  ])('is refused as %s', async (_what, given) => {
    await owner.query(given);
    const before = await readRights(owner);
    const { code, stderr } = await migrateAt(stored, role);
    expect(code).toBe(1);
    expect(stderr).toContain('is a superuser or owns the tables, a function beside them');
    expect(await readRights(owner)).toEqual(before);
  });
});

describe.runIf(embedded)('The embedded database', () => {
  // Specification: Audit and metrics — --grant-to on the embedded database
  it('has one role, and grants nothing', async () => {
    const stored = await createTestDatabase();
    const { code, stderr } = await migrateAt(stored, 'gatehouse_serve');
    expect(code).toBe(1);
    expect(stderr).toContain('--grant-to needs PostgreSQL');
    await stored.drop();
  });
});
