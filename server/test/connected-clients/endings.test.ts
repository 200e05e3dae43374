/** What ends the connections of MCP clients with an organization, and what leaves them. */
import { beforeEach, describe, expect, it } from 'vitest';
import { setPasswordByOperator } from '../../src/domain/session-admin/operator-shell.ts';
import { createPasswordHasher } from '../../src/platform/passwords/password-hasher.ts';
import { type Connected, connect, listClients } from '../support/actors/connected-clients.ts';
import { isAccepted } from '../support/actors/grants.ts';
import { seedSession } from '../support/actors/seeding.ts';
import { addTo, newMember, newOwner, newSuperAdmin, runAs, type Tenant } from '../support/actors/tenants.ts';
import { type Answer, operations } from '../support/clients/clients.ts';
import { fixture, testFixture } from '../support/fixture.ts';
import { runCleanup } from '../support/gatehouse/cleanup.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';

const service = serviceFixture();
const root = fixture(() => newSuperAdmin(service));

let owner: Tenant;
let member: Tenant;
let connected: Connected;
beforeEach(async () => {
  owner = await newOwner(service);
  member = await newMember(service, owner.organizationId);
  connected = await connect(service, member);
  expect(await isAccepted(service, connected)).toBe(true);
});

const idOf = (kind: string): Promise<string | undefined> =>
  service.sql.value<string>(
    'SELECT id FROM credentials WHERE session_family_id = $1 AND kind = $2 AND revoked_at IS NULL',
    [connected.id, kind],
  );

/** Reasons of the rows of the connection, each once; null while one lives. */
const reasons = async (): Promise<readonly (string | null)[]> =>
  service.sql.column<string | null>('SELECT DISTINCT revocation_reason FROM credentials WHERE session_family_id = $1', [
    connected.id,
  ]);

const auditedReasons = async (): Promise<readonly string[]> =>
  (
    await service.sql<{ details: string | null }>(
      `SELECT details FROM organization_audits WHERE organization_id = $1 AND event = 'MCP_CLIENT_ENDED'
       AND client_id = $2`,
      [owner.organizationId, connected.clientId],
    )
  ).map(({ details }) => (JSON.parse(details ?? '{}') as { reason: string }).reason);

const expectEnded = async (reason: string): Promise<void> => {
  expect(await isAccepted(service, connected)).toBe(false);
  expect(await reasons()).toEqual([reason]);
  expect(await auditedReasons()).toEqual([reason]);
  // The owner's own session may have ended too.
  const manager = { tokens: await seedSession(service.database, owner.userId) };
  expect(await listClients(service, manager, { everybody: true })).toMatchObject({ totalCount: 0, nodes: [] });
};

const succeed = async (answer: Promise<Answer>): Promise<void> => {
  const { code, text } = await answer;
  expect({ code, text }).toMatchObject({ code: null });
};

