/** The generated secret of a development instance. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { developmentSecret } from '../../src/platform/data-directory.ts';
import { newDirectory } from '../support/database/databases.ts';

describe('Development secret', () => {
  it('is created once, readable only by its owner', async () => {
    const directory = join(await newDirectory(), 'deep', 'data');
    const secret = developmentSecret(directory);
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(developmentSecret(directory)).toBe(secret);
    const file = join(directory, 'development-secret');
    expect(readFileSync(file, 'utf8').trim()).toBe(secret);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.each(['', '\n', 'abc\n'])('is created again when the file contains %j', async (text) => {
    const directory = await newDirectory();
    writeFileSync(join(directory, 'development-secret'), text);
    const secret = developmentSecret(directory);
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(developmentSecret(directory)).toBe(secret);
  });
});
