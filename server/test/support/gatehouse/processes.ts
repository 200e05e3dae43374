/** Server processes of the race and crash tests, killed without warning. None outlives the test process. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { until } from '../checks/concurrency.ts';
import { redisUrl } from '../database/engines.ts';
import { keepLog } from '../failures/recent-logs.ts';
import { freePort } from '../servers/listen.ts';
import { baseEnvironment, nodeOptions, serviceProgram } from './gatehouse-process.ts';

type Variables = Readonly<Record<string, string>>;

const testSecret = 'a secret of the tests that has thirty-two bytes and more';

const forkServer = (environment: Variables): ChildProcess => {
  return fork(serviceProgram, ['serve'], {
    execArgv: [...nodeOptions()],
    env: { ...baseEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
};

/** Runs the steps of a start; on failure, cleans up and fails. */
export const orCleanUp = async <T>(start: () => Promise<T>, cleanUp: () => Promise<void>): Promise<T> => {
  try {
    return await start();
  } catch (error) {
    await cleanUp();
    throw error;
  }
};

export class ServerProcess {
  readonly url: string;
  readonly #environment: Variables;
  #child: ChildProcess | null = null;
  #output = '';

  private constructor(port: number, environment: Variables) {
    this.url = `http://127.0.0.1:${port}`;
    this.#environment = {
      NODE_ENV: 'test',
      PORT: String(port),
      BASE_URL: this.url,
      GATEHOUSE_SECRET: testSecret,
      SALT_ROUNDS: '10',
      LOG_LEVEL: 'warn',
      RATE_LIMITS_ENABLED: 'false',
      ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
      ...environment,
    };
  }

  /** A process that serves on a free port. @param environment on top of the test defaults */
  static async start(environment: Variables): Promise<ServerProcess> {
    const server = new ServerProcess(await freePort(), environment);
    keepLog(server.url, () => [server.output.slice(-20_000)]);
    await orCleanUp(
      () => server.restart(),
      () => server.kill(),
    );
    return server;
  }

  /** Starts it again, at the same address with the same environment; resolves when it is ready. */
  async restart(): Promise<void> {
    const child = forkServer(this.#environment);
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#output += chunk.toString('utf8');
      });
    }
    await until('the process is ready', async () => {
      if (hasEnded(child)) throw new Error(`The process ended: ${this.#output.slice(-2000)}`);
      return isReady(this.url);
    });
  }

  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  /** It stops for a time, or goes on, as on a machine that is paused. */
  pause(signal: 'SIGSTOP' | 'SIGCONT'): void {
    if (this.#child?.kill(signal) !== true) throw new Error('The process has ended');
  }

  /** As an operator stops it. */
  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  /** The logged internal errors so far: every answer with INTERNAL. */
  get defects(): string[] {
    return this.#output.split('\n').filter((line) => line.includes('"request.failed"'));
  }

  get output(): string {
    return this.#output;
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || hasEnded(child)) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

const isReady = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/readyz`)).ok;
  } catch {
    // No server listens yet.
    return false;
  }
};
