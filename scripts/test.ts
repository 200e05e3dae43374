/**
 * `npm test`, and `npm run test:NAME`: runs the suites of one command after the other and prints the seconds of each.
 * The first argument is the command (tests/suites.ts); the others go to Vitest. Exit code 1 when a suite fails, after
 * the others have run.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { ensureCurrent, portalDirectory, portalSources, runBuild } from './portal/build.ts';
import { repositoryRoot } from './report.ts';
import { bundleService } from './service-bundle.ts';
import { hasChanged } from './tests/changes.ts';
import { withTemporaryDirectory } from './tests/memory.ts';
import { withPostgres } from './tests/postgres-versions.ts';
import { serverEnvironment } from './tests/servers.ts';
import { commands, type Suite } from './tests/suites.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface Outcome {
  readonly isGreen: boolean;
  /** What each suite took. */
  readonly lines: readonly string[];
}

const running = new Set<ChildProcess>();
let isInterrupted = false;

/**
 * A signal to this script is passed to the running program: the temporary directory is removed after that has ended,
 * and no other suite begins.
 */
const passSignals = (): void => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      isInterrupted = true;
      for (const child of running) child.kill(signal);
    });
  }
};

/** Whether a suite has the terminal and the processors, or runs beside one that has. */
type Place = 'in front' | 'beside';

const run = async (
  program: string,
  args: readonly string[],
  environment: Environment,
  place: Place = 'in front',
): Promise<boolean> => {
  // A signal may have arrived during another wait.
  if (isInterrupted) return false;
  const output = place === 'in front' ? 'inherit' : 'pipe';
  const child = spawn(program, args, {
    cwd: repositoryRoot,
    env: { ...process.env, ...environment },
    stdio: ['ignore', output, output],
    shell: process.platform === 'win32' && program === 'npm',
  });
  running.add(child);
  if (place === 'beside' && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  // With its output, in one piece.
  await once(child, 'close');
  running.delete(child);
  process.stdout.write(Buffer.concat(chunks));
  return child.exitCode === 0;
};

/** Whatever the environment, a suite on the embedded database uses that. */
const withoutServers: Environment = {
  TEST_DATABASE_URL: undefined,
  TEST_REDIS_URL: undefined,
  DATABASE_URL: undefined,
  REDIS_URL: undefined,
};

/**
 * Shared by the suites of a command: the template of embedded databases, which the first suite that needs it creates,
 * the bundle of the service, and the compile cache of processes.
 */
let sharedDirectory = '';

let bundle: Promise<string> | undefined;

const makeBundle = (): Promise<string> => {
  bundle ??= bundleService(join(sharedDirectory, 'service'));
  return bundle;
};

const sharedBy = async (suite: Suite): Promise<Environment> => ({
  TEST_COMPILE_CACHE: join(sharedDirectory, 'compiled'),
  TEST_SERVICE: suite.needsBundle === true ? await makeBundle() : undefined,
  TEST_TEMPLATE: join(sharedDirectory, 'template'),
});

let portal: Promise<void> | undefined;

/** Builds the portal unless a build of its present sources is there, once for all suites of the command. */
const makePortal = (): Promise<void> => {
  portal ??= ensureCurrent(portalDirectory, portalSources(), runBuild);
  return portal;
};

const runVitest = async (
  suite: Suite,
  args: readonly string[],
  directory: string,
  place: Place,
  servers = suite.engine === 'postgres and redis' ? serverEnvironment() : {},
): Promise<boolean> => {
  const vitest = join(repositoryRoot, 'node_modules', 'vitest', 'vitest.mjs');
  const projects = suite.projects.flatMap((name) => ['--project', name]);
  const environment = {
    ...withoutServers,
    ...servers,
    ...suite.environment,
    ...(await sharedBy(suite)),
    TEST_REPORT: suite.name,
    TMPDIR: directory,
    // Of the processes of Vitest, from run to run: compiling the service is a second of each.
    NODE_COMPILE_CACHE: join(repositoryRoot, 'node_modules', '.cache', 'gatehouse-tests'),
  };
  const command = [vitest, 'run', ...projects, ...(suite.files ?? []), ...args];
  return run(process.execPath, command, environment, place);
};

const runFaults = async (suite: Suite, args: readonly string[]): Promise<boolean> =>
  run(process.execPath, [join('scripts', 'tests', 'faults.ts'), ...args], {
    ...withoutServers,
    ...suite.environment,
    ...(await sharedBy(suite)),
    TEST_REPORT: suite.name,
  });

const runSuite = async (suite: Suite, args: readonly string[], place: Place): Promise<boolean> => {
  if (suite.prepare !== undefined && !(await run('npm', suite.prepare, {}, place))) return false;
  if (suite.needsPortal === true) await makePortal();
  if (suite.name.startsWith('faults')) return runFaults(suite, args);
  return withTemporaryDirectory((directory) => {
    if (suite.version === undefined) return runVitest(suite, args, directory, place);
    return withPostgres(suite.version, (TEST_DATABASE_URL) =>
      runVitest(suite, args, directory, place, { ...serverEnvironment(), TEST_DATABASE_URL }),
    );
  });
};

/** A requirement of a suite could not be created: it has failed, and the others run. */
const reportFailure = (error: unknown): boolean => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return false;
};

/** @returns the line of each suite, and whether all passed */
const runTimed = async (suite: Suite, args: readonly string[], place: Place = 'in front'): Promise<Outcome> => {
  if (suite.whenChanged !== undefined && !hasChanged(suite.whenChanged)) {
    return { isGreen: true, lines: [`${suite.name}: not run, because its files have not changed`] };
  }
  const begun = performance.now();
  const alone = async (): Promise<Outcome> => {
    const isGreen = await runSuite(suite, args, place).catch(reportFailure);
    const seconds = Math.round((performance.now() - begun) / 1000);
    return { isGreen, lines: [`${suite.name}: ${isGreen ? 'passed' : 'FAILED'} in ${seconds} s`] };
  };
  return all(await Promise.all([alone(), runBeside(suite.beside ?? [])]));
};

const runBeside = async (suites: readonly Suite[]): Promise<Outcome> => {
  const outcomes: Outcome[] = [];
  for (const suite of suites) {
    if (isInterrupted) break;
    outcomes.push(await runTimed(suite, [], 'beside'));
  }
  return all(outcomes);
};

const all = (outcomes: readonly Outcome[]): Outcome => ({
  isGreen: outcomes.every(({ isGreen }) => isGreen),
  lines: outcomes.flatMap(({ lines }) => lines),
});

/** @returns whether all passed */
const runSuites = async (suites: readonly Suite[], args: readonly string[]): Promise<boolean> => {
  const lines: string[] = [];
  let isGreen = true;
  for (const suite of suites) {
    if (isInterrupted) return false;
    const outcome = await runTimed(suite, args);
    isGreen &&= outcome.isGreen;
    lines.push(...outcome.lines);
  }
  process.stdout.write(`${lines.join('\n')}\n`);
  return isGreen;
};

const main = async ([name = '', ...args]: readonly string[]): Promise<boolean> => {
  const suites = commands.get(name);
  if (suites === undefined) {
    process.stderr.write(`No tests are called ${name}. There are: ${[...commands.keys()].join(', ')}.\n`);
    return false;
  }
  passSignals();
  return withTemporaryDirectory(async (directory) => {
    sharedDirectory = directory;
    return runSuites(suites, args);
  });
};

process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
