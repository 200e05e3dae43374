/** GraphQL operations on the people of an organization: members, changeMemberRole, removeMember. */
import { type ChangeMemberRoleInput, changeMemberRole } from '../../domain/memberships/change-member-role.ts';
import { listMembers } from '../../domain/memberships/list-members.ts';
import { removeMember } from '../../domain/memberships/remove-member.ts';
import { builder } from '../builder.ts';
import { clearCookiesOfCaller } from '../deliver-pair.ts';
import { guarded, inOrganization, loggedIn } from '../guards.ts';
import { connectionOf } from '../objects/connection.ts';
import { Member } from '../objects/member.ts';
import { Role } from '../objects/user.ts';

const MemberConnection = connectionOf('Member', Member);

const pageSize = 50;

interface MembersArguments {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly search?: string | null | undefined;
}

builder.queryField('members', (t) =>
  t.field({
    type: MemberConnection,
    description:
      "The active organization's members and open or expired invitations, by address; at most 100 at a time. Scope MEMBERS_VIEW.",
    args: {
      first: t.arg.int({ defaultValue: pageSize }),
      after: t.arg.string(),
      search: t.arg.string({ description: 'Part of an address, or of the name of a person who has joined.' }),
    },
    resolve: guarded(inOrganization('MEMBERS_VIEW'), ({ membership }, args: MembersArguments, { services }) =>
      listMembers(services, membership, { ...args, first: args.first ?? pageSize }),
    ),
  }),
);

builder.mutationField('changeMemberRole', (t) =>
  t.field({
    type: Member,
    description: 'Scope MEMBERS_UPDATE. The last OWNER can be neither demoted nor removed.',
    args: { memberId: t.arg.id({ required: true }), role: t.arg({ type: Role, required: true }) },
    resolve: guarded(inOrganization('MEMBERS_UPDATE'), (actor, args: ChangeMemberRoleInput, { services }) =>
      changeMemberRole(services, actor, args),
    ),
  }),
);

builder.mutationField('removeMember', (t) =>
  t.boolean({
    description: 'Scope MEMBERS_REMOVE, or the member themself (leave). Their sessions in this organization end.',
    args: { memberId: t.arg.id({ required: true }) },
    resolve: guarded(loggedIn, async (actor, { memberId }: { memberId: string }, context) => {
      const { endsOwnSession } = await removeMember(context.services, actor, memberId);
      if (endsOwnSession) clearCookiesOfCaller(context);
      return true;
    }),
  }),
);
