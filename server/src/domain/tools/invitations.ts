/** The tools invitation_reset and invitation_cancel, over the operations of super admins on any invitation. */
import { z } from 'zod';
import {
  cancelInvitationOfAnybody,
  type GovernedInvitation,
  resetInvitationOfAnybody,
} from '../invitations/govern-invitations.ts';
import { lookUp } from './arguments.ts';
import { dryRunArgument, idArgument, inWords } from './facts.ts';
import { factsOfMember, member } from './members.ts';
import { defineTool } from './tool.ts';

const input = z.strictObject({
  memberId: idArgument.describe('Id of the invitation, as organization_get or user_get gives it.'),
  ...dryRunArgument,
});

const governed = {
  dryRun: z.boolean().describe('true: nothing was changed, this is what would be.'),
  organizationId: z.string().describe('Id of the organization that invites.'),
  organizationName: z.string().describe('Its name.'),
};

const factsOf = ({ member: row, organizationId, organizationName }: GovernedInvitation, dryRun: boolean) => ({
  dryRun,
  organizationId,
  organizationName,
  member: factsOfMember(row),
});

const prefix = (dryRun: boolean): string => (dryRun ? 'Dry run, nothing was changed: ' : '');

export const resetInvitation = defineTool({
  name: 'invitation_reset',
  title: 'Send an invitation again',
  description:
    'Gives an invitation that nobody has accepted, open or expired, a new link and seven more days, and mails the link to the invited address. The old link is dead; the new one is in the mail alone. Use dryRun first to see to whom. Needs invitations:manage.',
  requiredScopes: ['invitations:manage'],
  isReadOnly: false,
  isDestructive: true,
  input,
  output: z.object({
    ...governed,
    member: member.describe('The invitation as it is afterwards, with its new expiry.'),
    mail: z
      .object({
        to: z.string().describe('Address that the mail goes to.'),
        subject: z.string().describe('Its subject.'),
      })
      .describe('The mail that is queued.'),
  }),
  run: async (deps, actor, request) => {
    const reissued = await lookUp('memberId', resetInvitationOfAnybody(deps, actor, request));
    return { ...factsOf(reissued, request.dryRun), mail: reissued.mail };
  },
  describe: ({ dryRun, organizationName, member: invited, mail }) => {
    const expiry = invited.invitation?.expiresAt ?? null;
    const until = expiry === null ? '' : `, to be accepted until ${inWords(expiry)}`;
    const sent = dryRun ? 'would be sent again' : 'was sent again';
    return `${prefix(dryRun)}${dryRun ? 'the' : 'The'} invitation to “${organizationName}” as ${invited.role} ${sent} to ${mail.to}${until}; the old link ${dryRun ? 'would be' : 'is'} dead.`;
  },
});

export const cancelInvitation = defineTool({
  name: 'invitation_cancel',
  title: 'Cancel an invitation',
  description:
    'Takes back an invitation that nobody has accepted, open or expired: it is deleted, its link is dead, and nobody is told. It cannot be undone; the organization can invite the address again. Use dryRun first to see which one. Needs invitations:manage.',
  requiredScopes: ['invitations:manage'],
  isReadOnly: false,
  isDestructive: true,
  input,
  output: z.object({ ...governed, member: member.describe('The invitation as it was.') }),
  run: async (deps, actor, request) =>
    factsOf(await lookUp('memberId', cancelInvitationOfAnybody(deps, actor, request)), request.dryRun),
  describe: ({ dryRun, organizationName, member: invited }) =>
    `${prefix(dryRun)}${dryRun ? 'the' : 'The'} invitation of ${invited.email} to “${organizationName}” as ${invited.role} ${dryRun ? 'would be' : 'is'} cancelled.`,
});
