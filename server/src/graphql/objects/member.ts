/** The GraphQL types of an organization's people: Member, Invitation, InvitationStatus. */
import {
  invitationStatuses,
  type MemberRow,
  type InvitationStatus as StatusFacts,
} from '../../domain/organizations/members-store.ts';
import { builder } from '../builder.ts';
import { Role } from './user.ts';

export const InvitationStatus = builder.enumType('InvitationStatus', { values: invitationStatuses });

type InvitationFacts = MemberRow & { readonly invitationStatus: StatusFacts };

const Invitation = builder.objectRef<InvitationFacts>('Invitation').implement({
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
    role: t.expose('role', { type: Role }),
    invitation: t.field({
      type: Invitation,
      nullable: true,
      description: 'Null for who joined without an invitation.',
      resolve: (member) => {
        const { invitationStatus } = member;
        return invitationStatus === null ? null : { ...member, invitationStatus };
      },
    }),
    joinedAt: t.expose('joinedAt', { type: 'DateTime', nullable: true }),
  }),
});
