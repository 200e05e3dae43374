/** Query members: members and invitations of an organization, page by page. */
import { beforeAll, describe, expect, it } from 'vitest';
import { expireInvitation } from '../support/actors/invitations.ts';
import { seedPerson } from '../support/actors/seeding.ts';
import { inviteTo, newMember, newOwner, runAs, setActive, type Tenant } from '../support/actors/tenants.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { type Answer, newAddress, operations, post } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();

type Caller = Pick<Tenant, 'tokens'>;

describe('members', () => {
  interface Row {
    readonly email: string;
    readonly name: string | null;
    readonly role: string;
    readonly joinedAt: string | null;
    readonly invitation: { readonly status: string } | null;
  }
  interface Page {
    readonly nodes: readonly Row[];
    readonly totalCount: number;
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  }
  const list = async (person: Caller, variables: object = {}): Promise<Page> => {
    const answer = await runAs(service, person, operations.members, { ...variables });
    if (answer.code !== null) throw new Error(answer.text);
    return (JSON.parse(answer.text) as { data: { members: Page } }).data.members;
  };
  const refuse = async (person: Caller, variables: object): Promise<unknown> => {
    const act = (): Promise<Answer> => runAs(service, person, operations.members, { ...variables });
    const answer = await expectRefusal(service, 'BAD_USER_INPUT', act);
    return Object.keys(answer.extensions['fields'] ?? {});
  };

  const owner = fixture(() => newOwner(service, 'b.owner@acme.example'));
  const member = fixture(() => newMember(service, owner.organizationId, 'MEMBER', 'c_member@acme.example'));
  beforeAll(async () => {
    const invited = await seedPerson(service.database, 'a.invited@acme.example');
    await service.sql(`UPDATE users SET name = 'Élodie 100% Hidden' WHERE id = $1`, [invited]);
    await service.sql(`UPDATE users SET name = 'Åsa O\\Brien' WHERE id = $1`, [member.userId]);
    await inviteTo(service, invited, owner.organizationId, 'ADMIN');
  });
  const emailsOf = ({ nodes }: Page): string[] => nodes.map(({ email }) => email);
  const find = async (search: string): Promise<string[]> => emailsOf(await list(owner, { search }));

  // Contract: organizations#member-list — members: members and open or expired invitations
  it('lists members and invitations by address, and names only joined members', async () => {
    const page = await list(member);
    expect(page).toMatchObject({
      totalCount: 3,
      pageInfo: { hasNextPage: false },
      nodes: [
        { email: 'a.invited@acme.example', name: null, role: 'ADMIN', joinedAt: null, invitation: { status: 'OPEN' } },
        { email: 'b.owner@acme.example', name: 'Test Person', role: 'OWNER', invitation: null },
        { email: 'c_member@acme.example', name: 'Åsa O\\Brien', role: 'MEMBER', invitation: null },
      ],
    });
    expect(page.nodes[1]?.joinedAt).toMatch(/^\d{4}-\d{2}-\d{2}T/);
  });

  // Contract: organizations#member-list — members: scope MEMBERS_VIEW
  it('requires the scope MEMBERS_VIEW', async () => {
    const person = await newOwner(service);
    const ask = (): Promise<Answer> => runAs(service, person, operations.members);
    await service.sql('DELETE FROM subscriptions WHERE organization_id = $1', [person.organizationId]);
    expect((await expectRefusal(service, 'FORBIDDEN', ask)).extensions['missingScopes']).toEqual(['MEMBERS_VIEW']);
    await setActive(service, person.userId, null);
    await expectRefusal(service, 'MEMBERSHIP_REQUIRED', ask);
    await expectRefusal(service, 'UNAUTHENTICATED', () => post(service.url, operations.members));
  });

  // Contract: organizations#member-list — members: search
  it('finds parts of addresses and of names, in any case, with literal special characters', async () => {
    expect(await find('  OWNER@acme ')).toEqual(['b.owner@acme.example']);
    expect(await find('åSA o\\bR')).toEqual(['c_member@acme.example']);
    expect(await find('c_m')).toEqual(['c_member@acme.example']);
    expect(await find('.')).toHaveLength(3);
    for (const none of ['b_owner', '%', 'a%d', '\\\\', 'nobody', `' OR true --`]) expect(await find(none)).toEqual([]);
    expect(await find('   ')).toHaveLength(3);
    expect((await list(owner, { search: 'acme', first: 1 })).totalCount).toBe(3);
  });

  // Contract: organizations#member-list — Member.name is null until the person has joined, for a search too
  it('does not find the name of a person who has not joined', async () => {
    expect(await find('Élodie')).toEqual([]);
    expect(await find('100%')).toEqual([]);
    expect(await find('a.invited')).toEqual(['a.invited@acme.example']);
  });

  it('refuses a search that is too long or not text', async () => {
    expect(await find('x'.repeat(100))).toEqual([]);
    expect(await find('😀'.repeat(100))).toEqual([]);
    expect(await refuse(owner, { search: 'x'.repeat(101) })).toEqual(['search']);
    expect(await refuse(owner, { search: '😀'.repeat(101) })).toEqual(['search']);
    expect(await refuse(owner, { search: 'a\u0000b' })).toEqual(['search']);
    expect(await find('\ud83d')).toEqual([]);
  });

  // Contract: organizations#member-list — members: an invalid page size or cursor
  it('refuses an invalid page size and an invalid cursor', async () => {
    for (const first of [0, -1, 101, 2_147_483_647]) expect(await refuse(owner, { first })).toEqual(['first']);
    const listed = Buffer.from('["a","b"]').toString('base64url');
    for (const after of ['', 'hello', listed, 'x'.repeat(3000)])
      expect(await refuse(owner, { after })).toEqual(['after']);
    expect((await list(owner, { first: null, after: null, search: null })).nodes).toHaveLength(3);
  });

  // Contract: organizations#states-of-an-invitation — An invitation is listed as open until it expires, as expired
  //   afterwards, and as a member once the person has joined
  it('filters by role and by status, together with the search', async () => {
    const company = await newOwner(service);
    const { organizationId } = company;
    const admin = await newMember(service, organizationId, 'ADMIN');
    const former = await newMember(service, organizationId, 'MEMBER');
    await service.sql(`UPDATE organization_members SET role = 'NOT_DEFINED_ANY_MORE' WHERE id = $1`, [former.memberId]);
    const [open, expired] = [newAddress(), newAddress()];
    await inviteTo(service, await seedPerson(service.database, open), organizationId, 'ADMIN');
    const expiredId = await inviteTo(service, await seedPerson(service.database, expired), organizationId);
    await expireInvitation(service, expiredId);
    const found = async (variables: object) => emailsOf(await list(company, variables)).sort();
    expect(await found({ role: 'OWNER' })).toEqual([company.email]);
    expect(await found({ role: 'ADMIN' })).toEqual([admin.email, open].sort());
    // Shown as a member, so found as one.
    expect(await found({ role: 'MEMBER' })).toEqual([former.email, expired].sort());
    expect(await found({ status: 'JOINED' })).toEqual([company.email, admin.email, former.email].sort());
    expect(await found({ status: 'INVITED' })).toEqual([open]);
    expect(await found({ status: 'EXPIRED' })).toEqual([expired]);
    expect(await found({ role: 'ADMIN', status: 'INVITED', search: open.toUpperCase() })).toEqual([open]);
    expect(await found({ role: 'ADMIN', status: 'EXPIRED' })).toEqual([]);
    const seats = await runAs(service, company, operations.seats);
    expect(seats.data).toEqual({ seats: { limit: null, members: 3, openInvitations: 1 } });
  });

  // Contract: organizations#member-list — members: first, after
  it('pages through any number of people by cursor, each once', async () => {
    const boss = await newOwner(service);
    const prefix = newAddress().replace(/@.*/, '');
    await service.sql(
      `WITH people AS (
         INSERT INTO users (id, email, name, email_validated_at)
         SELECT gen_random_uuid(), $1 || '-' || n || '@example.com', 'Number ' || n, now() FROM generate_series(1, 234) n
         RETURNING id)
       INSERT INTO organization_members (id, user_id, organization_id, role, joined_at)
       SELECT gen_random_uuid(), id, $2, 'MEMBER', now() FROM people`,
      [prefix, boss.organizationId],
    );
    expect((await list(boss)).nodes).toHaveLength(50);
    const seen: string[] = [];
    let after: string | null = null;
    let pages = 0;
    do {
      const page: Page = await list(boss, { first: 100, after });
      expect(page.totalCount).toBe(235);
      seen.push(...emailsOf(page));
      pages += 1;
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after !== null);
    expect(pages).toBe(3);
    expect(new Set(seen).size).toBe(235);
    expect(seen).toHaveLength(235);
    expect(await list(boss, { search: `${prefix}-23`, first: 100 })).toMatchObject({ totalCount: 6 });
    const last = await list(boss, {
      first: 1,
      after: (await list(boss, { first: 100, search: 'zzz' })).pageInfo.endCursor,
    });
    expect(last.nodes).toHaveLength(1);
    await service.sql('DELETE FROM users WHERE starts_with(email, $1)', [prefix]);
  });

  // Contract: organizations#tenant-boundary — No tenant sees another
  it('shows no member of another organization, for any cursor or search', async () => {
    const outsider = await newOwner(service);
    const { endCursor } = (await list(owner, { first: 1 })).pageInfo;
    expect(emailsOf(await list(outsider, { search: 'acme.example' }))).toEqual([]);
    expect(emailsOf(await list(outsider, { after: endCursor }))).toEqual([outsider.email]);
  });
});
