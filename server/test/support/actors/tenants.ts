/** People put into organizations through the domain or by SQL: no mail and no password. */
import { platformScopes } from '../../../src/domain/scopes/scopes.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { sha256 } from '../../../src/kernel/secrets.ts';
import { type Answer, bearer, newAddress, operations, post, type Tokens, type Variables } from '../clients/clients.ts';
import type { Service } from '../gatehouse/gatehouse.ts';
import { seedPerson, seedSession } from './seeding.ts';

/** A built-in role, or one that the application defines. */
export type RoleName = string;

/** A person with a session, and their active membership. */
export interface Tenant {
  readonly email: string;
  readonly userId: string;
  readonly organizationId: string;
  readonly memberId: string;
  readonly tokens: Tokens;
}

export const runAs = (
  service: Pick<Service, 'url'>,
  { tokens }: { readonly tokens: Tokens },
  query: string,
  variables: Variables = {},
): Promise<Answer> => post(service.url, query, variables, bearer(tokens));

/** Where people are stored: one service, or a cluster. */
export type Stored = Pick<Service, 'database' | 'sql'>;

export const newOwner = async (service: Stored, email = newAddress()): Promise<Tenant> => {
  const userId = await seedPerson(service.database, email);
  const [row] = await service.sql<{ organizationId: string; memberId: string }>(
    'SELECT organization_id AS "organizationId", id AS "memberId" FROM organization_members WHERE user_id = $1',
    [userId],
  );
  if (row === undefined) throw new Error(`${email} has no organization`);
  return { email, userId, ...row, tokens: await seedSession(service.database, userId) };
};

/** A user with an organization of their own who is a super admin with these scopes. */
export const newSuperAdmin = async (
  service: Stored,
  scopes: readonly string[] = platformScopes,
  email = newAddress(),
): Promise<Tenant> => {
  const person = await newOwner(service, email);
  await service.sql('UPDATE users SET is_super_admin = true, platform_scopes = $2 WHERE id = $1', [
    person.userId,
    scopes,
  ]);
  return person;
};

/**
 * Makes a user also a member of another organization; returns the membership's id. Their active one does not change.
 */
export const addTo = async (
  { sql }: Pick<Service, 'sql'>,
  userId: string,
  organizationId: string,
  role: RoleName = 'MEMBER',
): Promise<string> => {
  const memberId = newId();
  await sql(
    `INSERT INTO organization_members (id, user_id, organization_id, role, joined_at)
     VALUES ($1, $2, $3, $4, clock_timestamp())`,
    [memberId, userId, organizationId, role],
  );
  return memberId;
};

/** An open invitation; returns its id. */
export const inviteTo = async (
  { sql }: Pick<Service, 'sql'>,
  userId: string,
  organizationId: string,
  role: RoleName = 'MEMBER',
): Promise<string> => {
  const memberId = newId();
  await sql(
    `INSERT INTO organization_members (id, user_id, organization_id, role, invitation_token_hash, invitation_expires_at)
     VALUES ($1, $2, $3, $4, $5, now() + interval '7 days')`,
    [memberId, userId, organizationId, role, sha256(memberId)],
  );
  return memberId;
};

export const setActive = async (
  { sql }: Pick<Service, 'sql'>,
  userId: string,
  memberId: string | null,
): Promise<void> => {
  await sql('UPDATE users SET current_membership = $2 WHERE id = $1', [userId, memberId]);
};

/** A user with an organization of their own who is active in this one, with a session that was issued here. */
export const newMember = async (
  service: Stored,
  organizationId: string,
  role: RoleName = 'MEMBER',
  email = newAddress(),
): Promise<Tenant> => {
  const userId = await seedPerson(service.database, email);
  const memberId = await addTo(service, userId, organizationId, role);
  await setActive(service, userId, memberId);
  return { email, userId, organizationId, memberId, tokens: await seedSession(service.database, userId) };
};

export const getTenant = async (
  { sql }: Pick<Service, 'sql'>,
  email: string,
): Promise<Pick<Tenant, 'userId' | 'organizationId'>> => {
  const [row] = await sql<{ userId: string; organizationId: string }>(
    `SELECT u.id AS "userId", m.organization_id AS "organizationId"
     FROM users u JOIN organization_members m ON m.id = u.current_membership WHERE u.email = $1`,
    [email],
  );
  if (row === undefined) throw new Error(`${email} has no active organization`);
  return row;
};

export const roleOf = ({ sql }: Pick<Service, 'sql'>, memberId: string): Promise<string | undefined> =>
  sql.value<string>('SELECT role FROM organization_members WHERE id = $1', [memberId]);

/** Id of a user's active organization, from `me`; null when there is none. */
export const activeOrganization = async (
  service: Pick<Service, 'url'>,
  person: Pick<Tenant, 'tokens'>,
): Promise<string | null> => {
  const answer = await runAs(service, person, operations.me);
  const { data } = JSON.parse(answer.text) as {
    data: { me: { currentMembership: { organization: { id: string } } | null } };
  };
  return data.me.currentMembership?.organization.id ?? null;
};

/** Ids of no member of an existing organization: another tenant's, unknown, malformed. */
export const foreignMemberIds = async (service: Service): Promise<string[]> => {
  const { memberId } = await newOwner(service);
  return [memberId, newId(), 'no identifier', `${memberId}\u0000`, memberId.toUpperCase(), ''];
};
