/**
 * Owns a cluster of PostgreSQL as operators run it: two machines under Patroni, three etcd and a haproxy, on ports of
 * this one.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { inParallel, range, until } from '../../../support/checks/concurrency.ts';
import { freePort } from '../../../support/servers/listen.ts';
import type { ClusterPrograms } from '../../../support/servers/programs.ts';
import {
  type ClusterOptions,
  etcdOptions,
  etcds,
  haproxyConfig,
  type MachineName,
  names,
  patroniConfig,
  superuser,
} from './patroni-config.ts';
import { type Owner, ownerOfServer } from './postgres-server.ts';

const run = promisify(execFile);

const lookMillis = 200;
/** Of Patroni. */
const answerMillis = 2_000;
/** One program that runs until it is killed, or this process ends. */
class Program {
  readonly #start: () => ChildProcess;
  readonly #pidFile: string;
  #child: ChildProcess | null = null;
  #watcher: ChildProcess | null = null;

  /**
   * @param pidFile of a program that outlives this one, whose first line is its process id; it ends with this process,
   * too
   */
  constructor(start: () => ChildProcess, pidFile = '') {
    this.#start = start;
    this.#pidFile = pidFile;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  start(): void {
    this.#child = this.#start();
    const script = 'cat >/dev/null; kill -9 "$0"; [ -f "$1" ] && kill -9 "$(head -n 1 "$1")"';
    this.#watcher?.kill('SIGKILL');
    this.#watcher = spawn('sh', ['-c', script, String(this.#child.pid), this.#pidFile], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async close(): Promise<void> {
    await this.kill();
    this.#watcher?.kill('SIGKILL');
  }
}

interface Member {
  readonly name: MachineName;
  readonly role: string;
  readonly state: string;
}

/** A database machine: Patroni and the PostgreSQL that it starts. */
export class Machine {
  readonly name: MachineName;
  readonly port: number;
  readonly restUrl: string;
  readonly directory: string;
  readonly #patroni: Program;

  constructor(name: MachineName, port: number, restPort: number, directory: string, start: () => ChildProcess) {
    this.name = name;
    this.port = port;
    this.restUrl = `http://127.0.0.1:${restPort}`;
    this.directory = directory;
    this.#patroni = new Program(start, join(directory, 'data', 'postmaster.pid'));
  }

  start(): void {
    this.#patroni.start();
  }

  /** As haproxy asks. */
  isPrimary(): Promise<boolean> {
    return fetch(`${this.restUrl}/primary`, { signal: AbortSignal.timeout(answerMillis) }).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  killPatroni(): Promise<void> {
    return this.#patroni.kill();
  }

  /** The main process of PostgreSQL; null when none runs. */
  async #postmaster(): Promise<number | null> {
    const text = await readFile(join(this.directory, 'data', 'postmaster.pid'), 'utf8').catch(() => '');
    return text === '' ? null : Number(text.split('\n')[0]);
  }

