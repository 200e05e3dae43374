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
  dryRunPrefix,
  idArgument,
  instant,
  inWords,
  pageArguments,
  pageInWords,
  pageOutput,
  pageSchema,
  queryArgument,
  shortenPage,
} from './outputs.ts';
import { defineTool, lookUp } from './tool.ts';

// A member or an invited user as tools return them, like GraphQL's Member.

const member = z
  .object({
    id: z.string(),
    userId: z.string(),
    email: z.string(),
    name: z.string().nullable(),
    role: z.string(),
    invitation: z
      .object({
        status: z.enum(invitationStatuses),
        expiresAt: instant.nullable(),
        acceptedAt: instant.nullable(),
      })
      .nullable(),
    joinedAt: instant.nullable(),
  })
  .meta({ id: 'member' });

type MemberFacts = z.output<typeof member>;

const memberOutput = ({
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
  id: z.string(),
  name: z.string(),
  createdAt: instant,
  subscription: z.object({
    status: z.enum(subscriptionStatuses),
    product: z.string().nullable(),
    currentPeriodEndsAt: instant.nullable(),
  }),
  unreadSubscription: z
    .string()
    .nullable()
    .describe('Id at Stripe of a running subscription whose price names no product; the plan is the one before.'),
  memberCount: count,
  openInvitationCount: count,
  expiredInvitationCount: count,
});

type Facts = z.output<typeof organization>;

const factsOf = ({ subscriptionStatus: status, product, currentPeriodEndsAt, ...row }: OrganizationRow): Facts => ({
  ...row,
  subscription: { status, product, currentPeriodEndsAt },
});

export const listOrganizations = defineTool({
  name: 'organizations_list',
  title: 'List organizations',
  description: 'Lists organizations by name, with their plan and the number of members and invitations.',
  requiredScopes: ['organizations:view'],
  isReadOnly: true,
  isDestructive: false,
  input: z.strictObject({
    query: queryArgument(maxOrganizationSearchLength).describe('Part of a name, in any case.'),
    ...pageArguments,
  }),
  output: pageSchema(organization),
  run: async (deps, actor, { query, ...request }) => {
    const page = await listDirectory(deps, actor, { ...request, search: query });
    return pageOutput(page, factsOf);
  },
  describe: (page) => pageInWords(page, { one: 'organization', many: 'organizations' }),
  shorten: shortenPage,
});

export const getOrganization = defineTool({
  name: 'organization_get',
  title: 'Get an organization',
  description:
    'Returns an organization: its plan, members with their roles, and invitations that are not accepted yet.',
  requiredScopes: ['organizations:view'],
  isReadOnly: true,
  isDestructive: false,
  input: z.strictObject({
    organizationId: idArgument.describe('From organizations_list.'),
  }),
  output: z.object({
    organization,
    members: z.array(member).describe('The first 100, by address.'),
    invitations: z.array(member),
  }),
  run: async (deps, actor, { organizationId }) => {
    const details = await lookUp('organizationId', getDetails(deps, actor, organizationId));
    return {
      organization: factsOf(details.organization),
      members: details.members.map(memberOutput),
      invitations: details.invitations.map(memberOutput),
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
  memberId: idArgument.describe('id from organization_get, or memberId from user_get.'),
  ...dryRunArgument,
});

const governed = {
  dryRun: z.boolean(),
  organizationId: z.string(),
  organizationName: z.string(),
};

const invitationFactsOf = ({ member: row, organizationId, organizationName }: AdminInvitation, dryRun: boolean) => ({
  dryRun,
  organizationId,
  organizationName,
  member: memberOutput(row),
});

const prefix = (dryRun: boolean): string => (dryRun ? dryRunPrefix : '');

export const resetInvitation = defineTool({
  name: 'invitation_reset',
  title: 'Send an invitation again',
  description:
    'Renews an invitation that is not accepted yet: mails a new link for seven more days; the old link stops working.',
  requiredScopes: ['invitations:manage'],
  isReadOnly: false,
  isDestructive: true,
  input,
  output: z.object({
    ...governed,
    member,
    mail: z.object({
      to: z.string(),
      subject: z.string(),
    }),
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
    'Deletes an invitation that is not accepted yet: its link stops working, and no mail is sent. Cannot be undone; the address can be invited again.',
  requiredScopes: ['invitations:manage'],
  isReadOnly: false,
  isDestructive: true,
  input,
  output: z.object({ ...governed, member }),
  run: async (deps, actor, request) =>
    invitationFactsOf(await lookUp('memberId', adminCancelInvitation(deps, actor, request)), request.dryRun),
  describe: ({ dryRun, organizationName, member: invited }) =>
    `${prefix(dryRun)}${dryRun ? 'the' : 'The'} invitation of ${invited.email} to “${organizationName}” as ${invited.role} ${dryRun ? 'would be' : 'is'} cancelled.`,
});
