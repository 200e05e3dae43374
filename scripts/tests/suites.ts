/**
 * The commands that run tests, and the suites of each, in the order in which they run. docs/testing.md describes them.
 */
import {
  inputsOfAfternoon,
  inputsOfClients,
  inputsOfPackages,
  inputsOfSite,
  inputsOfTesting,
  inputsOfTooling,
} from './inputs.ts';

export interface Suite {
  /** Of `npm run test:NAME`, of the report in test-results/reports/, and of the line with its duration. */
  readonly name: string;
  /** Vitest projects (server/vitest.config.ts, portal/vitest.config.ts). */
  readonly projects: readonly string[];
  readonly engine: 'embedded' | 'postgres and redis' | 'its own';
  /** Its PostgreSQL is a server of this version alone (postgres-versions.ts), in place of that of the machine. */
  readonly version?: string;
  /** Its tests open pages, or serve files of the portal. */
  readonly needsPortal?: true;
  /** Its tests start many processes of the service: from a bundle (service-bundle.ts). */
  readonly needsBundle?: true;
  /** Arguments of npm, for what its tests need and `npm ci` does not install. */
  readonly prepare?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Parts of the paths of its files; all files of its projects when there are none. */
  readonly files?: readonly string[];
  /** Suites that run beside it, one after the other, on the idle processors. */
  readonly beside?: readonly Suite[];
  /** It runs where one of these files or folders has changed (changes.ts), and every night. */
  readonly whenChanged?: readonly string[];
}

const deterministic: Suite = {
  name: 'test',
  projects: ['pure', 'service', 'mocked', 'portal', 'packages'],
  engine: 'embedded',
  needsPortal: true,
};

const processes: Suite = {
  name: 'processes',
  projects: ['processes', 'time-limits'],
  engine: 'embedded',
  needsPortal: true,
  needsBundle: true,
};

/** Tests of processes about the embedded engine or its files. For a change, one engine is enough for the others. */
const embedded: Suite = {
  ...processes,
  name: 'embedded',
  projects: ['processes'],
  files: [
    'processes/database/',
    'processes/start/doctor-database',
    'processes/outages/kill',
    'processes/running/cleanup',
  ],
};
const browser: Suite = {
  name: 'browser',
  projects: ['browser', 'packages-browser', 'testing-browser'],
  engine: 'embedded',
  needsPortal: true,
};
const fuzz: Suite = { name: 'fuzz', projects: ['fuzz'], engine: 'embedded', needsPortal: true };
const statistics: Suite = { name: 'statistics', projects: ['statistics'], engine: 'embedded' };
const clients: Suite = {
  name: 'clients',
  projects: ['real-clients'],
  engine: 'embedded',
  prepare: ['ci', '--prefix', 'server/test/real-clients', '--ignore-scripts', '--loglevel=error'],
};
const shipping = { projects: ['shipping'], engine: 'its own' } as const;
const packages: Suite = { ...shipping, name: 'package', files: ['shipping/package'] };
const afternoon: Suite = { ...shipping, name: 'afternoon', files: ['shipping/afternoon'] };
/** The package for tests of adopters. It starts the service, whose rules all other suites test. */
const testing: Suite = { name: 'testing', projects: ['testing'], engine: 'embedded', needsPortal: true };
/** The image, the compose file's service and the Pod, under Podman. */
const containers: Suite = { name: 'containers', projects: ['containers'], engine: 'postgres and redis' };
const faults: Suite = { name: 'faults', projects: ['faults'], engine: 'its own', needsPortal: true, needsBundle: true };

/** The engine of production: the tests that depend on the engine, processes, and concurrent callers. */
const postgres: Suite = {
  name: 'postgres',
  projects: ['engine', 'processes', 'time-limits', 'races', 'testing-engine'],
  engine: 'postgres and redis',
  needsPortal: true,
  needsBundle: true,
  // Its database is a separate process.
  environment: { TEST_WORKERS: '4', RACE_FACTOR: '0.4', TEST_CRASH_ROUNDS: '6' },
};

/** The site of the documentation, which VitePress builds from its own folder. */
const site: Suite = {
  name: 'site',
  projects: ['site'],
  engine: 'its own',
  prepare: ['run', '--silent', 'docs', '--', '--build'],
};

/** Tests of the scripts of this repository, and of the gallery. */
const tooling: Suite = { name: 'tooling', projects: ['tooling'], engine: 'embedded', needsPortal: true };

const rest: readonly Suite[] = [
  postgres,
  statistics,
  browser,
  // It spends half of its time waiting for failures and recoveries, and has the higher priority.
  {
    ...faults,
    beside: [
      { ...clients, whenChanged: inputsOfClients },
      { ...packages, whenChanged: inputsOfPackages },
      { ...afternoon, whenChanged: inputsOfAfternoon },
      { ...testing, whenChanged: inputsOfTesting },
      embedded,
      { ...fuzz, environment: { FUZZ_FACTOR: '0.3' } },
      { ...tooling, whenChanged: inputsOfTooling },
      { ...site, whenChanged: inputsOfSite },
    ],
  },
];

/** The lane of the engine on versions that npm has. */
const onVersion = (version: string): Suite => ({
  ...postgres,
  name: `postgres-${version}`,
  projects: ['engine'],
  version,
  prepare: ['ci', '--prefix', 'server/test/postgres-versions', '--ignore-scripts', '--loglevel=error'],
});

/** One file at a time, where durations are judged. */
const alone = { TEST_WORKERS: '1' };

const nightly: readonly Suite[] = [
  deterministic,
  processes,
  // 1,000 expiries in ten tabs of a front end, and each page in all four looks.
  { ...browser, environment: { TABS_FACTOR: '50', EXAMINED_LOOKS: '4' } },
  {
    ...postgres,
    projects: ['service', ...postgres.projects.filter((name) => name !== 'engine')],
    environment: { TEST_WORKERS: '4' },
  },
  onVersion('17'),
  onVersion('18'),
  { ...fuzz, environment: { FUZZ_FACTOR: '50' } },
  { ...fuzz, name: 'fuzz-postgres', engine: 'postgres and redis', environment: { FUZZ_FACTOR: '50' } },
  { ...browser, name: 'browser-postgres', engine: 'postgres and redis' },
  { name: 'races-embedded', projects: ['races'], engine: 'embedded', needsPortal: true, needsBundle: true },
  statistics,
  { ...statistics, name: 'statistics-postgres', engine: 'postgres and redis' },
  {
    ...processes,
    name: 'deadlines',
    files: ['processes/running/deadlines'],
    engine: 'postgres and redis',
    environment: { TEST_QUIET: 'true', ...alone },
  },
  { name: 'timing', projects: ['timing'], engine: 'embedded', environment: alone },
  {
    name: 'timing-postgres',
    projects: ['timing'],
    files: ['timing/enumeration'],
    engine: 'postgres and redis',
    environment: alone,
  },
  clients,
  packages,
  afternoon,
  testing,
  tooling,
  site,
  containers,
  { ...faults, environment: { FAULTS_SIZE: 'nightly' } },
];

/** What a command of package.json runs: `test`, `all`, `rest` (all but `test`), `nightly`, or one suite by its name. */
export const commands: ReadonlyMap<string, readonly Suite[]> = new Map([
  ['test', [deterministic]],
  ['all', [deterministic, ...rest]],
  ['rest', rest],
  ['nightly', nightly],
  // A suite selected by name has the size for a change.
  ...[...nightly, ...rest, embedded, browser, fuzz, faults].map((suite): [string, readonly Suite[]] => [
    suite.name,
    [suite],
  ]),
]);
