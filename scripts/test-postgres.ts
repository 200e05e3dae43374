/**
 * `npm run test:postgres`: the server's whole suite again, on a PostgreSQL server instead of the embedded database, and
 * with helper sessions in Redis. TEST_DATABASE_URL says which PostgreSQL (its user must be allowed to create databases),
 * TEST_REDIS_URL which Redis; arguments go to Vitest.
 */
import { spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { repositoryRoot } from './report.ts';

interface Needed {
  readonly name: string;
  readonly variable: string;
  readonly url: string;
  readonly defaultPort: number;
}

const postgres: Needed = {
  name: 'PostgreSQL',
  variable: 'TEST_DATABASE_URL',
  url: process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres',
  defaultPort: 5432,
};
const redis: Needed = {
  name: 'Redis',
  variable: 'TEST_REDIS_URL',
  url: process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379',
  defaultPort: 6379,
};
const patienceMilliseconds = 3000;

/** Without the password that the address may hold. */
const placeOf = ({ url, defaultPort }: Needed): { readonly host: string; readonly port: number } => {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port === '' ? defaultPort : port) };
};

const answers = (needed: Needed): Promise<boolean> => {
  const place = placeOf(needed);
  // A socket in the file system has no host to ask; the suite itself will say when nobody listens.
  if (place.host === '') return Promise.resolve(true);
  return new Promise((resolve) => {
    const socket = connect(place);
    const settle = (reached: boolean): void => {
      socket.destroy();
      resolve(reached);
    };
    socket.setTimeout(patienceMilliseconds, () => settle(false));
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
};

const runSuite = (): number => {
  const vitest = join(repositoryRoot, 'node_modules', 'vitest', 'vitest.mjs');
  const { status } = spawnSync(process.execPath, [vitest, 'run', '--project', 'server', ...process.argv.slice(2)], {
    cwd: repositoryRoot,
    env: { ...process.env, [postgres.variable]: postgres.url, [redis.variable]: redis.url },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return status ?? 1;
};

const missing: string[] = [];
for (const needed of [postgres, redis]) {
  if (await answers(needed)) continue;
  const { host, port } = placeOf(needed);
  missing.push(`No ${needed.name} answers at ${host}:${port}; start one, or name another by ${needed.variable}.\n`);
}
process.stderr.write(missing.join(''));
process.exitCode = missing.length === 0 ? runSuite() : 1;
