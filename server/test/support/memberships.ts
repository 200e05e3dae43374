/** Memberships by SQL, for tests that need people in organizations and not the way they came in. */
import { newId } from '../../src/kernel/ids.ts';
import type { Service } from './gatehouse.ts';

type Stored = Pick<Service, 'sql'>;
type Role = 'OWNER' | 'ADMIN' | 'MEMBER';

/** The active organization of a person. */
export const organizationOf = async ({ sql }: Stored, email: string): Promise<string> => {
  const [row] = await sql<{ id: string }>(
    `SELECT m.organization_id AS id FROM users u JOIN organization_members m ON m.id = u.current_membership
     WHERE u.email = $1`,
    [email],
  );
  if (row === undefined) throw new Error(`${email} has no active organization`);
  return row.id;
};

/** Makes a person a member, and that membership their active one; answers its id. */
export const joinOrganization = async (
  { sql }: Stored,
  email: string,
  organizationId: string,
  role: Role,
): Promise<string> => {
  const id = newId();
  await sql(
    `INSERT INTO organization_members (id, user_id, organization_id, role, joined_at)
     SELECT $1, id, $3, $4, now() FROM users WHERE email = $2`,
    [id, email, organizationId, role],
  );
  await sql('UPDATE users SET current_membership = $1 WHERE email = $2', [id, email]);
  return id;
};

/** Takes every membership from a person. */
export const leaveEverything = async ({ sql }: Stored, email: string): Promise<void> => {
  await sql('DELETE FROM organization_members m USING users u WHERE m.user_id = u.id AND u.email = $1', [email]);
};
