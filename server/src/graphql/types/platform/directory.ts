/** Types and operations of the super admins' directory: people, organizations and invitations of the platform. */
import { organizationOf } from '../../../domain/access/actor.ts';
import {
  getOrganization,
  getUser,
  listOrganizations,
  type OrganizationDetails,
  searchUsers,
  type UserDetails,
} from '../../../domain/directory/directory.ts';
import type {
  MembershipOfPersonRow,
  OrganizationRow,
  SuspensionRow,
  UserRow,
} from '../../../domain/directory/directory-store.ts';
import {
  type MembershipScope as MembershipScopeInfo,
  scopesOfMembership,
} from '../../../domain/directory/membership-scopes.ts';
import { adminCancelInvitation, adminResetInvitation } from '../../../domain/invitations/manage-invitations.ts';
import { builder, connectionOf, pageArguments, pageOf } from '../../builder.ts';
import { countedServices } from '../../context.ts';
import { guarded, operations } from '../../operations.ts';
import { InvitationStatus, Member } from '../organizations/members.ts';
import { Role, Subscription } from '../user.ts';

const PlatformUser = builder.objectRef<UserRow>('PlatformUser').implement({
  description: 'A person as super admins see them.',
  fields: (t) => ({
    id: t.exposeID('id'),
    email: t.exposeString('email'),
    name: t.exposeString('name', { nullable: true, description: 'Null for an invited person who has not joined.' }),
    emailValidatedAt: t.expose('emailValidatedAt', { type: 'DateTime', nullable: true }),
    isSuperAdmin: t.exposeBoolean('isSuperAdmin'),
    hasPassword: t.exposeBoolean('hasPassword'),
    hasExternalIdentity: t.exposeBoolean('hasExternalIdentity'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    suspendedAt: t.expose('suspendedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when the person cannot sign in; null for a person who is not suspended.',
    }),
  }),
});

const MembershipScope = builder.objectRef<MembershipScopeInfo>('MembershipScope').implement({
  description:
    'Whether a person holds a scope of an organization, and which of role and plan grants it: it takes both.',
  fields: (t) => ({
    name: t.exposeString('name'),
    isHeld: t.exposeBoolean('isHeld', {
      description:
        'In a session with a second factor, and in others unless the organization requires one. False for every scope of an organization that was deleted.',
    }),
    roleGrants: t.exposeBoolean('roleGrants'),
    planGrants: t.exposeBoolean('planGrants', {
      description: 'False for every scope while the subscription is neither ACTIVE nor TRIALING.',
    }),
  }),
});

const PlatformMembership = builder.objectRef<MembershipOfPersonRow>('PlatformMembership').implement({
  description: 'A membership of an organization, or an invitation to it.',
  fields: (t) => ({
    memberId: t.exposeID('memberId'),
    organizationId: t.exposeID('organizationId'),
    organizationName: t.exposeString('organizationName'),
    role: t.field({
      type: Role,
      description: 'MEMBER, without scopes, for a role that the application no longer has.',
      resolve: ({ role }, _args, { services }) => services.application.shownRole(role),
    }),
    joinedAt: t.expose('joinedAt', { type: 'DateTime', nullable: true }),
    invitationStatus: t.expose('invitationStatus', { type: InvitationStatus, nullable: true }),
    invitationExpiresAt: t.expose('invitationExpiresAt', { type: 'DateTime', nullable: true }),
    deletesAt: t.expose('deletesAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the organization is gone for good; null unless it was deleted.',
    }),
    requireSecondFactor: t.exposeBoolean('requireSecondFactor', {
      description: 'Whether members of the organization hold scopes and roles only in sessions with a second factor.',
    }),
    subscription: t.field({ type: Subscription, resolve: (row) => organizationOf(row).subscription }),
    scopes: t.field({
      type: [MembershipScope],
      description:
        'Every scope of an organization, held or not. Empty for an invitation, which grants nothing until it is accepted; its role and the plan can change before.',
      resolve: (row, _args, { services }) => [...scopesOfMembership(services.application, row)],
    }),
  }),
});

