/**
 * The tools users_search, user_get, organizations_list and organization_get, compared with the operations of GraphQL.
 */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { expire } from '../support/actors/credentials.ts';
import { expireInvitation, inviteByMail } from '../support/actors/invitations.ts';
import { seedSession } from '../support/actors/seeding.ts';
import { addTo, inviteTo, newMember, newOwner, runAs } from '../support/actors/tenants.ts';
import { newAddress, operations, type Variables } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { ask, expectArgumentRefused, expectIdsRefused } from './tool-and-graphql.ts';
import { callTool, newToolCaller } from './tool-caller.ts';

const service = serviceFixture();
const root = fixture(() => newToolCaller(service));

const asked = (query: string, variables: Variables = {}): Promise<unknown> => ask(service, root, query, variables);

describe('users_search', () => {
  // Contract: platform-mcp#table-of-tools — users_search
  it('finds by a part of the name or the address the same users as platformUsers', async () => {
    const email = `Query_${newAddress()}`.toLowerCase();
    const person = await newOwner(service, email);
    await service.sql(`UPDATE users SET name = 'Ünique 100% Person' WHERE id = $1`, [person.userId]);
    for (const query of [email.slice(2, 30).toUpperCase(), 'NIQUE 100%', '100%']) {
      const { structured, text } = await callTool(service, root, 'users_search', { query });
      expect(structured).toMatchObject({ totalCount: 1, nodes: [{ id: person.userId, email }] });
      expect(structured).toEqual(await asked(operations.platformUsers, { search: query }));
      expect(text).toContain(email);
    }
    const none = await callTool(service, root, 'users_search', { query: '100_' });
    expect([none.structured.nodes, none.text.split('\n')[0]]).toEqual([[], 'No people.']);
  });

  it('pages through all users by address', async () => {
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const { structured } = await callTool(service, root, 'users_search', {
        first: 7,
        ...(after === undefined ? {} : { after }),
      });
      seen.push(...structured.nodes.map(({ email }) => email));
      after = structured.pageInfo.hasNextPage ? (structured.pageInfo.endCursor ?? '') : undefined;
    } while (after !== undefined);
    const everybody = await service.sql.column<string>('SELECT email FROM users ORDER BY email');
    expect(seen).toEqual(everybody);
  });

  it.each([
    ['query', { query: 'x'.repeat(255) }],
    ['query', { query: 'a\u0000b' }],
    ['first', { first: 101 }],
    ['first', { first: 1.5 }],
    ['after', { after: 'no cursor' }],
  ])('refuses an invalid %s', async (field, args) => {
    await expectArgumentRefused(service, root, 'users_search', args, field);
  });
});

