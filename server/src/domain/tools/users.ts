/** The MCP tools users_search and user_get, over the directory. */
import { z } from 'zod';
import { getUser as getDetails, maxUserSearchLength, searchUsers as searchDirectory } from '../directory/directory.ts';
import { invitationStatuses } from '../organizations/organizations-store.ts';
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
import { defineTool, lookUp } from './tool.ts';

const person = z.object({
  id: z.string().describe('Id of the person.'),
  email: z.string().describe('Their e-mail address.'),
  name: z.string().nullable().describe('Their name; null for an invited person who has not joined.'),
  emailValidatedAt: instant.nullable().describe('When they confirmed that the address is theirs.'),
  isSuperAdmin: z.boolean().describe('Whether they are a super admin.'),
  hasPassword: z.boolean().describe('Whether they can sign in with a password.'),
  hasExternalIdentity: z.boolean().describe('Whether they can sign in with an external identity.'),
  createdAt: instant.describe('When they signed up or were first invited.'),
  suspendedAt: instant.nullable().describe('Since when they are suspended; null if they are not.'),
});

const suspension = z.object({
  suspendedAt: instant.describe('When.'),
  suspendedByEmail: z.string().nullable().describe('The super admin; null if gone.'),
  reason: z.string().describe('Why.'),
  reinstatedAt: instant.nullable().describe('When it ended.'),
});

const membership = z.object({
  memberId: z.string().describe('Id of the membership or invitation; invitation_reset and invitation_cancel take it.'),
  organizationId: z.string().describe('Id of the organization.'),
  organizationName: z.string().describe('Its name.'),
  role: z.string().describe('Name of their role there.'),
  joinedAt: instant.nullable().describe('When they joined; null while they are only invited.'),
  invitationStatus: z
    .enum(invitationStatuses)
    .nullable()
    .describe('null for a member who joined without an invitation.'),
  invitationExpiresAt: instant.nullable().describe('Until when the invitation can be accepted.'),
});

export const searchUsers = defineTool({
  name: 'users_search',
  title: 'Search people',
  description:
    'Finds people by a part of their name or e-mail address, listed by address; without a query it lists all people. Changes nothing. Needs users:view.',
  requiredScopes: ['users:view'],
  isReadOnly: true,
  isDestructive: false,
  input: z.strictObject({
    query: queryArgument(maxUserSearchLength).describe('Part of a name or address, in any case.'),
    ...pageArguments,
  }),
  output: pageOfFacts(person),
  run: async (deps, actor, { query, ...page }) =>
    factsOfPage(await searchDirectory(deps, actor, { ...page, search: query }), (row) => row),
  describe: (page) => pageInWords(page, { one: 'person', many: 'people' }),
  shorten: shortenPage,
});

export const getUser = defineTool({
  name: 'user_get',
  title: 'Get a person',
  description:
    'Returns one person: account, memberships and invitations with their organizations and roles, suspensions, and the number of active sessions. Changes nothing. Needs users:view.',
  requiredScopes: ['users:view'],
  isReadOnly: true,
  isDestructive: false,
  input: z.strictObject({ userId: idArgument.describe('Id of the person, as users_search gives it.') }),
  output: z.object({
    user: person.describe('The person.'),
    memberships: z
      .array(membership)
      .describe('Memberships, then invitations: the first hundred of membershipCount, fewer if they are long.'),
    suspensions: z.array(suspension).describe('The newest 20.'),
    membershipCount: count.describe('Number of memberships and invitations.'),
    activeSessions: count.describe(
      'Number of their active sessions, on all devices and in all clients, and of their personal tokens.',
    ),
    activeCredentials: count.describe('Number of their active credentials: two for each session.'),
  }),
  run: async (deps, actor, { userId }) => {
    const details = await lookUp('userId', getDetails(deps, actor, userId));
    return { ...details, memberships: [...details.memberships], suspensions: [...details.suspensions] };
  },
  describe: ({ user, memberships, membershipCount, activeSessions }) =>
    [
      `${user.email}${user.isSuperAdmin ? ' (super admin)' : ''}${user.suspendedAt === null ? '' : ' is suspended, and'} has`,
      `${counted(activeSessions, { one: 'active session', many: 'active sessions' })} and`,
      `${counted(membershipCount, { one: 'membership or invitation', many: 'memberships and invitations' })}${
        membershipCount > memberships.length ? `, the first ${memberships.length} shown` : ''
      }.`,
    ].join(' '),
  shorten: (facts, maxRows) => ({
    ...facts,
    memberships: facts.memberships.slice(0, maxRows),
    suspensions: facts.suspensions.slice(0, maxRows),
  }),
});
