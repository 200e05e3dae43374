/**
 * Sequences of operations on one organization against a model of it: who is in it in which role, who is invited, who may
 * do what. Whatever is asked in whatever order, the answer and the rows are the model's.
 */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedSession } from '../support/actors/seeding.ts';
import { newOwner, type RoleName, type Tenant } from '../support/actors/tenants.ts';
import { type Answer, bearer, operations, post } from '../support/clients/clients.ts';
import { type Service, startService } from '../support/gatehouse/gatehouse.ts';
import { expectCleanLog, timeoutMillis, tries } from '../support/random/fuzz.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** Somebody's place in the organization; no entry: they have none. */
interface Place {
  readonly memberId: string;
  role: RoleName;
  /** Null: they joined. Otherwise the token of their open invitation, as the mail has it. */
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

/** Runs as a person who is at work in the organization, if they can be. */
const runIn = async (real: Real, number: number, query: string, variables: object): Promise<Answer> => {
  const { userId } = personOf(real, number);
  await service.sql(
    `UPDATE users SET current_membership = (SELECT id FROM organization_members
       WHERE user_id = $1 AND organization_id = $2 AND joined_at IS NOT NULL) WHERE id = $1`,
    [userId, real.organizationId],
  );
  const tokens = await seedSession(service.database, userId);
  return post(service.url, query, { ...variables }, bearer(tokens));
};

const roleOf = ({ places }: Model, number: number): RoleName | null => {
  const place = places.get(number);
  return place === undefined || place.invitation !== null ? null : place.role;
};

const isLastOwner = ({ places }: Model, number: number): boolean => {
  const owners = [...places].filter(([, place]) => place.role === 'OWNER' && place.invitation === null);
  return owners.length === 1 && owners[0]?.[0] === number;
};

/** Contract, "Roles and products": an ADMIN changes, invites and removes ADMIN and MEMBER only. */
const mayGovern = (actor: RoleName | null, ...touched: readonly RoleName[]): boolean =>
  actor === 'OWNER' || (actor === 'ADMIN' && !touched.includes('OWNER'));

/** What is answered to somebody who is not in the organization, or whose role does not suffice. */
const refusalFor = (actor: RoleName | null): string => (actor === null ? 'MEMBERSHIP_REQUIRED' : 'FORBIDDEN');

abstract class Command implements fc.AsyncCommand<Model, Real> {
  abstract readonly name: string;
  abstract run(model: Model, real: Real): Promise<void>;

  check(_model: Readonly<Model>): boolean {
    return true;
  }

  toString(): string {
    return this.name;
  }
}

class Invite extends Command {
  readonly name: string;
  readonly #by: number;
  readonly #whom: number;
  readonly #role: RoleName;

  constructor(by: number, whom: number, role: RoleName) {
    super();
    this.#by = by;
    this.#whom = whom;
    this.#role = role;
    this.name = `${by} invites ${whom} as ${role}`;
  }

