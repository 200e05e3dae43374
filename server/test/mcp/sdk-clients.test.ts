/** The official SDKs as clients with a token: each of their modes at the one path. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../../src/domain/tools/catalogue.ts';
import { authorization, newMcpClient, rowsOf } from '../support/clients/mcp.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();
const client = fixture(() => newMcpClient(service));

const address = (): URL => new URL(`${service.url}/mcp`);
const headers = () => ({ requestInit: { headers: { ...authorization(client) } } });

describe('SDK 2.4', () => {
  // Contract: platform-mcp#tested-clients — The official SDK 2.4 as a client, in each mode
  it.each([
    { title: 'legacy', mode: 'legacy', version: '2025-11-25' },
    { title: 'auto', mode: 'auto', version: '2026-07-28' },
    { title: 'modern', mode: { pin: '2026-07-28' }, version: '2026-07-28' },
  ] as const)('in mode $title lists, calls, and reports every kind of failure', async ({ mode, version }) => {
    const sdk = new Client({ name: 'tests', version: '1' }, { versionNegotiation: { mode } });
    await sdk.connect(new StreamableHTTPClientTransport(address(), headers()));
    try {
      expect(sdk.getNegotiatedProtocolVersion()).toBe(version);
      expect((await sdk.listTools()).tools).toHaveLength(catalogue.length);
      const { rows } = await rowsOf(service, async () => {
        // The SDK validates the structured content against the output schema.
        const answer = await sdk.callTool({ name: 'mcp_whoami', arguments: {} });
        expect(answer.structuredContent).toMatchObject({ user: { email: client.person.email } });
        expect(await sdk.callTool({ name: 'users_search', arguments: { query: 'a', first: 3 } })).not.toHaveProperty(
          'isError',
        );
        expect(await sdk.callTool({ name: 'users_search', arguments: { query: 5 } })).toMatchObject({ isError: true });
        await expect(sdk.callTool({ name: 'no_such_tool', arguments: {} })).rejects.toMatchObject({ code: -32602 });
      });
      expect(rows.map(({ outcome }) => outcome)).toEqual(['success', 'success', 'error', 'deny']);
    } finally {
      await sdk.close();
    }
  });
});

describe('SDK 1.32', () => {
  // Contract: platform-mcp#tested-clients — The official SDK 1.32 as a client
  it('lists, calls, and reports every kind of failure', async () => {
    const sdk = new OldClient({ name: 'tests', version: '1' });
    await sdk.connect(new OldTransport(address(), headers()));
    try {
      expect((await sdk.listTools()).tools).toHaveLength(catalogue.length);
      const call = (name: string, given: Record<string, unknown>) =>
        sdk.callTool({ name, arguments: given }, CallToolResultSchema);
      const { rows } = await rowsOf(service, async () => {
        expect(await call('mcp_whoami', {})).toMatchObject({
          structuredContent: { user: { email: client.person.email } },
        });
        expect(await call('users_search', { query: 5 })).toMatchObject({ isError: true });
        await expect(call('no_such_tool', {})).rejects.toMatchObject({ code: -32602 });
        await sdk.ping();
      });
      expect(rows.map(({ outcome }) => outcome)).toEqual(['success', 'error', 'deny']);
    } finally {
      await sdk.close();
    }
  });
});
