/**
 * All suites of all workspaces, with a report in test-results/reports/ for the totals. scripts/tests/ runs them by
 * name.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { testingSuites } from './packages/testing/vitest.config.ts';
import { portalSuite } from './portal/vitest.config.ts';
import { FailureReporter } from './scripts/tests/failures/failure-reporter.ts';
import { packagesBrowserSuite, packagesSuite, serverSuites } from './server/vitest.config.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Its services wait longer than in production, and a failed test has their log in the report. */
const withLog = (suite: TestProjectInlineConfiguration): TestProjectInlineConfiguration => ({
  ...suite,
  test: {
    ...suite.test,
    setupFiles: [suite.test?.setupFiles ?? [], here('server/test/support/failures/attach-log.ts')].flat(),
  },
});

const servicesSuites = [packagesSuite, packagesBrowserSuite, ...testingSuites, ...serverSuites].map(withLog);

export default defineConfig({
  test: {
    projects: [portalSuite, ...servicesSuites],
    reporters: ['default', 'json', new FailureReporter()],
    outputFile: { json: `test-results/reports/${process.env['TEST_REPORT'] ?? 'report'}.json` },
    // Each process runs a database and the service; more of them only slow each other down.
    maxWorkers: Number(process.env['TEST_WORKERS'] ?? '3'),
    // A rejection without a handler ends a server: a test must not hide it.
    dangerouslyIgnoreUnhandledErrors: false,
  },
});
