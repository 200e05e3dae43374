/** The official SDKs as clients of an organization: their modes, tools of the application, questions to the person. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/embed.ts';
import { newMember, roleOf } from '../support/actors/tenants.ts';
import { authorization } from '../support/clients/mcp.ts';
import {
  callsDuring,
  connectToOrganization,
  memberScopes,
  organizationPath,
} from '../support/clients/organization-mcp.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const burned: string[] = [];

const burn = defineTool({
  name: 'notes_burn',
  title: 'Burn the notes',
  description: 'Deletes all notes.',
  scopes: ['notes:write'],
  input: z.strictObject({ shelf: z.string() }),
  output: z.object({ shelf: z.string(), dryRun: z.boolean() }),
  isReadOnly: false,
  isDestructive: true,
  run: async ({ dryRun }, { shelf }) => {
    if (!dryRun) burned.push(shelf);
    return { shelf, dryRun };
  },
  describe: ({ shelf, dryRun }) =>
    dryRun ? `All notes of ${shelf} would be gone.` : `All notes of ${shelf} are gone.`,
});

const service = serviceFixture({}, 'none', {
  application: { scopes: { 'notes:write': 'Write notes' }, products: { free: { scopes: '*' } } },
  tools: [burn],
});
const client = fixture(() => connectToOrganization(service, undefined, { scopes: [...memberScopes, 'notes:write'] }));

const address = (): URL => new URL(`${service.url}${organizationPath}`);
const headers = () => ({ requestInit: { headers: { ...authorization(client) } } });
const outcomes = async (work: () => Promise<unknown>): Promise<readonly string[]> =>
  (await callsDuring(service, client, work)).rows.map(({ outcome }) => outcome);

describe('SDK 2.4', () => {
  // Contract: organization-mcp#same-transport — The official SDK 2.4 as a client, in each mode
  it.each([
    { title: 'legacy', mode: 'legacy', version: '2025-11-25' },
    { title: 'auto', mode: 'auto', version: '2026-07-28' },
    { title: 'modern', mode: { pin: '2026-07-28' }, version: '2026-07-28' },
  ] as const)('in mode $title lists and calls tools of both kinds', async ({ mode, version }) => {
    const sdk = new Client({ name: 'tests', version: '1' }, { versionNegotiation: { mode } });
    await sdk.connect(new StreamableHTTPClientTransport(address(), headers()));
    try {
      expect(sdk.getNegotiatedProtocolVersion()).toBe(version);
      expect((await sdk.listTools()).tools).toHaveLength(9);
      const recorded = await outcomes(async () => {
        // The SDK validates the structured content against the output schema.
        const who = await sdk.callTool({ name: 'whoami', arguments: {} });
        expect(who.structuredContent).toMatchObject({ person: { email: client.person.email } });
        const shown = await sdk.callTool({ name: 'notes_burn', arguments: { shelf: 'A', dryRun: true } });
        expect(shown.structuredContent).toEqual({ shelf: 'A', dryRun: true });
        expect(await sdk.callTool({ name: 'members_list', arguments: { first: 0 } })).toMatchObject({ isError: true });
        await expect(sdk.callTool({ name: 'no_such_tool', arguments: {} })).rejects.toMatchObject({ code: -32602 });
      });
      expect(recorded).toEqual(['success', 'started', 'success', 'error', 'deny']);
      expect(burned).toEqual([]);
    } finally {
      await sdk.close();
    }
  });

  const asking = async (
    action: 'accept' | 'decline',
    work: (sdk: Client) => Promise<void>,
  ): Promise<readonly string[]> => {
    const capabilities = { elicitation: { form: {} } };
    const sdk = new Client({ name: 'tests', version: '1' }, { capabilities, versionNegotiation: { mode: 'auto' } });
    const asked: string[] = [];
    sdk.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message);
      return action === 'accept' ? { action, content: { confirm: true } } : { action };
    });
    await sdk.connect(new StreamableHTTPClientTransport(address(), headers()));
    try {
      await work(sdk);
      return asked;
    } finally {
      await sdk.close();
    }
  };

  it('asks its person before a tool of the service destroys something', async () => {
    const { memberId, email } = await newMember(service, client.person.organizationId);
    const remove = async (sdk: Client) => void (await sdk.callTool({ name: 'member_remove', arguments: { memberId } }));
    expect(await asking('decline', remove)).toEqual([expect.stringContaining(`${email} (MEMBER) would be removed`)]);
    expect(await roleOf(service, memberId)).toBe('MEMBER');
    await asking('accept', remove);
    expect(await roleOf(service, memberId)).toBeUndefined();
  });

  it('asks its person before a tool of the application does, in the words of its dry run', async () => {
    const call = async (sdk: Client) => void (await sdk.callTool({ name: 'notes_burn', arguments: { shelf: 'B' } }));
    const declined = await outcomes(async () => {
      expect(await asking('decline', call)).toEqual([expect.stringContaining('All notes of B would be gone.')]);
    });
    expect([declined, burned]).toEqual([['started', 'success', 'deny'], []]);
    expect(await outcomes(() => asking('accept', call))).toEqual(['started', 'success', 'started', 'success']);
    expect(burned).toEqual(['B']);
  });
});

describe('SDK 1.32', () => {
  // Contract: organization-mcp#same-transport — The official SDK 1.32 as a client
  it('lists and calls tools', async () => {
    const sdk = new OldClient({ name: 'tests', version: '1' });
    await sdk.connect(new OldTransport(address(), headers()));
    try {
      expect((await sdk.listTools()).tools).toHaveLength(9);
      const call = (name: string, given: Record<string, unknown>) =>
        sdk.callTool({ name, arguments: given }, CallToolResultSchema);
      expect(await call('organization_get', {})).toMatchObject({
        structuredContent: { id: client.person.organizationId },
      });
      expect(await call('notes_burn', { shelf: 'C', dryRun: true })).toMatchObject({
        structuredContent: { shelf: 'C' },
      });
    } finally {
      await sdk.close();
    }
  });
});
