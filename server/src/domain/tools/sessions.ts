/** The MCP tools that list and revoke sessions. */
import { z } from 'zod';
import { credentialKinds } from '../credentials/token.ts';
import { actorKindOf, actorKinds, listActiveSessions, listSessionFamilies } from '../session-admin/list-sessions.ts';
import { type AdminRevocation, adminRevokeSession, revokeSessionsOfUser } from '../session-admin/revoke-session.ts';
import {
  count,
  counted,
  dryRunArgument,
  dryRunPrefix,
  idArgument,
  instant,
  inWords,
  pageArguments,
  pageInWords,
  pageOutput,
  pageSchema,
  shortenPage,
} from './outputs.ts';
import { sessionFilterArguments } from './session-arguments.ts';
import { defineTool, lookUp } from './tool.ts';

// Tool sessions_list: active credentials of all users, with the filters and pages of activeSessions.

const kind = z.enum(credentialKinds);

const session = z.object({
  id: z.string(),
  sessionFamilyId: z.string().describe('The session, or the token of a machine.'),
  kind: kind.describe('Access or refresh credential of a session, or token of a machine.'),
  audience: z.string(),
  authMethod: z.string(),
  actorKind: z.enum(actorKinds),
  tokenName: z.string().nullable().describe('Of a machine.'),
  hasSecondFactor: z.boolean(),
  userId: z.string(),
  userEmail: z.string(),
  organizationId: z.string().nullable(),
  organizationName: z.string().nullable(),
  clientName: z.string().nullable(),
  scopes: z.array(z.string()).describe('Empty if it is not limited.'),
  issuedAt: instant,
  expiresAt: instant,
  issueIp: z.string().nullable(),
  issueUserAgent: z.string().nullable(),
  lastSeenAt: instant.nullable(),
  lastSeenIp: z.string().nullable(),
  isCurrent: z.boolean().describe('Of this call.'),
});

const family = session
  .omit({ id: true, kind: true, hasSecondFactor: true, scopes: true, issuedAt: true })
  .extend({ credentials: count, firstIssuedAt: instant });

type SessionFacts = z.output<typeof session> | z.output<typeof family>;
type SessionPage = Awaited<ReturnType<typeof pageOutput<never, SessionFacts>>>;

export const listSessions = defineTool({
  name: 'sessions_list',
  title: 'List sessions',
  description:
    'Lists active credentials of all people and service accounts, the newest first; all filters must match. A session has an access and a refresh credential; the token of a machine has one, or two while it is rotated.',
  requiredScopes: ['sessions:view'],
  isReadOnly: true,
  isDestructive: false,
  input: z.strictObject({
    ...sessionFilterArguments,
    groupBySession: z
      .boolean()
      .default(false)
      .describe('true lists each matching session once, in place of its credentials.'),
    ...pageArguments,
  }),
  output: pageSchema(z.union([session, family])),
  run: async (deps, actor, { first, after, groupBySession, ...filter }): Promise<SessionPage> => {
    const request = { first, after };
    if (groupBySession) {
      return pageOutput(await listSessionFamilies(deps, request, filter), (row): SessionFacts => {
        return {
          ...row,
          actorKind: actorKindOf(row),
          isCurrent: row.sessionFamilyId === actor.credential.sessionFamilyId,
        };
      });
    }
    return pageOutput(await listActiveSessions(deps, request, filter), (row): SessionFacts => {
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
  id: z.string(),
  kind,
  audience: z.string(),
  clientName: z.string().nullable(),
  organizationName: z.string().nullable(),
  tokenName: z.string().nullable(),
  issuedAt: instant,
});

const output = z.object({
  dryRun: z.boolean(),
  revokedCredentials: count,
  revokedAt: instant.nullable().describe('Earlier if all had ended before.'),
  userEmail: z.string().nullable(),
  endsOwnSession: z.boolean().describe('Further calls are refused.'),
  credentials: z.array(credential).describe('The first 100, the newest first.'),
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
  return `${dryRun ? dryRunPrefix : ''}${done}${rest}${own}.`;
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
    'Ends the whole session of a credential: the person has to sign in again on that device. Of the token of a machine, all secrets end. If it had ended, the result is 0 credentials. Cannot be undone.',
  requiredScopes: ['sessions:revoke'],
  isReadOnly: false,
  isDestructive: true,
  isIdempotent: true,
  input: z.strictObject({
    credentialId: idArgument.describe('id or sessionFamilyId, from sessions_list.'),
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
    'Ends every session of a person, on all devices and in all connected clients, and their personal tokens. A service account is NOT_FOUND. Cannot be undone.',
  requiredScopes: ['sessions:revoke'],
  isReadOnly: false,
  isDestructive: true,
  isIdempotent: true,
  input: z.strictObject({
    userId: idArgument.describe('From users_search or sessions_list.'),
    ...dryRunArgument,
  }),
  output,
  run: async (deps, actor, input) =>
    factsOf(await lookUp('userId', revokeSessionsOfUser(deps, actor, input)), input.dryRun),
  describe: inOneSentence,
  shorten,
});
