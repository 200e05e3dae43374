/** The MCP tools user_suspend and user_reinstate. */
import { z } from 'zod';
import * as operations from '../session-admin/suspend-user.ts';
import { count, counted, dryRunArgument, dryRunPrefix, idArgument, instant, inWords } from './outputs.ts';
import { defineTool, lookUp } from './tool.ts';

const output = z.object({
  dryRun: z.boolean(),
  userId: z.string(),
  isSuspended: z.boolean().describe('After a dry run: would be.'),
  suspendedAt: instant.nullable(),
  revokedCredentials: count,
});

type Facts = z.output<typeof output> & Pick<operations.Suspension, 'userEmail'>;

const inOneSentence = ({ dryRun, userEmail, isSuspended, suspendedAt, revokedCredentials }: Facts): string => {
  const number = counted(revokedCredentials, { one: 'credential', many: 'credentials' });
  const prefix = dryRun ? dryRunPrefix : '';
  if (!isSuspended) return `${prefix}${userEmail} ${dryRun ? 'would not be' : 'is not'} suspended.`;
  if (suspendedAt !== null)
    return `${prefix}${userEmail} is suspended since ${inWords(suspendedAt)}; ${number} revoked.`;
  return `${prefix}${userEmail} would be suspended, and ${number} revoked.`;
};

const userId = idArgument.describe('From users_search.');

export const suspendUser = defineTool({
  name: 'user_suspend',
  title: 'Suspend a person',
  description:
    'Ends every credential of a person, who cannot sign in by any way until user_reinstate. A mail without the reason tells them. Never yourself.',
  requiredScopes: ['users:suspend'],
  isReadOnly: false,
  isDestructive: true,
  isIdempotent: true,
  input: z.strictObject({
    userId,
    reason: z.string().describe('1 to 200 characters, for super admins.'),
    ...dryRunArgument,
  }),
  output,
  run: async (deps, actor, input) => ({
    dryRun: input.dryRun,
    ...(await lookUp('userId', operations.suspendUser(deps, actor, input))),
  }),
  describe: inOneSentence,
});

export const reinstateUser = defineTool({
  name: 'user_reinstate',
  title: 'Reinstate a person',
  description: 'Lets a suspended person sign in again; a mail tells them. Ended sessions stay ended.',
  requiredScopes: ['users:suspend'],
  isReadOnly: false,
  isDestructive: false,
  isIdempotent: true,
  input: z.strictObject({ userId, ...dryRunArgument }),
  output,
  run: async (deps, actor, input) => ({
    dryRun: input.dryRun,
    ...(await lookUp('userId', operations.reinstateUser(deps, actor, input))),
  }),
  describe: inOneSentence,
});
