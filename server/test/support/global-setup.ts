/**
 * Creates one migrated database before the suite runs, for `createTestDatabase` to copy: creating each from scratch
 * would cost the embedded engine two seconds and PostgreSQL all migrations, for every test file. Builds the portal
 * meanwhile where TEST_BUILD_PORTAL is set.
 */
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import type { Template } from './database/database-template.ts';
import { type MadeTemplate, makeWhile, runToEnd } from './database/template-of-run.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    readonly databaseTemplate: Template;
  }
}

const buildPortal = async (): Promise<void> => {
  if (process.env['TEST_BUILD_PORTAL'] === undefined) return;
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  await runToEnd('npm', ['run', '--silent', 'build', '--workspace', 'portal'], root);
};

/** Each project of a run evaluates this file separately; shared state is in the process. */
const run = globalThis as typeof globalThis & {
  templateOfTests?: { users: number; readonly made: Promise<MadeTemplate> };
};

export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  run.templateOfTests ??= { users: 0, made: makeWhile(buildPortal) };
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