describe('user_get', () => {
  // Contract: platform-mcp#table-of-tools — user_get
  it('shows the same fields of a user as platformUser: memberships, invitations, sessions', async () => {
    const person = await newOwner(service);
    const [joined, invited] = [await newOwner(service), await newOwner(service)];
    await addTo(service, person.userId, joined.organizationId, 'ADMIN');
    const memberId = await inviteTo(service, person.userId, invited.organizationId);
    await seedSession(service.database, person.userId);
    await expire(service, person.tokens.accessToken);
    const { structured, text } = await callTool(service, root, 'user_get', { userId: person.userId });
    expect(structured).toMatchObject({
      user: { id: person.userId, email: person.email, isSuperAdmin: false, hasPassword: false },
      membershipCount: 3,
      activeSessions: 2,
      activeCredentials: 3,
    });
    expect(structured.memberships).toMatchObject([
      { organizationId: person.organizationId, role: 'OWNER', invitationStatus: null },
      { organizationId: joined.organizationId, role: 'ADMIN', invitationStatus: null },
      { organizationId: invited.organizationId, role: 'MEMBER', invitationStatus: 'OPEN', memberId, joinedAt: null },
    ]);
    expect(structured).toEqual(await asked(operations.platformUser, { id: person.userId }));
    expect(text).toContain(`${person.email} has 2 active sessions and 3 memberships and invitations.`);
    const { structured: again } = await callTool(service, root, 'user_get', { userId: person.userId.toUpperCase() });
    expect(again).toEqual(structured);
  });

  it('does not count sessions that were signed out everywhere', async () => {
    const person = await newOwner(service);
    await service.sql('UPDATE users SET credentials_revision = 1 WHERE id = $1', [person.userId]);
    const { structured } = await callTool(service, root, 'user_get', { userId: person.userId });
    expect(structured).toMatchObject({ activeSessions: 0, activeCredentials: 0 });
  });

  it('reports that it shows only the first memberships, as many as fit into the text', async () => {
    const person = await newOwner(service);
    await service.sql(
      `WITH fresh AS (INSERT INTO organizations (id, name) SELECT gen_random_uuid(), repeat('Many ', 20) FROM generate_series(1, 101) RETURNING id)
       INSERT INTO organization_members (id, user_id, organization_id, role, joined_at)
       SELECT gen_random_uuid(), $1::uuid, id, 'MEMBER', now() FROM fresh`,
      [person.userId],
    );
    const { structured, text } = await callTool(service, root, 'user_get', { userId: person.userId });
    const { memberships, membershipCount } = structured;
    expect([memberships.length > 50, memberships.length < 100, membershipCount]).toEqual([true, true, 102]);
    expect(text).toContain(`102 memberships and invitations, the first ${memberships.length} shown.`);
  });

  it('names the argument for every unknown id, where platformUser answers NOT_FOUND', async () => {
    await expectIdsRefused(service, root, 'user_get', 'userId', (id) =>
      runAs(service, root, operations.platformUser, { id }),
    );
  });
});

describe('organizations_list', () => {
  // Contract: platform-mcp#table-of-tools — organizations_list
  it('lists organizations with plan and people like platformOrganizations', async () => {
    const owner = await newOwner(service);
    const name = `Ärmel ${newId()}`;
    await service.sql('UPDATE organizations SET name = $2 WHERE id = $1', [owner.organizationId, name]);
    await newMember(service, owner.organizationId);
    const [open, expired] = [await newOwner(service), await newOwner(service)];
    await inviteTo(service, open.userId, owner.organizationId);
    await expireInvitation(service, await inviteTo(service, expired.userId, owner.organizationId));
    const { structured, text } = await callTool(service, root, 'organizations_list', {
      query: name.slice(1).toUpperCase(),
    });
    expect(structured).toMatchObject({
      totalCount: 1,
      nodes: [
        {
          id: owner.organizationId,
          name,
          subscription: { status: 'ACTIVE', product: 'free' },
          memberCount: 2,
          openInvitationCount: 1,
          expiredInvitationCount: 1,
        },
      ],
    });
    expect(structured).toEqual(await asked(operations.platformOrganizations, { search: name.slice(1) }));
    expect(text).toMatch(/^1 organization, all shown\.\n/);
    await service.sql(`UPDATE subscriptions SET unread_subscription = 'sub_1' WHERE organization_id = $1`, [
      owner.organizationId,
    ]);
    expect(await asked(operations.platformOrganizations, { search: name.slice(1) })).toMatchObject({
      nodes: [{ unreadSubscription: 'sub_1' }],
    });
    await service.sql('DELETE FROM subscriptions WHERE organization_id = $1', [owner.organizationId]);
    const unpaid = await callTool(service, root, 'organizations_list', { query: name });
    expect(unpaid.structured.nodes[0]?.subscription).toEqual({
      status: 'NONE',
      product: null,
      currentPeriodEndsAt: null,
    });
  });

  // Contract: requests#pages-and-totals — totalCount counts to 10,000, and totalCountIsCapped reports that there are
  //   more
  it('counts 10,000 rows and no further', async () => {
    const query = `~${newId().slice(-8)}`;
    const insert = (count: number) =>
      service.sql(
        `INSERT INTO organizations (id, name) SELECT gen_random_uuid(), $1 FROM generate_series(1, $2::integer)`,
        [query, count],
      );
    await insert(10_000);
    const exact = await callTool(service, root, 'organizations_list', { query });
    expect(exact.structured).toMatchObject({ totalCount: 10_000, totalCountIsCapped: false });
    expect(exact.text).toContain('10000 organizations, ');
    await insert(1);
    const capped = await callTool(service, root, 'organizations_list', { query });
    expect(capped.structured).toMatchObject({ totalCount: 10_000, totalCountIsCapped: true });
    expect(capped.text).toContain('More than 10000 organizations, ');
    expect(capped.structured).toEqual(await asked(operations.platformOrganizations, { search: query }));
    // The next tests read all pages.
    await service.sql('DELETE FROM organizations WHERE name = $1', [query]);
  });

  it('pages through all of them, including those with equal names', async () => {
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const { structured } = await callTool(service, root, 'organizations_list', {
        first: 100,
        ...(after === undefined ? {} : { after }),
      });
      seen.push(...structured.nodes.map(({ id }) => id));
      after = structured.pageInfo.hasNextPage ? (structured.pageInfo.endCursor ?? '') : undefined;
    } while (after !== undefined);
    const all = await service.sql.column<string>('SELECT id FROM organizations ORDER BY name, id');
    expect(seen).toEqual(all);
  });

  it.each([
    ['query', { query: 'x'.repeat(101) }],
    ['after', { after: Buffer.from('["name","no id"]').toString('base64url') }],
    ['after', { after: Buffer.from('["name"]').toString('base64url') }],
  ])('refuses an invalid %s', async (field, args) => {
    await expectArgumentRefused(service, root, 'organizations_list', args, field);
  });
});

