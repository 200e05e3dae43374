/**
 * Creates one migrated database before the suite runs, for `createTestDatabase` to copy: creating each from scratch
 * would cost the embedded engine two seconds and PostgreSQL all migrations, for every test file.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { makeTemplate, type Template } from './database/database-template.ts';
import { withTestLimits } from './gatehouse/wait-limits.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    readonly databaseTemplate: Template;
  }
}

interface MadeTemplate {
  readonly template: Template;
  readonly remove: () => Promise<void>;
}

const make = async (): Promise<MadeTemplate> => {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-test-'));
  const removeDirectory = (): Promise<void> => rm(directory, { recursive: true, force: true });
  try {
    // No rule of any suite is about the template.
    const { template, drop } = await withTestLimits(() => makeTemplate(directory, process.env['TEST_DATABASE_URL']));
    return { template, remove: async () => void (await Promise.all([drop(), removeDirectory()])) };
  } catch (error) {
    await removeDirectory();
    throw error;
  }
};

/** Each project of a run evaluates this file separately; shared state is in the process. */
const run = globalThis as typeof globalThis & {
  templateOfTests?: { users: number; readonly made: Promise<MadeTemplate> };
};

export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  run.templateOfTests ??= { users: 0, made: make() };
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
