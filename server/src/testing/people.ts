/** People of a world: created and signed in by the service's operations, all with one password, hashed once. */
import { foundOrganization } from '../domain/accounts/create-account.ts';
import {
  authenticatedNow,
  type CredentialLifetimes,
  issueCredentialPair,
  type TokenPair,
} from '../domain/credentials/issue-pair.ts';
import { insertMember, lockOrganization } from '../domain/organizations/organizations-store.ts';
import { requireSeats } from '../domain/organizations/seats.ts';
import type { Application } from '../domain/scopes/application.ts';
import { emailReason, nameReason, normalizeEmail, normalizeName } from '../domain/users/text-rules.ts';
import { insertUser, setCurrentMembership } from '../domain/users/users-store.ts';
import { isId, newId, newPersonId } from '../kernel/ids.ts';
import { type Database, statement, type Transaction } from '../platform/database/database.ts';
import { runAndRollBack } from '../platform/database/transaction.ts';
import type { CreatedPerson, PersonWish } from '../testing-support.d.ts';

interface PeopleDeps {
  readonly database: Database;
  readonly application: Application;
  readonly defaultProduct: string | null;
  readonly lifetimes: CredentialLifetimes;
  readonly password: string;
  readonly passwordHash: string;
}

/** The tokens of a session, with its family. */
export type SessionPair = TokenPair & { readonly sessionFamilyId: string };

const caller = { ip: '127.0.0.1', userAgent: '@gatehouse/testing' };

export class People {
  readonly #deps: PeopleDeps;
  #count = 0;

  constructor(deps: PeopleDeps) {
    this.#deps = deps;
  }

  /**
   * Creates a person with one membership, which is active, a verified address, and a session.
   * @throws Error no such role, product or organization, an address that is taken or none, or no seat left
   */
  async create(wish: PersonWish = {}): Promise<Omit<CreatedPerson, 'session'> & { readonly pair: SessionPair }> {
    const { application, database, password } = this.#deps;
    if (wish.role !== undefined) requireRole(application, wish.role);
    if (wish.product !== undefined) requireProduct(application, wish.product);
    this.#count += 1;
    const name = normalizeName(wish.name ?? `Person ${this.#count}`);
    const email = normalizeEmail(wish.email ?? `person-${this.#count}@people.example`);
    const reason = emailReason(email) ?? nameReason(name);
    if (reason !== null) throw new Error(reason);
    return database.transaction(async (transaction) => ({
      email,
      password,
      ...(await this.#createIn(transaction, { email, name }, wish)),
    }));
  }

  /** Creates a person and rolls it back: the first statements of a database take much longer than later ones. */
  async warmUp(): Promise<void> {
    const email = 'warm-up@people.example';
    await runAndRollBack(this.#deps.database, (transaction) =>
      this.#createIn(transaction, { email, name: 'Warm-up' }, {}),
    );
  }

  async #createIn(
    transaction: Transaction,
    { email, name }: { readonly email: string; readonly name: string },
    wish: PersonWish,
  ) {
    const id = await this.#insert(transaction, email, name);
    const known = await findOrganization(transaction, wish.organization);
    const organizationId =
      known === null
        ? await this.#found(transaction, { id, name }, wish)
        : await this.#join(transaction, id, known, wish);
    return { id, organizationId, pair: await this.#issue(transaction, id) };
  }

  /** Signs a person in, as by password. */
  beginSession(userId: string): Promise<SessionPair> {
    return this.#deps.database.transaction((transaction) => this.#issue(transaction, userId));
  }

  async #issue(transaction: Transaction, userId: string): Promise<SessionPair> {
    const request = {
      userId,
      audience: 'portal',
      authMethod: 'password',
      caller,
      succeeds: null,
      grant: null,
      authentication: authenticatedNow,
    };
    const pair = await issueCredentialPair(transaction, this.#deps.lifetimes, request);
    if (pair === null) throw new Error('This person does not exist any more.');
    return pair;
  }

  async #insert(transaction: Transaction, email: string, name: string): Promise<string> {
    const { passwordHash } = this.#deps;
    const row = await transaction.maybeOne(insertUser, [
      newPersonId(),
      email,
      name,
      passwordHash,
      null,
      null,
      null,
      null,
    ]);
    if (row === null) throw new Error(`The address ${email} has an account already.`);
    return row.id;
  }

