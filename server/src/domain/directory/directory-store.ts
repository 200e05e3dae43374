/** SQL of organizations and users as super admins see them. */
import { isId } from '../../kernel/ids.ts';
import { statement } from '../../platform/database/database.ts';
import { byEmail, type FilteredList, type ListOrder } from '../../platform/database/filtered-list.ts';
import { type SearchedList, searchedTable } from '../../platform/database/searched-list.ts';
import {
  type InvitationStatus,
  invitationStatusSql,
  type MemberRow,
  type MembershipRow,
  selectMembers,
} from '../organizations/organizations-store.ts';
import type { SubscriptionStatus } from '../scopes/scopes.ts';
import { textOfPerson } from '../users/users-store.ts';

// Organizations, with their subscription and the number of their members and invitations.

export interface OrganizationRow {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly subscriptionStatus: SubscriptionStatus;
  readonly product: string | null;
  readonly currentPeriodEndsAt: Date | null;
  /** Id at the payment provider of the running subscription whose price names no product; null without one. */
  readonly unreadSubscription: string | null;
  /** Number of users who have joined. */
  readonly memberCount: number;
  readonly openInvitationCount: number;
  readonly expiredInvitationCount: number;
}

/** Members are counted only for the rows of the page. */
const describe = (source: string, further: readonly string[] = []): string =>
  `SELECT o.id, o.name, o.created_at AS "createdAt", coalesce(s.status, 'NONE') AS "subscriptionStatus", s.product,
     s.current_period_ends_at AS "currentPeriodEndsAt", s.unread_subscription AS "unreadSubscription",
     people.joined AS "memberCount",
     people.open AS "openInvitationCount", people.expired AS "expiredInvitationCount"${further.map((column) => `, o.${column}`).join('')}
   FROM (${source}) o
   LEFT JOIN subscriptions s ON s.organization_id = o.id
   CROSS JOIN LATERAL (
     SELECT count(*) FILTER (WHERE m.joined_at IS NOT NULL)::integer AS joined,
       count(*) FILTER (WHERE m.invitation_expires_at > now())::integer AS open,
       count(*) FILTER (WHERE m.invitation_expires_at <= now())::integer AS expired
     FROM organization_members m WHERE m.organization_id = o.id) AS people`;

const orderOfOrganizations: ListOrder<OrganizationRow> = {
  orderBy: 'o.name, o.id',
  keysOf: ({ name, id }) => [name, id],
  areKeys: [() => true, isId],
  after: (name, id) =>
    `(o.name, o.id) > (coalesce(${name}::text, ''), coalesce(${id}::uuid, '00000000-0000-0000-0000-000000000000'))`,
};

/** All organizations, by name, then by id. */
export const allOrganizations: FilteredList<OrganizationRow, object> = {
  name: (verb) => `directory.${verb}_organizations`,
  source: 'FROM organizations o WHERE true',
  conditions: [],
  order: orderOfOrganizations,
  select: (page) => `${describe(`SELECT o.* ${page}`)} ORDER BY o.name, o.id`,
};

/** Organizations whose name contains a text, by name, then by id. */
export const organizationsByName: SearchedList<OrganizationRow, object> = {
  name: 'directory.search_organizations',
  conditions: [],
  order: orderOfOrganizations,
  ...searchedTable({
    table: 'organizations o',
    alias: 'o',
    text: 'lower(o.name)',
    matches: (pattern) => `lower(o.name) LIKE ${pattern}`,
    orderBy: orderOfOrganizations.orderBy,
    keys: 'o.id, o.name',
    select: (page, further) => `${describe(page, further)} ORDER BY o.name, o.id`,
  }),
};

export const findOrganization = statement<OrganizationRow, [organizationId: string]>(
  'directory.find_organization',
  describe('SELECT * FROM organizations WHERE id = $1'),
);

/** Members of an organization who have joined, by address. */
export const listJoined = statement<MemberRow, [organizationId: string, limit: number]>(
  'directory.list_joined',
  `${selectMembers} WHERE m.organization_id = $1 AND m.joined_at IS NOT NULL ORDER BY u.email LIMIT $2`,
);

/** Invited users of an organization, by address. */
export const listInvited = statement<MemberRow, [organizationId: string, limit: number]>(
  'directory.list_invited',
  `${selectMembers} WHERE m.organization_id = $1 AND m.joined_at IS NULL ORDER BY u.email LIMIT $2`,
);

// Users, with their memberships and active sessions.

export interface UserRow {
  readonly id: string;
  readonly email: string;
  /** Null for a user who was invited and never signed in. */
  readonly name: string | null;
  readonly emailValidatedAt: Date | null;
  readonly isSuperAdmin: boolean;
  readonly hasPassword: boolean;
  readonly hasExternalIdentity: boolean;
  readonly createdAt: Date;
  /** Null for a person who is not suspended. */
  readonly suspendedAt: Date | null;
}

