/** All tenant operations, by many clients and on all processes: no deadlock, and every invariant holds afterwards. */
import { randomUUID } from 'node:crypto';
import { hashSync } from 'bcrypt';
import { beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../../src/kernel/secrets.ts';
import { accept, invite } from '../../support/actors/invitations.ts';
import { seedSession } from '../../support/actors/seeding.ts';
import { addTo, newOwner, type RoleName, runAs, setActive } from '../../support/actors/tenants.ts';
import { outcomeOf, range, tally } from '../../support/checks/concurrency.ts';
import {
  type Answer,
  goodPassword,
  newAddress,
  operations,
  post,
  type Tokens,
  tokensOf,
  type Variables,
} from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';
import { setting, startCluster, urlOf } from '../../support/gatehouse/cluster.ts';
import { roundsOf } from '../../support/random/rounds.ts';
import { deliver, someTime, subscriptionEvent, webhookSecret } from '../../support/servers/payments.ts';

const clientCount = 12;
/** Fewer than clients: some share a session, like the tabs of one browser. */
const peopleCount = 8;
const stepsEach = roundsOf(120);
const roles: readonly RoleName[] = ['OWNER', 'ADMIN', 'MEMBER'];
/** The load removes roles faster than it grants them. */
const moreOwners: readonly RoleName[] = ['OWNER', 'OWNER', ...roles];

/** A user with an organization of their own who joins and leaves two others. */
interface Person {
  readonly email: string;
  readonly userId: string;
  readonly home: string;
  /** Of the session that was begun, refreshed or switched last. */
  tokens: Tokens;
}

/** Possible refusals when others were quicker; never INTERNAL, and never UNAVAILABLE. */
const lawful = [
  'OK',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'MEMBERSHIP_REQUIRED',
  'NOT_FOUND',
  'LAST_OWNER',
  'INVITATION_NOT_OPEN',
  'BAD_USER_INPUT',
  'REFRESH_SUPERSEDED',
  'REFRESH_REFUSED',
];

/** After one of these a client begins a new session. */
const isOver = ['UNAUTHENTICATED', 'REFRESH_SUPERSEDED', 'REFRESH_REFUSED'];

const passwordHash = hashSync(goodPassword, 10);

const invariants: readonly (readonly [what: string, query: string])[] = [
  [
    'organization without an owner who has joined',
    `SELECT id FROM organizations o WHERE NOT EXISTS (SELECT 1 FROM organization_members m
       WHERE m.organization_id = o.id AND m.role = 'OWNER' AND m.joined_at IS NOT NULL)`,
  ],
  [
    'active membership that is not joined, or not of this person',
    `SELECT u.id FROM users u LEFT JOIN organization_members m ON m.id = u.current_membership AND m.user_id = u.id
     WHERE u.current_membership IS NOT NULL AND m.joined_at IS NULL`,
  ],
  [
    'member of an organization without an active membership',
    `SELECT u.id FROM users u WHERE u.current_membership IS NULL
     AND EXISTS (SELECT 1 FROM organization_members m WHERE m.user_id = u.id AND m.joined_at IS NOT NULL)`,
  ],
  [
    'family with other than one live pair or none',
    `SELECT session_family_id FROM credentials WHERE revoked_at IS NULL GROUP BY session_family_id
     HAVING count(*) <> 2 OR count(DISTINCT pair_id) <> 1`,
  ],
  [
    'live session in an organization that the person has not joined',
    `SELECT c.id FROM credentials c WHERE c.revoked_at IS NULL AND NOT EXISTS (SELECT 1 FROM organization_members m
       WHERE m.id = c.membership_id AND m.user_id = c.user_id AND m.organization_id = c.organization_id
         AND m.joined_at IS NOT NULL)`,
  ],
  [
    'live session of an older revision',
    `SELECT c.id FROM credentials c JOIN users u ON u.id = c.user_id
     WHERE c.revoked_at IS NULL AND c.credentials_revision <> u.credentials_revision`,
  ],
  [
    'live session that was replaced',
    `SELECT c.id FROM credentials c JOIN credentials s ON s.succeeds_family_id = c.session_family_id
     WHERE c.revoked_at IS NULL`,
  ],
  [
    'person in an organization twice',
    'SELECT user_id FROM organization_members GROUP BY user_id, organization_id HAVING count(*) > 1',
  ],
];

const oneOf = <Item>(items: readonly Item[]): Item => {
  const [item] = items.slice(Math.floor(Math.random() * items.length));
  if (item === undefined) throw new Error('There is nothing to choose from');
  return item;
};

describe(`${clientCount} clients with ${stepsEach} steps each in two organizations, ${setting}`, () => {
  let organizations: readonly string[];
  let people: readonly Person[];
  let seen: readonly string[];
  const outsiders = range(4).map(() => newAddress());
  let events = 0;

  const cluster = fixture(() => startCluster({ STRIPE_WEBHOOK_SECRET: webhookSecret }));
  beforeAll(async () => {
    const founders = [await newOwner(cluster), await newOwner(cluster)];
    organizations = founders.map(({ organizationId }) => organizationId);
    people = await Promise.all(range(peopleCount).map(seedPersonAt));
    // So that the last owner is always one of the people.
    for (const founder of founders) {
      await runAs({ url: urlOf(cluster, 0) }, founder, operations.removeMember, { id: founder.memberId });
    }
    seen = await everyone(choices, stepsEach);
    // The walk is random: a kind of operation that succeeded nowhere is tried until it does.
    for (let round = 0; round < 50 && missing().length > 0; round += 1) {
      seen = [...seen, ...(await everyone([...missing(), ...missing(), ...choices], 8))];
    }
  });

  const everyone = async (names: readonly string[], count: number): Promise<readonly string[]> =>
    (await Promise.all(range(clientCount).map((client) => goThrough(client, names, count)))).flat();

  /** Kinds of operation that never succeeded. */
  const missing = (): readonly string[] => Object.keys(steps).filter((name) => !seen.includes(`${name}: OK`));

  /** Of three people one begins as an owner of both organizations, one as a member, and one outside. */
  const seedPersonAt = async (index: number): Promise<Person> => {
    const { email, userId, organizationId: home } = await newOwner(cluster);
    await cluster.sql('UPDATE users SET password_hash = $2 WHERE id = $1', [userId, passwordHash]);
    // Their own organization offers no operations.
    await cluster.sql(`UPDATE subscriptions SET status = 'CANCELED' WHERE organization_id = $1`, [home]);
    const [role] = ([['OWNER'], ['MEMBER'], []] as const)[index % 3] ?? [];
    if (role !== undefined) {
      for (const id of organizations) await setActive(cluster, userId, await addTo(cluster, userId, id, role));
    }
    return { email, userId, home, tokens: await seedSession(cluster.database, userId) };
  };

  const anywhere = (): { readonly url: string } => ({ url: oneOf(cluster.urls) });

  /** Some row of the organization in which the person is active; an unknown id when there is none. */
  const someRow = async ({ userId }: Person, condition: string): Promise<string> =>
    (await cluster.sql.value<string>(
      `SELECT m.id FROM organization_members m JOIN organization_members own ON own.organization_id = m.organization_id
       JOIN users u ON u.current_membership = own.id WHERE u.id = $1 AND ${condition} ORDER BY random() LIMIT 1`,
      [userId],
    )) ?? randomUUID();

  const run = (person: Person, query: string, variables: Variables = {}): Promise<Answer> =>
    runAs(anywhere(), person, query, variables);

  /** Runs an operation that returns a pair, and continues with it. */
  const takePair = async (person: Person, work: Promise<Answer>): Promise<Answer> => {
    const answer = await work;
    if (outcomeOf(answer) === 'OK') person.tokens = tokensOf(answer);
    return answer;
  };

  /** The link of an invitation to one of the two organizations, as if the last mail had been read. */
  const readLink = async ({ userId }: Person): Promise<string> => {
    const token = randomUUID();
    await cluster.sql(
      `INSERT INTO organization_members AS m (id, user_id, organization_id, role, invitation_token_hash,
         invitation_expires_at) VALUES ($1, $2, $3, $4, $5, now() + interval '7 days')
       ON CONFLICT (user_id, organization_id) DO UPDATE SET invitation_token_hash = excluded.invitation_token_hash
       WHERE m.joined_at IS NULL`,
      [randomUUID(), userId, oneOf(organizations), oneOf(moreOwners), sha256(token)],
    );
    return token;
  };

  /** A user who joined without an invitation, where they were not a member, switches there. */
  const joinDirectly = async (person: Person): Promise<Answer> => {
    const id = oneOf(organizations);
    await cluster.sql(
      `INSERT INTO organization_members (id, user_id, organization_id, role, joined_at) VALUES ($1, $2, $3, $4, now())
       ON CONFLICT DO NOTHING`,
      [randomUUID(), person.userId, id, oneOf(moreOwners)],
    );
    return takePair(person, run(person, operations.switchOrganization, { id }));
  };

  /** A payment fails, then succeeds. */
  const callbackOfProvider = async (): Promise<string> => {
    const organizationId = oneOf(organizations);
    const facts = { id: `sub_of_${organizationId}`, customer: `cus_of_${organizationId}`, organizationId };
    const answers: number[] = [];
    for (const status of ['past_due', 'active']) {
      events += 1;
      answers.push(await deliver(anywhere(), subscriptionEvent({ ...facts, status, created: someTime + events })));
    }
    return answers.every((status) => status === 200) ? 'OK' : `status ${answers.join(' and ')}`;
  };

  const steps: Readonly<Record<string, (person: Person) => Promise<Answer | string>>> = {
    invite: (person) =>
      invite(anywhere(), person.tokens, oneOf([...outsiders, ...people.map(({ email }) => email)]), oneOf(roles)),
    reset: async (person) =>
      run(person, operations.resetInvitation, { memberId: await someRow(person, 'm.joined_at IS NULL') }),
    cancel: async (person) =>
      run(person, operations.cancelInvitation, { memberId: await someRow(person, 'm.joined_at IS NULL') }),
    accept: async (person) => accept(anywhere(), person.tokens, await readLink(person)),
    'change a role': async (person) =>
      run(person, operations.changeMemberRole, { id: await someRow(person, 'true'), role: oneOf(roles) }),
    remove: async (person) => run(person, operations.removeMember, { id: await someRow(person, 'true') }),
    leave: async (person) => run(person, operations.removeMember, { id: await someRow(person, 'm.user_id = u.id') }),
    rename: (person) => run(person, operations.renameOrganization, { name: `Name ${Math.random()}` }),
    members: (person) => run(person, operations.members),
    switch: (person) =>
      takePair(person, run(person, operations.switchOrganization, { id: oneOf([...organizations, person.home]) })),
    'sign in': (person) =>
      takePair(
        person,
        post(anywhere().url, operations.signIn, { input: { email: person.email, password: goodPassword } }),
      ),
    refresh: (person) => takePair(person, post(anywhere().url, operations.refresh, { ...person.tokens })),
    'sign out everywhere': (person) => run(person, operations.signOutEverywhere),
    join: joinDirectly,
    'payment event': callbackOfProvider,
  };

  /** Operations that add or promote people, more often than those that remove them. */
  const choices = [
    ...Object.keys(steps),
    ...range(3).flatMap(() => ['invite', 'accept', 'join', 'change a role', 'reset', 'cancel']),
  ];

  const goThrough = async (client: number, names: readonly string[], count: number): Promise<string[]> => {
    const person = oneOf(people.slice(client % peopleCount));
    const lived: string[] = [];
    for (const _step of range(count)) {
      const name = oneOf(names);
      const answer = await steps[name]?.(person);
      const outcome = typeof answer === 'object' ? outcomeOf(answer) : `${answer}`;
      lived.push(`${name}: ${outcome}`);
      if (isOver.includes(outcome)) person.tokens = await seedSession(cluster.database, person.userId);
    }
    return lived;
  };

  // Contract: credentials#concurrent-changes — No deadlock between two operations on tenants
  it('receive only valid answers, and each kind of operation succeeds', async () => {
    const counts = tally(seen);
    const unlawful = Object.keys(counts).filter((what) => !lawful.includes(what.split(': ')[1] ?? ''));
    expect(unlawful).toEqual([]);
    expect(missing()).toEqual([]);
    expect(seen.length).toBeGreaterThanOrEqual(clientCount * stepsEach);
    expect(cluster.defects()).toEqual([]);
    // The embedded engine has one session, and counts none.
    expect(await cluster.sql.value('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()')).toBe(
      0,
    );
  });

  // Contract: credentials#concurrent-changes — Invariants of tenants, invitations and sessions hold after a concurrent
  //   load of all operations
  it.each(invariants)('leave behind no %s', async (_what, query) => {
    expect(await cluster.sql(query)).toEqual([]);
  });

  it('can all continue afterwards', async () => {
    const answers = people.map(async ({ userId }) => {
      const tokens = await seedSession(cluster.database, userId);
      const uses = await Promise.all(cluster.urls.map((url) => runAs({ url }, { tokens }, operations.me)));
      return uses.map(outcomeOf);
    });
    expect(tally((await Promise.all(answers)).flat())).toEqual({ OK: peopleCount * cluster.urls.length });
  });
});