describe('organization_get', () => {
  // Contract: platform-mcp#table-of-tools — organization_get
  it('shows the same fields of an organization as platformOrganization: members and invitations', async () => {
    const owner = await newOwner(service);
    const admin = await newMember(service, owner.organizationId, 'ADMIN');
    const { memberId } = await inviteByMail(service, owner.tokens, newAddress());
    const { structured, text } = await callTool(service, root, 'organization_get', {
      organizationId: owner.organizationId,
    });
    expect(structured).toMatchObject({
      organization: { id: owner.organizationId, memberCount: 2, openInvitationCount: 1, expiredInvitationCount: 0 },
      invitations: [{ id: memberId, name: null, role: 'MEMBER', joinedAt: null, invitation: { status: 'OPEN' } }],
    });
    const roles = structured.members.map(({ id, role }) => [id, role] as const);
    expect(new Map(roles)).toEqual(
      new Map([
        [owner.memberId, 'OWNER'],
        [admin.memberId, 'ADMIN'],
      ]),
    );
    expect(structured).toEqual(await asked(operations.platformOrganization, { id: owner.organizationId }));
    expect(text).toContain('has the plan free (ACTIVE), 2 members and 1 open invitation.');
  });

  it('reports that it shows only the first members, as many as fit into the text', async () => {
    const owner = await newOwner(service);
    await service.sql(
      `WITH fresh AS (INSERT INTO users (id, email, name)
         SELECT gen_random_uuid(), 'crowd-' || n || '-' || $1::text || '@example.com', 'Crowd' FROM generate_series(1, 104) n RETURNING id)
       INSERT INTO organization_members (id, user_id, organization_id, role, joined_at)
       SELECT gen_random_uuid(), id, $1::uuid, 'MEMBER', now() FROM fresh`,
      [owner.organizationId],
    );
    const { structured, text } = await callTool(service, root, 'organization_get', {
      organizationId: owner.organizationId,
    });
    const { members, organization } = structured;
    expect([members.length > 50, members.length < 100, organization.memberCount]).toEqual([true, true, 105]);
    expect(text).toContain(`; ${105 - members.length} more are not shown`);
  });

  it('names the argument for every unknown id, where platformOrganization answers NOT_FOUND', async () => {
    await expectIdsRefused(service, root, 'organization_get', 'organizationId', (id) =>
      runAs(service, root, operations.platformOrganization, { id }),
    );
  });
});
