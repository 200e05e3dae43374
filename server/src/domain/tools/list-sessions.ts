/** The tool sessions_list: active credentials of everybody, filtered and paged like activeSessions. */
import { z } from 'zod';
import { listActiveSessions } from '../sessions/list-active-sessions.ts';
import { factsOfPage, instant, inWords, listInWords, pageArguments, pageOfFacts } from './facts.ts';
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
    userId: z.string().optional().describe('Only of this person.'),
    organizationId: z.string().optional().describe('Only those that were issued in this organization.'),
    audience: z.string().optional().describe('Only of this audience: mcp for connected MCP clients.'),
    kind: kind.optional().describe('Only credentials of this kind; user_refresh lists each session once.'),
    ...pageArguments,
  }),
  output: pageOfFacts(session),
  run: async (deps, actor, { first, after, ...filter }) => {
    const page = factsOfPage(await listActiveSessions(deps, { first, after }, filter));
    const nodes = page.nodes.map((row) => ({
      ...row,
      scopes: [...row.scopes],
      isCurrent: row.id === actor.credential.id,
    }));
    return { ...page, nodes };
  },
  describe: (page) => listInWords(page, { one: 'active credential', many: 'active credentials' }, lineOf),
});

const lineOf = (row: z.output<typeof session>): string => {
  const what = row.kind === 'user_session' ? 'access' : 'refresh';
  const client = row.clientName === null ? '' : ` of “${row.clientName}”`;
  const place = row.organizationName === null ? '' : ` in “${row.organizationName}”`;
  const own = row.isCurrent ? ' (this call’s own)' : '';
  return `${row.userEmail}: ${what}, ${row.audience}${client}${place}, issued ${inWords(row.issuedAt)}, id ${row.id}${own}`;
};
