/** The MCP tools that list and revoke sessions. */
import { z } from 'zod';
import { credentialKinds } from '../credentials/token.ts';
import { type AdminRevocation, adminRevokeSession, revokeSessionsOfUser } from '../sessions/admin-sessions.ts';
import { actorKindOf, actorKinds, listActiveSessions, listSessionFamilies } from '../sessions/list-sessions.ts';
import {
  count,
  counted,
  dryRunArgument,
  factsOfPage,
  idArgument,
  instant,
  inWords,
  pageArguments,
  pageInWords,
  pageOfFacts,
  shortenPage,
} from './facts.ts';
import { sessionFilterArguments } from './session-arguments.ts';
import { defineTool, lookUp } from './tool.ts';

// Tool sessions_list: active credentials of all users, with the filters and pages of activeSessions.

const kind = z.enum(credentialKinds);

const session = z.object({
  id: z.string().describe('Id of the credential; sessions_revoke takes it.'),
  sessionFamilyId: z
    .string()
    .describe('Id of the session, whose access and refresh credential share it, or of the token of a machine.'),
  kind: kind.describe(
    'user_session is an access credential, user_refresh the one that renews it, machine the token of a machine.',
  ),
  audience: z.string().describe('Audience that accepts it; mcp for connected MCP clients.'),
  authMethod: z.string().describe('How the person signed in; personal_token or service_token for a machine.'),
  actorKind: z
    .enum(actorKinds)
    .describe('PERSON in a session, PERSONAL_TOKEN of a person, or SERVICE_ACCOUNT of an organization.'),
  tokenName: z.string().nullable().describe('Name of the token of a machine.'),
  hasSecondFactor: z.boolean().describe('Whether a second factor was used; false for machines and MCP clients.'),
  userId: z.string().describe('Id of the person or of the service account.'),
  userEmail: z
    .string()
    .describe('E-mail address of the person; that of a service account ends in service-account.invalid.'),
  organizationId: z.string().nullable().describe('Organization in which it was issued.'),
  organizationName: z.string().nullable().describe('Name of that organization.'),
  clientName: z.string().nullable().describe('Name of the MCP client, as it registered.'),
  scopes: z.array(z.string()).describe('Scopes that it is limited to; empty if it is not limited.'),
  issuedAt: instant.describe('When it was issued.'),
  expiresAt: instant.describe('When it expires.'),
  issueIp: z.string().nullable().describe('Network address that it was issued to.'),
  issueUserAgent: z.string().nullable().describe('User agent that it was issued to.'),
  lastSeenAt: instant.nullable().describe('When it was last used, to the minute.'),
  lastSeenIp: z.string().nullable().describe('Network address that last used it.'),
  isCurrent: z.boolean().describe('Whether it is the credential of this call.'),
});

const family = z.object({
  actorKind: session.shape.actorKind,
  tokenName: session.shape.tokenName,
  sessionFamilyId: z.string().describe('Id of the session; sessions_revoke takes it as a credential of the session.'),
  userId: session.shape.userId,
  userEmail: session.shape.userEmail,
  organizationId: session.shape.organizationId,
  organizationName: session.shape.organizationName,
  clientName: session.shape.clientName,
  audience: session.shape.audience,
  authMethod: session.shape.authMethod,
  credentials: count.describe('Number of its active credentials.'),
  firstIssuedAt: instant.describe('When the session began.'),
  issueIp: session.shape.issueIp,
  issueUserAgent: session.shape.issueUserAgent,
  lastSeenAt: session.shape.lastSeenAt,
  lastSeenIp: session.shape.lastSeenIp,
  expiresAt: instant.describe('When it ends.'),
  isCurrent: z.boolean().describe('Whether it is the session of this call.'),
});

type SessionFacts = z.output<typeof session> | z.output<typeof family>;
type SessionPage = Awaited<ReturnType<typeof factsOfPage<never, SessionFacts>>>;

export const listSessions = defineTool({
  name: 'sessions_list',
  title: 'List sessions',
  description:
    'Lists the active credentials of every person and service account, MCP ones included, the newest first. A session has two: an access and a refresh credential; the token of a machine has one, or two while it is rotated. groupBySession lists each session and each token once. Filters hold together. Tokens never appear. Changes nothing. Needs sessions:view.',
  requiredScopes: ['sessions:view'],
  isReadOnly: true,
  isDestructive: false,
  input: z.strictObject({
    ...sessionFilterArguments,
    groupBySession: z
      .boolean()
      .default(false)
      .describe('true lists sessions: those of which a credential matches, once each.'),
    ...pageArguments,
  }),
  output: pageOfFacts(z.union([session, family])),
  run: async (deps, actor, { first, after, groupBySession, ...filter }): Promise<SessionPage> => {
    const request = { first, after };
    if (groupBySession) {
      return factsOfPage(await listSessionFamilies(deps, request, filter), (row): SessionFacts => {
        return {
          ...row,
          actorKind: actorKindOf(row),
          isCurrent: row.sessionFamilyId === actor.credential.sessionFamilyId,
        };
      });
    }
    return factsOfPage(await listActiveSessions(deps, request, filter), (row): SessionFacts => {
      return {
        ...row,
        actorKind: actorKindOf(row),
        scopes: [...row.scopes],
        isCurrent: row.id === actor.credential.id,
      };
    });
  },
  describe: (page) =>
    pageInWords(
      page,
      page.nodes.some((row) => !('kind' in row))
        ? { one: 'session', many: 'sessions' }
        : { one: 'active credential', many: 'active credentials' },
    ),
  shorten: shortenPage,
});

