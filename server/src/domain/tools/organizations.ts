/** The MCP tools on organizations, their members and their invitations. */
import { z } from 'zod';
import {
  getOrganization as getDetails,
  listOrganizations as listDirectory,
  maxOrganizationSearchLength,
} from '../directory/directory.ts';
import type { OrganizationRow } from '../directory/directory-store.ts';
import {
  type AdminInvitation,
  adminCancelInvitation,
  adminResetInvitation,
} from '../invitations/manage-invitations.ts';
import { invitationStatuses, type MemberRow } from '../organizations/organizations-store.ts';
import { subscriptionStatuses } from '../scopes/scopes.ts';
import {
  count,
  counted,
  dryRunArgument,
  factsOfPage,
  idArgument,
  instant,
  inWords,
  pageArguments,
  pageInWords,
  pageOfFacts,
  queryArgument,
  shortenPage,
} from './facts.ts';
import { defineTool, lookUp } from './tool.ts';

// A member or an invited user as tools return them, like GraphQL's Member.

const member = z.object({
  id: z.string().describe('Id of the membership or invitation; invitation_reset and invitation_cancel take it.'),
  userId: z.string().describe('Id of the person.'),
  email: z.string().describe('Their e-mail address.'),
  name: z.string().nullable().describe('Their name; null until they have joined.'),
  role: z.string().describe('Name of their role in the organization.'),
  invitation: z
    .object({
      status: z.enum(invitationStatuses).describe('OPEN can be accepted, EXPIRED can be sent again.'),
      expiresAt: instant.nullable().describe('Until when it can be accepted.'),
      acceptedAt: instant.nullable().describe('When it was accepted.'),
    })
    .nullable()
    .describe('null for a member who joined without an invitation.'),
  joinedAt: instant.nullable().describe('When they joined; null while they are only invited.'),
});

type MemberFacts = z.output<typeof member>;

const factsOfMember = ({
  invitationStatus: status,
  invitationExpiresAt: expiresAt,
  invitationAcceptedAt: acceptedAt,
  ...row
}: MemberRow): MemberFacts => ({
  ...row,
  invitation: status === null ? null : { status, expiresAt, acceptedAt },
});

// Tools organizations_list and organization_get, over the directory.

const organization = z.object({
  id: z.string().describe('Id of the organization.'),
  name: z.string().describe('Its name.'),
  createdAt: instant.describe('When it was created.'),
  subscription: z
    .object({
      status: z
        .enum(subscriptionStatuses)
        .describe('ACTIVE and TRIALING grant what the product grants, the rest nothing.'),
      product: z.string().nullable().describe('Name of the plan.'),
      currentPeriodEndsAt: instant.nullable().describe('Until when it is paid for.'),
    })
    .describe('Its plan.'),
  memberCount: count.describe('How many people have joined.'),
  openInvitationCount: count.describe('How many invitations can be accepted now.'),
  expiredInvitationCount: count.describe('How many invitations have expired.'),
});

type Facts = z.output<typeof organization>;

const factsOf = ({ subscriptionStatus: status, product, currentPeriodEndsAt, ...row }: OrganizationRow): Facts => ({
  ...row,
  subscription: { status, product, currentPeriodEndsAt },
});

export const listOrganizations = defineTool({
  name: 'organizations_list',
  title: 'List organizations',
  description:
    'Lists organizations by name, with their plan and the number of members and invitations; a query limits the list to names that contain it. Changes nothing. Needs organizations:view.',
  requiredScopes: ['organizations:view'],
  isReadOnly: true,
  isDestructive: false,
  input: z.strictObject({
    query: queryArgument(maxOrganizationSearchLength).describe('Part of a name, in any case.'),
    ...pageArguments,
  }),
  output: pageOfFacts(organization),
  run: async (deps, actor, { query, ...request }) => {
    const page = await listDirectory(deps, actor, { ...request, search: query });
    return factsOfPage(page, factsOf);
  },
  describe: (page) => pageInWords(page, { one: 'organization', many: 'organizations' }),
  shorten: shortenPage,
});

