/** The tools members_list, member_change_role and member_remove, over the operations on members. */
import { z } from 'zod';
import { changeMemberRole, listMembers, removeMember } from '../memberships/manage-members.ts';
import type { Application } from '../scopes/application.ts';
import {
  count,
  counted,
  dryRunArgument,
  idArgument,
  pageArguments,
  pageInWords,
  pageOutput,
  pageSchema,
  queryArgument,
  shortenPage,
} from '../tools/shared-schemas.ts';
import { lookUp, type Tool } from '../tools/tool.ts';
import {
  defineTool,
  depsFor,
  dryRunFlag,
  member,
  memberOutput,
  membershipOf,
  prefixOf,
  roleArgument,
} from './organization-tool.ts';

/** In characters. */
const maxSearchLength = 100;

const list = defineTool({
  name: 'members_list',
  title: 'List members',
  description:
    'Lists the members and invitations of the organization by address; a search limits the list to addresses and names that contain it. Changes nothing. Needs MEMBERS_VIEW.',
  requiredScopes: ['MEMBERS_VIEW'],
  isReadOnly: true,
  isDestructive: false,
  input: z.strictObject({
    search: queryArgument(maxSearchLength).describe('Part of an address or name, in any case.'),
    ...pageArguments,
  }),
  output: pageSchema(member),
  run: async (deps, actor, request) =>
    pageOutput(await listMembers(deps, membershipOf(actor), request), (row) => memberOutput(actor.application, row)),
  describe: (page) => pageInWords(page, { one: 'member or invitation', many: 'members and invitations' }),
  shorten: shortenPage,
});

const memberId = idArgument.describe('Id of the membership or invitation, as members_list gives it.');

const changeRole = (application: Application) =>
  defineTool({
    name: 'member_change_role',
    title: 'Change a role',
    description:
      'Gives a member, or an invitation, another role. Roles with scopes that the person has not granted yet have them asked for; never OWNER, nor the role of an owner, nor a role with scopes that clients are not offered, such as ADMIN. Use dryRun first. Needs MEMBERS_UPDATE.',
    requiredScopes: ['MEMBERS_UPDATE'],
    isReadOnly: false,
    isDestructive: true,
    isIdempotent: true,
    input: z.strictObject({
      memberId,
      role: roleArgument(application).describe('The new role.'),
      ...dryRunArgument,
    }),
    output: z.object({
      dryRun: dryRunFlag,
      formerRole: z.string(),
      member: member.describe('With the new role.'),
    }),
    run: async (deps, actor, { dryRun, ...input }) => {
      const changed = await lookUp('memberId', changeMemberRole(depsFor(deps, { dryRun }), actor, input));
      const { formerRole, ...row } = changed;
      return { dryRun, formerRole: application.shownRole(formerRole), member: memberOutput(application, row) };
    },
    describe: ({ dryRun, formerRole, member: { email, role } }) =>
      `${prefixOf(dryRun)}${email} ${dryRun ? 'would be' : 'is'} ${role}, and was ${formerRole}.`,
  });

const remove = defineTool({
  name: 'member_remove',
  title: 'Remove a member',
  description:
    'Removes a member, whose sessions and connections in the organization end, or an invitation; never yourself, nor an owner. This cannot be undone; they can be invited again. Use dryRun first. Needs MEMBERS_REMOVE.',
  requiredScopes: ['MEMBERS_REMOVE'],
  isReadOnly: false,
  isDestructive: true,
  input: z.strictObject({ memberId, ...dryRunArgument }),
  output: z.object({
    dryRun: dryRunFlag,
    member: member.describe('As it was.'),
    endedSessions: count.describe('Sessions, connections and tokens of theirs that end.'),
  }),
  run: async (deps, actor, { dryRun, memberId: id }) => {
    const removed = await lookUp('memberId', removeMember(depsFor(deps, { dryRun }), actor, id));
    return { dryRun, member: memberOutput(actor.application, removed.member), endedSessions: removed.endedSessions };
  },
  describe: ({ dryRun, member: { email, role }, endedSessions }) =>
    `${prefixOf(dryRun)}${email} (${role}) ${dryRun ? 'would be' : 'is'} removed, and ${counted(endedSessions, { one: 'session', many: 'sessions' })} ${dryRun ? 'would end' : 'ended'}.`,
});

export const memberTools = (application: Application): readonly [Tool<string>, Tool<string>, Tool<string>] => [
  list,
  changeRole(application),
  remove,
];
