/**
 * Makes one migrated database before the suite runs, for `createTestDatabase` to copy: making each anew would cost the
 * embedded engine two seconds and PostgreSQL all migrations, for every test file. Builds the portal meanwhile where
 * TEST_BUILD_PORTAL is set.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { makeTemplate, type Template } from './database-template.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    readonly databaseTemplate: Template;
  }
}

const buildPortal = async (): Promise<void> => {
  if (process.env['TEST_BUILD_PORTAL'] === undefined) return;
  await promisify(execFile)('npm', ['run', '--silent', 'build', '--workspace', 'portal'], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    shell: process.platform === 'win32',
  });
};

interface MadeTemplate {
  readonly template: Template;
  readonly remove: () => Promise<void>;
}

const makeForRun = async (): Promise<MadeTemplate> => {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-test-'));
  const [{ template, drop }] = await Promise.all([
    makeTemplate(directory, process.env['TEST_DATABASE_URL']),
    buildPortal(),
  ]);
  return {
    template,
    remove: async () => {
      await drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

/** Each project of a run evaluates this file anew; what they share is in the process. */
const run = globalThis as typeof globalThis & {
  templateOfTests?: { users: number; readonly made: Promise<MadeTemplate> };
};

export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  run.templateOfTests ??= { users: 0, made: makeForRun() };
  const shared = run.templateOfTests;
  shared.users += 1;
  const { template, remove } = await shared.made;
  project.provide('databaseTemplate', template);
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    delete run.templateOfTests;
    await remove();
  };
};