export const getOrganization = defineTool({
  name: 'organization_get',
  title: 'Get an organization',
  description:
    'Returns one organization: its plan, its members with their roles, and its invitations that are not accepted yet. Changes nothing. Needs organizations:view.',
  requiredScopes: ['organizations:view'],
  isReadOnly: true,
  isDestructive: false,
  input: z.strictObject({
    organizationId: idArgument.describe('Id of the organization, as organizations_list gives it.'),
  }),
  output: z.object({
    organization: organization.describe('The organization; its counts include all its members and invitations.'),
    members: z.array(member).describe('Members, by address: the first hundred of memberCount, fewer if they are long.'),
    invitations: z
      .array(member)
      .describe('Open and expired invitations, by address: the first hundred, fewer if they are long.'),
  }),
  run: async (deps, actor, { organizationId }) => {
    const details = await lookUp('organizationId', getDetails(deps, actor, organizationId));
    return {
      organization: factsOf(details.organization),
      members: details.members.map(factsOfMember),
      invitations: details.invitations.map(factsOfMember),
    };
  },
  describe: ({ organization: facts, members, invitations }) => {
    const { name, subscription, memberCount, openInvitationCount, expiredInvitationCount } = facts;
    const plan =
      subscription.product === null ? subscription.status : `${subscription.product} (${subscription.status})`;
    const people = counted(memberCount, { one: 'member', many: 'members' });
    const open = counted(openInvitationCount, { one: 'open invitation', many: 'open invitations' });
    const hidden = memberCount + openInvitationCount + expiredInvitationCount - members.length - invitations.length;
    const more = hidden > 0 ? `; ${hidden} more are not shown: users_search and user_get find each of them` : '';
    return `“${name}” has the plan ${plan}, ${people} and ${open}${more}.`;
  },
  shorten: (facts, maxRows) => ({
    ...facts,
    members: facts.members.slice(0, maxRows),
    invitations: facts.invitations.slice(0, maxRows),
  }),
});

// Tools invitation_reset and invitation_cancel, over the operations of super admins on any invitation.

const input = z.strictObject({
  memberId: idArgument.describe('Id of the invitation, as organization_get or user_get gives it.'),
  ...dryRunArgument,
});

const governed = {
  dryRun: z.boolean().describe('true: nothing was changed; the result shows what would change.'),
  organizationId: z.string().describe('Id of the organization that invites.'),
  organizationName: z.string().describe('Its name.'),
};

const invitationFactsOf = ({ member: row, organizationId, organizationName }: AdminInvitation, dryRun: boolean) => ({
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
    'Renews an open or expired invitation that is not accepted yet: it gets a new link and seven more days, and the link is mailed to the invited address. The old link stops working; only the mail contains the new one. Use dryRun first to see the recipient. Needs invitations:manage.',
  requiredScopes: ['invitations:manage'],
  isReadOnly: false,
  isDestructive: true,
  input,
  output: z.object({
    ...governed,
    member: member.describe('The invitation after the change, with its new expiry.'),
    mail: z
      .object({
        to: z.string().describe('Address that the mail goes to.'),
        subject: z.string().describe('Its subject.'),
      })
      .describe('The mail that is queued.'),
  }),
  run: async (deps, actor, request) => {
    const reissued = await lookUp('memberId', adminResetInvitation(deps, actor, request));
    return { ...invitationFactsOf(reissued, request.dryRun), mail: reissued.mail };
  },
  describe: ({ dryRun, organizationName, member: invited, mail }) => {
    const expiry = invited.invitation?.expiresAt ?? null;
    const until = expiry === null ? '' : `, to be accepted until ${inWords(expiry)}`;
    const sent = dryRun ? 'would be sent again' : 'was sent again';
    return `${prefix(dryRun)}${dryRun ? 'the' : 'The'} invitation to “${organizationName}” as ${invited.role} ${sent} to ${mail.to}${until}; the old link ${dryRun ? 'would stop' : 'stops'} working.`;
  },
});

export const cancelInvitation = defineTool({
  name: 'invitation_cancel',
  title: 'Cancel an invitation',
  description:
    'Cancels an open or expired invitation that is not accepted yet: it is deleted, its link stops working, and no mail is sent. This cannot be undone; the organization can invite the address again. Use dryRun first to see which invitation it is. Needs invitations:manage.',
  requiredScopes: ['invitations:manage'],
  isReadOnly: false,
  isDestructive: true,
  input,
  output: z.object({ ...governed, member: member.describe('The invitation before it was cancelled.') }),
  run: async (deps, actor, request) =>
    invitationFactsOf(await lookUp('memberId', adminCancelInvitation(deps, actor, request)), request.dryRun),
  describe: ({ dryRun, organizationName, member: invited }) =>
    `${prefix(dryRun)}${dryRun ? 'the' : 'The'} invitation of ${invited.email} to “${organizationName}” as ${invited.role} ${dryRun ? 'would be' : 'is'} cancelled.`,
});
