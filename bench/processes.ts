/**
 * Child processes: servers under test, started and awaited, and kernel figures about a process. The figures come from
 * Linux's /proc; elsewhere they are absent, and so are PostgreSQL's on another machine.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type RequestOptions, request as send } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export interface Server {
  readonly pid: number;
  readonly port: number;
  /** From spawn to the first answer of the probe. */
  readonly startMilliseconds: number;
  stop(): Promise<void>;
}

const timeoutMilliseconds = 30_000;

/** The request whose first success ends the start. */
export type Probe = Pick<RequestOptions, 'path' | 'method' | 'headers'> & { readonly body?: string };

const health: Probe = { path: '/healthz' };

export const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/**
 * Starts a server that listens on PORT and answers the probe; its standard output is discarded.
 * @param args of node, its flags and the file first
 */
export const startServer = async (
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  probe = health,
): Promise<Server> => {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...inherited(), ...environment, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    await untilItAnswers(child, port, probe);
  } catch (error) {
    await stop(child);
    throw error;
  }
  return { pid: child.pid ?? 0, port, startMilliseconds: performance.now() - began, stop: () => stop(child) };
};

/** No setting of the caller's shell reaches a server under test. */
const inherited = (): Record<string, string> => ({ PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' });

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('There is no free port');
  return address.port;
};

const untilItAnswers = async (child: ChildProcess, port: number, probe: Probe): Promise<void> => {
  const deadline = performance.now() + timeoutMilliseconds;
  while (!(await answers(port, probe))) {
    if (child.exitCode !== null) throw new Error(`${child.spawnargs[1]} ended with code ${child.exitCode}`);
    if (performance.now() > deadline) throw new Error(`${child.spawnargs[1]} does not answer`);
    await sleep(5);
  }
};

const answers = (port: number, { body, ...options }: Probe): Promise<boolean> =>
  new Promise((resolve) => {
    const request = send({ ...options, port, host: '127.0.0.1', agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('error', () => resolve(false));
    request.end(body);
  });

const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 12_000);
  await ended;
  clearTimeout(timer);
};

const ticksPerSecond = 100;

/**
 * CPU milliseconds, user and system, that a process has spent with all its threads; null where the kernel does not say.
 */
const cpuMilliseconds = (pid: number): number | null => cpuIn(`/proc/${pid}/stat`);

const cpuIn = (path: string): number | null => {
  const stat = readProc(path);
  if (stat === null) return null;
  // After the name, which may contain spaces and is in brackets, utime and stime are the 12th and 13th fields.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
};

/** The same of a process and its children: of `serve --workers`, supervisor and workers together. */
const cpuOfFamily = (pid: number): number | null => {
  const own = cpuMilliseconds(pid);
  if (own === null) return null;
  const children = readProc(`/proc/${pid}/task/${pid}/children`)?.trim() ?? '';
  const spent = children === '' ? [] : children.split(' ').map((child) => cpuMilliseconds(Number(child)) ?? 0);
  return spent.reduce((sum, each) => sum + each, own);
};

/** CPU milliseconds that all processes together have spent since the machine started; null when there is no telling. */
export const machineMilliseconds = (): number | null => {
  const line = readProc('/proc/stat')?.split('\n', 1)[0];
  if (line === undefined) return null;
  const [user = 0, nice = 0, system = 0, _idle, _waiting, irq = 0, softirq = 0] = line.split(/ +/).slice(1).map(Number);
  return ((user + nice + system + irq + softirq) * 1000) / ticksPerSecond;
};

/** Resident memory in MB (2^20 bytes); null when unknown. */
export const residentMegabytes = (pid: number): number | null => statusMegabytes(pid, 'VmRSS');

/** The most that was resident since the start, in MB; null when unknown. */
export const peakMegabytes = (pid: number): number | null => statusMegabytes(pid, 'VmHWM');

const statusMegabytes = (pid: number, name: string): number | null => {
  const line = readProc(`/proc/${pid}/status`)?.match(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm'));
  return line === null || line === undefined ? null : Number(line[1]) / 1024;
};

const readProc = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
};

export interface CpuSpent {
  /** Milliseconds; null where the kernel does not say. */
  readonly server: number | null;
  readonly database: number | null;
  /** Everything that ran on this machine. */
  readonly machine: number | null;
  /** How long it took, in milliseconds. */
  readonly elapsed: number;
}

/** CPU of a server and of the database's sessions while `work` runs. */
export const measureCpu = async <T>(
  serverPid: number,
  backends: () => Promise<readonly number[]>,
  work: () => Promise<T>,
): Promise<{ result: T; cpu: CpuSpent }> => {
  const sessionsBefore = spentBy(await backends());
  const began = performance.now();
  const [serverBefore, machineBefore] = [cpuOfFamily(serverPid), machineMilliseconds()];
  const result = await work();
  const server = difference(serverBefore, cpuOfFamily(serverPid));
  const machine = difference(machineBefore, machineMilliseconds());
  const elapsed = performance.now() - began;
  const sessionsAfter = spentBy(await backends());
  if (sessionsAfter.size === 0) return { result, cpu: { server, database: null, machine, elapsed } };
  let database = 0;
  for (const [pid, spent] of sessionsAfter) database += spent - (sessionsBefore.get(pid) ?? 0);
  return { result, cpu: { server, database, machine, elapsed } };
};

const difference = (before: number | null, after: number | null): number | null =>
  before === null || after === null ? null : after - before;

const spentBy = (pids: readonly number[]): Map<number, number> => {
  const entries = pids.map((pid) => [pid, isPostgres(pid) ? cpuMilliseconds(pid) : null] as const);
  return new Map(entries.flatMap(([pid, spent]) => (spent === null ? [] : [[pid, spent] as const])));
};

/** A process id of PostgreSQL on another machine may be any process here. */
const isPostgres = (pid: number): boolean => readProc(`/proc/${pid}/comm`)?.startsWith('postgres') ?? false;