  override check({ places }: Readonly<Model>): boolean {
    return !places.has(this.#whom);
  }

  async run(model: Model, real: Real): Promise<void> {
    const actor = roleOf(model, this.#by);
    const { email } = personOf(real, this.#whom);
    const answer = await runIn(real, this.#by, operations.inviteMember, { input: { email, role: this.#role } });
    if (!mayGovern(actor, this.#role)) {
      expect(answer.code, answer.text).toBe(refusalFor(actor));
      return;
    }
    expect(answer.code, answer.text).toBeNull();
    const memberId = /"id":"([^"]+)"/.exec(answer.text)?.[1] ?? '';
    model.places.set(this.#whom, { memberId, role: this.#role, invitation: await invitationToken(email) });
  }
}

const invitationToken = async (email: string): Promise<string> => {
  const [mail] = await service.mailsTo(email);
  const token = /\/invitation\/([\w-]+)/.exec(mail?.text ?? '')?.[1];
  if (token === undefined) throw new Error(`No invitation to ${email}`);
  return token;
};

class Accept extends Command {
  readonly name: string;
  readonly #whom: number;
  readonly #whose: number;

  constructor(whom: number, whose: number) {
    super();
    this.#whom = whom;
    this.#whose = whose;
    this.name = `${whom} accepts the invitation of ${whose}`;
  }

  override check({ places }: Readonly<Model>): boolean {
    return typeof places.get(this.#whose)?.invitation === 'string';
  }

  async run({ places }: Model, real: Real): Promise<void> {
    const place = places.get(this.#whose);
    const token = place?.invitation ?? '';
    const answer = await runIn(real, this.#whom, operations.acceptInvitation, { token });
    expect(answer.code, answer.text).toBe(this.#whom === this.#whose ? null : 'ACCOUNT_MISMATCH');
    if (place !== undefined && answer.code === null) place.invitation = null;
  }
}

class Change extends Command {
  readonly name: string;
  readonly #by: number;
  readonly #whom: number;
  readonly #role: RoleName;

  constructor(by: number, whom: number, role: RoleName) {
    super();
    this.#by = by;
    this.#whom = whom;
    this.#role = role;
    this.name = `${by} makes ${whom} ${role}`;
  }

  override check({ places }: Readonly<Model>): boolean {
    return places.get(this.#whom)?.invitation === null;
  }

  async run(model: Model, real: Real): Promise<void> {
    const place = model.places.get(this.#whom);
    if (place === undefined) return;
    const actor = roleOf(model, this.#by);
    const variables = { id: place.memberId, role: this.#role };
    const answer = await runIn(real, this.#by, operations.changeMemberRole, variables);
    const isRefused = !mayGovern(actor, place.role, this.#role);
    const wouldOrphan = this.#role !== 'OWNER' && isLastOwner(model, this.#whom);
    expect(answer.code, answer.text).toBe(isRefused ? refusalFor(actor) : wouldOrphan ? 'LAST_OWNER' : null);
    if (answer.code === null) place.role = this.#role;
  }
}

class Remove extends Command {
  readonly name: string;
  readonly #by: number;
  readonly #whom: number;

  constructor(by: number, whom: number) {
    super();
    this.#by = by;
    this.#whom = whom;
    this.name = `${by} removes ${whom}`;
  }

  override check({ places }: Readonly<Model>): boolean {
    return this.#by !== this.#whom && places.get(this.#whom)?.invitation === null;
  }

  async run(model: Model, real: Real): Promise<void> {
    const place = model.places.get(this.#whom);
    if (place === undefined) return;
    const actor = roleOf(model, this.#by);
    const answer = await runIn(real, this.#by, operations.removeMember, { id: place.memberId });
    const isRefused = !mayGovern(actor, place.role);
    expect(answer.code, answer.text).toBe(isRefused ? refusalFor(actor) : null);
    if (answer.code === null) model.places.delete(this.#whom);
  }
}

class Cancel extends Command {
  readonly name: string;
  readonly #by: number;
  readonly #whom: number;

  constructor(by: number, whom: number) {
    super();
    this.#by = by;
    this.#whom = whom;
    this.name = `${by} cancels the invitation of ${whom}`;
  }

  override check({ places }: Readonly<Model>): boolean {
    return typeof places.get(this.#whom)?.invitation === 'string';
  }

  async run(model: Model, real: Real): Promise<void> {
    const place = model.places.get(this.#whom);
    if (place === undefined) return;
    const actor = roleOf(model, this.#by);
    const answer = await runIn(real, this.#by, operations.cancelInvitation, { memberId: place.memberId });
    expect(answer.code, answer.text).toBe(mayGovern(actor, place.role) ? null : refusalFor(actor));
    if (answer.code === null) model.places.delete(this.#whom);
  }
}

/** The members as the database has them are the model's, and somebody owns the organization. */
class Compare extends Command {
  readonly name = 'compare with the database';

  async run({ places }: Model, { people, organizationId }: Real): Promise<void> {
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
  }
}

/** Few, or most of what is tried is refused because nobody is there yet. */
const count = 4;
const person = fc.nat(count - 1);
/** Mostly the founder and the first to come, who have roles to use. */
const actor = fc.constantFrom(0, 0, 0, 1, 1, 1, 2, 3);
const role = fc.constantFrom(...roles);

const step = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(actor, person, role).map(([by, whom, as]) => new Invite(by, whom, as)) },
  { weight: 8, arbitrary: person.map((whom) => new Accept(whom, whom)) },
  { weight: 1, arbitrary: fc.tuple(person, person).map(([whom, whose]) => new Accept(whom, whose)) },
  { weight: 4, arbitrary: fc.tuple(actor, person, role).map(([by, whom, as]) => new Change(by, whom, as)) },
  { weight: 1, arbitrary: fc.tuple(actor, person).map(([by, whom]) => new Remove(by, whom)) },
  { weight: 1, arbitrary: fc.tuple(actor, person).map(([by, whom]) => new Cancel(by, whom)) },
  { weight: 2, arbitrary: fc.constant(new Compare()) },
);

describe('An organization', () => {
  // Specification: Bad input — Sequences of operations on an organization against a model
  it(
    'is what the model says, whoever does what in whatever order',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.commands([step], { maxCommands: 80, size: 'max' }), async (commands) => {
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
    },
    timeoutMillis(600),
  );
});
