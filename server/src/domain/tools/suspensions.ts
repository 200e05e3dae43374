/** The MCP tools user_suspend and user_reinstate. */
import { z } from 'zod';
import * as operations from '../sessions/suspend-user.ts';
import { count, counted, dryRunArgument, idArgument, instant, inWords } from './facts.ts';
import { defineTool, lookUp } from './tool.ts';

const output = z.object({
  dryRun: z.boolean().describe('true: nothing was changed.'),
  userId: z.string().describe('Id of the person.'),
  isSuspended: z.boolean().describe('Whether the person is suspended, or after a dry run would be.'),
  suspendedAt: instant.nullable().describe('Since when; null for a person who is not, also after a dry run.'),
  revokedCredentials: count.describe('Number of active credentials that are revoked.'),
});

type Facts = z.output<typeof output>;

const inOneSentence = ({ dryRun, isSuspended, suspendedAt, revokedCredentials }: Facts): string => {
  const number = counted(revokedCredentials, { one: 'credential', many: 'credentials' });
  const prefix = dryRun ? 'Dry run, nothing was changed: ' : '';
  if (!isSuspended) return `${prefix}the person ${dryRun ? 'would not be' : 'is not'} suspended.`;
  if (suspendedAt !== null) return `${prefix}the person is suspended since ${inWords(suspendedAt)}; ${number} revoked.`;
  return `${prefix}the person would be suspended, and ${number} revoked.`;
};

const userId = idArgument.describe('Id of the person, as users_search gives it.');

export const suspendUser = defineTool({
  name: 'user_suspend',
  title: 'Suspend a person',
  description:
    'Ends every credential of a person, who cannot sign in by any way until user_reinstate. A mail without the reason tells them. Never yourself. Use dryRun first. Needs users:suspend.',
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
  description:
    'Ends the suspension of a person, who can sign in again; a mail tells them. Sessions of before stay ended. Needs users:suspend.',
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
