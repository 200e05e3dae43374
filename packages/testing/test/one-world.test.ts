/** One world: its variables, and where none may start. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createWorld } from '../src/index.ts';
import { ask, me } from './support/graphql.ts';
import { newWorld } from './support/new-world.ts';

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
});
