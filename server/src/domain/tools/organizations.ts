/** The tools organizations_list and organization_get, over the directory. */
import { z } from 'zod';
import { getOrganization as getDetails } from '../directory/get-organization.ts';
import { listOrganizations as listDirectory, longestSearchOfOrganizations } from '../directory/list-organizations.ts';
import type { OrganizationRow } from '../directory/organizations-store.ts';
import { subscriptionStatuses } from '../scopes/scopes.ts';
import { lookUp } from './arguments.ts';
import {
  count,
  counted,
  factsOfPage,
  idArgument,
  instant,
  pageArguments,
  pageInWords,
  pageOfFacts,
  queryArgument,
  shortenPage,
} from './facts.ts';
import { factsOfMember, member } from './members.ts';
import { defineTool } from './tool.ts';

const organization = z.object({
  id: z.string().describe('Id of the organization.'),
  name: z.string().describe('Its name.'),
  createdAt: instant.describe('When it was founded.'),
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
    'Lists organizations by name, with their plan and the number of members and invitations; a query narrows it to names that hold it. Changes nothing. Needs organizations:view.',
  requiredScopes: ['organizations:view'],
  isReadOnly: true,
  isDestructive: false,
  input: z.strictObject({
    query: queryArgument(longestSearchOfOrganizations).describe('Part of a name, in any case.'),
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
  title: 'Look at an organization',
  description:
    'Tells of one organization: its plan, its members with their roles, and its invitations that nobody has accepted. Changes nothing. Needs organizations:view.',
  requiredScopes: ['organizations:view'],
  isReadOnly: true,
  isDestructive: false,
  input: z.strictObject({
    organizationId: idArgument.describe('Id of the organization, as organizations_list gives it.'),
  }),
  output: z.object({
    organization: organization.describe('The organization; its counts are of all its people.'),
    members: z
      .array(member)
      .describe('Who has joined, by address: the first hundred of memberCount, fewer if they are long.'),
    invitations: z
      .array(member)
      .describe('Who is invited, open and expired, by address: the first hundred, fewer if they are long.'),
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
  shorten: (facts, mostRows) => ({
    ...facts,
    members: facts.members.slice(0, mostRows),
    invitations: facts.invitations.slice(0, mostRows),
  }),
});
