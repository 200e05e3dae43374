/** Owns the template of a run during a concurrent build: neither remains when the other fails. */
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
 * @param build concurrent work
 * @param make another way to create the template, for its tests
 * @throws the failure of the build or the template, once both have ended and the template is deleted
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

/** @throws Error with the whole output of the program */
export const runToEnd = (program: string, args: readonly string[], directory: string): Promise<void> =>
  new Promise((resolve, reject) => {
    execFile(program, args, { cwd: directory, shell: process.platform === 'win32' }, (error, stdout, stderr) => {
      if (error === null) return resolve();
      const how = error.code ?? error.signal;
      reject(new Error(`${program} ${args.join(' ')} failed (${how}):\n${stdout}${stderr}`));
    });
  });
