/** GraphQL types and operations for the members of the active organization. */
import {
  changeMemberRole,
  getSeats,
  listMembers,
  removeMember,
  type Seats,
} from '../../../domain/memberships/manage-members.ts';
import {
  invitationStatuses,
  type MemberRow,
  memberStatuses,
  type InvitationStatus as StatusFacts,
} from '../../../domain/organizations/organizations-store.ts';
import { builder, connectionOf, pageArguments, pageOf } from '../../builder.ts';
import { clearCookiesOfCaller } from '../../deliver-pair.ts';
import { guarded, operations } from '../../operations.ts';
import { Role } from '../user.ts';

// Types: Member, Invitation, InvitationStatus.

export const InvitationStatus = builder.enumType('InvitationStatus', { values: invitationStatuses });

type InvitationRow = MemberRow & { readonly invitationStatus: StatusFacts };

const Invitation = builder.objectRef<InvitationRow>('Invitation').implement({
  fields: (t) => ({
    status: t.expose('invitationStatus', { type: InvitationStatus }),
    expiresAt: t.expose('invitationExpiresAt', { type: 'DateTime', nullable: true }),
    acceptedAt: t.expose('invitationAcceptedAt', { type: 'DateTime', nullable: true }),
  }),
});

export const Member = builder.objectRef<MemberRow>('Member').implement({
  description: 'A row of the member list: a member, or a person invited.',
  fields: (t) => ({
    id: t.exposeID('id'),
    userId: t.exposeID('userId'),
    email: t.exposeString('email'),
    name: t.exposeString('name', { nullable: true, description: 'Null until the person has joined.' }),
    role: t.field({ type: Role, resolve: ({ role }, _args, { services }) => services.application.shownRole(role) }),
    invitation: t.field({
      type: Invitation,
      nullable: true,
      description: 'Null for a member who joined without an invitation.',
      resolve: (member) => {
        const { invitationStatus } = member;
        return invitationStatus === null ? null : { ...member, invitationStatus };
      },
    }),
    joinedAt: t.expose('joinedAt', { type: 'DateTime', nullable: true }),
  }),
});

// Operations.

const MemberStatus = builder.enumType('MemberStatus', {
  description: 'INVITED: the invitation is open. EXPIRED: it is not any more.',
  values: memberStatuses,
});

const MemberConnection = connectionOf('Member', Member);

const SeatsType = builder.objectRef<Seats>('Seats').implement({
  fields: (t) => ({
    limit: t.exposeInt('limit', {
      nullable: true,
      description: 'Members and open invitations that the product allows together; null is no limit.',
    }),
    members: t.exposeInt('members'),
    openInvitations: t.exposeInt('openInvitations'),
  }),
});

builder.queryFields((t) => ({
  members: t.field({
    type: MemberConnection,
    description:
      "The active organization's members and open or expired invitations, by address; at most 100 at a time. Scope MEMBERS_VIEW.",
    args: {
      ...pageArguments(t.arg),
      search: t.arg.string({ description: 'Part of an address, or of the name of a person who has joined.' }),
      role: t.arg({ type: Role }),
      status: t.arg({ type: MemberStatus }),
    },
    resolve: guarded(operations.members, ({ membership }, args, { services }) =>
      listMembers(services, membership, pageOf(args)),
    ),
  }),
  seats: t.field({
    type: SeatsType,
    description: 'The seats of the active organization. Scope MEMBERS_VIEW.',
    resolve: guarded(operations.seats, ({ membership }, _args: object, { services }) => getSeats(services, membership)),
  }),
}));

builder.mutationFields((t) => ({
  changeMemberRole: t.field({
    type: Member,
    description: 'Scope MEMBERS_UPDATE. The last OWNER can be neither demoted nor removed.',
    args: { memberId: t.arg.id({ required: true }), role: t.arg({ type: Role, required: true }) },
    resolve: guarded(operations.changeMemberRole, (actor, args, { services }) =>
      changeMemberRole(services, actor, args),
    ),
  }),
  removeMember: t.boolean({
    description: 'Scope MEMBERS_REMOVE, or the member themself (leave). Their sessions in this organization end.',
    args: { memberId: t.arg.id({ required: true }) },
    resolve: guarded(operations.removeMember, async (actor, { memberId }, context) => {
      const { endsOwnSession } = await removeMember(context.services, actor, memberId);
      if (endsOwnSession) clearCookiesOfCaller(context);
      return true;
    }),
  }),
}));
