/** MCP clients of a world's people: the tools of the application, and its resources. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { defineTool } from 'gatehouse';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { createWorld, type World } from '../src/index.ts';
import { notes } from './support/applications.ts';

const resource = 'http://localhost:3999/mcp';
const secret = 'notes-secret-of-thirty-two-bytes-or-more';

const added: string[] = [];

const addNote = defineTool({
  name: 'notes_add',
  title: 'Add a note',
  description: 'Adds a note.',
  scopes: ['notes:write'],
  input: z.strictObject({ text: z.string() }),
  output: z.object({ count: z.number() }),
  isReadOnly: false,
  isDestructive: false,
  run: ({ organization, dryRun }, { text }) => {
    if (!dryRun) added.push(`${text} at ${organization.name}`);
    return { count: added.length };
  },
  describe: ({ count }) => `There are ${count} notes.`,
});

let world: World;
beforeAll(async () => {
  world = await createWorld({
    application: { ...notes, resources: { notes: { url: resource, scopes: ['notes:read'] } } },
    tools: [addNote],
    environment: { RESOURCE_SECRET_NOTES: secret },
  });
});
afterAll(() => world.close());

const connect = async (authorization: string): Promise<Client> => {
  const client = new Client({ name: 'tests', version: '1' });
  const url = new URL(`${world.url}/mcp/organization`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization } } }));
  return client;
};

const addMilk = { name: 'notes_add', arguments: { text: 'Milk' } };

it('gives a client of a person, which calls a tool until time is over', async () => {
  const editor = await world.person({ role: 'EDITOR', organization: 'Acme', product: 'team' });
  const client = await connect(await editor.mcpBearer());
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('notes_add');
  expect(JSON.stringify(await client.callTool(addMilk))).toContain('There are 1 notes.');
  expect(added).toEqual(['Milk at Acme']);
  await world.clock.advance(15 * 60);
  await expect(client.callTool(addMilk)).rejects.toThrow();
  await client.close();
  expect(added).toEqual(['Milk at Acme']);
});

it('grants what is asked for and held', async () => {
  const reader = await world.person({ role: 'EDITOR', organization: 'Harbor', product: 'team' });
  const client = await connect(await reader.mcpBearer({ scopes: ['notes:read', 'MEMBERS_REMOVE'] }));
  await expect(client.callTool(addMilk)).rejects.toThrow(/insufficient|scope/i);
  await client.close();
  await expect(reader.mcpBearer({ scopes: ['MEMBERS_REMOVE'] })).rejects.toThrow('holds none of these scopes');
});

it('gives a client of a resource of the application', async () => {
  const reader = await world.person({ role: 'EDITOR' });
  const authorization = await reader.mcpBearer({ resource });
  const answer = await fetch(`${world.url}/auth/introspect`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`notes:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ token: authorization.replace('Bearer ', '') }),
  });
  const { id: sub, organizationId } = reader;
  const facts = { active: true, aud: resource, scope: 'notes:read', sub, organization_id: organizationId };
  expect(await answer.json()).toMatchObject(facts);
  const foreign = reader.mcpBearer({ resource: 'http://localhost:3999/other' });
  await expect(foreign).rejects.toThrow('names no server that tokens are issued for');
  await expect(reader.mcpBearer({ resource: `${world.url}/mcp` })).rejects.toThrow('No resource of an organization');
});
