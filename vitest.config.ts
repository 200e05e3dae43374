/** All suites of all workspaces, with a report in test-results/ for the totals. scripts/tests/ runs them by name. */
import { defineConfig } from 'vitest/config';
import { testingSuites } from './packages/testing/vitest.config.ts';
import { portalSuite } from './portal/vitest.config.ts';
import { packagesBrowserSuite, packagesSuite, serverSuites } from './server/vitest.config.ts';

export default defineConfig({
  test: {
    projects: [portalSuite, packagesSuite, packagesBrowserSuite, ...testingSuites, ...serverSuites],
    reporters: ['default', 'json'],
    outputFile: { json: `test-results/${process.env['TEST_REPORT'] ?? 'report'}.json` },
    // Each process runs a database and the service; more of them only slow each other down.
    maxWorkers: Number(process.env['TEST_WORKERS'] ?? '3'),
    // A rejection without a handler ends a server: a test must not hide it.
    dangerouslyIgnoreUnhandledErrors: false,
  },
});
