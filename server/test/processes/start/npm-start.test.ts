/** `npm start`: the demo application with its MCP tools, or the application that APPLICATION_FILE names. */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database/databases.ts';
import { environmentFor, inDirectory, startProgram } from '../../support/gatehouse/gatehouse-process.ts';
import { freePort } from '../../support/servers/listen.ts';

const start = fileURLToPath(new URL('../../../../scripts/start.mjs', import.meta.url));
const demoApplication = fileURLToPath(new URL('../../../../examples/application.ts', import.meta.url));

it.each([
  { title: 'the demo application with its tools', named: {}, own: ['notes:read', 'notes:write'] },
  { title: 'the application of APPLICATION_FILE alone', named: { APPLICATION_FILE: demoApplication }, own: [] },
])('serves $title, and ends in order', async ({ named, own }) => {
  const stored = await createTestDatabase();
  const url = `http://127.0.0.1:${await freePort()}`;
  const place = { PORT: new URL(url).port, BASE_URL: url };
  const program = startProgram(start, [], { ...environmentFor(stored), ...place, ...named });
  await program.printed(/"event":"service\.started"/);
  const answer = await fetch(`${url}/.well-known/oauth-protected-resource/mcp/organization`);
  const { scopes_supported: scopes } = (await answer.json()) as { readonly scopes_supported: readonly string[] };
  expect(scopes).toContain('MEMBERS_INVITE');
  expect(scopes.filter((scope) => scope.includes(':'))).toEqual(own);
  program.signal('SIGTERM');
  expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
  await stored.drop();
});

it('refuses in words what the command refuses', async () => {
  await inDirectory(async (dataDirectory) => {
    const program = startProgram(start, [], { ...environmentFor({ dataDirectory }), PORT: 'none' });
    expect(await program.ended).toMatchObject({
      code: 78,
      stderr: 'The configuration is not usable:\n  PORT must be a whole number from 0 to 65535.\n',
    });
  });
});
