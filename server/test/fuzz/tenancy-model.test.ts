/** Sequences of operations on one organization against a model of its members, invitations and permissions. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { memberIdOf, newestInvitationToken } from '../support/actors/invitations.ts';
import { seedSession } from '../support/actors/seeding.ts';
import { newOwner, type RoleName, runAs, type Tenant } from '../support/actors/tenants.ts';
import { type Answer, operations } from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { expectCleanLog, tries } from '../support/random/fuzz.ts';
import { step } from '../support/random/model.ts';

const service = serviceFixture();

/** A user's membership of the organization; without an entry they have none. */
interface Place {
  readonly memberId: string;
  role: RoleName;
  /** Null: they joined. Otherwise the token of their open invitation, as in the mail. */
  invitation: string | null;
}

interface Model {
  /** By the person's number. */
  readonly places: Map<number, Place>;
}

interface Real {
  readonly people: readonly Tenant[];
  readonly organizationId: string;
}

const roles = ['OWNER', 'ADMIN', 'MEMBER'] as const;

const personOf = ({ people }: Real, number: number): Tenant => {
  const person = people[number];
  if (person === undefined) throw new Error(`There is no person ${number}`);
  return person;
};

/** Runs as a person whose organization is active, if possible. */
const runIn = async (real: Real, number: number, query: string, variables: object): Promise<Answer> => {
  const { userId } = personOf(real, number);
  await service.sql(
    `UPDATE users SET current_membership = (SELECT id FROM organization_members
       WHERE user_id = $1 AND organization_id = $2 AND joined_at IS NOT NULL) WHERE id = $1`,
    [userId, real.organizationId],
  );
  const tokens = await seedSession(service.database, userId);
  return runAs(service, { tokens }, query, { ...variables });
};

const roleOf = ({ places }: Model, number: number): RoleName | null => {
  const place = places.get(number);
  return place === undefined || place.invitation !== null ? null : place.role;
};

const isInvited = ({ places }: Model, number: number): boolean => typeof places.get(number)?.invitation === 'string';
const hasJoined = ({ places }: Model, number: number): boolean => places.get(number)?.invitation === null;

const isLastOwner = ({ places }: Model, number: number): boolean => {
  const owners = [...places].filter(([, place]) => place.role === 'OWNER' && place.invitation === null);
  return owners.length === 1 && owners[0]?.[0] === number;
};

/** An ADMIN changes, invites and removes ADMIN and MEMBER only (contract/organizations.md#change-of-a-role). */
const mayGovern = (actor: RoleName | null, ...touched: readonly RoleName[]): boolean =>
  actor === 'OWNER' || (actor === 'ADMIN' && !touched.includes('OWNER'));

/** The answer to a user who is not a member, or whose role does not suffice. */
const refusalFor = (actor: RoleName | null): string => (actor === null ? 'MEMBERSHIP_REQUIRED' : 'FORBIDDEN');

type Step = fc.AsyncCommand<Model, Real>;

const invite = (by: number, whom: number, role: RoleName): Step =>
  step(
    `${by} invites ${whom} as ${role}`,
    ({ places }) => !places.has(whom),
    async (model, real) => {
      const actor = roleOf(model, by);
      const { email } = personOf(real, whom);
      const answer = await runIn(real, by, operations.inviteMember, { input: { email, role } });
      if (!mayGovern(actor, role)) {
        expect(answer.code, answer.text).toBe(refusalFor(actor));
        return;
      }
      expect(answer.code, answer.text).toBeNull();
      const memberId = memberIdOf(answer);
      model.places.set(whom, { memberId, role, invitation: await newestInvitationToken(service, email) });
    },
  );

const accept = (whom: number, whose: number): Step =>
  step(
    `${whom} accepts the invitation of ${whose}`,
    (model) => isInvited(model, whose),
    async ({ places }, real) => {
      const place = places.get(whose);
      const answer = await runIn(real, whom, operations.acceptInvitation, { token: place?.invitation ?? '' });
      expect(answer.code, answer.text).toBe(whom === whose ? null : 'ACCOUNT_MISMATCH');
      if (place !== undefined && answer.code === null) place.invitation = null;
    },
  );

