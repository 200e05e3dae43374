/**
 * The server's suites, a project each: their files, and what these may share. The lanes of `npm test` are by the names
 * of the files (scripts/tests/lanes.ts), the other projects by folder; scripts/tests/suites.ts lists the commands of
 * all.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { type Lane, separateFolders } from '../scripts/tests/lanes.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

type TestOptions = NonNullable<TestProjectInlineConfiguration['test']>;

const minute = 60_000;

/** One process for many files: it loads the service once, and its services share databases. */
const shared: TestOptions = { isolate: false };

/** Node loads the sources, as it does in production, and Vite transforms nothing: a tenth less of the processor. */
const loadedByNode: TestOptions = { experimental: { viteModuleRunner: false, nodeLoader: false } };

/**
 * Vite would load graphql's ES modules where node, and with it Pothos, loads the CommonJS ones. Two copies of graphql
 * refuse each other's types, and every operation would fail.
 */
const graphqlOnce = [{ find: /^graphql$/, replacement: 'graphql/index.js' }];

export const project = (name: string, test: TestOptions): TestProjectInlineConfiguration => ({
  resolve: { alias: graphqlOnce },
  test: {
    name,
    root: here('.'),
    globalSetup: ['test/support/global-setup.ts'],
    environment: 'node',
    pool: 'forks',
    // Opening and closing many engines makes V8 end the process with SIGTRAP, seldom, as it frees compiled code of
    // WebAssembly (https://github.com/nodejs/node/issues/64500). The processes of tests keep that code.
    execArgv: ['--no-wasm-code-gc'],
    // Tests end by the event that they wait for. These limits only report endless waits.
    testTimeout: 2 * minute,
    hookTimeout: 2 * minute,
    expect: { poll: { timeout: minute } },
    restoreMocks: true,
    ...test,
  },
});

const folder = (name: keyof typeof separateFolders, more: TestOptions = {}): TestProjectInlineConfiguration =>
  project(name, { include: [`test/${name}/**/*.test.ts`], ...more });

const lane = (
  name: Lane,
  include: string[],
  others: readonly string[] = [],
  more: TestOptions = {},
): TestProjectInlineConfiguration =>
  project(name, {
    include,
    exclude: [...others, ...Object.keys(separateFolders).map((folder) => `test/${folder}/**`)],
    ...shared,
    ...loadedByNode,
    ...more,
  });

/** The packages for adopters, each in packages/ with its tests, over the service and over sources in place of dist. */
export const packagesSuite: TestProjectInlineConfiguration = {
  resolve: {
    alias: [...graphqlOnce, { find: /^@gatehouse\/(\w+)$/, replacement: `${here('../packages/')}$1/src/index.ts` }],
  },
  test: {
    ...project('packages', shared).test,
    root: here('../packages'),
    globalSetup: [here('test/support/global-setup.ts')],
    include: ['*/test/**/*.test.{ts,tsx}'],
    // The package testing has suites of its own: its worlds are no services of these tests.
    exclude: ['testing/**', '*/test/browser/**'],
  },
};

/** Their tests in Chromium. */
export const packagesBrowserSuite: TestProjectInlineConfiguration = {
  ...packagesSuite,
  test: {
    ...packagesSuite.test,
    name: 'packages-browser',
    globalSetup: [here('test/support/global-setup.ts'), here('test/support/announce-browser.ts')],
    include: ['*/test/browser/**/*.test.ts'],
    exclude: ['testing/**'],
  },
};

export const serverSuites: readonly TestProjectInlineConfiguration[] = [
  // Without a template of databases: a file that starts one fails.
  lane('pure', ['test/**/*.pure.test.ts'], [], { globalSetup: [] }),
  // With the lane of the engine: they share processes, and each loads the service once.
  lane('service', ['test/**/*.test.ts'], ['test/**/*.pure.test.ts']),
  lane('engine', ['test/**/*.engine.test.ts']),
  folder('mocked'),
  folder('time-limits'),
  folder('processes', {
    ...loadedByNode,
    globalSetup: ['test/support/global-setup.ts', 'test/support/announce-proxies.ts'],
  }),
  folder('browser', {
    ...shared,
    ...loadedByNode,
    globalSetup: ['test/support/global-setup.ts', 'test/support/announce-browser.ts'],
  }),
  folder('tooling', { globalSetup: ['test/support/global-setup.ts', 'test/support/announce-browser.ts'] }),
  folder('site', { globalSetup: ['test/support/announce-browser.ts'] }),
  folder('gallery', {
    ...shared,
    globalSetup: ['test/support/global-setup.ts', 'test/support/announce-browser.ts'],
    fileParallelism: false,
  }),
  folder('races', { ...shared, ...loadedByNode, testTimeout: 15 * minute, hookTimeout: 4 * minute }),
  folder('fuzz', {
    ...shared,
    ...loadedByNode,
    testTimeout: 10 * minute * Math.max(1, Number(process.env['FUZZ_FACTOR'] ?? '1')),
  }),
  folder('statistics', { ...shared, ...loadedByNode }),
  folder('timing'),
  folder('real-clients'),
  // Builds the portal and installs the dependencies; one file at a time, because each builds the same package.
  folder('shipping', { globalSetup: [], hookTimeout: 4 * minute, fileParallelism: false }),
  // The tests share an image, which a hook builds.
  folder('containers', {
    globalSetup: ['test/support/announce-containers.ts'],
    testTimeout: 10 * minute,
    hookTimeout: 30 * minute,
  }),
  // One after the other: the files share servers and inject faults into them.
  folder('faults', { maxWorkers: 1, fileParallelism: false, testTimeout: 30 * minute }),
];

export default defineConfig({ test: { projects: [...serverSuites, packagesSuite, packagesBrowserSuite] } });