const columnsOfPerson = `u.id, u.email, nullif(u.name, '') AS name, u.email_validated_at AS "emailValidatedAt",
    u.is_super_admin AS "isSuperAdmin", u.password_hash IS NOT NULL AS "hasPassword",
    EXISTS (SELECT 1 FROM external_identities i WHERE i.user_id = u.id) AS "hasExternalIdentity",
    u.created_at AS "createdAt", u.suspended_at AS "suspendedAt"`;

const orderOfPeople = byEmail<UserRow>('u.email');

/** All users, by address. */
export const allPeople: FilteredList<UserRow, object> = {
  name: (verb) => `directory.${verb}_people`,
  source: 'FROM users u WHERE true',
  conditions: [],
  order: orderOfPeople,
  select: (page) => `SELECT ${columnsOfPerson} ${page}`,
};

/** Users whose name or address contains a text, by address. */
export const peopleByNameOrAddress: SearchedList<UserRow, object> = {
  name: 'directory.search_people',
  conditions: [],
  order: orderOfPeople,
  ...searchedTable({
    table: 'users u',
    alias: 'u',
    text: textOfPerson,
    matches: (pattern) => `(u.email LIKE ${pattern} OR lower(u.name) LIKE ${pattern})`,
    orderBy: orderOfPeople.orderBy,
    keys: 'u.id, u.email',
    select: (page, further) =>
      `SELECT ${[columnsOfPerson, ...further.map((column) => `u.${column}`)].join(', ')} FROM (${page}) AS u ORDER BY u.email`,
  }),
};

export const findPerson = statement<UserRow, [userId: string]>(
  'directory.find_person',
  `SELECT ${columnsOfPerson} FROM users u WHERE u.id = $1`,
);

/** A membership of a user, or an invitation to them. */
export interface MembershipOfPersonRow extends Omit<MembershipRow, 'membershipId'> {
  readonly memberId: string;
  /** Null until the invitation is accepted. */
  readonly joinedAt: Date | null;
  readonly invitationStatus: InvitationStatus | null;
  readonly invitationExpiresAt: Date | null;
}

/** Memberships before invitations, oldest first. */
export const listMembershipsOfPerson = statement<MembershipOfPersonRow, [userId: string, limit: number]>(
  'directory.list_memberships_of_person',
  `SELECT m.id AS "memberId", o.id AS "organizationId", o.name AS "organizationName", m.role,
     m.joined_at AS "joinedAt", ${invitationStatusSql} AS "invitationStatus",
     m.invitation_expires_at AS "invitationExpiresAt", s.status AS "subscriptionStatus", s.product,
     s.current_period_ends_at AS "currentPeriodEndsAt", o.deletes_at AS "deletesAt",
     o.require_second_factor AS "requireSecondFactor"
   FROM organization_members m JOIN organizations o ON o.id = m.organization_id
   LEFT JOIN subscriptions s ON s.organization_id = o.id
   WHERE m.user_id = $1 ORDER BY m.joined_at NULLS LAST, m.id LIMIT $2`,
);

export interface CountsOfPersonRow {
  readonly membershipCount: number;
  readonly activeSessions: number;
  readonly activeCredentials: number;
}

/** Counts of memberships and invitations together, of live sessions with personal tokens, and of live credentials. */
export const countOfPerson = statement<CountsOfPersonRow, [userId: string]>(
  'directory.count_of_person',
  `SELECT (SELECT count(*)::integer FROM organization_members m WHERE m.user_id = u.id) AS "membershipCount",
     live.sessions AS "activeSessions", live.credentials AS "activeCredentials"
   FROM users u CROSS JOIN LATERAL (
     SELECT count(DISTINCT c.session_family_id)::integer AS sessions, count(*)::integer AS credentials
     FROM credentials c
     WHERE c.user_id = u.id AND c.credentials_revision = u.credentials_revision AND c.revoked_at IS NULL
       AND c.expires_at > now()) AS live
   WHERE u.id = $1`,
);

/** A suspension as super admins see it. */
export interface SuspensionRow {
  readonly id: string;
  readonly suspendedAt: Date;
  readonly suspendedBy: string;
  /** Null for an account that is gone. */
  readonly suspendedByEmail: string | null;
  readonly reason: string;
  readonly reinstatedAt: Date | null;
  /** Null while it lasts, and where an operator ended it. */
  readonly reinstatedBy: string | null;
  readonly reinstatedByEmail: string | null;
}

/** The suspensions of a person, the newest first. */
export const listSuspensions = statement<SuspensionRow, [userId: string, limit: number]>(
  'suspensions.list',
  `SELECT s.id, s.suspended_at AS "suspendedAt", s.suspended_by AS "suspendedBy", b.email AS "suspendedByEmail", s.reason,
     s.reinstated_at AS "reinstatedAt", s.reinstated_by AS "reinstatedBy", r.email AS "reinstatedByEmail"
   FROM suspensions s LEFT JOIN users b ON b.id = s.suspended_by LEFT JOIN users r ON r.id = s.reinstated_by
   WHERE s.user_id = $1 ORDER BY s.suspended_at DESC, s.id DESC LIMIT $2`,
);
