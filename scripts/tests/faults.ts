/**
 * `npm run test:faults`: the service during failures of its dependencies. Starts its own PostgreSQL server and Redis in
 * a temporary directory, which the faults then stop, cut and fill, and stops both. FAULTS_SIZE is `change` (default) or
 * `nightly`; arguments go to Vitest.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  findPrograms,
  makePostgresServer,
  type PostgresServer,
  variables,
} from '../../server/test/faults/support/sites/postgres-server.ts';
import { printedResults, resultsDirectory } from '../../server/test/faults/support/verdicts/result-table.ts';
import { findClusterPrograms } from '../../server/test/support/servers/programs.ts';
import { repositoryRoot } from '../report.ts';
import { freePort } from './servers.ts';

const hasRedis = (): boolean => spawnSync('redis-server', ['--version']).status === 0;

const startRedis = (directory: string, port: number): ChildProcess =>
  spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, '--save', ''], {
    stdio: 'ignore',
  });

const runTests = async (environment: Readonly<Record<string, string>>): Promise<number> => {
  const vitest = join(repositoryRoot, 'node_modules', 'vitest', 'vitest.mjs');
  const tests = spawn(process.execPath, [vitest, 'run', '--project', 'faults', ...process.argv.slice(2)], {
    cwd: repositoryRoot,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  // A signal to this script is meant for the tests: their servers are stopped here, after them.
  const pass = (signal: NodeJS.Signals): void => void tests.kill(signal);
  process.on('SIGINT', pass).on('SIGTERM', pass);
  await once(tests, 'exit');
  return tests.exitCode ?? 1;
};

/** A fault may have left it stopped. */
const stopRunning = async (postgres: PostgresServer): Promise<void> => {
  try {
    await postgres.stop('immediate');
  } catch {
    process.stderr.write('The PostgreSQL server of the run was stopped already.\n');
  }
};

const withServers = async (programs: string, directory: string): Promise<number> => {
  // The server's own user must reach its files.
  await chmod(directory, 0o755);
  const postgres = await makePostgresServer(programs, directory, await freePort());
  const redisPort = await freePort();
  const redis = startRedis(directory, redisPort);
  try {
    await postgres.start();
    return await runTests({
      TEST_DATABASE_URL: postgres.url,
      TEST_WAIT_LIMITS: 'production',
      TEST_REDIS_URL: `redis://127.0.0.1:${redisPort}`,
      [variables.programs]: programs,
      [variables.directory]: directory,
    });
  } finally {
    redis.kill();
    await stopRunning(postgres);
  }
};

/** Why the fail-overs are skipped; null when they are not. */
const clusterReason = (): string | null => {
  const found = findClusterPrograms();
  if ('patroni' in found) return null;
  return `The fail-overs of failover.test.ts need Debian's ${found.join(', ')}`;
};

const main = async (): Promise<number> => {
  const reason = clusterReason();
  const isRequired = process.env['TEST_REQUIRE_CLUSTER'] === '1';
  if (reason !== null && !isRequired) process.stderr.write(`${reason}: they are skipped.\n`);
  const programs = await findPrograms();
  const missing = [
    ...(programs === null
      ? [
          `No initdb below /usr/lib/postgresql: install PostgreSQL's server, or name its folder by ${variables.programs}.`,
        ]
      : []),
    ...(hasRedis() ? [] : ['No redis-server is found: install Redis.']),
    ...(reason !== null && isRequired ? [`${reason}, and TEST_REQUIRE_CLUSTER=1 asks for them.`] : []),
  ];
  if (programs === null || missing.length > 0) {
    process.stderr.write(`${missing.join('\n')}\n`);
    return 1;
  }
  await rm(resultsDirectory, { recursive: true, force: true });
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-faults-'));
  try {
    return await withServers(programs, directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
    process.stdout.write(`\n${await printedResults()}`);
  }
};

process.exitCode = await main();
