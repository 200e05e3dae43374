/**
 * `npm test`: the suites of both workspaces in one run, with a report in test-results/ for the totals of `.ci/run`.
 */
import { defineConfig } from 'vitest/config';

/** One report a database, so that a run on PostgreSQL does not overwrite the one on the embedded database. */
const report = process.env['TEST_DATABASE_URL'] === undefined ? 'embedded' : 'postgres';

export default defineConfig({
  test: {
    projects: ['server', 'portal'],
    reporters: ['default', 'json'],
    outputFile: { json: `test-results/${report}.json` },
    // Each server test file runs a database and hashes passwords; more workers only slow each other down.
    maxWorkers: 2,
  },
});
