/** Two organizations with people, to try things on in development. Every demo person has the same, printed password. */
import { newId, newPersonId } from '../../kernel/ids.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { PasswordHasher } from '../../platform/password-hasher.ts';
import { insertActiveSubscription } from '../billing/subscriptions-store.ts';
import { insertMember, insertOrganization } from '../organizations/organizations-store.ts';
import type { Role } from '../scopes/scopes.ts';
import { findAccountByEmail, insertUser, setCurrentMembership } from '../users/users-store.ts';

export const demoPassword = 'Demo.gate1';

interface DemoPerson {
  readonly email: string;
  readonly name: string;
  readonly organization: string;
  readonly role: Role;
}

export const demoPeople: readonly DemoPerson[] = [
  { email: 'ada@acme.example', name: 'Ada Marlow', organization: 'Acme Instruments', role: 'OWNER' },
  { email: 'grace@acme.example', name: 'Grace Okafor', organization: 'Acme Instruments', role: 'ADMIN' },
  { email: 'alan@acme.example', name: 'Alan Reyes', organization: 'Acme Instruments', role: 'MEMBER' },
  { email: 'mary@harbor.example', name: 'Mary Lindqvist', organization: 'Harbor Press', role: 'OWNER' },
];

export interface DemoDataDeps {
  readonly database: Database;
  readonly passwords: PasswordHasher;
}

/** Inserts the demo data unless it is there; whole or not at all. Addresses that somebody has stay theirs. */
export const seedDemoData = async ({ database, passwords }: DemoDataDeps): Promise<void> => {
  const [first] = demoPeople;
  if (first === undefined || (await database.maybeOne(findAccountByEmail, [first.email])) !== null) return;
  const hash = await passwords.hash(demoPassword);
  await database.transaction(async (transaction) => {
    // People first: the unique addresses decide which of several processes that start together inserts anything.
    const people = await insertPeople(transaction, hash);
    const organizations = await insertOrganizations(transaction, people);
    for (const person of people) await join(transaction, person, organizations.get(person.organization) ?? '');
  });
};

interface InsertedPerson extends DemoPerson {
  readonly id: string;
}

const insertPeople = async (transaction: Transaction, passwordHash: string): Promise<InsertedPerson[]> => {
  const inserted: InsertedPerson[] = [];
  for (const person of demoPeople) {
    const { email, name } = person;
    const user = await transaction.maybeOne(insertUser, [newPersonId(), email, name, passwordHash, null, null]);
    if (user !== null) inserted.push({ ...person, id: user.id });
  }
  return inserted;
};

const insertOrganizations = async (
  transaction: Transaction,
  people: readonly InsertedPerson[],
): Promise<ReadonlyMap<string, string>> => {
  const ids = new Map(people.map(({ organization }) => [organization, newId()]));
  for (const [name, id] of ids) {
    await transaction.execute(insertOrganization, [id, name]);
    await transaction.execute(insertActiveSubscription, [id, 'free']);
  }
  return ids;
};

const join = async (transaction: Transaction, { id, role }: InsertedPerson, organizationId: string): Promise<void> => {
  const membershipId = newId();
  await transaction.execute(insertMember, [membershipId, id, organizationId, role]);
  await transaction.execute(setCurrentMembership, [id, membershipId]);
};
