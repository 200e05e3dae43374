/** `mcp-remote`, the bridge of desktop applications that know only stdio to a remote server. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { expect, it } from 'vitest';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { newPerson } from './approving-user.ts';
import { startBridge } from './bridge.ts';

const service = serviceFixture();

// Contract: platform-mcp#tested-clients — Serves an application on stdio
it.each([
  { title: 'with its defaults', options: [] },
  { title: 'with the newest version that it finds', options: ['--protocol', 'auto'] },
])('mcp-remote $title signs in, calls, and refreshes for an application on stdio', async ({ options }) => {
  const person = await newPerson(service);
  const { transport, asked } = await startBridge(`${service.url}/mcp`, ...options);
  const client = new Client({ name: 'A desktop application', version: '1.0.0' });
  try {
    const connecting = client.connect(transport);
    await person.allowAndReturn(await asked());
    await connecting;
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('mcp_whoami');
    expect(JSON.stringify(await client.callTool({ name: 'mcp_whoami' }))).toContain(person.email);

    const before = await liveAccessOf(person.email);
    await service.sql("UPDATE credentials SET expires_at = now() - interval '1 second' WHERE id = $1", [before]);
    expect(JSON.stringify(await client.callTool({ name: 'mcp_whoami' }))).toContain(person.email);
    expect(await liveAccessOf(person.email)).not.toBe(before);
  } finally {
    await client.close();
  }
});

const liveAccessOf = async (email: string): Promise<string> =>
  (await service.sql.value<string>(
    `SELECT c.id FROM credentials c JOIN users u ON u.id = c.user_id
     WHERE u.email = $1 AND c.audience = 'mcp' AND c.kind = 'user_session' AND c.revoked_at IS NULL`,
    [email],
  )) ?? 'none';
