/** The database that the first world of a schema prepares, and later worlds load from the directory that is given. */
import { copyFile, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld } from '../src/index.ts';
import { meOf } from './support/graphql.ts';
import { newWorld } from './support/new-world.ts';

describe('a prepared database', () => {
  let cacheDirectory = '';
  let kept: readonly string[] = [];

  beforeAll(async () => {
    cacheDirectory = await mkdtemp(join(tmpdir(), 'gatehouse-cache-'));
    const first = await createWorld({ cacheDirectory });
    await first.close();
    kept = await readdir(cacheDirectory);
  });

  afterAll(() => rm(cacheDirectory, { recursive: true, force: true }));

  it('is one file in the directory, which another world leaves as it is', async () => {
    expect(kept.join()).toMatch(/^world-[0-9a-f]{16}\.tar$/);
    const second = await createWorld({ cacheDirectory });
    await second.person();
    await second.close();
    expect(await readdir(cacheDirectory)).toEqual(kept);
  });

  it('is loaded while other processes prepare the same one and replace its file', async () => {
    const file = join(cacheDirectory, kept[0] ?? '');
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
