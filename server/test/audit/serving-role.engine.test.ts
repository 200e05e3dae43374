/** A serving role that owns nothing and appends to the record of tool calls only by its function. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendOrganizationAudits } from '../../src/domain/audit/organization-audits.ts';
import { purgeAudits } from '../../src/domain/audit/organization-audits-store.ts';
import { verifyOrganizationAudits } from '../../src/domain/audit/verify-organization-audits.ts';
import { newId } from '../../src/kernel/ids.ts';
import { expectSoundAudits, newAudit } from '../support/actors/organization-audits.ts';
import { newOwner, runAs } from '../support/actors/tenants.ts';
import { expectSoundChain } from '../support/actors/tool-calls.ts';
import { operations, post, registerAndSignIn, tokensOf } from '../support/clients/clients.ts';
import { auditRows, callTool, newMcpClient } from '../support/clients/mcp.ts';
import { administer, newName } from '../support/database/database-template.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/databases.ts';
import { embedded, postgresOnly, serverUrl } from '../support/database/engines.ts';
import { migrateAt } from '../support/database/serving-role.ts';
import { type Service, startService } from '../support/gatehouse/gatehouse.ts';
import type { Environment } from '../support/gatehouse/gatehouse-process.ts';

describe.skipIf(embedded)(`A serving role${postgresOnly}`, () => {
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

  // Contract: incidents#role-that-owns-nothing — Serving by a role that owns nothing
  it('serves a sign-up, a sign-in, a refresh, tool calls, a revocation and a sign-out', async () => {
    const { tokens } = await registerAndSignIn(service);
    const refreshed = tokensOf(await post(service.url, operations.refresh, { ...tokens }));
    const client = await newMcpClient(service);
    const before = (await auditRows(service)).length;
    expect((await callTool(service, client, 'mcp_whoami')).status).toBe(200);
    const person = await service.sql.value<string>('SELECT user_id AS id FROM credentials ORDER BY issued_at LIMIT 1');
    const ended = await callTool(service, client, 'sessions_revoke_user', { userId: person ?? '' });
    expect(ended.body).toMatchObject({ result: { structuredContent: { revokedCredentials: 2 } } });
    expect(await auditRows(service)).toHaveLength(before + 2);
    await expectSoundChain(service.database, before + 2);
    const asked = await post(service.url, '{ me { name } }', {}, bearer(refreshed.accessToken));
    expect(asked.code).toBe('UNAUTHENTICATED');
  });

  it.each([
    ['inserts no row', 'INSERT INTO mcp_tool_audits SELECT * FROM mcp_tool_audits'],
    ['updates no row', `UPDATE mcp_tool_audits SET outcome = 'deny'`],
    ['deletes no row', 'DELETE FROM mcp_tool_audits'],
    ['truncates nothing', 'TRUNCATE mcp_tool_audits'],
    ['disables no trigger', 'ALTER TABLE mcp_tool_audits DISABLE TRIGGER ALL'],
    ['drops nothing', 'DROP TABLE mcp_tool_audits'],
    ['inserts no migration', `INSERT INTO schema_migrations VALUES (9999, 'x', 'x')`],
    ['inserts no row of an audit', 'INSERT INTO organization_audits SELECT * FROM organization_audits'],
    ['updates no row of an audit', `UPDATE organization_audits SET outcome = 'deny'`],
    ['erases no details by hand', 'UPDATE organization_audits SET details = NULL, details_salt = NULL'],
    ['deletes no row of an audit', 'DELETE FROM organization_audits'],
    ['ends no audit', 'INSERT INTO organization_audit_ends VALUES (gen_random_uuid(), now())'],
    ['creates no table', 'CREATE TABLE of_the_tests (id int)'],
    ['replaces no function', 'DROP FUNCTION record_mcp_tool_calls'],
  ])('%s', async (_what, text) => {
    await callTool(service, await newMcpClient(service), 'mcp_whoami');
    const before = await auditRows(service);
    await expect(session.query(text)).rejects.toThrow(/permission denied|must be owner/);
    expect(await auditRows(service)).toEqual(before);
  });

  // Contract: incidents#role-that-owns-nothing — That role cannot write the record except through its function
  it('cannot redirect the function to its own table', async () => {
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

  it('appends to the audit of an organization, erases details and deletes ended audits by their functions', async () => {
    const owner = await newOwner(service);
    const { organizationId } = owner;
    const actor = { kind: 'PERSON', id: owner.userId, credentialId: newId() } as const;
    await service.database.transaction((transaction) =>
      appendOrganizationAudits(transaction, [newAudit({ organizationId, actor }), newAudit({ organizationId })]),
    );
    await expectSoundAudits(service.database, { [organizationId]: 2 });
    expect((await runAs(service, owner, operations.deleteAccount, { email: owner.email })).code).toBeNull();
    const { rows } = await session.query('SELECT details FROM organization_audits ORDER BY position');
    expect(rows).toEqual([{ details: null }, { details: '{"source":"the tests"}' }]);
    await expectSoundAudits(service.database, { [organizationId]: 2 });
    expect((await session.query('SELECT organization_id AS id FROM organization_audit_ends')).rows).toEqual([
      { id: organizationId },
    ]);
    expect(await service.database.one(purgeAudits, [10])).toEqual({ deleted: 0 });
  });

  // Contract: incidents#role-that-owns-nothing — That role erases details of people who are gone alone
  it('erases nothing of people who have an account, also by the function that it may call', async () => {
    const owner = await newOwner(service);
    const { organizationId, userId } = owner;
    const [subjectId, account] = [newId(), newId()];
    const actor = { kind: 'PERSON', id: userId, credentialId: newId() } as const;
    const machine = { kind: 'SERVICE_ACCOUNT', id: account, credentialId: newId() } as const;
    await service.database.transaction((transaction) =>
      appendOrganizationAudits(transaction, [
        newAudit({ organizationId, actor, subjectId }),
        newAudit({ organizationId, actor: machine, subjectId, subjectUserId: userId }),
        newAudit({ organizationId, actor: machine, subjectId }),
      ]),
    );
    const details = async (): Promise<unknown> =>
      (
        await session.query('SELECT details FROM organization_audits WHERE organization_id = $1 ORDER BY position', [
          organizationId,
        ])
      ).rows;
    const before = await details();
    const erase = (person: string) =>
      session.query('SELECT public.erase_organization_audits($1, $2) AS erased', [person, [organizationId]]);
    await expect(erase(userId)).rejects.toThrow('has an account');
    for (const id of [account, subjectId, newId()]) expect((await erase(id)).rows).toEqual([{ erased: 0 }]);
    // A table of its own is not the one that the function asks.
    await session.query('CREATE TEMP TABLE users AS TABLE public.users WITH NO DATA');
    await session.query('SET search_path = pg_temp, public');
    await expect(erase(userId)).rejects.toThrow('has an account');
    await session.query('DROP TABLE pg_temp.users');
    await session.query('RESET search_path');
    expect(await details()).toEqual(before);
    expect((await verifyOrganizationAudits(service.database)).map(({ isSound }) => isSound)).not.toContain(false);
    await session.query('DELETE FROM public.users WHERE id = $1', [userId]);
    expect((await erase(userId)).rows).toEqual([{ erased: 2 }]);
  });

  // Contract: incidents#role-that-owns-nothing — That role after later migrations
  it('has rights on tables of later migrations, which a new grant does not change', async () => {
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
  ])('cannot be the role %s', async (name, says) => {
    const { code, stderr } = await migrateAt(stored, name);
    expect(code).toBe(1);
    expect(stderr).toContain(says);
  });
});

describe.runIf(embedded)('The embedded database', () => {
  // Contract: incidents#role-that-owns-nothing — --grant-to on the embedded database
  it('has one role, and accepts no --grant-to', async () => {
    const stored = await createTestDatabase();
    const { code, stderr } = await migrateAt(stored, 'gatehouse_serve');
    expect(code).toBe(1);
    expect(stderr).toContain('--grant-to needs PostgreSQL');
    await stored.drop();
  });
});
