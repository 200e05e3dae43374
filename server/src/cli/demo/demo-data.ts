/**
 * Demo data for development: two organizations with people and invitations, one of them under the application's largest
 * plan, and a person with its first role of its own. All share one printed password; the links of the open invitations
 * are in the development mailbox.
 */
import type { Deps, MailDeps } from '../../domain/access/deps.ts';
import { insertActiveSubscription } from '../../domain/billing/billing-store.ts';
import { openInvitation } from '../../domain/invitations/invitations-store.ts';
import { findOrInsertPerson, newInvitationToken, sendInvitation } from '../../domain/invitations/invite-member.ts';
import { insertMember, insertOrganization } from '../../domain/organizations/organizations-store.ts';
import type { Application } from '../../domain/scopes/application.ts';
import { builtInRoles, type Role } from '../../domain/scopes/scopes.ts';
import { demoAccountPassword } from '../../domain/users/common-passwords.ts';
import { findAccountByEmail, insertUser, setCurrentMembership } from '../../domain/users/users-store.ts';
import { newId, newPersonId } from '../../kernel/ids.ts';
import { sha256 } from '../../kernel/secrets.ts';
import { statement, type Transaction } from '../../platform/database/database.ts';

export const demoPassword = demoAccountPassword;

interface DemoPerson {
  readonly email: string;
  readonly name: string;
  /** The first membership is active. */
  readonly memberships: readonly (readonly [organization: string, role: Role])[];
}

const ownRoleOf = ({ roles }: Application): Role =>
  roles.find(({ name }) => !Object.hasOwn(builtInRoles, name))?.name ?? 'MEMBER';

const acme = 'Acme Instruments';
const harbor = 'Harbor Press';

export const demoPeopleOf = (application: Application): readonly DemoPerson[] => [
  { email: 'ada@acme.example', name: 'Ada Marlow', memberships: [[acme, 'OWNER']] },
  {
    email: 'grace@acme.example',
    name: 'Grace Okafor',
    memberships: [
      [acme, 'ADMIN'],
      [harbor, 'MEMBER'],
    ],
  },
  { email: 'alan@acme.example', name: 'Alan Reyes', memberships: [[acme, ownRoleOf(application)]] },
  { email: 'mary@harbor.example', name: 'Mary Lindqvist', memberships: [[harbor, 'OWNER']] },
];

interface DemoInvitation {
  readonly email: string;
  readonly organization: string;
  readonly role: Role;
  readonly inviterName: string;
  readonly isExpired: boolean;
}

export const demoInvitations: readonly DemoInvitation[] = [
  { email: 'noor@acme.example', organization: acme, role: 'MEMBER', inviterName: 'Ada Marlow', isExpired: false },
  { email: 'ivan@acme.example', organization: acme, role: 'ADMIN', inviterName: 'Ada Marlow', isExpired: true },
  { email: 'alan@acme.example', organization: harbor, role: 'ADMIN', inviterName: 'Mary Lindqvist', isExpired: false },
];

type DemoDataDeps = MailDeps & Deps<'application' | 'database' | 'passwords'>;

/** Inserts the demo data, unless it is present; whether it did. Existing accounts keep their addresses. */
export const seedDemoData = async (deps: DemoDataDeps): Promise<boolean> => {
  const { application, database, passwords } = deps;
  const demoPeople = demoPeopleOf(application);
  const [first] = demoPeople;
  if (first === undefined || (await database.maybeOne(findAccountByEmail, [first.email])) !== null) return false;
  const hash = await passwords.hash(demoPassword);
  return database.transaction(async (transaction) => {
    // People first: the unique addresses decide which of several starting processes inserts the data.
    const people = await insertPeople(transaction, demoPeople, hash);
    if (people.length === 0) return false;
    const organizations = await insertOrganizations(transaction, application);
    for (const person of people) await join(transaction, person, organizations);
    for (const invitation of demoInvitations) await invite(deps, transaction, invitation, organizations);
    return true;
  });
};

interface InsertedPerson extends DemoPerson {
  readonly id: string;
}

const insertPeople = async (
  transaction: Transaction,
  people: readonly DemoPerson[],
  passwordHash: string,
): Promise<InsertedPerson[]> => {
  const inserted: InsertedPerson[] = [];
  for (const person of people) {
    const { email, name } = person;
    const user = await transaction.maybeOne(insertUser, [
      newPersonId(),
      email,
      name,
      passwordHash,
      null,
      null,
      null,
      null,
    ]);
    if (user !== null) inserted.push({ ...person, id: user.id });
  }
  return inserted;
};

/** Organization ids by name. */
type Organizations = ReadonlyMap<string, string>;

const insertOrganizations = async (transaction: Transaction, { products }: Application): Promise<Organizations> => {
  const ids = new Map([acme, harbor].map((name) => [name, newId()]));
  for (const [name, id] of ids) {
    await transaction.execute(insertOrganization, [id, name]);
    const product = name === acme ? products.at(-1) : products.at(0);
    if (product !== undefined) await transaction.execute(insertActiveSubscription, [id, product.name]);
  }
  return ids;
};

const join = async (transaction: Transaction, person: InsertedPerson, organizations: Organizations): Promise<void> => {
  for (const [index, [organization, role]] of person.memberships.entries()) {
    const membershipId = newId();
    const organizationId = organizations.get(organization) ?? '';
    await transaction.execute(insertMember, [membershipId, person.id, organizationId, role]);
    if (index === 0) await transaction.execute(setCurrentMembership, [person.id, membershipId]);
  }
};

const invite = async (
  deps: DemoDataDeps,
  transaction: Transaction,
  { email, organization, role, inviterName, isExpired }: DemoInvitation,
  organizations: Organizations,
): Promise<void> => {
  const userId = await findOrInsertPerson(transaction, email);
  const token = newInvitationToken();
  const invitation = [newId(), userId, organizations.get(organization) ?? '', role, sha256(token), []] as const;
  const opened = await transaction.maybeOne(openInvitation, [...invitation]);
  if (opened === null) return;
  if (isExpired) await transaction.execute(expireInvitation, [opened.id]);
  else {
    const inviter = { email, name: inviterName };
    await sendInvitation(deps, transaction, { email, organizationName: organization, role, inviter }, token);
  }
};

// SQL used only by the demo data.

const expireInvitation = statement<unknown, [memberId: string]>(
  'demo.expire_invitation',
  `UPDATE organization_members SET invitation_expires_at = now() - interval '1 day' WHERE id = $1`,
);