const PlatformSuspension = builder.objectRef<SuspensionRow>('PlatformSuspension').implement({
  description: 'A suspension of a person, ended or not, as super admins see it.',
  fields: (t) => ({
    id: t.exposeID('id'),
    suspendedAt: t.expose('suspendedAt', { type: 'DateTime' }),
    suspendedBy: t.exposeID('suspendedBy', { description: 'Id of the super admin.' }),
    suspendedByEmail: t.exposeString('suspendedByEmail', {
      nullable: true,
      description: 'Null for an account that is gone.',
    }),
    reason: t.exposeString('reason'),
    reinstatedAt: t.expose('reinstatedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Null while the suspension lasts.',
    }),
    reinstatedBy: t.exposeID('reinstatedBy', { nullable: true, description: 'Null where an operator ended it.' }),
    reinstatedByEmail: t.exposeString('reinstatedByEmail', { nullable: true }),
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
    suspensions: t.field({
      type: [PlatformSuspension],
      description: 'Suspensions of the person with their reasons, the newest first, at most 20.',
      resolve: ({ suspensions }) => [...suspensions],
    }),
    membershipCount: t.exposeInt('membershipCount', { description: 'Memberships and invitations together.' }),
    activeSessions: t.exposeInt('activeSessions', { description: 'Personal tokens included.' }),
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
    unreadSubscription: t.exposeString('unreadSubscription', {
      nullable: true,
      description:
        'Id at Stripe of a running subscription of which neither a price nor the metadata names a product: the organization keeps what it had.',
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
      description: 'Members, by address; the first hundred of memberCount.',
      resolve: ({ members }) => [...members],
    }),
    invitations: t.field({
      type: [Member],
      description: 'Open and expired invitations, by address; the first hundred.',
      resolve: ({ invitations }) => [...invitations],
    }),
  }),
});

// Operations.

const PlatformUserConnection = connectionOf('PlatformUser', PlatformUser);
const PlatformOrganizationConnection = connectionOf('PlatformOrganization', PlatformOrganization);

builder.queryFields((t) => ({
  platformUsers: t.field({
    type: PlatformUserConnection,
    description: 'Super admin with users:view. All people, by address; at most 100 at a time.',
    args: { ...pageArguments(t.arg), search: t.arg.string({ description: 'Part of a name or an address.' }) },
    resolve: guarded(operations.platformUsers, (actor, args, { services }) =>
      searchUsers(services, actor, pageOf(args)),
    ),
  }),
  platformUser: t.field({
    type: PlatformUserDetails,
    description: 'Super admin with users:view. One person with their memberships and the number of their sessions.',
    args: { userId: t.arg.id({ required: true }) },
    resolve: guarded(operations.platformUser, (actor, { userId }, { services }) => getUser(services, actor, userId)),
  }),
  platformOrganizations: t.field({
    type: PlatformOrganizationConnection,
    description: 'Super admin with organizations:view. Every organization, by name; at most 100 at a time.',
    args: { ...pageArguments(t.arg), search: t.arg.string({ description: 'Part of a name.' }) },
    resolve: guarded(operations.platformOrganizations, (actor, args, { services }) =>
      listOrganizations(services, actor, pageOf(args)),
    ),
  }),
  platformOrganization: t.field({
    type: PlatformOrganizationDetails,
    description: 'Super admin with organizations:view. One organization with its members and invitations.',
    args: { organizationId: t.arg.id({ required: true }) },
    resolve: guarded(operations.platformOrganization, (actor, { organizationId }, { services }) =>
      getOrganization(services, actor, organizationId),
    ),
  }),
}));

builder.mutationFields((t) => ({
  platformResetInvitation: t.field({
    type: Member,
    description:
      'Super admin with invitations:manage. A new link and seven more days for an invitation of any organization; the old link stops working.',
    args: { memberId: t.arg.id({ required: true }) },
    resolve: guarded(operations.platformResetInvitation, async (actor, { memberId }, context) => {
      const { member } = await adminResetInvitation(countedServices(context), actor, { memberId, dryRun: false });
      return member;
    }),
  }),
  platformCancelInvitation: t.boolean({
    description:
      'Super admin with invitations:manage. Cancels an invitation of any organization: its link stops working.',
    args: { memberId: t.arg.id({ required: true }) },
    resolve: guarded(operations.platformCancelInvitation, async (actor, { memberId }, { services }) => {
      await adminCancelInvitation(services, actor, { memberId, dryRun: false });
      return true;
    }),
  }),
}));
