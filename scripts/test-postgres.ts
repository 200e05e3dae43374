/**
 * `npm run test:postgres`: the server's whole suite again, on a PostgreSQL server instead of the embedded database.
 * TEST_DATABASE_URL says which (its user must be allowed to create databases); arguments go to Vitest.
 */
import { spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { repositoryRoot } from './report.ts';

const defaultUrl = 'postgres://postgres@127.0.0.1:5432/postgres';
const url = process.env['TEST_DATABASE_URL'] ?? defaultUrl;
const patienceMilliseconds = 3000;

/** Without the password that the address may hold. */
const place = ({ hostname, port }: URL): string => `${hostname}:${port === '' ? '5432' : port}`;

const answers = (address: URL): Promise<boolean> => {
  // A socket in the file system has no host to ask; the suite itself will say when nobody listens.
  if (address.hostname === '') return Promise.resolve(true);
  return new Promise((resolve) => {
    const socket = connect({ host: address.hostname, port: Number(address.port === '' ? 5432 : address.port) });
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
    env: { ...process.env, TEST_DATABASE_URL: url },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return status ?? 1;
};

const address = new URL(url);
if (await answers(address)) {
  process.exitCode = runSuite();
} else {
  process.stderr.write(
    `No PostgreSQL answers at ${place(address)}; start one, or name another by TEST_DATABASE_URL.\n`,
  );
  process.exitCode = 1;
}
