/**
 * Makes one migrated database before the suite runs, for `createTestDatabase` to copy: making each anew would cost the
 * embedded engine two seconds and PostgreSQL all migrations, for every test file.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { makeTemplate, type Template } from './database-template.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    readonly databaseTemplate: Template;
  }
}

export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-test-'));
  const { template, drop } = await makeTemplate(directory, process.env['TEST_DATABASE_URL']);
  project.provide('databaseTemplate', template);
  return async () => {
    await drop();
    await rm(directory, { recursive: true, force: true });
  };
};
