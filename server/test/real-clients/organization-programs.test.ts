/** `mcp-remote` and `mcp-inspector --cli`, unmodified, as clients of one organization. */
import { mkdir, rm } from 'node:fs/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { describe, expect, it } from 'vitest';
import { newDirectory } from '../support/database/databases.ts';
import { fixture } from '../support/fixture.ts';
import { freePort } from '../support/servers/listen.ts';
import { newMemberOf } from './approving-user.ts';
import { startBridge } from './bridge.ts';
import { type Program, programs, start } from './commands.ts';
import { organizationSite } from './organization-site.ts';

const { service, acme, targets } = organizationSite();

/** The access token of a person that is accepted now. */
const liveAccessOf = async (email: string): Promise<string> =>
  (await service.sql.value<string>(
    `SELECT c.id FROM credentials c JOIN users u ON u.id = c.user_id
     WHERE u.email = $1 AND c.auth_method = 'mcp_oauth' AND c.kind = 'user_session' AND c.revoked_at IS NULL
     ORDER BY c.issued_at DESC LIMIT 1`,
    [email],
  )) ?? 'none';

/** Runs a call after the access token has expired. */
const refreshes = async <T>(email: string, call: () => Promise<T>): Promise<T> => {
  const before = await liveAccessOf(email);
  await service.sql("UPDATE credentials SET expires_at = now() - interval '1 second' WHERE id = $1", [before]);
  const answer = await call();
  expect(await liveAccessOf(email)).not.toBe(before);
  return answer;
};

describe.each(targets)('$title', ({ url, tools, read, write }) => {
  // Contract: organization-mcp#same-transport — Serves an application on stdio
  it.each([
    { title: 'with its defaults', options: [] },
    { title: 'with the newest version that it finds', options: ['--protocol', 'auto'] },
  ])('mcp-remote $title connects, calls, asks for more scopes by itself and refreshes', async ({ title, options }) => {
    const member = await newMemberOf(service, acme.organizationId);
    const { transport, asked } = await startBridge(url(), ...options);
    const client = new Client({ name: 'A desktop application', version: '1.0.0' });
    const call = async (name: string, given = {}): Promise<string> =>
      JSON.stringify(await client.callTool({ name, arguments: given }));
    try {
      const connecting = client.connect(transport);
      await member.allowAndReturn(await asked());
      await connecting;
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(tools);
      const text = `By mcp-remote ${title}`;
      expect(await call(read)).not.toContain(text);
      await member.becomes('EDITOR');
      const writing = call(write, { text });
      await member.allowAndReturn(await asked());
      expect(await writing).toContain('Added');
      expect(await refreshes(member.email, () => call(read))).toContain(text);
    } finally {
      await client.close();
    }
  });

  describe('The MCP Inspector at the command line', () => {
    const member = fixture(() => newMemberOf(service, acme.organizationId));
    const place = fixture(async () => ({ port: await freePort(), home: await newDirectory() }));

    const run = (...args: readonly string[]): Program => {
      const callback = `http://127.0.0.1:${place.port}/oauth/callback`;
      const address = [url(), '--transport', 'http', '--callback-url', callback, '--format', 'json'];
      const environment = { BROWSER: 'true', MCP_AUTO_OPEN_ENABLED: 'true', MCP_INSPECTOR_SECRET_STORE: 'file' };
      return start(programs.inspector, ['--cli', ...address, ...args], place.home, environment);
    };

    const answerOf = async (program: Program): Promise<string> => {
      expect(await program.ended, program.output()).toBe(0);
      return JSON.stringify(JSON.parse(program.stdout()));
    };

    const call = (name: string, ...args: readonly string[]): Promise<string> =>
      answerOf(run('--method', 'tools/call', '--tool-name', name, ...args));

    const signIn = async (): Promise<string> => {
      const program = run('--method', 'tools/list');
      await member.allowAndReturn(await program.said(/http\S+\/auth\/mcp\/authorize\S+(?=\s)/));
      return answerOf(program);
    };

    // Contract: organization-mcp#same-transport — Serves the Inspector
    it('connects, and lists the tools', async () => {
      const listed = await signIn();
      for (const tool of tools) expect(listed).toContain(`"${tool}"`);
    });

    // Its answer to the refused call is a refresh, which gives no more scopes.
    it('reports that a call needs more scopes, and has them once it is connected again', async () => {
      await member.becomes('EDITOR');
      const program = run('--method', 'tools/call', '--tool-name', write, '--tool-arg', 'text=By the Inspector');
      expect(await program.ended, program.output()).not.toBe(0);
      expect(await call(read)).not.toContain('By the Inspector');
      await rm(place.home, { recursive: true });
      await mkdir(place.home);
      await signIn();
      await call(write, '--tool-arg', 'text=By the Inspector');
      expect(await call(read)).toContain('By the Inspector');
    });

    it.each(['legacy', 'auto', 'modern'])('calls tools with its stored token, in the %s era', async (era) => {
      const stored = ['--stored-auth-only', '--protocol-era', era];
      await call(write, '--tool-arg', `text=By era ${era}`, ...stored);
      expect(await call(read, ...stored)).toContain(`By era ${era}`);
    });

    it('finds no tool schema that other clients would refuse', async () => {
      const program = run('--method', 'tools/list', '--strict', '--stored-auth-only');
      expect(await program.ended, program.output()).toBe(0);
    });

    it('refreshes an expired token, without asking the user', async () => {
      expect(await refreshes(member.email, () => call(read))).toContain('By era');
    });
  });
});
