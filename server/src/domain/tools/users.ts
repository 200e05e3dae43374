/** The MCP tools users_search and user_get, over the directory. */
import { z } from 'zod';
import { getUser as getDetails, maxUserSearchLength, searchUsers as searchDirectory } from '../directory/directory.ts';
import { invitationStatuses } from '../organizations/organizations-store.ts';
import {
  count,
  counted,
  idArgument,
  instant,
  pageArguments,
  pageInWords,
  pageOutput,
  pageSchema,
  queryArgument,
  shortenPage,
} from './outputs.ts';
import { defineTool, lookUp } from './tool.ts';

const person = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  emailValidatedAt: instant.nullable(),
  isSuperAdmin: z.boolean(),
  hasPassword: z.boolean(),
  hasExternalIdentity: z.boolean(),
  createdAt: instant,
  suspendedAt: instant.nullable(),
});

const suspension = z.object({
  suspendedAt: instant,
  suspendedByEmail: z.string().nullable(),
  reason: z.string(),
  reinstatedAt: instant.nullable(),
});

const membership = z.object({
  memberId: z.string(),
  organizationId: z.string(),
  organizationName: z.string(),
  role: z.string(),
  joinedAt: instant.nullable(),
  invitationStatus: z.enum(invitationStatuses).nullable(),
  invitationExpiresAt: instant.nullable(),
});

export const searchUsers = defineTool({
  name: 'users_search',
  title: 'Search people',
  description: 'Finds people, listed by address; without a query, all of them.',
  requiredScopes: ['users:view'],
  isReadOnly: true,
  isDestructive: false,
  input: z.strictObject({
    query: queryArgument(maxUserSearchLength).describe('Part of a name or address, in any case.'),
    ...pageArguments,
  }),
  output: pageSchema(person),
  run: async (deps, actor, { query, ...page }) =>
    pageOutput(await searchDirectory(deps, actor, { ...page, search: query }), (row) => row),
  describe: (page) => pageInWords(page, { one: 'person', many: 'people' }),
  shorten: shortenPage,
});

export const getUser = defineTool({
  name: 'user_get',
  title: 'Get a person',
  description:
    'Returns a person: account, memberships and invitations, suspensions, and the number of active sessions.',
  requiredScopes: ['users:view'],
  isReadOnly: true,
  isDestructive: false,
  input: z.strictObject({ userId: idArgument.describe('From users_search.') }),
  output: z.object({
    user: person,
    memberships: z.array(membership).describe('The first 100, members before invitations.'),
    suspensions: z.array(suspension).describe('The newest 20.'),
    membershipCount: count,
    activeSessions: count.describe('Personal tokens included.'),
    activeCredentials: count,
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
