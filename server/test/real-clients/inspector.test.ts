/** `mcp-inspector --cli`, with its own sign-in and store of tokens, with each version negotiation that it offers. */
import { beforeAll, describe, expect, it } from 'vitest';
import { newDirectory } from '../support/database/databases.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { freePort } from '../support/servers/listen.ts';
import { newPerson } from './approving-user.ts';
import { type Program, programs, start } from './commands.ts';

let run: (...args: readonly string[]) => Program;
const service = serviceFixture();
const person = fixture(() => newPerson(service));
beforeAll(async () => {
  const [port, home] = [await freePort(), await newDirectory()];
  const address = [
    `${service.url}/mcp`,
    '--callback-url',
    `http://127.0.0.1:${port}/oauth/callback`,
    '--format',
    'json',
  ];
  // It does not prompt, and stores its tokens for the next run.
  const environment = { BROWSER: 'true', MCP_AUTO_OPEN_ENABLED: 'true', MCP_INSPECTOR_SECRET_STORE: 'file' };
  run = (...args) => start(programs.inspector, ['--cli', ...address, ...args], home, environment);
});

const answerOf = async (program: Program): Promise<unknown> => {
  expect(await program.ended, program.output()).toBe(0);
  return JSON.parse(program.stdout()) as unknown;
};

const whoami = ['--method', 'tools/call', '--tool-name', 'mcp_whoami'];

describe('The MCP Inspector at the command line', () => {
  // Contract: platform-mcp#tested-clients — Serves the Inspector
  it('signs in from the bare URL and lists the tools', async () => {
    const program = run('--method', 'tools/list');
    await person.allowAndReturn(await program.said(/http\S+\/auth\/mcp\/authorize\S+(?=\s)/));
    expect(JSON.stringify(await answerOf(program))).toContain('"mcp_whoami"');
    expect(program.output()).toContain('Authorization complete.');
  });

  it.each(['legacy', 'auto', 'modern'])('calls a tool with its stored token, with --protocol-era %s', async (era) => {
    const answer = await answerOf(run(...whoami, '--stored-auth-only', '--protocol-era', era));
    expect(JSON.stringify(answer)).toContain(person.email);
  });

  it('finds no tool schema that other clients would refuse', async () => {
    const program = run('--method', 'tools/list', '--strict', '--stored-auth-only');
    // It would exit with code 6.
    expect(await program.ended, program.output()).toBe(0);
  });

  it('refreshes an expired token, without asking the user', async () => {
    const { token } = await liveAccess();
    await service.sql("UPDATE credentials SET expires_at = now() - interval '1 second' WHERE id = $1", [token]);
    const answer = await answerOf(run(...whoami));
    expect(JSON.stringify(answer)).toContain(person.email);
    expect((await liveAccess()).token).not.toBe(token);
  });
});

const liveAccess = async (): Promise<{ token: string }> => {
  const [row] = await service.sql<{ token: string }>(
    "SELECT id AS token FROM credentials WHERE audience = 'mcp' AND kind = 'user_session' AND revoked_at IS NULL",
  );
  return row ?? { token: 'none' };
};
