/**
 * GraphQL operations of super admins on people, organizations and invitations of everybody: platformUsers, platformUser,
 * platformOrganizations, platformOrganization, platformResetInvitation, platformCancelInvitation.
 */
import { getOrganization } from '../../domain/directory/get-organization.ts';
import { getUser } from '../../domain/directory/get-user.ts';
import { listOrganizations } from '../../domain/directory/list-organizations.ts';
import { searchUsers } from '../../domain/directory/search-users.ts';
import { cancelInvitationOfAnybody, resetInvitationOfAnybody } from '../../domain/invitations/govern-invitations.ts';
import type { PlatformScope } from '../../domain/scopes/scopes.ts';
import { builder } from '../builder.ts';
import { chain, guarded, loggedIn, scopes, superAdmin } from '../guards.ts';
import { connectionOf } from '../objects/connection.ts';
import {
  PlatformOrganization,
  PlatformOrganizationDetails,
  PlatformUser,
  PlatformUserDetails,
} from '../objects/directory.ts';
import { Member } from '../objects/member.ts';
import { countedServices } from '../turns.ts';

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
        await cancelInvitationOfAnybody(services, actor, { memberId, dryRun: false });
        return true;
      },
    ),
  }),
);
