/** The GraphQL types of the directory of super admins: people and organizations of everybody. */
import type { OrganizationDetails } from '../../domain/directory/get-organization.ts';
import type { UserDetails } from '../../domain/directory/get-user.ts';
import type { OrganizationRow } from '../../domain/directory/organizations-store.ts';
import type { MembershipOfPersonRow, PersonRow } from '../../domain/directory/people-store.ts';
import { builder } from '../builder.ts';
import { InvitationStatus, Member } from './member.ts';
import { Role, Subscription } from './user.ts';

export const PlatformUser = builder.objectRef<PersonRow>('PlatformUser').implement({
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

export const PlatformUserDetails = builder.objectRef<UserDetails>('PlatformUserDetails').implement({
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

export const PlatformOrganization = builder.objectRef<OrganizationRow>('PlatformOrganization').implement({
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

export const PlatformOrganizationDetails = builder
  .objectRef<OrganizationDetails>('PlatformOrganizationDetails')
  .implement({
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
