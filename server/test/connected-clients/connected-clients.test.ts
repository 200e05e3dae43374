/**
 * The clients that people let into an organization: connectedClients and endConnectedClient (contract,
 * organization-mcp.md).
 */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { clientOperations, connect, endClient, listClients } from '../support/actors/connected-clients.ts';
import { isAccepted } from '../support/actors/grants.ts';
import { dataOf } from '../support/actors/machines/token-operations.ts';
import { addTo, newMember, newOwner, runAs, setActive, type Tenant } from '../support/actors/tenants.ts';
import { range } from '../support/checks/concurrency.ts';
import { expectNothingStored, expectRefusal } from '../support/checks/refusals.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();

const someText: unknown = expect.any(String);

const idsOf = async (person: Tenant, variables: object = {}): Promise<string[]> =>
  (await listClients(service, person, { ...variables })).nodes.map(({ id }) => id);

describe('connectedClients', () => {
  // Contract: organization-mcp#connected-clients — connectedClients: own ones, of every organization
  it('lists the own ones of every organization, newest first', async () => {
    const person = await newOwner(service);
    const elsewhere = await newOwner(service);
    const memberId = await addTo(service, person.userId, elsewhere.organizationId);
    const here = await connect(service, person, { clientName: 'Editor', redirectHost: '127.0.0.1' });
    const there = await connect(service, { ...elsewhere, userId: person.userId, memberId });
    await connect(service, await newMember(service, person.organizationId));
    const { nodes, totalCount } = await listClients(service, person);
    expect(nodes.map(({ id }) => id)).toEqual([there.id, here.id]);
    expect(totalCount).toBe(2);
    expect(nodes[1]).toEqual({
      id: here.id,
      clientId: here.clientId,
      clientName: 'Editor',
      metadataUrl: null,
      redirectHost: '127.0.0.1',
      resource: `${service.url}/mcp/organization`,
      scopes: ['MEMBERS_VIEW'],
      organizationId: person.organizationId,
      organizationName: someText,
      userId: person.userId,
      userEmail: person.email,
      connectedAt: someText,
      expiresAt: someText,
      lastUsedAt: null,
    });
  });

  // Contract: organization-mcp#connected-clients — connectedClients with everybody: MCP_MANAGE, the active
  //   organization's
  it('lists everybody’s of the active organization to those who manage MCP there', async () => {
    const owner = await newOwner(service);
    const admin = await newMember(service, owner.organizationId, 'ADMIN');
    const member = await newMember(service, owner.organizationId);
    const ofMember = await connect(service, member);
    const ofOwner = await connect(service, owner);
    const elsewhere = await newOwner(service);
    const away = await addTo(service, owner.userId, elsewhere.organizationId);
    await connect(service, { ...elsewhere, userId: owner.userId, memberId: away });
    for (const person of [owner, admin]) {
      expect(await idsOf(person, { everybody: true })).toEqual([ofOwner.id, ofMember.id]);
    }
    expect(await idsOf(admin)).toEqual([]);
    const everybody = { everybody: true };
    await expectRefusal(service, 'FORBIDDEN', () =>
      runAs(service, member, clientOperations.connectedClients, everybody),
    );
    await setActive(service, owner.userId, null);
    await expectRefusal(service, 'MEMBERSHIP_REQUIRED', () =>
      runAs(service, owner, clientOperations.connectedClients, everybody),
    );
  });

  it('has pages, and the number of all of them', async () => {
    const person = await newOwner(service);
    const connections = [];
    for (const turn of range(5)) connections.push(await connect(service, person, { clientName: `Client ${turn}` }));
    const expected = connections.map(({ id }) => id).reverse();
    for (const everybody of [false, true]) {
      const seen: string[] = [];
      for (let after: string | null = null, hasNext = true; hasNext; ) {
        const page = await listClients(service, person, { first: 2, after, everybody });
        expect(page.totalCount).toBe(5);
        seen.push(...page.nodes.map(({ id }) => id));
        ({ endCursor: after, hasNextPage: hasNext } = page.pageInfo);
      }
      expect(seen).toEqual(expected);
    }
    for (const bad of [{ first: 101 }, { first: 0 }, { after: 'nonsense' }]) {
      await expectRefusal(service, 'BAD_USER_INPUT', () =>
        runAs(service, person, clientOperations.connectedClients, bad),
      );
    }
  });

  it('lists no grant of Platform MCP, no session, and nothing that has ended or expired', async () => {
    const person = await newOwner(service);
    const [ended, expired, live] = [
      await connect(service, person),
      await connect(service, person),
      await connect(service, person),
    ];
    await endClient(service, person, ended.id);
    await service.sql(
      `UPDATE credentials SET expires_at = now() - interval '1 second', family_expires_at = now() - interval '1 second'
       WHERE session_family_id = $1`,
      [expired.id],
    );
    expect(await listClients(service, person)).toMatchObject({ totalCount: 1, nodes: [{ id: live.id }] });
  });

  it('names the resource of the application whose tools they are', async () => {
    const person = await newOwner(service);
    const { id } = await connect(service, person);
    const resource = 'https://notes.example/mcp';
    await service.sql('UPDATE credentials SET audience = $2 WHERE session_family_id = $1', [id, resource]);
    expect((await listClients(service, person)).nodes).toMatchObject([{ id, resource }]);
  });
});