const change = (by: number, whom: number, role: RoleName): Step =>
  step(
    `${by} makes ${whom} ${role}`,
    (model) => hasJoined(model, whom),
    async (model, real) => {
      const place = model.places.get(whom);
      if (place === undefined) return;
      const actor = roleOf(model, by);
      const answer = await runIn(real, by, operations.changeMemberRole, { id: place.memberId, role });
      const isRefused = !mayGovern(actor, place.role, role);
      const wouldOrphan = role !== 'OWNER' && isLastOwner(model, whom);
      expect(answer.code, answer.text).toBe(isRefused ? refusalFor(actor) : wouldOrphan ? 'LAST_OWNER' : null);
      if (answer.code === null) place.role = role;
    },
  );

const end =
  (query: string, by: number, whom: number) =>
  async (model: Model, real: Real): Promise<void> => {
    const place = model.places.get(whom);
    if (place === undefined) return;
    const actor = roleOf(model, by);
    const answer = await runIn(real, by, query, { id: place.memberId, memberId: place.memberId });
    expect(answer.code, answer.text).toBe(mayGovern(actor, place.role) ? null : refusalFor(actor));
    if (answer.code === null) model.places.delete(whom);
  };

const remove = (by: number, whom: number): Step =>
  step(
    `${by} removes ${whom}`,
    (model) => by !== whom && hasJoined(model, whom),
    end(operations.removeMember, by, whom),
  );

const cancel = (by: number, whom: number): Step =>
  step(
    `${by} cancels the invitation of ${whom}`,
    (model) => isInvited(model, whom),
    end(operations.cancelInvitation, by, whom),
  );

/** The members in the database equal the model, and the organization has an owner. */
const compare: Step = step(
  'compare with the database',
  () => true,
  async ({ places }, { people, organizationId }) => {
    const rows = await service.sql<{ userId: string; role: string; hasJoined: boolean }>(
      `SELECT user_id AS "userId", role, joined_at IS NOT NULL AS "hasJoined" FROM organization_members
       WHERE organization_id = $1 AND (joined_at IS NOT NULL OR invitation_token_hash IS NOT NULL)`,
      [organizationId],
    );
    const expected = [...places].map(([number, { role, invitation }]) => ({
      userId: people[number]?.userId,
      role,
      hasJoined: invitation === null,
    }));
    const byPerson = (left: { userId?: string | undefined }, right: { userId?: string | undefined }): number =>
      String(left.userId).localeCompare(String(right.userId));
    expect([...rows].sort(byPerson)).toEqual(expected.sort(byPerson));
    expect(rows.some(({ role, hasJoined }) => role === 'OWNER' && hasJoined)).toBe(true);
  },
);

/** Few, or most attempts are refused because there is no member yet. */
const count = 4;
const person = fc.nat(count - 1);
/** Mostly the founder and the first members, who have roles to use. */
const actor = fc.constantFrom(0, 0, 0, 1, 1, 1, 2, 3);
const role = fc.constantFrom(...roles);

const steps = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(actor, person, role).map(([by, whom, as]) => invite(by, whom, as)) },
  { weight: 8, arbitrary: person.map((whom) => accept(whom, whom)) },
  { weight: 1, arbitrary: fc.tuple(person, person).map(([whom, whose]) => accept(whom, whose)) },
  { weight: 4, arbitrary: fc.tuple(actor, person, role).map(([by, whom, as]) => change(by, whom, as)) },
  { weight: 1, arbitrary: fc.tuple(actor, person).map(([by, whom]) => remove(by, whom)) },
  { weight: 1, arbitrary: fc.tuple(actor, person).map(([by, whom]) => cancel(by, whom)) },
  { weight: 2, arbitrary: fc.constant(compare) },
);

// Contract: requests#any-order-of-requests — Sequences of operations on an organization against a model
it('An organization equals the model, for any actors and actions in any order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands([steps], { maxCommands: 80, size: 'max' }), async (commands) => {
      const people: Tenant[] = [];
      for (let number = 0; number < count; number += 1) people.push(await newOwner(service));
      const [founder] = people;
      if (founder === undefined) return;
      const { organizationId, memberId } = founder;
      const places = new Map<number, Place>([[0, { memberId, role: 'OWNER', invitation: null }]]);
      await fc.asyncModelRun(() => ({ model: { places }, real: { people, organizationId } }), commands);
    }),
    tries(25),
  );
  expectCleanLog(service.logs, []);
});
