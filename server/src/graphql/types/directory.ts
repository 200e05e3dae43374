/**
 * GraphQL types and operations of the super admins' directory: people, organizations and invitations of the platform.
 */
import {
  getOrganization,
  getUser,
  listOrganizations,
  type OrganizationDetails,
  searchUsers,
  type UserDetails,
} from '../../domain/directory/directory.ts';
import type { MembershipOfPersonRow, OrganizationRow, PersonRow } from '../../domain/directory/directory-store.ts';
import { adminCancelInvitation, resetInvitationOfAnybody } from '../../domain/invitations/manage-invitations.ts';
import type { PlatformScope } from '../../domain/scopes/scopes.ts';
import { builder } from '../builder.ts';
import { countedServices } from '../context.ts';
import { chain, guarded, loggedIn, scopes, superAdmin } from '../guards.ts';
import { connectionOf } from './connection.ts';
import { InvitationStatus, Member } from './members.ts';
import { Role, Subscription } from './user.ts';

const PlatformUser = builder.objectRef<PersonRow>('PlatformUser').implement({
  description: 'A person as super admins see them.',
  fields: (t) => ({
    id: t.exposeID('id'),
    email: t.exposeString('email'),
    name: t.exposeString('name', { nullable: true, description: 'Null for who was invited and never came.' }),
    emailValidatedAt: t.expose('emailValidatedAt', { type: 'DateTime', nullable: true }),
    isSuperAdmin: t.exposeBoolean('isSuperAdmin'),
    hasPassword: t.exposeBoolean('hasPassword'),
    hasExternalIdentity: t.exposeBoolean('hasExternalIdentity'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

const PlatformMembership = builder.objectRef<MembershipOfPersonRow>('PlatformMembership').implement({
  description: "Somebody's membership of an organization, or an invitation to it.",
  fields: (t) => ({
    memberId: t.exposeID('memberId'),
    organizationId: t.exposeID('organizationId'),
    organizationName: t.exposeString('organizationName'),
    role: t.expose('role', { type: Role }),
    joinedAt: t.expose('joinedAt', { type: 'DateTime', nullable: true }),
    invitationStatus: t.expose('invitationStatus', { type: InvitationStatus, nullable: true }),
    invitationExpiresAt: t.expose('invitationExpiresAt', { type: 'DateTime', nullable: true }),
  }),
});

const PlatformUserDetails = builder.objectRef<UserDetails>('PlatformUserDetails').implement({
  fields: (t) => ({
    user: t.expose('user', { type: PlatformUser }),
    memberships: t.field({
      type: [PlatformMembership],
      description: 'Memberships, then invitations; the first hundred of membershipCount.',
      resolve: ({ memberships }) => [...memberships],
    }),
    membershipCount: t.exposeInt('membershipCount', { description: 'Memberships and invitations together.' }),
    activeSessions: t.exposeInt('activeSessions'),
    activeCredentials: t.exposeInt('activeCredentials', { description: 'Two for each session.' }),
  }),
});

const PlatformOrganization = builder.objectRef<OrganizationRow>('PlatformOrganization').implement({
  description: 'An organization as super admins see it.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    subscription: t.field({
      type: Subscription,
      resolve: ({ subscriptionStatus: status, product, currentPeriodEndsAt }) => ({
        status,
        product,
        currentPeriodEndsAt,
      }),
    }),
    memberCount: t.exposeInt('memberCount', { description: 'People who have joined.' }),
    openInvitationCount: t.exposeInt('openInvitationCount'),
    expiredInvitationCount: t.exposeInt('expiredInvitationCount'),
  }),
});

const PlatformOrganizationDetails = builder.objectRef<OrganizationDetails>('PlatformOrganizationDetails').implement({
  fields: (t) => ({
    organization: t.expose('organization', { type: PlatformOrganization }),
    members: t.field({
      type: [Member],
      description: 'Who has joined, by address; the first hundred of memberCount.',
      resolve: ({ members }) => [...members],
    }),
    invitations: t.field({
      type: [Member],
      description: 'Who is invited, open and expired, by address; the first hundred.',
      resolve: ({ invitations }) => [...invitations],
    }),
  }),
});

// Operations: platformUsers, platformUser, platformOrganizations, platformOrganization, platformResetInvitation,
// platformCancelInvitation.

const PlatformUserConnection = connectionOf('PlatformUser', PlatformUser);
const PlatformOrganizationConnection = connectionOf('PlatformOrganization', PlatformOrganization);

const superAdminWith = (scope: PlatformScope) => chain(chain(loggedIn, superAdmin), scopes('EVERY', [scope]));

const pageSize = 50;

interface PageArguments {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly search?: string | null | undefined;
}

builder.queryField('platformUsers', (t) =>
  t.field({
    type: PlatformUserConnection,
    description: 'Super admin with users:view. Everybody, by address; at most 100 at a time.',
    args: {
      first: t.arg.int({ defaultValue: pageSize }),
      after: t.arg.string(),
      search: t.arg.string({ description: 'Part of a name or an address.' }),
    },
    resolve: guarded(superAdminWith('users:view'), (actor, args: PageArguments, { services }) =>
      searchUsers(services, actor, { ...args, first: args.first ?? pageSize }),
    ),
  }),
);

builder.queryField('platformUser', (t) =>
  t.field({
    type: PlatformUserDetails,
    description: 'Super admin with users:view. One person with their memberships and the number of their sessions.',
    args: { userId: t.arg.id({ required: true }) },
    resolve: guarded(superAdminWith('users:view'), (actor, { userId }: { userId: string }, { services }) =>
      getUser(services, actor, userId),
    ),
  }),
);

builder.queryField('platformOrganizations', (t) =>
  t.field({
    type: PlatformOrganizationConnection,
    description: 'Super admin with organizations:view. Every organization, by name; at most 100 at a time.',
    args: {
      first: t.arg.int({ defaultValue: pageSize }),
      after: t.arg.string(),
      search: t.arg.string({ description: 'Part of a name.' }),
    },
    resolve: guarded(superAdminWith('organizations:view'), (actor, args: PageArguments, { services }) =>
      listOrganizations(services, actor, { ...args, first: args.first ?? pageSize }),
    ),
  }),
);

builder.queryField('platformOrganization', (t) =>
  t.field({
    type: PlatformOrganizationDetails,
    description: 'Super admin with organizations:view. One organization with its members and invitations.',
    args: { organizationId: t.arg.id({ required: true }) },
    resolve: guarded(
      superAdminWith('organizations:view'),
      (actor, { organizationId }: { organizationId: string }, { services }) =>
        getOrganization(services, actor, organizationId),
    ),
  }),
);

builder.mutationField('platformResetInvitation', (t) =>
  t.field({
    type: Member,
    description:
      'Super admin with invitations:manage. A new link and seven more days for an invitation of any organization; the old link is dead.',
    args: { memberId: t.arg.id({ required: true }) },
    resolve: guarded(
      superAdminWith('invitations:manage'),
      async (actor, { memberId }: { memberId: string }, context) => {
        const { member } = await resetInvitationOfAnybody(countedServices(context), actor, { memberId, dryRun: false });
        return member;
      },
    ),
  }),
);

builder.mutationField('platformCancelInvitation', (t) =>
  t.boolean({
    description: 'Super admin with invitations:manage. The link of an invitation of any organization is dead.',
    args: { memberId: t.arg.id({ required: true }) },
    resolve: guarded(
      superAdminWith('invitations:manage'),
      async (actor, { memberId }: { memberId: string }, { services }) => {
        await adminCancelInvitation(services, actor, { memberId, dryRun: false });
        return true;
      },
    ),
  }),
);
