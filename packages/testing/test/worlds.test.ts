/** Worlds as a whole: several in one process, where none may start, and that nothing of one remains. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { defineTool } from 'gatehouse';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { createWorld, type World, type WorldOptions } from '../src/index.ts';
import { notes, shop } from './support/applications.ts';
import { ask, me, meOf } from './support/graphql.ts';

const newWorld = async (options?: WorldOptions): Promise<World> => {
  const world = await createWorld(options);
  onTestFinished(() => world.close());
  return world;
};

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

const newDirectory = async (): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-cache-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
};

describe('a world', () => {
  it('has the demo provider as its identity provider', async () => {
    const world = await newWorld();
    const begun = await fetch(`${world.url}/auth/google`, { redirect: 'manual' });
    const location = new URL(begun.headers.get('location') ?? '');
    expect(location.hostname).toBe('127.0.0.1');
    const question = await fetch(location);
    expect(await question.text()).not.toBe('');
    const { hostname, port } = location;
    const metadata = await fetch(`http://${hostname}:${port}/.well-known/openid-configuration`);
    expect(await metadata.json()).toMatchObject({ issuer: `http://${hostname}:${port}` });
  });

  it('takes variables of the service', async () => {
    const world = await newWorld({ environment: { ACCESS_TTL_SECONDS: '60' } });
    const person = await world.person();
    await world.clock.advance(61);
    expect(await ask(world, me, {}, { authorization: await person.bearer() })).toMatchObject({
      code: 'ACCESS_EXPIRED',
    });
  });

  it.each([
    ['one that the world sets', { NODE_ENV: 'production' }, 'The environment of a world may not set NODE_ENV.'],
    ['Redis', { REDIS_URL: 'redis://127.0.0.1' }, 'The environment of a world may not set REDIS_URL.'],
    [
      'a mistyped one',
      { ACCESS_TTL_SECOND: '60' },
      'ACCESS_TTL_SECOND is not a variable of Gatehouse; did you mean ACCESS_TTL_SECONDS?',
    ],
    ['one with a wrong value', { ACCESS_TTL_SECONDS: 'soon' }, 'ACCESS_TTL_SECONDS must'],
  ])('refuses %s of the variables', async (_case, environment, message) => {
    await expect(createWorld({ environment })).rejects.toThrow(message);
  });

  it('refuses a faulty application with the place of the fault', async () => {
    const application = { roles: { EDITOR: { title: 'Editor', scopes: ['notes:wirte'] } } };
    await expect(createWorld({ application })).rejects.toThrow('roles.EDITOR.scopes[0]');
  });

  it.each(['production', 'staging'])('refuses NODE_ENV=%s', async (mode) => {
    vi.stubEnv('NODE_ENV', mode);
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    await expect(createWorld()).rejects.toThrow(`A world is for tests and does not start with NODE_ENV=${mode}.`);
  });

  it('can be closed twice, and answers nothing then', async () => {
    const world = await createWorld();
    await Promise.all([world.close(), world.close()]);
    await world.close();
    await expect(fetch(world.url)).rejects.toThrow('fetch failed');
  });

  it('keeps the prepared database in the directory that is given, and only that', async () => {
    const cacheDirectory = await newDirectory();
    const first = await createWorld({ cacheDirectory });
    await first.close();
    const kept = await readdir(cacheDirectory);
    expect(kept.join()).toMatch(/^world-[0-9a-f]{16}\.tar$/);
    const second = await createWorld({ cacheDirectory });
    await second.person();
    await second.close();
    expect(await readdir(cacheDirectory)).toEqual(kept);
  });

  it('opens while other processes prepare the same database and replace its file', async () => {
    const cacheDirectory = await newDirectory();
    await newWorld({ cacheDirectory });
    const [name = ''] = await readdir(cacheDirectory);
    const file = join(cacheDirectory, name);
    let isOpening = true;
    const replacing = (async () => {
      while (isOpening) {
        await copyFile(file, `${file}.new`);
        await rename(`${file}.new`, file);
      }
    })();
    const opening = newWorld({ cacheDirectory });
    await Promise.allSettled([opening]);
    isOpening = false;
    await replacing;
    const world = await opening;
    const person = await world.person();
    expect(await meOf(world, person)).toMatchObject({ id: person.id });
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
