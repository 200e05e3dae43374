/** How the server's suite runs: black box, over real HTTP and a real database, one process for each file. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const globalSetup = ['test/support/global-setup.ts', 'test/support/announce-browser.ts'].filter((path) =>
  existsSync(here(path)),
);

/**
 * They need what npm run test:clients installs, or servers of their own, npm run test:faults, or build what is
 * shipped, npm run test:package.
 */
const elsewhere = ['test/real-clients/**', 'test/faults/**', 'test/shipping/**'];

export default defineConfig({
  // Vite would load graphql's ES modules where node, and with it graphql-jit and Pothos, loads the CommonJS ones; two
  // copies of graphql do not know each other's types, and every operation would silently go uncompiled.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    name: 'server',
    root: here('.'),
    include: ['test/**/*.test.ts'],
    exclude: elsewhere,
    globalSetup,
    environment: 'node',
    pool: 'forks',
    maxWorkers: 2,
    // Starting the embedded database costs seconds on a busy machine, and so do bcrypt hashes of the real cost.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // So does a page, which by default would have a second.
    expect: { poll: { timeout: 15_000 } },
    // A rejection that nobody handled ends a server; it must not pass unseen in a test.
    dangerouslyIgnoreUnhandledErrors: false,
    restoreMocks: true,
  },
});
