/** SQL of organizations as super admins see them: anybody's, with what they pay for and who is in them. */
import { statement } from '../../platform/database/statement.ts';
import { type MemberRow, selectMembers } from '../organizations/members-store.ts';
import type { SubscriptionStatus } from '../scopes/scopes.ts';

export interface OrganizationRow {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly subscriptionStatus: SubscriptionStatus;
  readonly product: string | null;
  readonly currentPeriodEndsAt: Date | null;
  /** Of people who have joined. */
  readonly memberCount: number;
  readonly openInvitationCount: number;
  readonly expiredInvitationCount: number;
}

/** Its people are counted for the rows that are shown, not for all. */
const describe = (source: string): string =>
  `SELECT o.id, o.name, o.created_at AS "createdAt", coalesce(s.status, 'NONE') AS "subscriptionStatus", s.product,
     s.current_period_ends_at AS "currentPeriodEndsAt", people.joined AS "memberCount",
     people.open AS "openInvitationCount", people.expired AS "expiredInvitationCount"
   FROM (${source}) o
   LEFT JOIN subscriptions s ON s.organization_id = o.id
   CROSS JOIN LATERAL (
     SELECT count(*) FILTER (WHERE m.joined_at IS NOT NULL)::integer AS joined,
       count(*) FILTER (WHERE m.invitation_expires_at > now())::integer AS open,
       count(*) FILTER (WHERE m.invitation_expires_at <= now())::integer AS expired
     FROM organization_members m WHERE m.organization_id = o.id) AS people`;

/** $1 is a pattern of LIKE, or null for every organization. */
const isFound = '($1::text IS NULL OR lower(name) LIKE $1)';

/** By name, and by id where two have the same. */
export const listOrganizations = statement<
  OrganizationRow,
  [pattern: string | null, afterName: string | null, afterId: string | null, limit: number]
>(
  'directory.list_organizations',
  `${describe(`SELECT * FROM organizations
     WHERE ${isFound} AND ($2::text IS NULL OR (name, id) > ($2, $3::uuid)) ORDER BY name, id LIMIT $4`)}
   ORDER BY o.name, o.id`,
);

export const countOrganizations = statement<{ readonly total: number }, [pattern: string | null]>(
  'directory.count_organizations',
  `SELECT count(*)::integer AS total FROM organizations WHERE ${isFound}`,
);

export const findOrganization = statement<OrganizationRow, [organizationId: string]>(
  'directory.find_organization',
  describe('SELECT * FROM organizations WHERE id = $1'),
);

/** Who has joined an organization, by address. */
export const listJoined = statement<MemberRow, [organizationId: string, limit: number]>(
  'directory.list_joined',
  `${selectMembers} WHERE m.organization_id = $1 AND m.joined_at IS NOT NULL ORDER BY u.email LIMIT $2`,
);

/** Who is invited to it, by address. */
export const listInvited = statement<MemberRow, [organizationId: string, limit: number]>(
  'directory.list_invited',
  `${selectMembers} WHERE m.organization_id = $1 AND m.joined_at IS NULL ORDER BY u.email LIMIT $2`,
);
