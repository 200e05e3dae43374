/** The tools sessions_revoke and sessions_revoke_user, over the operations of session governance. */
import { z } from 'zod';
import { type GovernedRevocation, revokeSessionOfAnybody, revokeSessionsOfUser } from '../sessions/govern-sessions.ts';
import { count, counted, dryRunArgument, instant, inWords } from './facts.ts';
import { defineTool } from './tool.ts';

const credential = z.object({
  id: z.string().describe('Id of the credential.'),
  sessionFamilyId: z.string().describe('Id of the session that it belonged to.'),
  kind: z.enum(['user_session', 'user_refresh']).describe('Access or refresh credential.'),
  userEmail: z.string().describe('Whose it was.'),
  audience: z.string().describe('Where it was accepted; mcp for MCP clients.'),
  clientName: z.string().nullable().describe('Name of the MCP client.'),
  organizationName: z.string().nullable().describe('Organization in which it was issued.'),
  issuedAt: instant.describe('When it was issued.'),
});

const output = z.object({
  dryRun: z.boolean().describe('true: nothing was changed, this is what would be.'),
  revokedCredentials: count.describe('How many active credentials are revoked.'),
  revokedAt: instant.nullable().describe('From when on no server accepts them; null after a dry run.'),
  endsOwnSession: z.boolean().describe('Whether the session of this very call is among them: then no call follows.'),
  credentials: z.array(credential).describe('Each credential that is revoked, the newest first.'),
});

type Facts = z.output<typeof output>;

const factsOf = (
  { revokedCredentials, revokedAt, endsOwnSession, credentials }: GovernedRevocation,
  dryRun: boolean,
): Facts => ({
  dryRun,
  revokedCredentials,
  revokedAt: dryRun ? null : revokedAt,
  endsOwnSession,
  credentials: [...credentials],
});

const mostLines = 20;

const inSentences = ({ dryRun, revokedCredentials, revokedAt, endsOwnSession, credentials }: Facts): string => {
  const number = counted(revokedCredentials, { one: 'credential', many: 'credentials' });
  const done = revokedAt === null ? `${number} would be revoked` : `${number} revoked at ${inWords(revokedAt)}`;
  const lines = credentials.slice(0, mostLines).map(lineOf);
  const rest = credentials.length - lines.length;
  return [
    `${dryRun ? 'Dry run, nothing was changed: ' : ''}${done}.`,
    ...lines,
    ...(rest > 0 ? [`- and ${rest} more`] : []),
    ...(endsOwnSession ? [`The session of this call ${dryRun ? 'would end' : 'has ended'} with them.`] : []),
  ].join('\n');
};

const lineOf = ({ userEmail, kind, audience, clientName, issuedAt, id }: Facts['credentials'][number]): string => {
  const client = clientName === null ? '' : ` of “${clientName}”`;
  const what = kind === 'user_session' ? 'access' : 'refresh';
  return `- ${userEmail}: ${what}, ${audience}${client}, issued ${inWords(issuedAt)}, id ${id}`;
};

export const revokeSession = defineTool({
  name: 'sessions_revoke',
  title: 'End a session',
  description:
    'Ends the whole session that a credential belongs to: its access and its refresh credential are refused from then on, and the person has to sign in again there. It cannot be undone. A session that has ended already answers 0 credentials. Use dryRun first to see what would end. Needs sessions:revoke.',
  requiredScopes: ['sessions:revoke'],
  isReadOnly: false,
  isDestructive: true,
  input: z.strictObject({
    credentialId: z.string().describe('Id of any credential of the session, as sessions_list gives it.'),
    ...dryRunArgument,
  }),
  output,
  run: async (deps, actor, input) => factsOf(await revokeSessionOfAnybody(deps, actor, input), input.dryRun),
  describe: inSentences,
});

export const revokeUser = defineTool({
  name: 'sessions_revoke_user',
  title: 'Sign a person out everywhere',
  description:
    'Ends every session of a person, on all devices and in all connected clients; they have to sign in again everywhere. It cannot be undone. Use dryRun first to see what would end. Needs sessions:revoke.',
  requiredScopes: ['sessions:revoke'],
  isReadOnly: false,
  isDestructive: true,
  input: z.strictObject({
    userId: z.string().describe('Id of the person, as users_search or sessions_list gives it.'),
    ...dryRunArgument,
  }),
  output,
  run: async (deps, actor, input) => factsOf(await revokeSessionsOfUser(deps, actor, input), input.dryRun),
  describe: inSentences,
});