// Tools sessions_revoke and sessions_revoke_user, over the super admins' operations on sessions.

const credential = z.object({
  id: z.string().describe('Id of the credential.'),
  kind: kind.describe('Access or refresh credential of a session, or the token of a machine.'),
  audience: z.string().describe('Audience that accepted it; mcp for MCP clients.'),
  clientName: z.string().nullable().describe('Name of the MCP client.'),
  organizationName: z.string().nullable().describe('Organization in which it was issued.'),
  tokenName: z.string().nullable().describe('Name of the token of a machine.'),
  issuedAt: instant.describe('When it was issued.'),
});

const output = z.object({
  dryRun: z.boolean().describe('true: nothing was changed; the result shows what would change.'),
  revokedCredentials: count.describe('Number of active credentials that are revoked.'),
  revokedAt: instant
    .nullable()
    .describe(
      'The instant after which no server accepts them; if they had ended before, the first such instant; null after a dry run.',
    ),
  userEmail: z
    .string()
    .nullable()
    .describe('The person or the service account whose credentials are revoked; null when none is.'),
  endsOwnSession: z
    .boolean()
    .describe('Whether the session of this call is among them: further calls are then refused.'),
  credentials: z
    .array(credential)
    .describe('The credentials that are revoked, the newest first: the first hundred of revokedCredentials.'),
});

type Facts = z.output<typeof output>;

const factsOf = (
  { revokedCredentials, revokedAt, endsOwnSession, credentials }: AdminRevocation,
  dryRun: boolean,
): Facts => ({
  dryRun,
  revokedCredentials,
  revokedAt: dryRun ? null : revokedAt,
  userEmail: credentials[0]?.userEmail ?? null,
  endsOwnSession,
  credentials: [...credentials],
});

const inOneSentence = ({ dryRun, revokedAt, endsOwnSession, ...facts }: Facts): string => {
  const { revokedCredentials, userEmail, credentials } = facts;
  const number = counted(revokedCredentials, { one: 'credential', many: 'credentials' });
  const whose = userEmail === null ? number : `${number} of ${userEmail}`;
  const done = revokedAt === null ? `${whose} would be revoked` : inPast(whose, userEmail !== null, revokedAt);
  const rest = credentials.length < revokedCredentials ? `, the first ${credentials.length} of them shown` : '';
  const own = endsOwnSession ? `; the session of this call ${dryRun ? 'would end' : 'has ended'} with them` : '';
  return `${dryRun ? 'Dry run, nothing was changed: ' : ''}${done}${rest}${own}.`;
};

const inPast = (whose: string, isNew: boolean, revokedAt: Date): string =>
  isNew ? `${whose} revoked on ${inWords(revokedAt)}` : `${whose} revoked: all had ended by ${inWords(revokedAt)}`;

const shorten = (facts: Facts, maxRows: number): Facts => ({
  ...facts,
  credentials: facts.credentials.slice(0, maxRows),
});

export const revokeSession = defineTool({
  name: 'sessions_revoke',
  title: 'End a session',
  description:
    'Ends the whole session that a credential belongs to: its access and refresh credentials are refused from then on, and the person has to sign in again on that device. For the token of a machine, all its secrets are refused. This cannot be undone. For a session that has already ended, the result is 0 credentials. Use dryRun first to see what would end. Needs sessions:revoke.',
  requiredScopes: ['sessions:revoke'],
  isReadOnly: false,
  isDestructive: true,
  isIdempotent: true,
  input: z.strictObject({
    credentialId: idArgument.describe('Id of any credential of the session, as sessions_list gives it.'),
    ...dryRunArgument,
  }),
  output,
  run: async (deps, actor, input) =>
    factsOf(await lookUp('credentialId', adminRevokeSession(deps, actor, input)), input.dryRun),
  describe: inOneSentence,
  shorten,
});

export const revokeUser = defineTool({
  name: 'sessions_revoke_user',
  title: 'Sign a person out everywhere',
  description:
    'Ends every session of a person, on all devices and in all connected clients, and their personal tokens; they have to sign in again everywhere. A service account is no person: NOT_FOUND. This cannot be undone. Use dryRun first to see what would end. Needs sessions:revoke.',
  requiredScopes: ['sessions:revoke'],
  isReadOnly: false,
  isDestructive: true,
  isIdempotent: true,
  input: z.strictObject({
    userId: idArgument.describe('Id of the person, as users_search or sessions_list gives it.'),
    ...dryRunArgument,
  }),
  output,
  run: async (deps, actor, input) =>
    factsOf(await lookUp('userId', revokeSessionsOfUser(deps, actor, input)), input.dryRun),
  describe: inOneSentence,
  shorten,
});
