/** `npm run test:clients`: the published clients against a running service; apart from the suite, for what they bring. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  // As in server/vitest.config.ts: one copy of graphql.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    name: 'clients',
    root: here('.'),
    include: ['*.test.ts'],
    globalSetup: [here('../support/global-setup.ts')],
    environment: 'node',
    pool: 'forks',
    maxWorkers: 2,
    // Each step starts a process of its own, or several.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    dangerouslyIgnoreUnhandledErrors: false,
    reporters: ['default', 'json'],
    outputFile: { json: here('../../../test-results/clients.json') },
  },
});
