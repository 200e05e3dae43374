/** A Redis server of one test: killed, suspended, filled, emptied and started again at the same address. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@redis/client';
import { until } from '../../../support/checks/concurrency.ts';
import { freePort } from '../../../support/servers/listen.ts';

const keptBefore = 'kept:';

const binary = process.env['TEST_REDIS_SERVER'] ?? 'redis-server';

/** Kills it if this process exits first: closing its stream is the signal. */
const endWithThisProcess = ({ pid }: ChildProcess): ChildProcess =>
  spawn('sh', ['-c', 'cat >/dev/null; kill -9 "$0"', String(pid)], { stdio: ['pipe', 'ignore', 'ignore'] });

export class RedisServer {
  readonly url: string;
  readonly #port: number;
  readonly #directory: string;
  #child: ChildProcess | null = null;
  #watcher: ChildProcess | null = null;

  private constructor(port: number, directory: string) {
    this.url = `redis://127.0.0.1:${port}`;
    this.#port = port;
    this.#directory = directory;
  }

  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), await mkdtemp(join(tmpdir(), 'gatehouse-redis-')));
    await server.restart();
    return server;
  }

  /** Starts it again, empty, at the same address; resolves once it answers. */
  async restart(): Promise<void> {
    const settings = { port: String(this.#port), bind: '127.0.0.1', dir: this.#directory, save: '', appendonly: 'no' };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
    const child = spawn(binary, args, { stdio: 'ignore' });
    this.#child = child;
    this.#watcher = endWithThisProcess(child);
    const failed = once(child, 'error').then(([error]) => {
      throw new Error(`${binary} does not start`, { cause: error });
    });
    await Promise.race([until('the Redis server answers', () => this.#answers()), failed]);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    this.#watcher?.kill('SIGKILL');
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** From now on it accepts connections, by its kernel, and answers nothing. */
  hang(): void {
    this.#child?.kill('SIGSTOP');
  }

  /** Resumes it, with the requests sent meanwhile. */
  wake(): void {
    this.#child?.kill('SIGCONT');
  }

  /** Commands of an administrator, one after the other over one connection; returns the replies. */
  async send(...commands: readonly (readonly string[])[]): Promise<unknown[]> {
    const client = createClient({ url: this.url, socket: { reconnectStrategy: false } });
    // An error of the connection also fails the pending command.
    client.on('error', () => undefined);
    await client.connect();
    try {
      const replies: unknown[] = [];
      for (const command of commands) replies.push(await client.sendCommand([...command]));
      return replies;
    } finally {
      client.destroy();
    }
  }

  /** Keeps a copy of all its entries. */
  async keep(): Promise<void> {
    const keys = await this.keys();
    await this.send(...keys.map((key) => ['COPY', key, `${keptBefore}${key}`, 'REPLACE']));
  }

  /** Restores the kept copy over the current entries: stale entries. Returns their number. */
  async bringBack(): Promise<number> {
    const kept = await this.keys(keptBefore);
    await this.send(...kept.map((key) => ['COPY', key, key.slice(keptBefore.length), 'REPLACE']));
    return kept.length;
  }

  async keys(start = 'gatehouse:'): Promise<string[]> {
    const [reply] = await this.send(['KEYS', `${start}*`]);
    return Array.isArray(reply) ? reply.map(String) : [];
  }

  async close(): Promise<void> {
    this.wake();
    await this.kill();
    await rm(this.#directory, { recursive: true, force: true });
  }

  async #answers(): Promise<boolean> {
    try {
      return (await this.send(['PING']))[0] === 'PONG';
    } catch {
      // No server listens yet.
      return false;
    }
  }
}
