/** Gatehouse as a child process, with its own environment, exit code and streams. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestDatabase } from '../database/databases.ts';
import { keepLog } from '../failures/recent-logs.ts';
import { freePort } from '../servers/listen.ts';
import { importOfLimits } from './wait-limits.ts';

/** The service from its sources. */
export const sourceProgram = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));

/** The program that tests start as the service: its bundle, if the command that runs them has built one. */
export const serviceProgram = process.env['TEST_SERVICE'] ?? sourceProgram;

export type Environment = Readonly<Record<string, string>>;

export interface ProcessResult {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Both streams, one after the other. */
  readonly output: string;
}

export interface GatehouseProcess {
  readonly pid: number | undefined;
  stdout(): string;
  /** Resolves as soon as standard output matches, and rejects when the process ends before. */
  printed(pattern: RegExp): Promise<void>;
  signal(name: NodeJS.Signals): void;
  leave(): void;
  readonly ended: Promise<ProcessResult>;
}

/** A directory that exists while `work` runs. */
export const inDirectory = async <T>(work: (directory: string) => Promise<T>): Promise<T> => {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-test-'));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

/** The compile cache of earlier processes; without it the compiler takes a fifth of a start. */
const compileCache: Environment = {
  NODE_COMPILE_CACHE: process.env['TEST_COMPILE_CACHE'] ?? join(tmpdir(), 'node-compile-cache'),
};

/** The variables of this process's environment that every program needs. */
export const baseEnvironment = (): Environment => {
  const names = ['PATH', 'HOME', 'TMPDIR', 'SystemRoot', 'NODE_COMPILE_CACHE'];
  const { env } = process;
  const named = names.flatMap((name): [string, string][] => (env[name] ? [[name, env[name]]] : []));
  return { ...compileCache, ...Object.fromEntries(named) };
};

/** No process outlives the test's: each watches a channel to it and ends when that closes, for any reason. */
const endWithTest = `data:text/javascript,${encodeURIComponent(
  "process.once('disconnect', () => process.kill(process.pid, 'SIGKILL')); process.channel?.unref();",
)}`;

/** Options of Node for a process of the service. */
export const nodeOptions = (): readonly string[] => ['--import', endWithTest, '--import', importOfLimits()];

interface Surroundings {
  readonly stdin?: string;
  readonly cwd?: string;
}

export const startGatehouse = (
  args: readonly string[],
  environment: Environment,
  around?: Surroundings,
): GatehouseProcess => startProgram(serviceProgram, args, environment, around);

/** Starts any program that Node runs, in the same way. */
export const startProgram = (
  path: string,
  args: readonly string[],
  environment: Environment,
  { stdin = '', cwd = tmpdir() }: Surroundings = {},
): GatehouseProcess => {
  const child = spawn(process.execPath, [...nodeOptions(), path, ...args], {
    cwd,
    env: { ...baseEnvironment(), ...environment },
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
  });
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (part: string) => {
      text[name] += part;
    });
  }
  keepLog(`${[basename(path), ...args].join(' ')} ${child.pid}`, () => [tailOf(text.stdout), tailOf(text.stderr)]);
  // A command that does not read it may end before it is written.
  child.stdin?.on('error', () => undefined).end(stdin);
  const ended = endOf(child, text);
  return {
    pid: child.pid,
    stdout: () => text.stdout,
    printed: (pattern) => untilPrinted(child, () => text.stdout, pattern, ended),
    signal: (name) => {
      child.kill(name);
    },
    leave: () => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    },
    ended,
  };
};

/** Enough for the lines that a report shows. */
const tailOf = (text: string): string => text.slice(-20_000);

const endOf = async (
  child: ChildProcess,
  text: { readonly stdout: string; readonly stderr: string },
): Promise<ProcessResult> => {
  await once(child, 'close');
  return { code: child.exitCode, ...text, output: `${text.stdout}${text.stderr}` };
};

const untilPrinted = (
  child: ChildProcess,
  read: () => string,
  pattern: RegExp,
  ended: Promise<ProcessResult>,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const look = (): void => {
      if (!pattern.test(read())) return;
      child.stdout?.off('data', look);
      resolve();
    };
    child.stdout?.on('data', look);
    look();
    const tooEarly = ({ code, output }: ProcessResult): Error =>
      new Error(`It ended with ${code} before it printed ${pattern}: ${output}`);
    ended.then((end) => reject(tooEarly(end)), reject);
  });

export const runGatehouse = (
  args: readonly string[],
  environment: Environment = {},
  options: { readonly stdin?: string; readonly cwd?: string } = {},
): Promise<ProcessResult> => startGatehouse(args, environment, options).ended;

/** Of at least 32 bytes, and not a password or token of a test. */
export const processSecret = 'the secret of the tests of the process that is long enough';

/** The variables with which commands reach a test's database, with a cheap bcrypt. */
export const environmentFor = (stored: Pick<TestDatabase, 'url' | 'dataDirectory'>): Environment => ({
  NODE_ENV: 'test',
  GATEHOUSE_SECRET: processSecret,
  SALT_ROUNDS: '10',
  DATA_DIR: stored.dataDirectory,
  ...(stored.url === undefined ? {} : { DATABASE_URL: stored.url }),
});

export interface Serving extends GatehouseProcess {
  readonly url: string;
  stop(): Promise<ProcessResult>;
}

/**
 * Starts the service on a free port; resolves once it has logged that it listens, which LOG_LEVEL must allow.
 * @param program `sourceProgram` where the loaded modules matter
 */
export const serve = async (environment: Environment, program = serviceProgram): Promise<Serving> => {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const variables = { PORT: port, BASE_URL: url, LOG_LEVEL: 'info', ...environment };
  const started = startProgram(program, ['serve'], variables);
  await started.printed(/"event":"service\.started"/);
  const stop = (): Promise<ProcessResult> => {
    started.signal('SIGTERM');
    return started.ended;
  };
  return { ...started, url, stop };
};
