/** Two organizations with people, to try things on in development. Every demo person has the same, printed password. */
import { newId } from '../../kernel/ids.ts';
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

/** Inserts the demo data unless it is there; whole or not at all. */
export const seedDemoData = async ({ database, passwords }: DemoDataDeps): Promise<void> => {
  const [first] = demoPeople;
  if (first === undefined || (await database.maybeOne(findAccountByEmail, [first.email])) !== null) return;
  const hash = await passwords.hash(demoPassword);
  await database.transaction(async (transaction) => {
    const organizations = await insertOrganizations(transaction);
    for (const person of demoPeople) {
      await insertPerson(transaction, person, hash, organizations.get(person.organization) ?? '');
    }
  });
};

const insertOrganizations = async (transaction: Transaction): Promise<ReadonlyMap<string, string>> => {
  const ids = new Map(demoPeople.map(({ organization }) => [organization, newId()]));
  for (const [name, id] of ids) {
    await transaction.execute(insertOrganization, [id, name]);
    await transaction.execute(insertActiveSubscription, [id, 'free']);
  }
  return ids;
};

const insertPerson = async (
  transaction: Transaction,
  { email, name, role }: DemoPerson,
  passwordHash: string,
  organizationId: string,
): Promise<void> => {
  const membershipId = newId();
  const user = await transaction.maybeOne(insertUser, [newId(), email, name, passwordHash, null, null]);
  if (user === null) return;
  await transaction.execute(insertMember, [membershipId, user.id, organizationId, role]);
  await transaction.execute(setCurrentMembership, [user.id, membershipId]);
};
