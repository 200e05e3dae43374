/** The template of a run during the build of the portal: a failure leaves nothing behind, and names its cause. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as aTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { makeTemplate } from '../support/database/database-template.ts';
import { makeWhile, runToEnd } from '../support/database/template-of-run.ts';

describe('The template of a run', () => {
  let steps: string[] = [];
  let directory = '';
  const make: typeof makeTemplate = async (into) => {
    steps = [];
    directory = into;
    await aTurn();
    await mkdir(join(into, 'template'));
    steps.push('made');
    const drop = async (): Promise<void> => void steps.push('dropped');
    return { template: { directory: into, embedded: null, postgres: null }, drop };
  };

  it('exists until the run removes it', async () => {
    const { template, remove } = await makeWhile(async () => undefined, make);
    expect(template.directory).toBe(directory);
    expect(steps).toEqual(['made']);
    await remove();
    expect(steps).toEqual(['made', 'dropped']);
    expect(existsSync(directory)).toBe(false);
  });

  it('is dropped when the build fails, whose error is thrown', async () => {
    const build = (): Promise<void> => Promise.reject(new Error('The portal has a fault'));
    await expect(makeWhile(build, make)).rejects.toThrow('The portal has a fault');
    expect(steps).toEqual(['made', 'dropped']);
    expect(existsSync(directory)).toBe(false);
  });

  it('waits for the end of the build when it cannot be created', async () => {
    const failing: typeof makeTemplate = (into) => {
      directory = into;
      return Promise.reject(new Error('No room for a template'));
    };
    let isBuilt = false;
    const build = async (): Promise<void> => {
      await aTurn();
      isBuilt = true;
    };
    await expect(makeWhile(build, failing)).rejects.toThrow('No room for a template');
    expect(isBuilt).toBe(true);
    expect(existsSync(directory)).toBe(false);
  });
});

it('A program that fails is reported with all its output', async () => {
  const script = `console.log('on the way'); console.error('at the end'); process.exitCode = 3;`;
  const failure = runToEnd(process.execPath, ['-e', script], import.meta.dirname);
  await expect(failure).rejects.toThrow(/failed \(3\):\non the way\nat the end\n$/);
});
