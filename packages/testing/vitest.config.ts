/** The tests of the package: those of `npm run test:testing`, some on PostgreSQL too, and one in Chromium. */
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

const minute = 60_000;

const suite = (name: string, include: string, exclude: readonly string[] = []): TestProjectInlineConfiguration => ({
  test: {
    name,
    root: fileURLToPath(new URL('.', import.meta.url)),
    include: [include],
    exclude: [...exclude],
    pool: 'forks',
    isolate: false,
    testTimeout: 2 * minute,
    hookTimeout: 2 * minute,
    restoreMocks: true,
    // Node loads the service, as it does for adopters.
    server: { deps: { external: [/\/server\/(?:entry|src)\//] } },
  },
});

export const testingSuites: readonly TestProjectInlineConfiguration[] = [
  suite('testing', 'test/**/*.test.ts', ['test/browser/**']),
  suite('testing-engine', 'test/**/*.engine.test.ts'),
  suite('testing-browser', 'test/browser/**/*.test.ts'),
];

export default defineConfig({ test: { projects: [...testingSuites] } });
