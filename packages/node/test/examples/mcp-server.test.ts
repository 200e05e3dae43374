/** examples/mcp-server in a process of its own: what it answers the official SDK, and whom it refuses. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { alter } from '../../../../server/test/support/actors/credentials.ts';
import { newMember, newOwner, type Tenant } from '../../../../server/test/support/actors/tenants.ts';
import { fixture } from '../../../../server/test/support/fixture.ts';
import { serviceFixture } from '../../../../server/test/support/gatehouse/gatehouse.ts';
import { application, resourceSecret, resourceUrl } from '../application.ts';
import { tokenForResource } from '../resource-token.ts';
import { mcpExample, startExample } from './start-example.ts';

const service = serviceFixture({ RESOURCE_SECRET_NOTES: resourceSecret }, 'none', { application });
const running = fixture(() =>
  startExample(mcpExample, {
    GATEHOUSE_URL: service.url,
    RESOURCE_SECRET_NOTES: resourceSecret,
    RESOURCE_URL: resourceUrl,
  }),
);
const writer = fixture(() => newOwner(service));

const metadataUrl = new URL('/.well-known/oauth-protected-resource/mcp', resourceUrl);

const post = (method: string, parameters: object, token?: string): Promise<Response> =>
  fetch(`${running.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: parameters }),
  });

const addNote = (token?: string): Promise<Response> =>
  post('tools/call', { name: 'add_note', arguments: { text: 'Hello' } }, token);

const newToken = async (scopes: string): Promise<string> => tokenForResource(service, await newOwner(service), scopes);

describe('The MCP server', () => {
  it.each(['legacy', 'auto'] as const)('serves its tools to the SDK in mode %s', async (mode) => {
    const reader = await newMember(service, writer.organizationId, 'MEMBER');
    const call = async (person: Tenant, scopes: string, name: string, given = {}): Promise<unknown> => {
      const headers = { authorization: `Bearer ${await tokenForResource(service, person, scopes)}` };
      const client = new Client({ name: 'tests', version: '1' }, { versionNegotiation: { mode } });
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${running.url}/mcp`), { requestInit: { headers } }),
      );
      expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(['list_notes', 'add_note']);
      const { content } = await client.callTool({ name, arguments: given });
      await client.close();
      return content;
    };
    const text = `By ${mode}`;
    expect(await call(writer, 'notes:read,notes:write', 'add_note', { text })).toEqual([
      { type: 'text', text: 'Added.' },
    ]);
    expect(JSON.stringify(await call(reader, 'notes:read', 'list_notes'))).toContain(text);
    expect(await call(await newOwner(service), 'notes:read', 'list_notes')).toEqual([{ type: 'text', text: '[]' }]);
  });

  it('has its metadata where the challenge says', async () => {
    const refused = await addNote();
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer scope="notes:read notes:write", resource_metadata="${metadataUrl}"`,
    ]);
    const metadata = await fetch(`${running.url}${metadataUrl.pathname}`);
    expect(await metadata.json()).toMatchObject({ resource: resourceUrl, authorization_servers: [service.url] });
  });

  it('refuses a session of the portal and an ended token, which it has accepted before', async () => {
    const { tokens } = await newOwner(service);
    expect((await addNote(tokens.accessToken)).status).toBe(401);
    const token = await newToken('notes:read,notes:write');
    expect((await addNote(token)).status).toBe(200);
    await alter(service, token, `revoked_at = now(), revocation_reason = 'signed_out'`);
    expect((await addNote(token)).status).toBe(401);
  });

  it('asks for the scopes that a tool needs', async () => {
    const token = await newToken('notes:read');
    expect((await post('tools/call', { name: 'list_notes', arguments: {} }, token)).status).toBe(200);
    const refused = await addNote(token);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([403, expect.any(String)]);
    const challenge = refused.headers.get('www-authenticate');
    expect(challenge).toContain('error="insufficient_scope"');
    expect(challenge).toContain('scope="notes:read notes:write"');
    expect(challenge).toContain(`resource_metadata="${metadataUrl}"`);
    expect((await addNote(await newToken('notes:write'))).status).toBe(403);
  });

  it('answers 503 where Gatehouse has stopped', async () => {
    const token = await newToken('notes:read');
    await service.close();
    const reply = await addNote(token);
    expect([reply.status, await reply.json()]).toMatchObject([503, { error: { code: 'UNAVAILABLE' } }]);
  });
});