describe('a connection ends, for good and with a row in the audit,', () => {
  const leave = () => runAs(service, member, operations.removeMember, { id: member.memberId });
  const removal = () => runAs(service, owner, operations.removeMember, { id: member.memberId });

  // Contract: organization-mcp#bound-membership — leaving and removal end a pair for good; joining again does not bring
  //   it back
  it.each([
    ['when its person leaves', leave],
    ['when its person is removed', removal],
  ])('%s, and joining again does not bring it back', async (_when, end) => {
    const elsewhere = await newOwner(service);
    const memberId = await addTo(service, member.userId, elsewhere.organizationId);
    const other = await connect(service, { ...elsewhere, userId: member.userId, memberId });
    await succeed(end());
    await expectEnded('membership_removed');
    await addTo(service, member.userId, owner.organizationId);
    await expectEnded('membership_removed');
    expect(await isAccepted(service, other)).toBe(true);
  });

  // Contract: organization-mcp#bound-membership — sign-out everywhere ends a pair for good
  it('when its person signs out everywhere', async () => {
    await succeed(runAs(service, member, operations.signOutEverywhere));
    await expectEnded('signed_out_everywhere');
  });

  it('when a super admin signs its person out', async () => {
    await succeed(runAs(service, root, operations.revokeUserSessions, { id: member.userId }));
    await expectEnded('revoked_by_super_admin');
  });

  it('when its person is suspended, and stays ended after it', async () => {
    await succeed(runAs(service, root, operations.suspendUser, { id: member.userId, reason: 'A test' }));
    await expectEnded('suspended');
    await succeed(runAs(service, root, operations.reinstateUser, { id: member.userId }));
    await expectEnded('suspended');
  });

  it('when an operator sets a password', async () => {
    const passwords = await testFixture(createPasswordHasher(4));
    const { database, mail, config: settings } = service;
    await setPasswordByOperator({ database, mail, settings, passwords, logger: silentLogger }, member.email);
    await expectEnded('password_set_by_operator');
  });

  // Contract: organization-mcp#reach-of-super-admins — revokeSession reaches these pairs too
  it.each(['user_session', 'user_refresh'])('when a super admin ends the session of its %s', async (kind) => {
    await succeed(runAs(service, root, operations.revokeSession, { id: await idOf(kind) }));
    await expectEnded('revoked_by_super_admin');
  });

  it('when a super admin ends the sessions of a filter', async () => {
    const filter = { audience: 'mcp_organization', organizationId: owner.organizationId };
    const answer = await runAs(service, root, operations.revokeSessions, { filter, expectedCount: 1 });
    expect({ code: answer.code, text: answer.text }).toMatchObject({ code: null });
    await expectEnded('revoked_by_super_admin');
  });

  it('when a super admin ends the sessions of its organization', async () => {
    await succeed(runAs(service, root, operations.revokeOrganizationSessions, { id: owner.organizationId }));
    await expectEnded('revoked_by_super_admin');
  });

  // Contract: organization-mcp#reach-of-super-admins — revokeMcpClient reaches these pairs too
  it('when a super admin revokes its client, with the pairs of other people', async () => {
    const other = await connect(service, await newOwner(service), { clientId: connected.clientId });
    const { data } = await runAs(service, root, operations.revokeMcpClient, { id: connected.clientId });
    expect(data).toMatchObject({ revokeMcpClient: { revokedCredentials: 4 } });
    await expectEnded('client_revoked');
    expect(await isAccepted(service, other)).toBe(false);
  });

  it('when its person ends it among their sessions', async () => {
    const { text } = await runAs(service, member, operations.mySessions);
    expect(text).toContain(connected.id);
    await succeed(runAs(service, member, operations.revokeMySession, { family: connected.id }));
    await expectEnded('signed_out');
  });
});

describe('a connection', () => {
  it('goes with the account of its person, and the audit keeps no detail of it', async () => {
    await succeed(runAs(service, member, operations.deleteAccount, { email: member.email }));
    expect(await isAccepted(service, connected)).toBe(false);
    expect(await reasons()).toEqual([]);
    expect(
      await service.sql('SELECT details FROM organization_audits WHERE client_id = $1', [connected.clientId]),
    ).toEqual([{ details: null }]);
  });

  // Contract: organization-mcp#bound-membership — a switch of organization changes nothing for a pair
  it('stays in its organization when its person switches to another', async () => {
    const elsewhere = await newOwner(service);
    await addTo(service, member.userId, elsewhere.organizationId);
    await succeed(runAs(service, member, operations.switchOrganization, { id: elsewhere.organizationId }));
    expect(await isAccepted(service, connected)).toBe(true);
    const [row] = await service.sql('SELECT organization_id AS id FROM credentials WHERE session_family_id = $1', [
      connected.id,
    ]);
    expect(row).toEqual({ id: owner.organizationId });
    expect(await auditedReasons()).toEqual([]);
  });

  it('outlasts the sign-out of the session in which it was granted', async () => {
    await succeed(runAs(service, member, operations.signOut));
    expect(await isAccepted(service, connected)).toBe(true);
  });

  it('is kept while its organization can be restored, and ends with it', async () => {
    const { organizationId } = owner;
    const name = await service.sql.value<string>('SELECT name FROM organizations WHERE id = $1', [organizationId]);
    await succeed(runAs(service, owner, operations.deleteOrganization, { input: { organizationId, name } }));
    expect(await reasons()).toEqual([null]);
    await service.sql('UPDATE organizations SET deletes_at = now() WHERE id = $1', [organizationId]);
    await runCleanup(service.database);
    expect(await reasons()).toEqual(['membership_removed']);
    expect(await isAccepted(service, connected)).toBe(false);
  });
});

