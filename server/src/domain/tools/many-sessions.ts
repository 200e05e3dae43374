/** The MCP tools sessions_revoke_many and organization_revoke. */
import { z } from 'zod';
import { type BulkRevocation, revokeOrganizationSessions, revokeSessions } from '../sessions/revoke-many.ts';
import { count, counted, dryRunArgument, idArgument, instant, inWords } from './facts.ts';
import { sessionFilterArguments } from './session-arguments.ts';
import { defineTool, lookUp } from './tool.ts';

const output = z.object({
  dryRun: z.boolean(),
  sessions: count,
  revokedCredentials: count,
  revokedAt: instant.nullable(),
  endsOwnSession: z.boolean().describe('Further calls are refused.'),
});

const inOneSentence = ({ sessions, revokedCredentials, revokedAt, endsOwnSession }: BulkRevocation): string => {
  const number = counted(sessions, { one: 'session', many: 'sessions' });
  const credentials = counted(revokedCredentials, { one: 'credential', many: 'credentials' });
  const own = endsOwnSession
    ? `; the session of this call ${revokedAt === null ? 'would end' : 'has ended'} with them`
    : '';
  if (revokedAt === null) return `Dry run, nothing was changed: ${number} with ${credentials} would end${own}.`;
  return `${number} with ${credentials} ended on ${inWords(revokedAt)}${own}.`;
};

export const revokeMany = defineTool({
  name: 'sessions_revoke_many',
  title: 'End many sessions',
  description:
    'Ends every session, and token of a machine, that sessions_list with the same filter and groupBySession lists, 10,000 at most; at least one field of the filter is required. CONFLICT if another number than expectedCount matches by then. Cannot be undone.',
  requiredScopes: ['sessions:revoke'],
  isReadOnly: false,
  isDestructive: true,
  isIdempotent: true,
  input: z.strictObject({
    ...sessionFilterArguments,
    expectedCount: count.optional().describe('sessions of the dry run; required without dryRun.'),
    ...dryRunArgument,
  }),
  output,
  run: (deps, actor, { expectedCount, dryRun, ...filter }) =>
    revokeSessions(deps, actor, { filter, expectedCount, dryRun }),
  describe: inOneSentence,
});

export const revokeOrganization = defineTool({
  name: 'organization_revoke',
  title: 'End all sessions in an organization',
  description:
    'Ends every session that was issued in an organization, MCP clients and tokens of machines included, 10,000 at most. Cannot be undone.',
  requiredScopes: ['sessions:revoke'],
  isReadOnly: false,
  isDestructive: true,
  isIdempotent: true,
  input: z.strictObject({
    organizationId: idArgument.describe('From organizations_list.'),
    ...dryRunArgument,
  }),
  output,
  run: (deps, actor, input) => lookUp('organizationId', revokeOrganizationSessions(deps, actor, input)),
  describe: inOneSentence,
});
