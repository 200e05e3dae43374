/** The MCP tools sessions_revoke_many and organization_revoke. */
import { z } from 'zod';
import { findOrganizationName } from '../organizations/organizations-store.ts';
import {
  type BulkRevocation,
  checkRevocation,
  revokeOrganizationSessions,
  revokeSessions,
} from '../session-admin/revoke-many.ts';
import { count, counted, dryRunArgument, dryRunPrefix, idArgument, instant, inWords } from './outputs.ts';
import { sessionFilterArguments } from './session-arguments.ts';
import { defineTool, lookUp } from './tool.ts';

const output = z.object({
  dryRun: z.boolean(),
  sessions: count,
  revokedCredentials: count,
  revokedAt: instant.nullable(),
  endsOwnSession: z.boolean().describe('Further calls are refused.'),
});

interface Facts extends BulkRevocation {
  readonly organizationName?: string;
}

const inOneSentence = ({ sessions, revokedCredentials, revokedAt, endsOwnSession, ...facts }: Facts): string => {
  const place = facts.organizationName === undefined ? '' : ` in “${facts.organizationName}”`;
  const number = `${counted(sessions, { one: 'session', many: 'sessions' })}${place}`;
  const credentials = counted(revokedCredentials, { one: 'credential', many: 'credentials' });
  const own = endsOwnSession
    ? `; the session of this call ${revokedAt === null ? 'would end' : 'has ended'} with them`
    : '';
  if (revokedAt === null) return `${dryRunPrefix}${number} with ${credentials} would end${own}.`;
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
  run: (deps, actor, { expectedCount, dryRun, ...filter }): Promise<Facts> =>
    revokeSessions(deps, actor, { filter, expectedCount, dryRun }),
  preview: (deps, actor, { expectedCount, dryRun: _, ...filter }) =>
    checkRevocation(deps, actor, { filter, expectedCount }),
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
  run: async (deps, actor, input): Promise<Facts> => {
    // Before the change, which must be answered once it is made.
    const organization = await deps.database.maybeOne(findOrganizationName, [input.organizationId]);
    const revocation = await lookUp('organizationId', revokeOrganizationSessions(deps, actor, input));
    return organization === null ? revocation : { ...revocation, organizationName: organization.name };
  },
  describe: inOneSentence,
});
