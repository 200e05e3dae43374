/** `npm run test:faults`: the service while what it stands on fails; apart from the suite, for the servers it strikes. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  // As in server/vitest.config.ts: one copy of graphql.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    name: 'faults',
    root: here('.'),
    include: ['**/*.test.ts'],
    globalSetup: [here('../support/global-setup.ts')],
    environment: 'node',
    pool: 'forks',
    // One after the other: a file strikes servers that all of them share, and the targets are in seconds.
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 1_800_000,
    hookTimeout: 120_000,
    dangerouslyIgnoreUnhandledErrors: false,
    reporters: ['default', 'json'],
    outputFile: { json: here('../../../test-results/faults.json') },
  },
});
