/** Owns the template of a run while something else is built: neither stays behind when the other fails. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeTemplate, type Template } from './database-template.ts';

export interface MadeTemplate {
  readonly template: Template;
  readonly remove: () => Promise<void>;
}

/**
 * @param build done meanwhile
 * @param make another way to make the template, for its tests
 * @throws what the build or the template failed with, once both are over and nothing is left of the template
 */
export const makeWhile = async (build: () => Promise<void>, make = makeTemplate): Promise<MadeTemplate> => {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-test-'));
  const both = [make(directory, process.env['TEST_DATABASE_URL']), build()] as const;
  const [made] = await Promise.allSettled(both);
  const remove = async (): Promise<void> => {
    if (made.status === 'fulfilled') await made.value.drop();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    const [{ template }] = await Promise.all(both);
    return { template, remove };
  } catch (error) {
    await remove();
    throw error;
  }
};

/** @throws Error with all that the program printed */
export const runToEnd = (program: string, args: readonly string[], directory: string): Promise<void> =>
  new Promise((resolve, reject) => {
    execFile(program, args, { cwd: directory, shell: process.platform === 'win32' }, (error, stdout, stderr) => {
      if (error === null) return resolve();
      const how = error.code ?? error.signal;
      reject(new Error(`${program} ${args.join(' ')} failed (${how}):\n${stdout}${stderr}`));
    });
  });
