/** 2,000 random operations of tenant A, half of them with ids of tenant B, never change a row of tenant B. */
import { expect, it } from 'vitest';
import { inviteByMail } from '../support/actors/invitations.ts';
import { seedSession } from '../support/actors/seeding.ts';
import { newMember, newOwner, runAs } from '../support/actors/tenants.ts';
import { inParallel, outcomeOf, range, tally } from '../support/checks/concurrency.ts';
import { type Answer, newAddress, type Tokens, type Variables } from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const operationCount = 2000;
const atOnce = 6;
const sessionsEach = 12;

interface Tenant {
  readonly organizationId: string;
  readonly emails: readonly string[];
  readonly userIds: readonly string[];
  /** Of the first OWNER. */
  readonly sessions: Tokens[];
}

/** Of both tenants: the possible targets of an operation. */
interface Targets {
  readonly organizations: readonly string[];
  readonly members: string[];
  readonly emails: readonly string[];
  readonly tokens: readonly string[];
  readonly families: readonly string[];
}

const service = serviceFixture();

const foundTenant = async (): Promise<Tenant> => {
  const owner = await newOwner(service);
  const { organizationId } = owner;
  const people = [
    owner,
    await newMember(service, organizationId, 'ADMIN'),
    await newMember(service, organizationId),
    await newMember(service, organizationId),
  ];
  const userIds = people.map(({ userId }) => userId);
  const sessions = await inParallel(range(sessionsEach * userIds.length), atOnce, (index) =>
    seedSession(service.database, userIds[index % userIds.length] ?? ''),
  );
  return { organizationId, emails: people.map(({ email }) => email), userIds, sessions };
};

/** Every row that belongs to a tenant or its people, one line each, including the people's own organizations. */
const rowsOf = async ({ userIds }: Tenant): Promise<readonly string[]> => {
  const organizations = `SELECT DISTINCT organization_id FROM founded WHERE user_id = ANY ($1::uuid[])`;
  const row = (table: string, condition: string): string =>
    `SELECT '${table} ' || (to_jsonb(t) - 'last_seen_at' - 'last_seen_ip')::text AS line FROM ${table} t WHERE ${condition}`;
  const rows = await service.sql.column<string>(
    `WITH founded AS (SELECT * FROM organization_members WHERE id = ANY ($2::uuid[]))
     ${[
       row('users', 'id = ANY ($1::uuid[])'),
       row('organizations', `id IN (${organizations})`),
       row('subscriptions', `organization_id IN (${organizations})`),
       row('organization_members', `organization_id IN (${organizations})`),
       row('credentials', 'user_id = ANY ($1::uuid[])'),
     ].join(' UNION ALL ')} ORDER BY line`,
    [userIds, foundedMemberships],
  );
  return rows;
};

let foundedMemberships: readonly string[] = [];

const idsOfMembers = (organizationId: string): Promise<string[]> =>
  service.sql.column<string>('SELECT id FROM organization_members WHERE organization_id = $1', [organizationId]);

const pick = <Item>(items: readonly Item[]): Item => {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('There is nothing to pick from');
  return item;
};

const role = () => pick(['OWNER', 'ADMIN', 'MEMBER']);

