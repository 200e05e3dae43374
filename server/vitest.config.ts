/**
 * The server's suites, a project each: which files they have, and what these may share. `npm test` runs `server`; scripts/
 * tests/suites.ts says which command runs the others.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

type TestOptions = NonNullable<TestProjectInlineConfiguration['test']>;

/** Folders whose files need more than the embedded database and this process, or try at random. */
const apart = {
  mocked: 'Replaces modules, in a process for each file.',
  'time-limits': 'Waits until a time limit has passed.',
  processes: 'Starts processes of the service, and strikes some.',
  browser: 'Opens the portal in Chromium.',
  races: 'Has many callers do what only one may win.',
  fuzz: 'Tries at random.',
  statistics: 'Counts what a crowd is answered.',
  timing: 'Measures how long answers take: on a quiet machine only.',
  'real-clients': 'Runs published MCP clients, which are installed apart.',
  shipping: 'Packs the package and installs it.',
  faults: 'Strikes servers of its own.',
} as const;

const minute = 60_000;

/** A process for many files: it loads the service once, and its services share databases. */
const shared: TestOptions = { isolate: false };

export const project = (name: string, test: TestOptions): TestProjectInlineConfiguration => ({
  // Vite would load graphql's ES modules where node, and with it Pothos, loads the CommonJS ones. Two copies of graphql
  // refuse each other's types, and every operation would fail.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    name,
    root: here('.'),
    globalSetup: ['test/support/global-setup.ts'],
    environment: 'node',
    pool: 'forks',
    // Tests end by what they wait for. These limits only tell of one that waits for ever.
    testTimeout: 2 * minute,
    hookTimeout: 2 * minute,
    expect: { poll: { timeout: minute } },
    restoreMocks: true,
    ...test,
  },
});

const folder = (name: keyof typeof apart, more: TestOptions = {}): TestProjectInlineConfiguration =>
  project(name, { include: [`test/${name}/**/*.test.ts`], ...more });

export const serverSuites: readonly TestProjectInlineConfiguration[] = [
  project('server', {
    include: ['test/**/*.test.ts'],
    exclude: Object.keys(apart).map((name) => `test/${name}/**`),
    ...shared,
  }),
  folder('mocked'),
  folder('time-limits'),
  folder('processes'),
  folder('browser', { ...shared, globalSetup: ['test/support/global-setup.ts', 'test/support/announce-browser.ts'] }),
  folder('races', { ...shared, testTimeout: 15 * minute, hookTimeout: 4 * minute }),
  folder('fuzz', { ...shared, testTimeout: 10 * minute * Math.max(1, Number(process.env['FUZZ_FACTOR'] ?? '1')) }),
  folder('statistics', shared),
  folder('timing'),
  folder('real-clients'),
  // Builds the portal and installs the dependencies.
  folder('shipping', { globalSetup: [], hookTimeout: 4 * minute }),
  // One after the other: a file strikes servers that all of them share.
  folder('faults', { maxWorkers: 1, fileParallelism: false, testTimeout: 30 * minute }),
];

export default defineConfig({ test: { projects: [...serverSuites] } });
