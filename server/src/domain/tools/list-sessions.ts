/** The tool sessions_list: active credentials of everybody, filtered and paged like activeSessions. */
import { z } from 'zod';
import { audiences } from '../credentials/token.ts';
import { listActiveSessions } from '../sessions/list-active-sessions.ts';
import { factsOfPage, idArgument, instant, pageArguments, pageInWords, pageOfFacts, shortenPage } from './facts.ts';
import { defineTool } from './tool.ts';

const kind = z.enum(['user_session', 'user_refresh']);

const session = z.object({
  id: z.string().describe('Id of the credential; sessions_revoke takes it.'),
  sessionFamilyId: z.string().describe('Id of the session; its access and its refresh credential share it.'),
  kind: kind.describe('user_session is an access credential, user_refresh the one that renews it.'),
  audience: z.string().describe('Where it is accepted; mcp for connected MCP clients.'),
  authMethod: z.string().describe('How the person signed in.'),
  userId: z.string().describe('Id of the person.'),
  userEmail: z.string().describe('E-mail address of the person.'),
  organizationId: z.string().nullable().describe('Organization in which it was issued.'),
  organizationName: z.string().nullable().describe('Name of that organization.'),
  clientName: z.string().nullable().describe('Name of the MCP client, as it registered itself.'),
  scopes: z.array(z.string()).describe('What it is limited to; empty where it is not limited.'),
  issuedAt: instant.describe('When it was issued.'),
  expiresAt: instant.describe('When it runs out.'),
  issueIp: z.string().nullable().describe('Address that it was issued to.'),
  issueUserAgent: z.string().nullable().describe('Program that it was issued to, as that named itself.'),
  lastSeenAt: instant.nullable().describe('When it was last used, to the minute.'),
  lastSeenIp: z.string().nullable().describe('From where it was last used.'),
  isCurrent: z.boolean().describe('Whether it is the credential of this very call.'),
});

export const listSessions = defineTool({
  name: 'sessions_list',
  title: 'List sessions',
  description:
    'Lists the active credentials of every person, MCP ones included, the newest first. A session has two: an access and a refresh credential. Without arguments it lists all of them; filters narrow it. Tokens never appear. Changes nothing. Needs sessions:view.',
  requiredScopes: ['sessions:view'],
  isReadOnly: true,
  isDestructive: false,
  input: z.strictObject({
    email: z.string().optional().describe("Part of the person's e-mail address, in any case."),
    userId: idArgument.optional().describe('Only of this person.'),
    organizationId: idArgument.optional().describe('Only those that were issued in this organization.'),
    audience: z.enum(audiences).optional().describe('Only of this audience: mcp for connected MCP clients.'),
    kind: kind.optional().describe('Only credentials of this kind; user_refresh lists each session once.'),
    ...pageArguments,
  }),
  output: pageOfFacts(session),
  run: async (deps, actor, { first, after, ...filter }) => {
    const page = await listActiveSessions(deps, { first, after }, filter);
    return factsOfPage(page, (row) => ({
      ...row,
      scopes: [...row.scopes],
      isCurrent: row.id === actor.credential.id,
    }));
  },
  describe: (page) => pageInWords(page, { one: 'active credential', many: 'active credentials' }),
  shorten: shortenPage,
});
