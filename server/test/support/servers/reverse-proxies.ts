/**
 * Real reverse proxies with the configurations in examples/; with TEST_REQUIRE_PROXIES=1 a missing one fails the run.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '../checks/concurrency.ts';
import { findProgram } from './programs.ts';

const examples = fileURLToPath(new URL('../../../../examples', import.meta.url));

export interface ReverseProxy {
  readonly name: string;
  /** Null when it is not installed. */
  readonly path: string | null;
  /** Writes its configuration into a directory, and says how it is started. */
  readonly prepare: (directory: string, places: Places) => Promise<Command>;
}

interface Places {
  readonly port: number;
  /** `host:port` of each, as the configurations have them. */
  readonly gatehouse: string;
  readonly application: string;
}

interface Command {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const temporary = (directory: string): string =>
  ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${directory};`).join(' ');

const nginx: ReverseProxy = {
  name: 'nginx',
  path: findProgram('nginx'),
  prepare: async (directory, { port, gatehouse, application }) => {
    const example = await readFile(join(examples, 'nginx/nginx.conf'), 'utf8');
    const file = join(directory, 'nginx.conf');
    // Where an installation has them is not for every user to write to.
    const configuration = example
      .replace('http {', `http { access_log off; ${temporary(join(directory, 'temporary'))}`)
      .replace('127.0.0.1:8080', `127.0.0.1:${port}`)
      .replace('127.0.0.1:4000', gatehouse)
      .replace('127.0.0.1:3000', application);
    await writeFile(file, configuration);
    const globals = `daemon off; master_process off; pid ${join(directory, 'pid')}; error_log stderr;`;
    return { args: ['-p', directory, '-e', 'stderr', '-c', file, '-g', globals], environment: {} };
  },
};

/** nginx in front of Gatehouse with nothing but where to pass requests on to: its buffers are the defaults. */
export const nginxWithDefaults: ReverseProxy = {
  name: 'nginx',
  path: nginx.path,
  prepare: async (directory, places) => {
    const command = await nginx.prepare(directory, places);
    const server = `server { listen 127.0.0.1:${places.port}; location / { proxy_pass http://${places.gatehouse};
      proxy_set_header Host $http_host; } }`;
    const http = `http { access_log off; ${temporary(join(directory, 'temporary'))} ${server} }`;
    await writeFile(join(directory, 'nginx.conf'), `events {} ${http}`);
    return command;
  },
};

const caddy: ReverseProxy = {
  name: 'caddy',
  path: findProgram('caddy'),
  prepare: async (directory, { port, gatehouse, application }) => ({
    args: ['run', '--config', join(examples, 'caddy/Caddyfile'), '--adapter', 'caddyfile'],
    environment: {
      SITE: `http://127.0.0.1:${port}`,
      GATEHOUSE: gatehouse,
      APPLICATION: application,
      HOME: directory,
      XDG_DATA_HOME: directory,
      XDG_CONFIG_HOME: directory,
    },
  }),
};

export const reverseProxies: readonly ReverseProxy[] = [nginx, caddy];

export const areProxiesRequired = (env: NodeJS.ProcessEnv = process.env): boolean =>
  env['TEST_REQUIRE_PROXIES'] === '1';

export interface RunningProxy {
  close(): Promise<void>;
}

/** Resolves once the proxy accepts connections. */
export const startReverseProxy = async (
  { name, path, prepare }: ReverseProxy,
  places: Places,
): Promise<RunningProxy> => {
  if (path === null) throw new Error(`${name} is not installed`);
  const directory = await mkdtemp(join(tmpdir(), `gatehouse-${name}-`));
  const { args, environment } = await prepare(directory, places);
  const child = spawn(path, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...environment },
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => output.push(part.toString()));
  const close = async (): Promise<void> => {
    await end(child);
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await until(`${name} accepts connections`, async () => {
      if (child.exitCode !== null) throw new Error(`${name} ended: ${output.join('')}`);
      return isListening(`http://127.0.0.1:${places.port}`);
    });
  } catch (error) {
    await close();
    throw error;
  }
  return { close };
};

const isListening = async (url: string): Promise<boolean> => {
  try {
    await fetch(url);
    return true;
  } catch {
    return false;
  }
};

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
};
