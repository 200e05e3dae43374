/** Grants to a serving role by a user who is not a superuser, in a schema with objects of other owners. */
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newName } from '../support/database/database-template.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/databases.ts';
import { embedded, postgresOnly } from '../support/database/engines.ts';
import { migrateAt } from '../support/database/serving-role.ts';

describe.skipIf(embedded)(`A schema with objects of another role${postgresOnly}`, () => {
  const [role, owner, other] = [newName('serve'), newName('owner'), newName('other')];
  let stored: TestDatabase;
  let admin: pg.Client;

  const at = (user: string): Pick<TestDatabase, 'url' | 'dataDirectory'> => {
    const url = new URL(stored.url ?? '');
    [url.username, url.password] = [user, 'of-the-tests'];
    return { url: url.href, dataDirectory: stored.dataDirectory };
  };

  /** Transfers all our objects to a role that is not a superuser. */
  const giveAway = `DO $$ DECLARE it record; BEGIN
    EXECUTE format('ALTER DATABASE %I OWNER TO ${owner}', current_database());
    FOR it IN SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v') LOOP
      EXECUTE format('ALTER TABLE %s OWNER TO ${owner}', it.oid::regclass);
    END LOOP;
    FOR it IN SELECT oid FROM pg_proc WHERE pronamespace = 'public'::regnamespace LOOP
      EXECUTE format('ALTER FUNCTION %s OWNER TO ${owner}', it.oid::regprocedure);
    END LOOP; END $$`;

  beforeEach(async () => {
    stored = await createTestDatabase();
    admin = new pg.Client({ connectionString: stored.url });
    await admin.connect();
    for (const name of [role, owner, other]) await admin.query(`CREATE ROLE ${name} LOGIN PASSWORD 'of-the-tests'`);
    await admin.query(giveAway);
  });
  afterEach(async () => {
    await admin.query(`ROLLBACK; ALTER DATABASE ${new URL(stored.url ?? '').pathname.slice(1)} OWNER TO CURRENT_USER`);
    for (const name of [role, owner, other]) await admin.query(`DROP OWNED BY ${name} CASCADE`);
    await admin.query(`DROP ROLE ${role}, ${owner}, ${other}`);
    await admin.end();
    await stored.drop();
  });

  const make = (text: string): Promise<unknown> =>
    admin.query(`GRANT CREATE ON SCHEMA public TO ${other}; GRANT REFERENCES ON users TO ${other}; SET ROLE ${other};
      ${text}; RESET ROLE; REVOKE CREATE ON SCHEMA public FROM ${other}; REVOKE REFERENCES ON users FROM ${other}`);

  const others = `CREATE TABLE foreign_t (id int PRIMARY KEY); CREATE TABLE foreign_child (id int REFERENCES foreign_t);
    CREATE SEQUENCE foreign_s`;

  it('does not matter while these are unrelated to our tables, and leaves them unchanged', async () => {
    await make(others);
    await admin.query('CREATE EXTENSION pg_buffercache');
    expect(await migrateAt(at(owner), role)).toMatchObject({ code: 0, stderr: '' });
    expect(await migrateAt(at(owner), role)).toMatchObject({ code: 0, stderr: '' });
    const { rows } = await admin.query(
      `SELECT has_table_privilege('${role}', 'users', 'SELECT, INSERT') AS ours,
         has_any_column_privilege('${role}', 'foreign_t', 'SELECT') AS theirs,
         has_sequence_privilege('${role}', 'mcp_connection_steps_position_seq', 'USAGE') AS counts`,
    );
    expect(rows).toEqual([{ ours: true, theirs: false, counts: true }]);
  });

  it('does not wait for a lock on an unrelated table', async () => {
    await make(`${others}; GRANT ALL ON foreign_t TO ${owner}`);
    await admin.query('BEGIN; LOCK TABLE foreign_t IN ACCESS EXCLUSIVE MODE');
    expect(await migrateAt(at(owner), role)).toMatchObject({ code: 0, stderr: '' });
    await admin.query('COMMIT');
  });

  it.each([
    ['a foreign key to one of ours', 'CREATE TABLE foreign_t (id uuid REFERENCES users)'],
    [
      'a foreign key from one of ours',
      `CREATE TABLE foreign_t (id uuid PRIMARY KEY); GRANT REFERENCES ON foreign_t TO ${owner}; RESET ROLE;
       SET ROLE ${owner}; CREATE TABLE noted (id uuid REFERENCES foreign_t)`,
    ],
  ])('is refused with the table and its owner, except for a superuser: %s', async (_what, made) => {
    await make(made);
    const { code, stderr } = await migrateAt(at(owner), role);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        `The user in DATABASE_URL may not lock the table public.foreign_t, which belongs to ${other}: run gatehouse ` +
        `migrate as a superuser or as a member of ${other}.\n`,
    });
    expect(await migrateAt(stored, role)).toMatchObject({ code: 0, stderr: '' });
  });

  it('is refused to the serving role itself, which cannot grant', async () => {
    expect(await migrateAt(at(owner), role)).toMatchObject({ code: 0 });
    const { code, stderr } = await migrateAt(at(role), role);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        new RegExp(
          `^The user in DATABASE_URL may not grant rights on the table public\\.\\w+, which belongs to ${owner}: ` +
            `run gatehouse migrate as a superuser or as a member of ${owner}\\.\n$`,
        ),
      ) as string,
    });
  });

  it('is refused where one of our functions belongs to another role', async () => {
    const recorder = `record_mcp_tool_calls(uuid[], uuid[], uuid[], uuid[], text[], text[], uuid[], text[])`;
    await admin.query(`ALTER FUNCTION ${recorder} OWNER TO ${other}; REVOKE ALL ON FUNCTION ${recorder} FROM PUBLIC`);
    const { code, stderr } = await migrateAt(at(owner), role);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^The user in DATABASE_URL may not give a role .*function record_mcp_tool_calls\): run [^\n]+\n$/,
    );
  });
});
