/** Gatehouse as its operators meet it: a child process, with an environment of its own, an exit code and two streams. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export type Environment = Readonly<Record<string, string>>;

export interface Ended {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Both streams, one after the other. */
  readonly output: string;
  /** From the start of the process to its end. */
  readonly milliseconds: number;
}

export interface GatehouseProcess {
  /** What stands on standard output so far. */
  stdout(): string;
  /** Resolves as soon as standard output fits, and rejects when the process ends before. */
  printed(pattern: RegExp): Promise<void>;
  signal(name: NodeJS.Signals): void;
  readonly ended: Promise<Ended>;
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

/** Of this process's environment only what a program needs to run at all. */
const surroundings = (): Environment => {
  const names = ['PATH', 'HOME', 'TMPDIR', 'SystemRoot', 'NODE_COMPILE_CACHE'];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
};

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Starts `gatehouse <args>` with exactly these variables. */
export const startGatehouse = (
  args: readonly string[],
  environment: Environment,
  { stdin = '', cwd = tmpdir() }: { readonly stdin?: string; readonly cwd?: string } = {},
): GatehouseProcess => {
  const begun = performance.now();
  const child: Child = spawn(process.execPath, [main, ...args], {
    cwd,
    env: { ...surroundings(), ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const text = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text.stdout += part;
  });
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    text.stderr += part;
  });
  // A command that does not read it may end before it is written.
  child.stdin.on('error', () => undefined).end(stdin);
  const ended = endOf(child, text, begun);
  return {
    stdout: () => text.stdout,
    printed: (pattern) => untilPrinted(child, () => text.stdout, pattern, ended),
    signal: (name) => {
      child.kill(name);
    },
    ended,
  };
};

const endOf = async (child: Child, text: { stdout: string; stderr: string }, begun: number): Promise<Ended> => {
  await once(child, 'close');
  const milliseconds = performance.now() - begun;
  return { code: child.exitCode, ...text, output: `${text.stdout}${text.stderr}`, milliseconds };
};

const untilPrinted = (child: Child, read: () => string, pattern: RegExp, ended: Promise<Ended>): Promise<void> =>
  new Promise((resolve, reject) => {
    const look = (): void => {
      if (!pattern.test(read())) return;
      child.stdout.off('data', look);
      resolve();
    };
    child.stdout.on('data', look);
    look();
    ended.then(
      ({ code, output }) => reject(new Error(`It ended with ${code} before it printed ${pattern}: ${output}`)),
      reject,
    );
  });

/** Runs `gatehouse <args>` to its end. */
export const runGatehouse = (
  args: readonly string[],
  environment: Environment = {},
  options: { readonly stdin?: string; readonly cwd?: string } = {},
): Promise<Ended> => startGatehouse(args, environment, options).ended;
