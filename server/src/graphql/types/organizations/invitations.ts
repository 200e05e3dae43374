/** GraphQL operations on invitations: of those who invite, and of those who are invited. */
import {
  acceptInvitation,
  completeInvitedProfile,
  type InvitationPreview as PreviewInfo,
  previewInvitation,
} from '../../../domain/invitations/accept-invitation.ts';
import { inviteMember } from '../../../domain/invitations/invite-member.ts';
import {
  type AddressReport,
  type BulkInvitation,
  invitationOutcomes,
  inviteMembers,
  maxAddresses,
} from '../../../domain/invitations/invite-members.ts';
import { cancelInvitation, resetInvitation } from '../../../domain/invitations/manage-invitations.ts';
import { consumeNetworkPermit } from '../../../http-kit/rate-limit-headers.ts';
import { rateLimits } from '../../../platform/rate-limit/rate-limit-table.ts';
import { builder } from '../../builder.ts';
import { countedServices } from '../../context.ts';
import { deliverFirstPair, signInContextOf } from '../../deliver-pair.ts';
import { guarded, operations } from '../../operations.ts';
import { AuthPayload } from '../sessions.ts';
import { Role } from '../user.ts';
import { InvitationStatus, Member } from './members.ts';

const InvitationPreview = builder.objectRef<PreviewInfo>('InvitationPreview').implement({
  description: 'The facts that the holder of an invitation link may see. Never the invited address.',
  fields: (t) => ({
    organizationName: t.exposeString('organizationName'),
    role: t.field({ type: Role, resolve: ({ role }, _args, { services }) => services.application.shownRole(role) }),
    status: t.expose('status', { type: InvitationStatus }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true, description: 'Null once accepted.' }),
    vToken: t.exposeString('vToken', {
      nullable: true,
      description: 'Present only when the invited person has no password yet and must complete a profile.',
    }),
    isYours: t.exposeBoolean('isYours', {
      nullable: true,
      description: 'Whether the invitation is to the signed-in user; null when the request is not signed in.',
    }),
  }),
});

builder.queryField('invitation', (t) =>
  t.field({
    type: InvitationPreview,
    nullable: true,
    description: 'Public invitation preview. Null for an unknown token.',
    args: { token: t.arg.string({ required: true }) },
    resolve: guarded(operations.invitation, ({ services, actor }, { token }) =>
      previewInvitation(services, actor, token),
    ),
  }),
);

const InviteMemberInput = builder.inputType('InviteMemberInput', {
  fields: (t) => ({ email: t.string({ required: true }), role: t.field({ type: Role, required: true }) }),
});

const InvitationOutcome = builder.enumType('InvitationOutcome', {
  description:
    'INVITED: a new invitation. RENEWED: a new link for one that had expired. REPEATED: it stands earlier in the list. NOT_ALLOWED: its expired invitation has a role that the caller may not manage.',
  values: invitationOutcomes,
});

const AddressReportType = builder.objectRef<AddressReport>('AddressReport').implement({
  fields: (t) => ({
    position: t.exposeInt('position', { description: 'In the list, from 0.' }),
    email: t.exposeString('email', { nullable: true, description: 'Null for an address that is malformed.' }),
    outcome: t.expose('outcome', { type: InvitationOutcome }),
  }),
});

const BulkInvitationType = builder.objectRef<BulkInvitation>('BulkInvitation').implement({
  description: 'What happened to each address of a list, or after a dry run would happen.',
  fields: (t) => ({
    dryRun: t.exposeBoolean('dryRun'),
    reports: t.field({ type: [AddressReportType], resolve: ({ reports }) => [...reports] }),
  }),
});

const InviteMembersInput = builder.inputType('InviteMembersInput', {
  fields: (t) => ({
    emails: t.stringList({ required: true, description: `At most ${maxAddresses}.` }),
    role: t.field({ type: Role, required: true }),
  }),
});

const CompleteInvitedProfileInput = builder.inputType('CompleteInvitedProfileInput', {
  fields: (t) => ({
    invitationToken: t.string({ required: true }),
    vToken: t.string({ required: true }),
    name: t.string({ required: true }),
    password: t.string({ required: true }),
  }),
});

builder.mutationFields((t) => ({
  inviteMember: t.field({
    type: Member,
    description: 'Scope MEMBERS_INVITE. Never returns the invitation token: only the e-mail carries it.',
    args: { input: t.arg({ type: InviteMemberInput, required: true }) },
    resolve: guarded(operations.inviteMember, (actor, { input }, context) =>
      inviteMember(countedServices(context), actor, input),
    ),
  }),
  inviteMembers: t.field({
    type: BulkInvitationType,
    description:
      'Scope MEMBERS_INVITE. Invites each address that can be invited, and reports on all; when it is refused, it invites none.',
    args: {
      input: t.arg({ type: InviteMembersInput, required: true }),
      dryRun: t.arg.boolean({ defaultValue: false, description: 'Reports the same, and changes nothing.' }),
    },
    resolve: guarded(operations.inviteMembers, (actor, { input, dryRun }, context) =>
      inviteMembers(countedServices(context), actor, { ...input, dryRun: dryRun ?? false }),
    ),
  }),
  resetInvitation: t.field({
    type: Member,
    description: 'Scope MEMBERS_INVITE. New token and expiry; the old link is dead.',
    args: { memberId: t.arg.id({ required: true }) },
    resolve: guarded(operations.resetInvitation, (actor, { memberId }, context) =>
      resetInvitation(countedServices(context), actor, memberId),
    ),
  }),
  cancelInvitation: t.boolean({
    description: 'Scope MEMBERS_INVITE. The link stops working, and no mail is sent.',
    args: { memberId: t.arg.id({ required: true }) },
    resolve: guarded(operations.cancelInvitation, async (actor, { memberId }, { services }) => {
      await cancelInvitation(services, actor, memberId);
      return true;
    }),
  }),
  acceptInvitation: t.field({
    type: Member,
    description: 'Logged in, as the invited person. Makes the organization the active one.',
    args: { token: t.arg.string({ required: true }) },
    resolve: guarded(operations.acceptInvitation, (actor, { token }, { services }) =>
      acceptInvitation(services, actor, token),
    ),
  }),
  completeInvitedProfile: t.field({
    type: AuthPayload,
    description: 'Logged out only. For an invited person who has no password yet.',
    args: { input: t.arg({ type: CompleteInvitedProfileInput, required: true }) },
    resolve: guarded(operations.completeInvitedProfile, async (context, { input }) => {
      const { delivery, ...signInContext } = signInContextOf(context);
      context.services.passwords.requireRoom({ ip: signInContext.caller.ip });
      await consumeNetworkPermit(context, rateLimits.invitationComplete);
      const pair = await completeInvitedProfile(context.services, { ...input, ...signInContext });
      return deliverFirstPair(context, pair, delivery);
    }),
  }),
}));