  /** Sends a signal to PostgreSQL's processes alone. */
  async signalPostgres(signal: NodeJS.Signals): Promise<void> {
    await signalTrees([await this.#postmaster()], signal);
  }

  /** Sends a signal to everything that runs on the machine. */
  async signal(signal: NodeJS.Signals): Promise<void> {
    await signalTrees([this.#patroni.pid, await this.#postmaster()], signal);
  }

  async close(): Promise<void> {
    await this.signal('SIGKILL');
    await this.#patroni.close();
  }
}

/** The processes and their children: those of PostgreSQL have none. */
const signalTrees = async (roots: readonly (number | null)[], signal: NodeJS.Signals): Promise<void> => {
  const { stdout } = await run('ps', ['-eo', 'pid=,ppid=']);
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const isOf = (pid: number | undefined): boolean => pid !== undefined && roots.includes(pid);
  for (const [pid, parent] of rows.sort(([left], [right]) => Number(isOf(right)) - Number(isOf(left)))) {
    if (pid === undefined || !(isOf(pid) || isOf(parent))) continue;
    try {
      process.kill(pid, signal);
    } catch (error) {
      // It may have ended since.
      if (!(error instanceof Error) || Reflect.get(error, 'code') !== 'ESRCH') throw error;
    }
  }
};

const membersAt = async (restUrl: string): Promise<readonly Member[]> => {
  const answer = await fetch(`${restUrl}/cluster`, { signal: AbortSignal.timeout(answerMillis) });
  return ((await answer.json()) as { readonly members?: readonly Member[] }).members ?? [];
};

export class PatroniCluster {
  readonly machines: readonly Machine[];
  readonly etcd: readonly Program[];
  /** DATABASE_URL through haproxy, and of both machines. */
  readonly urls: { readonly balanced: string; readonly hosts: string };
  readonly #haproxy: Program;
  readonly #directory: string;

  private constructor(parts: Pick<PatroniCluster, 'machines' | 'etcd' | 'urls'>, haproxy: Program, directory: string) {
    this.machines = parts.machines;
    this.etcd = parts.etcd;
    this.urls = parts.urls;
    this.#haproxy = haproxy;
    this.#directory = directory;
  }

  /** Resolves once changes wait for the standby. */
  static async start(programs: ClusterPrograms, options: ClusterOptions): Promise<PatroniCluster> {
    const directory = await mkdtemp(join(tmpdir(), 'gatehouse-cluster-'));
    await chmod(directory, 0o777);
    const cluster = await prepare(programs, options, directory, (...parts) => new PatroniCluster(...parts));
    try {
      for (const program of [...cluster.etcd, cluster.#haproxy]) program.start();
      for (const machine of cluster.machines) machine.start();
      await cluster.untilWhole();
      return cluster;
    } catch (error) {
      await cluster.close();
      throw error;
    }
  }

  async #members(): Promise<readonly Member[]> {
    for (const { restUrl } of this.machines) {
      const members = await membersAt(restUrl).catch(() => []);
      if (members.length > 0) return members;
    }
    return [];
  }

  /** Until there are a primary and a standby that changes wait for. */
  async untilWhole(): Promise<void> {
    await until('the cluster is whole', async () => {
      // Each question takes Patroni's time from the change that is awaited.
      await sleep(lookMillis);
      const states = (await this.#members()).map(({ role, state }) => `${role} ${state}`).sort();
      return /^leader running,sync_standby (running|streaming)$/.test(states.join());
    });
  }

  /** The machines by their present roles. Call while the cluster is whole. */
  async roles(): Promise<{ readonly primary: Machine; readonly standby: Machine }> {
    const leader = (await this.#members()).find(({ role }) => role === 'leader')?.name;
    const primary = this.machines.find(({ name }) => name === leader);
    const standby = this.machines.find(({ name }) => name !== leader);
    if (primary === undefined || standby === undefined) throw new Error('There is no primary');
    return { primary, standby };
  }

  /** As `patronictl switchover` does. */
  async switchOver(): Promise<void> {
    const { primary, standby } = await this.roles();
    await this.#send('POST', primary, 'switchover', { leader: primary.name, candidate: standby.name });
  }

  /** As `patronictl edit-config` does. */
  async configure(settings: Readonly<Record<string, unknown>>): Promise<void> {
    const { primary } = await this.roles();
    await this.#send('PATCH', primary, 'config', settings);
  }

  async #send(method: string, { restUrl }: Machine, path: string, body: object): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${restUrl}/${path}`, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  }

  /** @param leave called with the directory of each machine when nothing uses it any more */
  async close(leave: (directory: string) => void = () => undefined): Promise<void> {
    await inParallel(this.machines, 2, (machine) => machine.close());
    await inParallel([...this.etcd, this.#haproxy], 4, (program) => program.close());
    for (const { directory } of this.machines) leave(directory);
    await rm(this.#directory, { recursive: true, force: true }).catch(() => undefined);
  }
}

type Parts = [Pick<PatroniCluster, 'machines' | 'etcd' | 'urls'>, Program, string];

/** Writes all configurations; starts nothing. */
const prepare = async (
  programs: ClusterPrograms,
  options: ClusterOptions,
  directory: string,
  make: (...parts: Parts) => PatroniCluster,
): Promise<PatroniCluster> => {
  const owner = await ownerOfServer();
  const ports = await inParallel(range(11), 1, freePort);
  const [clients, peers, [balanced, ...postgres], rest] = [0, 3, 6, 9].map((at) => ports.slice(at, at + 3)) as [
    number[],
    number[],
    number[],
    number[],
  ];
  const runs =
    (name: string, path: string, args: readonly string[], home = directory) =>
    (): ChildProcess =>
      startLogged(join(directory, `${name}.log`), home, path, args, owner);
  const etcd = etcds.map(
    (at) => new Program(runs(`etcd-${at}`, programs.etcd, etcdOptions(directory, at, clients, peers))),
  );
  const machines = await inParallel(names, 1, async (name, at) => {
    const home = join(directory, name);
    await mkdir(home);
    options.prepare?.(home);
    if (owner !== null) await chown(home, owner.uid, owner.gid);
    const [port = 0, restPort = 0] = [postgres[at], rest[at]];
    await writeFile(`${home}.yml`, await patroniConfig(options, { name, home, port, restPort, clients }));
    return new Machine(name, port, restPort, home, runs(`patroni-${name}`, programs.patroni, [`${home}.yml`], home));
  });
  await writeFile(join(directory, 'haproxy.cfg'), await haproxyConfig(balanced ?? 0, postgres, rest));
  const haproxy = new Program(runs('haproxy', programs.haproxy, ['-db', '-f', join(directory, 'haproxy.cfg')]));
  const urlOf = (hosts: string): string => `postgres://${superuser.name}:${superuser.password}@${hosts}/postgres`;
  const hosts = postgres.map((port) => `127.0.0.1:${port}`).join();
  return make(
    { machines, etcd, urls: { balanced: urlOf(`127.0.0.1:${balanced}`), hosts: urlOf(hosts) } },
    haproxy,
    directory,
  );
};

const startLogged = (
  log: string,
  home: string,
  path: string,
  args: readonly string[],
  owner: Owner | null,
): ChildProcess => {
  // Patroni keeps the passwords for replication there.
  const output = openSync(log, 'a');
  const environment = { ...process.env, HOME: home };
  return spawn(path, [...args], { cwd: home, env: environment, stdio: ['ignore', output, output], ...owner });
};
