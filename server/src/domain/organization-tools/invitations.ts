/** The tools member_invite, invitation_reset and invitation_cancel, over the operations on invitations. */
import { z } from 'zod';
import { inviteMember } from '../invitations/invite-member.ts';
import { cancelInvitation as cancel, resetInvitation as reset } from '../invitations/manage-invitations.ts';
import type { MemberRow } from '../organizations/organizations-store.ts';
import type { Application } from '../scopes/application.ts';
import { dryRunArgument, idArgument, inWords } from '../tools/shared-schemas.ts';
import { lookUp, type Tool } from '../tools/tool.ts';
import { defineTool, depsFor, dryRunFlag, member, memberOutput, prefixOf, roleArgument } from './organization-tool.ts';

const output = z.object({
  dryRun: dryRunFlag,
  member: member.describe('The invitation.'),
  mailTo: z.string().nullable().describe('Address that a mail with a link goes to; null: no mail is sent.'),
});

type Output = z.output<typeof output>;

const outputOf = (application: Application, row: MemberRow, dryRun: boolean, isMailed: boolean): Output => ({
  dryRun,
  member: memberOutput(application, row),
  mailTo: isMailed ? row.email : null,
});

const untilOf = ({ member: { invitation } }: Output): string => {
  const expiry = invitation?.expiresAt ?? null;
  return expiry === null ? '' : `, to be accepted until ${inWords(expiry)}`;
};

const memberId = idArgument.describe('Id of the invitation, as members_list gives it.');

const invite = (application: Application) =>
  defineTool({
    name: 'member_invite',
    title: 'Invite a person',
    description:
      'Invites an address to the organization, or renews its expired invitation, and mails it a link for seven days. A role with scopes that the person has not granted yet has them asked for; never OWNER, nor a role with scopes that clients are not offered, such as ADMIN. Use dryRun first. Needs MEMBERS_INVITE.',
    requiredScopes: ['MEMBERS_INVITE'],
    isReadOnly: false,
    isDestructive: false,
    input: z.strictObject({
      email: z.string().describe('The address to invite.'),
      role: roleArgument(application).describe('The role that the person will have.'),
      ...dryRunArgument,
    }),
    output,
    run: async (deps, actor, { dryRun, ...input }) =>
      outputOf(application, await inviteMember(depsFor(deps, { dryRun }), actor, input), dryRun, true),
    describe: (result) =>
      `${prefixOf(result.dryRun)}${result.member.email} ${result.dryRun ? 'would be' : 'is'} invited as ${result.member.role}${untilOf(result)}.`,
  });

const resetInvitation = defineTool({
  name: 'invitation_reset',
  title: 'Send an invitation again',
  description:
    'Renews an open or expired invitation: it gets a new link and seven more days, and the link is mailed to the invited address. The old link stops working. Use dryRun first. Needs MEMBERS_INVITE.',
  requiredScopes: ['MEMBERS_INVITE'],
  isReadOnly: false,
  isDestructive: true,
  input: z.strictObject({ memberId, ...dryRunArgument }),
  output,
  run: async (deps, actor, { dryRun, memberId: id }) =>
    outputOf(actor.application, await lookUp('memberId', reset(depsFor(deps, { dryRun }), actor, id)), dryRun, true),
  describe: (result) =>
    `${prefixOf(result.dryRun)}${result.dryRun ? 'the' : 'The'} invitation of ${result.member.email} as ${result.member.role} ${result.dryRun ? 'would be' : 'was'} sent again${untilOf(result)}.`,
});

const cancelInvitation = defineTool({
  name: 'invitation_cancel',
  title: 'Cancel an invitation',
  description:
    'Cancels an open or expired invitation: it is deleted, its link stops working, and no mail is sent. This cannot be undone; the address can be invited again. Use dryRun first. Needs MEMBERS_INVITE.',
  requiredScopes: ['MEMBERS_INVITE'],
  isReadOnly: false,
  isDestructive: true,
  input: z.strictObject({ memberId, ...dryRunArgument }),
  output,
  run: async (deps, actor, { dryRun, memberId: id }) =>
    outputOf(actor.application, await lookUp('memberId', cancel(depsFor(deps, { dryRun }), actor, id)), dryRun, false),
  describe: ({ dryRun, member: { email, role } }) =>
    `${prefixOf(dryRun)}${dryRun ? 'the' : 'The'} invitation of ${email} as ${role} ${dryRun ? 'would be' : 'is'} cancelled.`,
});

export const invitationTools = (application: Application): readonly Tool<string>[] => [
  invite(application),
  resetInvitation,
  cancelInvitation,
];