const operations: readonly ((targets: Targets) => readonly [query: string, variables: Variables])[] = [
  ({ emails }) => [
    'mutation ($input: InviteMemberInput!) { inviteMember(input: $input) { id } }',
    { input: { email: pick([...emails, newAddress()]), role: role() } },
  ],
  ({ members }) => ['mutation ($id: ID!) { resetInvitation(memberId: $id) { id } }', { id: pick(members) }],
  ({ members }) => ['mutation ($id: ID!) { cancelInvitation(memberId: $id) }', { id: pick(members) }],
  ({ tokens }) => ['mutation ($token: String!) { acceptInvitation(token: $token) { id } }', { token: pick(tokens) }],
  ({ members }) => [
    'mutation ($id: ID!, $role: Role!) { changeMemberRole(memberId: $id, role: $role) { id } }',
    { id: pick(members), role: role() },
  ],
  ({ members }) => ['mutation ($id: ID!) { removeMember(memberId: $id) }', { id: pick(members) }],
  () => ['mutation { renameOrganization(name: "Renamed by A") { id } }', {}],
  () => ['mutation { createOrganization(input: { name: "Another of A" }) { id } }', {}],
  ({ organizations }) => [
    'mutation ($id: ID!) { switchOrganization(organizationId: $id) { accessToken refreshToken } }',
    { id: pick(organizations) },
  ],
  ({ families }) => [
    'mutation ($id: ID!) { revokeMySession(sessionFamilyId: $id) { success } }',
    { id: pick(families) },
  ],
  () => ['{ members { nodes { id email } } me { memberships { organization { id name } } } }', {}],
];

it(`${operationCount} random operations of tenant A leave every row of tenant B unchanged`, async () => {
  const a = await foundTenant();
  const b = await foundTenant();
  const invited = await inviteByMail(service, b.sessions[0] ?? never(), newAddress(), 'OWNER');
  const invitedToA = await inviteByMail(service, a.sessions[0] ?? never(), b.emails[1] ?? '', 'MEMBER');
  const families = await service.sql<{ id: string }>(
    'SELECT DISTINCT session_family_id AS id FROM credentials WHERE user_id = ANY ($1::uuid[])',
    [b.userIds],
  );
  const targets: Targets = {
    organizations: [a.organizationId, b.organizationId],
    members: [...(await idsOfMembers(a.organizationId)), ...(await idsOfMembers(b.organizationId))],
    emails: [...a.emails, ...b.emails],
    tokens: [invited.token, invitedToA.token],
    families: families.map(({ id }) => id),
  };
  const everyMembership = await service.sql.column<string>('SELECT id FROM organization_members WHERE id <> $1', [
    invitedToA.memberId,
  ]);
  foundedMemberships = everyMembership;
  const before = await rowsOf(b);
  const mailsBefore = await mailsOfInvited();

  const answers = await inParallel(range(operationCount), atOnce, async (index): Promise<Answer> => {
    const [query, variables] = pick(operations)(targets);
    const slot = index % a.sessions.length;
    const answer = await runAs(service, { tokens: a.sessions[slot] ?? never() }, query, variables);
    await keep(answer, a, slot, targets);
    return answer;
  });

  const outcomes = tally(answers.map(outcomeOf));
  expect(outcomes['OK']).toBeGreaterThan(operationCount / 20);
  expect(outcomes['NOT_FOUND']).toBeGreaterThan(operationCount / 20);
  expect(outcomes['INTERNAL']).toBeUndefined();
  expect(await rowsOf(b)).toEqual(before);
  expect(await mailsOfInvited()).toBe(mailsBefore);
  const reported = answers.map(({ text }) => text).join('\n');
  for (const secret of [b.organizationId, invited.memberId, ...b.userIds]) {
    expect(reported.includes(secret)).toBe(false);
  }

  async function mailsOfInvited(): Promise<number> {
    const [{ email } = { email: '' }] = await service.sql<{ email: string }>(
      'SELECT email FROM users u JOIN organization_members m ON m.user_id = u.id WHERE m.id = $1',
      [invited.memberId],
    );
    return (await service.mailsTo(email)).length;
  }
});

/** Replaces an ended session, so that tenant A can continue; new members become targets too. */
const keep = async (answer: Answer, a: Tenant, slot: number, targets: Targets): Promise<void> => {
  const id = /"(?:inviteMember)":\{"id":"([^"]+)"/.exec(answer.text)?.[1];
  if (id !== undefined) targets.members.push(id);
  if (answer.code === 'UNAUTHENTICATED' || answer.text.includes('"accessToken"')) {
    a.sessions[slot] = await seedSession(service.database, a.userIds[slot % a.userIds.length] ?? '');
  }
};

const never = (): never => {
  throw new Error('There is no session');
};
