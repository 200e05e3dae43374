/** The run's own PostgreSQL server in a temporary directory, created by `scripts/tests/faults.ts`. */
import { execFile } from 'node:child_process';
import { appendFile, chown, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);

/** Where Debian and the PostgreSQL project put the programs of each version. */
const versionsDirectory = '/usr/lib/postgresql';
const serverUser = 'postgres';
const startSeconds = 60;
const lookMillis = 50;

/** Shutdown mode: `immediate` as in a power cut, `fast` in order but without waiting for its clients. */
export type Stop = 'immediate' | 'fast';

type Started = 'standby' | 'recovered' | 'on the same timeline';

/** The folder of `initdb` and `pg_ctl`, of the newest version here; null when there is none. */
export const findPrograms = async (named = process.env['FAULTS_POSTGRES_BIN']): Promise<string | null> => {
  const versions = (await readdir(versionsDirectory).catch(() => [])).sort(
    (left, right) => Number(right) - Number(left),
  );
  const folders = named === undefined ? versions.map((version) => join(versionsDirectory, version, 'bin')) : [named];
  for (const folder of folders) {
    if (await exists(join(folder, 'initdb'))) return folder;
  }
  return null;
};

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** The server refuses to run as root: then its programs run as the user that its package creates. */
export const ownerOfServer = async (): Promise<Owner | null> => {
  if (userInfo().uid !== 0) return null;
  const idOf = async (option: string): Promise<number> => Number((await run('id', [option, serverUser])).stdout.trim());
  return { uid: await idOf('-u'), gid: await idOf('-g') };
};

export class PostgresServer {
  readonly port: number;
  readonly #programs: string;
  readonly #directory: string;

  /** @param directory that {@link makePostgresServer} made */
  constructor(programs: string, directory: string, port: number) {
    this.#programs = programs;
    this.#directory = directory;
    this.port = port;
  }

  get url(): string {
    return `postgres://${serverUser}@127.0.0.1:${this.port}/postgres`;
  }

  /** Resolves when it accepts connections, after its recovery. */
  async start(): Promise<void> {
    await this.#control('start', '-l', join(this.#directory, 'server.log'), '-t', String(startSeconds));
    // A start answers that accepts no sessions yet.
    while (!(await this.#letsIn())) await sleep(lookMillis);
  }

  async #letsIn(): Promise<boolean> {
    const client = new pg.Client({ connectionString: this.url });
    try {
      await client.connect();
      return true;
    } catch {
      return false;
    } finally {
      await client.end();
    }
  }

  async stop(mode: Stop): Promise<void> {
    await this.#control('stop', '-m', mode);
  }

  /**
   * Copies the files of this running server to a new or empty directory, as a backup.
   * @param started how the copy starts: as a standby of this server, recovered to the end of the backup on a timeline
   *   of its own, or on the timeline of this server
   * @returns the copy, not started
   */
  async copy(directory: string, port: number, started: Started): Promise<PostgresServer> {
    const owner = await ownerOfServer();
    await mkdir(directory, { recursive: true });
    if (owner !== null) await chown(directory, owner.uid, owner.gid);
    const data = join(directory, 'data');
    const place = ['-h', '127.0.0.1', '-p', String(this.port), '-U', serverUser];
    const how = ['-D', data, '-c', 'fast', '-X', 'stream', '--no-sync', ...(started === 'standby' ? ['-R'] : [])];
    await run(join(this.#programs, 'pg_basebackup'), [...place, ...how], { cwd: directory, ...owner });
    const settings = [`port = ${port}`, `unix_socket_directories = '${directory}'`, "restore_command = 'false'"];
    await appendFile(join(data, 'postgresql.conf'), `${settings.join('\n')}\n`);
    if (started === 'recovered') await appendFile(join(data, 'recovery.signal'), '');
    return new PostgresServer(this.#programs, directory, port);
  }

  /** A standby becomes the primary. */
  promote(): Promise<void> {
    return this.#control('promote');
  }

  /** Runs `pg_dump` or another program on a database of this server; returns its output. */
  async ask(program: string, ...args: readonly string[]): Promise<string> {
    const place = ['-h', '127.0.0.1', '-p', String(this.port), '-U', serverUser];
    return (await run(join(this.#programs, program), [...place, ...args], { maxBuffer: 50_000_000 })).stdout;
  }

  /** Runs one statement by psql; returns its rows as text. */
  async query(text: string): Promise<string> {
    return (await this.ask('psql', '-d', 'postgres', '-Atqc', text)).trim();
  }

  /** All its processes stop, or go on, as on a machine that is paused. */
  async pause(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const [first = ''] = (await readFile(join(this.#directory, 'data', 'postmaster.pid'), 'utf8')).split('\n');
    const main = Number(first);
    process.kill(main, signal);
    const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(main)]);
    for (const pid of stdout.trim().split(/\s+/)) {
      try {
        process.kill(Number(pid), signal);
      } catch (error) {
        // A session may have ended since.
        if (!(error instanceof Error) || Reflect.get(error, 'code') !== 'ESRCH') throw error;
      }
    }
  }

  async #control(what: string, ...args: readonly string[]): Promise<void> {
    const owner = await ownerOfServer();
    const all = [what, '-D', join(this.#directory, 'data'), '-w', '-s', ...args];
    await run(join(this.#programs, 'pg_ctl'), all, { cwd: this.#directory, ...owner });
  }
}

/** Creates the files of a server in an empty directory. It trusts connections from this machine. Not started. */
export const makePostgresServer = async (
  programs: string,
  directory: string,
  port: number,
): Promise<PostgresServer> => {
  const owner = await ownerOfServer();
  const data = join(directory, 'data');
  await mkdir(data);
  if (owner !== null) for (const path of [directory, data]) await chown(path, owner.uid, owner.gid);
  const options = ['-D', data, '-U', serverUser, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
  await run(join(programs, 'initdb'), options, { cwd: directory, ...owner });
  const settings = [
    `port = ${port}`,
    "listen_addresses = '127.0.0.1'",
    `unix_socket_directories = '${directory}'`,
    'max_connections = 200',
    'fsync = on',
    'synchronous_commit = on',
  ];
  await appendFile(join(data, 'postgresql.conf'), `${settings.join('\n')}\n`);
  return new PostgresServer(programs, directory, port);
};

/** The report of the script to the tests. */
export const variables = { programs: 'FAULTS_POSTGRES_BIN', directory: 'FAULTS_POSTGRES_DIRECTORY' } as const;

/** The server of this run. Its databases are those of TEST_DATABASE_URL. */
export const postgresOfRun = (): PostgresServer => {
  const programs = process.env[variables.programs];
  const directory = process.env[variables.directory];
  const url = process.env['TEST_DATABASE_URL'];
  if (programs === undefined || directory === undefined || url === undefined) {
    throw new Error('Faults are tried by `npm run test:faults`, which starts the servers that they stop.');
  }
  return new PostgresServer(programs, directory, Number(new URL(url).port));
};
