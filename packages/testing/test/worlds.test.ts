/** Several worlds in one process, and that nothing of one remains. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { defineTool } from 'gatehouse';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createWorld } from '../src/index.ts';
import { notes, shop } from './support/applications.ts';
import { ask, me, meOf } from './support/graphql.ts';
import { newWorld } from './support/new-world.ts';

describe('several worlds in one process', () => {
  it('have applications, people, mails and times of their own', async () => {
    const [one, other] = await Promise.all([newWorld({ application: notes }), newWorld({ application: shop })]);
    const editor = await one.person({ role: 'EDITOR', product: 'team', email: 'robin@example.com' });
    const packer = await other.person({ role: 'PACKER', email: 'robin@example.com' });
    await expect(other.person({ role: 'EDITOR' })).rejects.toThrow('The application has no role EDITOR');

    expect((await meOf(one, editor)).currentMembership).toMatchObject({ scopes: ['notes:read', 'notes:write'] });
    expect((await meOf(other, packer)).currentMembership).toMatchObject({
      scopes: ['orders:ship'],
      organization: { subscription: { product: 'basic' } },
    });
    expect(await ask(other, me, {}, { authorization: await editor.bearer() })).toMatchObject({
      code: 'UNAUTHENTICATED',
    });

    await one.clock.advance(3600);
    expect(await ask(one, me, {}, { authorization: await editor.bearer() })).toMatchObject({ code: 'ACCESS_EXPIRED' });
    expect(await meOf(other, packer)).toMatchObject({ id: packer.id });

    await one.close();
    expect(await meOf(other, packer)).toMatchObject({ id: packer.id });
  });

  it('serve MCP tools of the adopter, and refuse those that are none', async () => {
    const tool = defineTool({
      name: 'notes_count',
      title: 'Count notes',
      description: 'Returns the number of notes.',
      scopes: ['notes:write'],
      input: z.strictObject({}),
      output: z.object({ count: z.number() }),
      isReadOnly: true,
      isDestructive: false,
      run: () => ({ count: 0 }),
      describe: ({ count }) => `There are ${count} notes.`,
    });
    const world = await newWorld({ application: notes, tools: [tool] });
    const asked = await fetch(`${world.url}/mcp/organization`, { method: 'POST' });
    expect(asked.status).toBe(401);
    expect(asked.headers.get('www-authenticate')).toMatch(/scope="[^"]*notes:write/);
    // The scope is one of another application.
    await expect(createWorld({ application: shop, tools: [tool] })).rejects.toThrow(
      'tools[0].scopes[0]: no scope notes:write',
    );
  });

  it('serve routes of the adopter, which learn who asks', async () => {
    const world = await newWorld({
      application: notes,
      routes: {
        '/api': (http, identity) => {
          http.get('/notes', async (request) => {
            const actor = await identity.resolveActor(request);
            identity.requireScopes(actor, 'notes:write');
            return { writer: actor.id };
          });
        },
      },
    });
    const editor = await world.person({ role: 'EDITOR', product: 'team' });
    const reader = await world.person({ role: 'EDITOR' });
    const read = async (person: typeof editor) =>
      fetch(`${world.url}/api/notes`, { headers: { cookie: await person.cookies() } });
    const answer = await read(editor);
    expect(await answer.json()).toEqual({ writer: editor.id });
    expect((await read(reader)).status).toBe(403);
  });
});

describe('close', () => {
  /** Runs a module in a process of its own, to its end. */
  const run = async (source: string) => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code: child.exitCode, stdout, stderr };
  };
  const source = JSON.stringify(new URL('../src/index.ts', import.meta.url).href);

  it('leaves nothing that keeps the process alive, after requests, mails and a person in a browser', async () => {
    const ended = await run(`
      import { createWorld } from ${source};
      const world = await createWorld();
      const person = await world.person();
      const headers = { 'content-type': 'application/json', authorization: await person.bearer() };
      const query = 'mutation { inviteMember(input: { email: "a@example.com", role: MEMBER }) { id } }';
      const answer = await fetch(world.url + '/graphql', { method: 'POST', headers, body: JSON.stringify({ query }) });
      await answer.text();
      console.log((await world.mails()).length);
      await world.clock.advance(60);
      await world.close();
    `);
    expect(ended).toEqual({ code: 0, stdout: '1\n', stderr: '' });
  });

  it('leaves nothing of a world that did not start', async () => {
    const ended = await run(`
      import { createWorld } from ${source};
      await createWorld({ application: { products: 7 } }).catch((error) => console.log(error.name));
    `);
    expect(ended).toEqual({ code: 0, stdout: 'ConfigRefused\n', stderr: '' });
  });
});
