/** Rights that a serving role must not have beyond its grants, and its own code that would run as the owner. */
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newName } from '../support/database/database-template.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/databases.ts';
import { embedded, postgresOnly } from '../support/database/engines.ts';
import { migrateAt } from '../support/database/serving-role.ts';

/** Every privilege granted in the database. */
const readRights = async (sql: pg.Client): Promise<unknown> => {
  const { rows } = await sql.query(`
    SELECT relname::text AS of, relacl::text AS rights FROM pg_class WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT attrelid::regclass || '.' || attname, attacl::text FROM pg_attribute WHERE attacl IS NOT NULL
    UNION ALL SELECT proname, proacl::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT nspname, nspacl::text FROM pg_namespace
    UNION ALL SELECT 'later ' || defaclobjtype::text, defaclacl::text FROM pg_default_acl ORDER BY 1, 2`);
  return rows;
};

describe.skipIf(embedded)(`A role with more rights than serving needs${postgresOnly}`, () => {
  const [role, group, outer] = [newName('serve'), newName('group'), newName('outer')];
  const triggerOn = (table: string): string =>
    `CREATE TRIGGER of_its_own BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION own.act()`;
  /** The role's own cast turns each value of the child into an id, with the rights of the owner of users. */
  const foreignKey = 'CREATE TABLE own.child (id own.disguise REFERENCES users) PARTITION BY HASH (id)';
  /** A schema with objects of the role, created while it has all rights on our tables. */
  const ofItsOwn = (made: string, maker = role): string => `
    CREATE SCHEMA own AUTHORIZATION ${maker}; GRANT ALL ON ALL TABLES IN SCHEMA public TO ${maker}; SET ROLE ${maker};
    CREATE FUNCTION own.act() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
    CREATE TYPE own.disguise AS (id uuid);
    CREATE FUNCTION own.id_of(own.disguise) RETURNS uuid LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1.id; END';
    CREATE CAST (own.disguise AS uuid) WITH FUNCTION own.id_of(own.disguise) AS IMPLICIT;
    ${made}; RESET ROLE`;
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

  it('has the rights of a new role after any number of grants', async () => {
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
      'UPDATE (outcome) ON public.mcp_tool_audits as a member of',
      `GRANT UPDATE (outcome) ON mcp_tool_audits TO ${outer}; GRANT ${outer} TO ${group}; GRANT ${group} TO ${role}`,
    ],
    [
      'INSERT ON public.mcp_tool_audits as a member of',
      `ALTER ROLE ${role} NOINHERIT; GRANT INSERT ON mcp_tool_audits TO ${group}; GRANT ${group} TO ${role}`,
    ],
    ['TRUNCATE ON public.schema_migrations through PUBLIC', 'GRANT TRUNCATE ON schema_migrations TO PUBLIC'],
    [
      'UPDATE (id, outcome) ON public.mcp_tool_audits through PUBLIC',
      `GRANT UPDATE (id, outcome) ON mcp_tool_audits TO ${group} WITH GRANT OPTION;
       SET ROLE ${group}; GRANT UPDATE (id, outcome) ON mcp_tool_audits TO PUBLIC; RESET ROLE`,
      group,
    ],
    [
      'REFERENCES (id, email), TRIGGER ON public.users through PUBLIC',
      'GRANT REFERENCES (id, email), TRIGGER ON users TO PUBLIC',
    ],
    ['INSERT ON public.mcp_tool_audits through PUBLIC', 'GRANT INSERT, INSERT (id) ON mcp_tool_audits TO PUBLIC'],
    [
      'INSERT ON apart.calls through PUBLIC',
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
    ['TRIGGER ON public.users through PUBLIC', 'GRANT TRIGGER ON users TO PUBLIC'],
    ['TRIGGER ON public.mcp_tool_audits as', `GRANT TRIGGER ON mcp_tool_audits TO ${group}; GRANT ${group} TO ${role}`],
    ['REFERENCES ON public.users through PUBLIC', 'GRANT REFERENCES ON users TO PUBLIC'],
    [
      'REFERENCES (id) ON public.users as a member of',
      `GRANT REFERENCES (id) ON users TO ${group}; GRANT ${group} TO ${role}`,
    ],
    [
      'REFERENCES, TRIGGER ON public.users,',
      `GRANT REFERENCES, TRIGGER ON users TO ${group} WITH GRANT OPTION;
       SET ROLE ${group}; GRANT REFERENCES, TRIGGER ON users TO ${role}; RESET ROLE`,
      group,
    ],
    ['REFERENCES, TRIGGER ON later TABLES of', `ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO ${role}`],
    ['REFERENCES ON later TABLES of', 'ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT REFERENCES ON TABLES TO PUBLIC'],
    [
      'a function of its own in the TRIGGER of_its_own ON public.mcp_tool_audits,',
      ofItsOwn(triggerOn('mcp_tool_audits')),
    ],
    [
      'the FOREIGN KEY child_id_fkey to public.users on own.child, a table of gatehouse_serve',
      ofItsOwn(`${foreignKey}; CREATE TABLE own.part PARTITION OF own.child FOR VALUES WITH (MODULUS 1, REMAINDER 0)`),
    ],
    [
      'the FOREIGN KEY child_id_fkey to public.users on own.child, a table of gatehouse_group',
      ofItsOwn(foreignKey, group),
    ],
    ['CREATEROLE,', `ALTER ROLE ${role} CREATEROLE`],
    ['CREATEROLE as a member of', `ALTER ROLE ${group} CREATEROLE; GRANT ${group} TO ${role}`],
    [
      'EXECUTE ON ROUTINE write_directly() through PUBLIC',
      `CREATE FUNCTION write_directly() RETURNS void LANGUAGE sql SECURITY DEFINER AS 'DELETE FROM mcp_tool_audits'`,
    ],
    ['CREATE ON SCHEMA public through PUBLIC', 'GRANT CREATE ON SCHEMA public TO PUBLIC'],
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
    'is refused with %s, until the statement named by the refusal was run',
    async (right, given, giver?: string) => {
      await owner.query(given);
      const before = await readRights(owner);
      const { code, stderr } = await migrateAt(stored, role);
      expect(code).toBe(1);
      expect(stderr).toContain(`The role ${role} has ${right}`);
      expect(await readRights(owner)).toEqual(before);
      if (giver !== undefined) await owner.query(`SET ROLE ${giver}`);
      await owner.query(
        /As the role that granted this right, run: (.+;)/.exec(stderr)?.[1] ?? 'the refusal names no statement',
      );
      await owner.query('RESET ROLE');
      expect(await migrateAt(stored, role)).toMatchObject({ code: 0, stderr: '' });
    },
  );

  it.each([
    ['a trigger on the record', triggerOn('mcp_tool_audits'), 'mcp_tool_audits', 'TRIGGER of_its_own'],
    ['a trigger on another table', triggerOn('users'), 'users', 'TRIGGER of_its_own'],
    ['a foreign key', foreignKey, 'users', 'FOREIGN KEY child_id_fkey'],
  ])('is refused for %s in an uncommitted transaction', async (_what, making, table, says) => {
    await owner.query(ofItsOwn('SELECT'));
    await owner.query(`BEGIN; SET LOCAL ROLE ${role}; ${making}`);
    const granted = migrateAt(stored, role);
    const isWaiting = `SELECT FROM pg_locks WHERE NOT granted AND relation = '${table}'::regclass
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    await vi.waitFor(async () => expect((await owner.query(isWaiting)).rowCount).toBe(1), 20_000);
    await owner.query('COMMIT');
    const { code, stderr } = await granted;
    expect(code).toBe(1);
    expect(stderr).toContain(says);
  });

  it('is granted although the owner has foreign keys in other schemas', async () => {
    await owner.query('CREATE SCHEMA apart; CREATE TABLE apart.notes (writer uuid REFERENCES users)');
    expect(await migrateAt(stored, role)).toMatchObject({ code: 0, stderr: '' });
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