describe('endConnectedClient', () => {
  const auditsOf = (organizationId: string) =>
    service.sql<{ details: string; subject: string; client: string; actor: string; owner: string }>(
      `SELECT details, subject_id AS subject, client_id AS client, actor_id AS actor, subject_user_id AS owner
       FROM organization_audits WHERE organization_id = $1 AND event = 'MCP_CLIENT_ENDED'`,
      [organizationId],
    );

  // Contract: organization-mcp#end-of-a-connection — endConnectedClient ends the pair's whole family
  it('ends an own one with its whole family, and again returns the same instant', async () => {
    const person = await newOwner(service);
    const connected = await connect(service, person, { redirectHost: 'editor.example' });
    const other = await connect(service, person, { clientId: connected.clientId });
    expect(await isAccepted(service, connected)).toBe(true);
    const first = dataOf<{ revokedAt: string }>(await endClient(service, person, connected.id.toUpperCase()));
    expect(first).toEqual({ success: true, revokedCredentials: 2, revokedAt: someText });
    expect(await isAccepted(service, connected)).toBe(false);
    // A grant of one person with one client never ends an earlier one of their own.
    expect(await isAccepted(service, other)).toBe(true);
    const again = await endClient(service, person, connected.id);
    expect(dataOf(again)).toEqual({ success: true, revokedCredentials: 0, revokedAt: first.revokedAt });
    const { clientId } = connected;
    expect(await auditsOf(person.organizationId)).toEqual([
      {
        subject: clientId,
        client: clientId,
        actor: person.userId,
        owner: person.userId,
        details: `{"reason":"connection_ended","redirectHost":"editor.example","sessionFamilyId":"${connected.id}"}`,
      },
    ]);
  });

  // Contract: organization-mcp#end-of-a-connection — endConnectedClient: own ones, or MCP_MANAGE for the active
  //   organization's
  it('ends another person’s of the active organization for those who manage MCP there', async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.organizationId);
    const [one, other] = [await connect(service, member), await connect(service, member)];
    const admin = await newMember(service, owner.organizationId, 'ADMIN');
    expect(dataOf(await endClient(service, owner, one.id))).toMatchObject({ revokedCredentials: 2 });
    expect(dataOf(await endClient(service, admin, other.id))).toMatchObject({ revokedCredentials: 2 });
    const actors = (await auditsOf(owner.organizationId)).map(({ actor, owner: whose }) => [actor, whose]);
    expect(actors).toEqual([
      [owner.userId, member.userId],
      [admin.userId, member.userId],
    ]);
  });

  it('finds no other: of another organization, of other members for a member, of Platform MCP, unknown', async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.organizationId);
    const ofOwner = await connect(service, owner);
    const elsewhere = await newOwner(service);
    // Where the owner manages MCP too, but is not active.
    await addTo(service, owner.userId, elsewhere.organizationId, 'ADMIN');
    const ofElsewhere = await connect(service, elsewhere);
    const ownSession = await service.sql.value<string>(
      `SELECT session_family_id FROM credentials WHERE user_id = $1 AND client_id IS NULL LIMIT 1`,
      [owner.userId],
    );
    const attempts: [Tenant, string][] = [
      [member, ofOwner.id],
      [owner, ofElsewhere.id],
      [elsewhere, ofOwner.id],
      [owner, ownSession ?? ''],
      [owner, newId()],
      [owner, 'nonsense'],
    ];
    for (const [person, id] of attempts) {
      await expectRefusal(service, 'NOT_FOUND', () => endClient(service, person, id));
    }
    expect(await isAccepted(service, ofOwner)).toBe(true);
  });

  it('ends an own one with an organization that is not active', async () => {
    const person = await newOwner(service);
    const elsewhere = await newOwner(service);
    const memberId = await addTo(service, person.userId, elsewhere.organizationId);
    const there = await connect(service, { ...elsewhere, userId: person.userId, memberId });
    expect(dataOf(await endClient(service, person, there.id))).toMatchObject({ revokedCredentials: 2 });
  });
});

describe('without MCP for organizations', () => {
  const off = serviceFixture({ ORGANIZATION_MCP_ENABLED: 'false' });

  // Contract: organization-mcp#parts-that-are-switched-off — off, the operations are not there
  it('none of the operations exists', async () => {
    const person = await newOwner(off);
    for (const [name, query] of Object.entries(clientOperations)) {
      const variables = { id: newId(), input: {} };
      const answer = await expectNothingStored(off, () => runAs(off, person, query, variables));
      expect(answer.status).toBe(400);
      expect(answer.text).toContain(`\\"${name}\\"`);
    }
  });
});
