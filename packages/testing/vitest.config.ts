/** The tests of the package: those of `npm test`, and one in Chromium. */
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

const minute = 60_000;

const suite = (name: string, folder: string, exclude: readonly string[] = []): TestProjectInlineConfiguration => ({
  test: {
    name,
    root: fileURLToPath(new URL('.', import.meta.url)),
    include: [`${folder}/**/*.test.ts`],
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
  suite('testing', 'test', ['test/browser/**']),
  suite('testing-browser', 'test/browser'),
];

export default defineConfig({ test: { projects: [...testingSuites] } });
