/**
 * Owns: the tools of the MCP of an organization: those of the service, over the operations that GraphQL uses, and those
 *   of the application.
 * Promises: A tool has the authority that its person granted and holds at that moment; a dry run of the service's tools
 *   changes nothing.
 *
 * The tools of the service, in the order in which clients see them, and what the person and their organization are.
 */
import { z } from 'zod';
import { scopesOfActor } from '../access/actor.ts';
import { getSeats } from '../memberships/manage-members.ts';
import type { Application } from '../scopes/application.ts';
import { subscriptionStatuses } from '../scopes/scopes.ts';
import { count, counted, instant } from '../tools/outputs.ts';
import type { Tool } from '../tools/tool.ts';
import { invitationTools } from './invitations.ts';
import { memberTools } from './members.ts';
import { defineTool, membershipOf } from './organization-tool.ts';

// Tool whoami: the person, their organization, their scopes and the client.

const named = z.object({ id: z.string(), name: z.string() });

const whoami = defineTool({
  name: 'whoami',
  title: 'Who am I',
  description:
    'Returns the person that you act for, the one organization that you act in, the scopes that your calls have now, and the client that you call from. Changes nothing. Needs MEMBERS_VIEW.',
  requiredScopes: ['MEMBERS_VIEW'],
  isReadOnly: true,
  isDestructive: false,
  input: z.strictObject({}),
  output: z.object({
    person: z.object({ id: z.string(), email: z.string(), name: z.string() }).describe('The person.'),
    organization: named.describe('Their organization.'),
    role: z.string().describe('Their role in it.'),
    scopes: z.array(z.string()).describe('Scopes that calls have now: granted and held.'),
    grantedScopes: z.array(z.string()).describe('Scopes that the person granted to this client.'),
    client: named.describe('The client by its client_id, with the name that it claims.'),
  }),
  run: async (_deps, actor) => {
    const { user, credential, application } = actor;
    const { organization, role } = membershipOf(actor);
    return {
      person: { id: user.id, email: user.email, name: user.name },
      organization: { id: organization.id, name: organization.name },
      role: application.shownRole(role),
      scopes: [...scopesOfActor(actor)].sort(),
      grantedScopes: [...credential.grantedScopes],
      client: { id: credential.clientMetadataUrl ?? credential.clientId ?? '', name: credential.clientName ?? '' },
    };
  },
  describe: ({ person, organization, role, client, scopes }) =>
    `You act for “${person.name}” (${person.email}), ${role} of “${organization.name}”, through “${client.name}”, with ${counted(scopes.length, { one: 'scope', many: 'scopes' })}.`,
});

// Tool organization_get: the organization, its plan and its seats.

const getOrganization = defineTool({
  name: 'organization_get',
  title: 'Get the organization',
  description:
    'Returns the organization: its plan, and how many members, open invitations and seats it has. Changes nothing. Needs MEMBERS_VIEW.',
  requiredScopes: ['MEMBERS_VIEW'],
  isReadOnly: true,
  isDestructive: false,
  input: z.strictObject({}),
  output: z.object({
    id: z.string(),
    name: z.string(),
    requireSecondFactor: z.boolean().describe('Whether members need a second factor.'),
    subscription: z
      .object({
        status: z.enum(subscriptionStatuses).describe('ACTIVE and TRIALING grant what the product grants.'),
        product: z.string().nullable().describe('Name of the plan.'),
        currentPeriodEndsAt: instant.nullable().describe('Until when it is paid for.'),
      })
      .describe('Its plan.'),
    members: count.describe('How many people have joined.'),
    openInvitations: count.describe('How many invitations can be accepted now.'),
    seats: count.nullable().describe('How many members and open invitations the plan allows; null: no limit.'),
  }),
  run: async (deps, actor) => {
    const membership = membershipOf(actor);
    const { id, name, requireSecondFactor, subscription } = membership.organization;
    const { limit, members, openInvitations } = await getSeats(deps, membership);
    return { id, name, requireSecondFactor, subscription, members, openInvitations, seats: limit };
  },
  describe: ({ name, subscription, members, openInvitations, seats }) => {
    const plan =
      subscription.product === null ? subscription.status : `${subscription.product} (${subscription.status})`;
    const limit = seats === null ? '' : ` of ${counted(seats, { one: 'seat', many: 'seats' })}`;
    const open = counted(openInvitations, { one: 'open invitation', many: 'open invitations' });
    return `“${name}” has the plan ${plan}, ${counted(members, { one: 'member', many: 'members' })} and ${open}${limit}.`;
  },
});

/** The tools of the service for one application, whose roles their arguments name. */
export const organizationTools = (application: Application): readonly Tool<string>[] => {
  const [list, changeRole, remove] = memberTools(application);
  return [whoami, getOrganization, list, ...invitationTools(application), changeRole, remove];
};