  /** Creates an organization: the person's own, or with another owner where the person has another role. */
  async #found(
    transaction: Transaction,
    person: { readonly id: string; readonly name: string },
    wish: PersonWish,
  ): Promise<string> {
    const name = wish.organization ?? `${person.name}'s organization`;
    const product = wish.product ?? this.#deps.defaultProduct;
    if ((wish.role ?? 'OWNER') === 'OWNER') {
      const { organizationId, membershipId } = await foundOrganization(
        transaction,
        { ownerId: person.id, name },
        product,
      );
      await transaction.execute(setCurrentMembership, [person.id, membershipId]);
      return organizationId;
    }
    const ownerId = await this.#insert(transaction, `owner-of-${person.id}@people.example`, 'Owner');
    const { organizationId, membershipId } = await foundOrganization(transaction, { ownerId, name }, product);
    await transaction.execute(setCurrentMembership, [ownerId, membershipId]);
    return this.#join(transaction, person.id, organizationId, { role: wish.role });
  }

  async #join(
    transaction: Transaction,
    userId: string,
    organizationId: string,
    { role = 'MEMBER', product }: { readonly role?: string | undefined; readonly product?: string | undefined },
  ): Promise<string> {
    const membershipId = newId();
    if (product !== undefined) await transaction.execute(setProduct, [product, organizationId]);
    await transaction.execute(insertMember, [membershipId, userId, organizationId, role]);
    await transaction.execute(setCurrentMembership, [userId, membershipId]);
    await requireSeats(transaction, this.#deps.application, organizationId, 'members');
    return organizationId;
  }
}

/**
 * Gives an organization an active subscription, without a payment.
 * @param organizationId null: every organization
 * @throws Error no such product or organization
 */
export const subscribe = async (
  { database, application }: Pick<PeopleDeps, 'database' | 'application'>,
  product: string,
  organizationId: string | null,
): Promise<void> => {
  requireProduct(application, product);
  if (organizationId !== null && !isId(organizationId)) throw noOrganization(organizationId);
  const changed = await database.execute(setProduct, [product, organizationId]);
  if (changed === 0 && organizationId !== null) throw noOrganization(organizationId);
};

const requireRole = (application: Application, role: string): void => {
  if (application.hasRole(role)) return;
  throw new Error(`The application has no role ${role}; it has ${namesOf(application.roles)}.`);
};

const requireProduct = (application: Application, product: string): void => {
  if (application.findProduct(product) !== null) return;
  throw new Error(`The application has no product ${product}; it has ${namesOf(application.products)}.`);
};

const namesOf = (named: readonly { readonly name: string }[]): string =>
  named.map(({ name }) => name).join(', ') || 'none';

const noOrganization = (id: string): Error => new Error(`There is no organization ${id}.`);

/** The organization of an id or a name; null when a new one is wanted. It is locked, as for every change of members. */
const findOrganization = async (transaction: Transaction, wanted: string | undefined): Promise<string | null> => {
  if (wanted === undefined) return null;
  if (!isId(wanted)) {
    await transaction.maybeOne(lockName, [wanted]);
    const named = await transaction.maybeOne(findByName, [wanted]);
    return named?.id ?? null;
  }
  const found = await transaction.maybeOne(lockOrganization, [wanted]);
  if (found === null) throw noOrganization(wanted);
  return found.id;
};

/** The second of two people who name a new organization at the same moment finds it. */
const lockName = statement<unknown, [name: string]>(
  'world.lock_name',
  `SELECT pg_advisory_xact_lock(hashtextextended('organization ' || $1::text, 0)) IS NOT NULL`,
);

const findByName = statement<{ readonly id: string }, [name: string]>(
  'world.find_organization',
  'SELECT id FROM organizations WHERE name = $1 ORDER BY created_at, id LIMIT 1 FOR NO KEY UPDATE',
);

const setProduct = statement<unknown, [product: string, organizationId: string | null]>(
  'world.set_product',
  `INSERT INTO subscriptions (organization_id, status, product)
   SELECT id, 'ACTIVE', $1 FROM organizations WHERE $2::uuid IS NULL OR id = $2::uuid
   ON CONFLICT (organization_id) DO UPDATE SET status = 'ACTIVE', product = excluded.product,
     current_period_ends_at = NULL`,
);
