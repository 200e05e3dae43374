/** A PgBouncer of one test, in front of the run's server. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { until } from '../../../support/checks/concurrency.ts';
import { freePort } from '../../../support/servers/listen.ts';
import { type Owner, ownerOfServer } from './postgres-server.ts';

/** FAULTS_PGBOUNCER names one that is not installed. */
const program = process.env['FAULTS_PGBOUNCER'] ?? 'pgbouncer';

/** Its version, such as `1.18.0`; null where there is none. */
export const pgBouncerVersion = (): Promise<string | null> =>
  promisify(execFile)(program, ['--version']).then(
    ({ stdout }) => /PgBouncer ([\d.]+)/.exec(stdout)?.[1] ?? null,
    () => null,
  );

export type PoolMode = 'session' | 'transaction' | 'statement';

/** Whether a version maps the prepared statements of its clients: 1.21 and later. */
export const keepsStatements = (version: string | null): boolean => {
  const [major = 0, minor = 0] = (version ?? '').split('.').map(Number);
  return major > 1 || minor >= 21;
};

export class PgBouncer {
  readonly #directory: string;
  readonly #port: number;
  readonly #owner: Owner | null;
  readonly #lines: readonly string[];
  #child: ChildProcess | null = null;

  private constructor(directory: string, port: number, owner: Owner | null, lines: readonly string[]) {
    this.#directory = directory;
    this.#port = port;
    this.#owner = owner;
    this.#lines = lines;
  }

  /**
   * @param server the address of the PostgreSQL server, which trusts this machine
   * @param more settings of this pooler alone
   */
  static async start(mode: PoolMode, server: string, more: Readonly<Record<string, number>> = {}): Promise<PgBouncer> {
    const owner = await ownerOfServer();
    const directory = await mkdtemp(join(tmpdir(), 'gatehouse-pgbouncer-'));
    const port = await freePort();
    const users = join(directory, 'users.txt');
    const settings = {
      listen_addr: '127.0.0.1',
      listen_port: port,
      unix_socket_dir: '',
      auth_type: 'trust',
      auth_file: users,
      pool_mode: mode,
      max_client_conn: 500,
      default_pool_size: 60,
      ...more,
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
    const pooler = new PgBouncer(directory, port, owner, lines);
    await writeFile(users, `"${new URL(server).username}" ""\n`);
    await pooler.#write(server);
    if (owner !== null) await chown(directory, owner.uid, owner.gid);
    await pooler.restart();
    return pooler;
  }

  async #write(server: string): Promise<void> {
    const { hostname, port } = new URL(server);
    const text = `[databases]\n* = host=${hostname} port=${port}\n[pgbouncer]\n${this.#lines.join('\n')}\n`;
    await writeFile(this.#settings, text);
  }

  /** Leads its clients to another server from now on: their next transactions are there. */
  async leadTo(server: string): Promise<void> {
    await this.#write(server);
    this.#child?.kill('SIGHUP');
  }

  get #settings(): string {
    return join(this.#directory, 'pgbouncer.ini');
  }

  /** The address of a database through the pooler. */
  addressOf(direct: string): string {
    const url = new URL(direct);
    url.host = `127.0.0.1:${this.#port}`;
    return url.href;
  }

  /** Starts it again at the same address; resolves once it answers. */
  async restart(): Promise<void> {
    await this.kill();
    const child = spawn(program, [this.#settings], { stdio: 'ignore', cwd: this.#directory, ...this.#owner });
    this.#child = child;
    const failed = once(child, 'error').then(([error]) => {
      throw new Error(`${program} does not start`, { cause: error });
    });
    await Promise.race([until('the pooler answers', () => this.#answers()), failed]);
  }

  async #answers(): Promise<boolean> {
    const client = new pg.Client(this.addressOf('postgres://postgres@127.0.0.1/postgres'));
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      return false;
    }
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
    await rm(this.#directory, { recursive: true, force: true });
  }
}