describe('the sessions of a super admin', () => {
  const found = async (filter: object): Promise<readonly string[]> => {
    const { text, code } = await runAs(service, root, operations.activeSessions, { filter });
    if (code !== null) throw new Error(text);
    const { data } = JSON.parse(text) as { data: { activeSessions: { nodes: { sessionFamilyId: string }[] } } };
    return data.activeSessions.nodes.map(({ sessionFamilyId }) => sessionFamilyId);
  };

  // Contract: organization-mcp#reach-of-super-admins — activeSessions lists these pairs
  it('list a connection by its person, organization, client and audience', async () => {
    const { id, clientId } = connected;
    const { userId, organizationId } = member;
    const audience = 'mcp_organization';
    for (const filter of [{ clientId }, { userId, audience }, { organizationId, audience }]) {
      expect(await found(filter)).toEqual([id, id]);
    }
    expect(await found({ userId, audience: 'mcp' })).toEqual([]);
    const resource = 'https://notes.example/mcp';
    await service.sql('UPDATE credentials SET audience = $2 WHERE session_family_id = $1', [id, resource]);
    expect(await found({ userId, audience: resource })).toEqual([id, id]);
    expect(await found({ clientId, audience: resource })).toEqual([id, id]);
    expect(await found({ userId, audience })).toEqual([]);
  });

  it('are counted of a client with its other credentials, and not as those of Platform MCP', async () => {
    const { text } = await runAs(service, root, '{ mcpClients(first: 100) { nodes { id activeCredentials } } }');
    const { data } = JSON.parse(text) as {
      data: { mcpClients: { nodes: { id: string; activeCredentials: number }[] } };
    };
    expect(data.mcpClients.nodes.find(({ id }) => id === connected.clientId)?.activeCredentials).toBe(2);
    await connect(service, root);
    const users = await runAs(
      service,
      root,
      `{ platformMcpUsers(search: "${root.email}") { nodes { activeCredentials } } }`,
    );
    expect(users.data).toEqual({ platformMcpUsers: { nodes: [{ activeCredentials: 0 }] } });
  });
});

// Contract: organization-mcp#connected-clients — exportMyData has a person's connections, without a secret
it('exportMyData contains the connections of the person, and neither a token nor a hash', async () => {
  const answer = await runAs(service, member, operations.exportMyData);
  const { data } = JSON.parse(answer.text) as { data: { exportMyData: { json: string } } };
  const exported = JSON.parse(data.exportMyData.json) as { readonly credentials: readonly object[] };
  expect(exported.credentials).toContainEqual(
    expect.objectContaining({
      sessionFamilyId: connected.id,
      kind: 'user_refresh',
      audience: 'mcp_organization',
      clientId: connected.clientId,
      clientName: 'Editor',
      organizationId: owner.organizationId,
      redirectHost: 'editor.example',
      scopes: ['MEMBERS_VIEW'],
    }),
  );
  for (const token of [connected.tokens.accessToken, connected.tokens.refreshToken]) {
    expect(answer.text).not.toContain(token);
  }
});
