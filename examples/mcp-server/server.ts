/** An MCP server of one's own, on Hono and the MCP SDK. Gatehouse says for each request what its token grants. */
import { type ActiveToken, createIdentity, isRefusal } from '@gatehouse/node';
import { serve } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { type AuthInfo, createMcpHandler, McpServer, requireScopes } from '@modelcontextprotocol/server';
import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { z } from 'zod';

const { GATEHOUSE_URL = 'http://localhost:4000', RESOURCE_SECRET_NOTES: secret = '', PORT = '3000' } = process.env;
const ownUrl = `http://localhost:${PORT}`;
/** As `resources.notes.url` of the application has it, letter for letter. */
const { RESOURCE_URL: resource = `${ownUrl}/mcp` } = process.env;

const identity = createIdentity({ baseUrl: GATEHOUSE_URL, resource: { name: 'notes', secret } });
const protection = identity.protectMcp({ resource, scopes: ['notes:read', 'notes:write'] });

/** By the id of the organization that owns them; a real application has a database. */
const notes = new Map<string, string[]>();

/**
 * @returns the id of the organization that the person connected the client to; a token that grants notes:read has one
 */
const organizationOf = (auth: AuthInfo | undefined): string => {
  const token = auth?.extra?.['introspection'] as ActiveToken | undefined;
  if (token?.organization_id === undefined) throw new Error('This token has no organization.');
  return token.organization_id;
};

const inWords = (text: string) => ({ content: [{ type: 'text' as const, text }] });

/** Serves one request: the tools, for the organization of its token. */
const newServer = ({ authInfo }: { authInfo?: AuthInfo }): McpServer => {
  const server = new McpServer({ name: 'notes', version: '1.0.0' });

  server.registerTool('list_notes', { description: 'Lists the notes of your organization.' }, () =>
    inWords(JSON.stringify(notes.get(organizationOf(authInfo)) ?? [])),
  );

  server.registerTool(
    'add_note',
    {
      description: 'Adds a note to your organization.',
      inputSchema: z.object({ text: z.string().max(1000) }),
      scopeChallenge: requireScopes('notes:read', 'notes:write'),
    },
    ({ text }) => {
      const organization = organizationOf(authInfo);
      notes.set(organization, [...(notes.get(organization) ?? []), text]);
      return inWords('Added.');
    },
  );

  return server;
};

/** The peer's address, which is the client's where no proxy forwards the request. */
const clientIpOf = (c: Context): string | undefined =>
  c.req.header('x-forwarded-for') === undefined ? getConnInfo(c).remote.address : undefined;

const mcp = createMcpHandler(newServer);

const app = new Hono();

app.get(protection.metadataPath, (c) => c.json(protection.metadata));

app.all(new URL(resource).pathname, async (c) => {
  const access = await protection.authenticate(c, { clientIp: clientIpOf(c) });
  protection.requireScopes(access, 'notes:read');
  const resourceMetadataUrl = new URL(protection.metadataPath, resource).href;
  return mcp.fetch(c.req.raw, { authInfo: { ...access, resourceMetadataUrl } });
});

app.onError((error, c) => {
  if (!isRefusal(error)) throw error;
  return c.json(error.body, error.status as ContentfulStatusCode, { ...error.headers });
});

serve({ fetch: app.fetch, port: Number(PORT), hostname: 'localhost' }, () =>
  console.log(`Notes: ${resource} (at ${ownUrl})`),
);
