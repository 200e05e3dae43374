/** `serve --workers N`: several processes on one port. */
import { readdir } from 'node:fs/promises';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { joinMetrics } from '../../../src/cli/workers/metrics-exchange.ts';
import { until } from '../../support/checks/concurrency.ts';
import { bearer, operations, post, tokensOf } from '../../support/clients/clients.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/databases.ts';
import { isOnPostgres } from '../../support/database/engines.ts';
import { runHere } from '../../support/gatehouse/command-line.ts';
import {
  type Environment,
  environmentFor,
  type GatehouseProcess,
  inDirectory,
  processSecret,
  runGatehouse,
  startGatehouse,
  startProgram,
} from '../../support/gatehouse/gatehouse-process.ts';
import { freePort } from '../../support/servers/listen.ts';

const count = 3;

type LogLine = Readonly<Record<string, unknown>>;
const linesOf = (stdout: string): LogLine[] =>
  stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as LogLine);

const pidsOf = (started: GatehouseProcess): number[] =>
  linesOf(started.stdout())
    .filter(({ event }) => event === 'worker.ready')
    .map(({ pid }) => Number(pid));

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** False when the connection was one of a killed process. */
const isAnswered = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/healthz`)).status === 200;
  } catch {
    return false;
  }
};

describe('serve --workers', () => {
  it.each(['0', '-1', 'many', '65', ''])('accepts a number of processes, and not "%s"', async (workers) => {
    const { code, stderr } = await runHere(['serve', `--workers=${workers}`], {});
    expect(code).toBe(2);
    expect(stderr).toContain('whole number from 1 to 64');
  });

  // Contract: operation#workers-on-one-port — The embedded database serves one process
  it('refuses databases that allow a single process, and touches nothing', async () => {
    await inDirectory(async (directory) => {
      const environment = { NODE_ENV: 'test', GATEHOUSE_SECRET: processSecret, DATA_DIR: directory, PORT: '0' };
      const { code, stdout, stderr } = await runGatehouse(['serve', '--workers', '2'], environment);
      expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
      expect(stderr).toMatch(/DATABASE_URL is required with --workers: the embedded database serves one process\./);
      expect(stderr).toMatch(/SMTP_URL is required with --workers: the development mailbox is in the memory of one/);
      expect(stderr).toMatch(/PORT must be a fixed number with --workers/);
      expect(await readdir(directory)).toEqual([]);
    });
  });
});

describe.runIf(isOnPostgres)('Several workers (PostgreSQL only)', () => {
  let stored: TestDatabase;
  let environment: Environment;
  let url: string;
  /** The same for all tests of this block. */
  let started: GatehouseProcess;
  beforeAll(async () => {
    stored = await createTestDatabase();
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    environment = {
      ...environmentFor(stored),
      PORT: String(port),
      BASE_URL: url,
      LOG_LEVEL: 'info',
      SMTP_URL: `smtp://127.0.0.1:${await freePort()}`,
      SUPER_ADMIN_EMAIL: 'root@example.com',
    };
    started = startGatehouse(['serve', '--workers', String(count)], environment);
    await started.printed(new RegExp(`(?:"event":"worker.ready"[^]*){${count}}`));
  });
  afterAll(async () => {
    started.signal('SIGKILL');
    await started.ended;
    await stored.drop();
  });

  const metrics = async (): Promise<string> => (await fetch(`${url}/metrics`)).text();
  /** By a new connection: the kernel distributes connections to the workers, not requests. */
  const me = async (authorization: Readonly<Record<string, string>>) =>
    (await post(url, operations.me, {}, { ...authorization, connection: 'close' })).code;

  // Contract: operation#workers-on-one-port — `serve --workers N`: one migration, one port, one end
  it('migrate once and print the first accounts once, and answer at one port', async () => {
    expect(new Set(pidsOf(started)).size).toBe(count);
    const printed = started.stdout();
    expect(printed.match(/Super admin/g)).toHaveLength(1);
    expect(linesOf(printed).filter(({ event }) => event === 'database.migrated').length).toBeLessThanOrEqual(1);
    const [, password = ''] = /root@example\.com {2}(\S+)/.exec(printed) ?? [];
    const input = { email: 'root@example.com', password };
    const authorization = bearer(tokensOf(await post(url, operations.signIn, { input })));
    for (let round = 0; round < 4 * count; round += 1) expect(await me(authorization)).toBeNull();
    const answered = [
      ...(await metrics()).matchAll(/^http_requests_total\{worker="(\d)",route="\/graphql".*\} \d+$/gm),
    ];
    expect(new Set(answered.map(([, worker]) => worker)).size).toBeGreaterThan(1);
  });

  // Contract: operation#workers-that-end — A worker that dies is replaced; one scrape covers all
  it('are each replaced when killed, while the others answer, and one scrape covers all', async () => {
    for (const victim of pidsOf(started).slice(0, 2)) {
      const known = pidsOf(started).length;
      process.kill(victim, 'SIGKILL');
      let answers = 0;
      await until('another one listens', async () => {
        if (await isAnswered(url)) answers += 1;
        return pidsOf(started).length > known;
      });
      expect(answers).toBeGreaterThan(0);
    }
    const text = await metrics();
    expect(text).toContain(`\ngatehouse_workers{worker="0"} ${count}\n`);
    expect(text).toContain('\ngatehouse_worker_restarts_total{worker="0"} 2\n');
    const memories = [...text.matchAll(/^process_resident_memory_bytes\{worker="(\d)"\} \d+$/gm)];
    expect(new Set(memories.map(([, worker]) => worker))).toEqual(new Set(['1', '2', '3']));
    expect(text.match(/^# TYPE process_resident_memory_bytes gauge$/gm)).toHaveLength(1);
  });

  it('end one by one at their own SIGTERM, and are replaced', async () => {
    const known = pidsOf(started).length;
    const ready = linesOf(started.stdout()).filter(({ event }) => event === 'worker.ready');
    const asked = ready.find(({ pid }) => isAlive(Number(pid)));
    process.kill(Number(asked?.['pid']), 'SIGTERM');
    await until('another one listens', async () => pidsOf(started).length === known + 1);
    const ended = linesOf(started.stdout()).filter(({ event, code }) => event === 'worker.ended' && code !== null);
    expect(ended).toEqual([
      expect.objectContaining({ level: 'warn', worker: asked?.['worker'], code: 0, signal: null }),
    ]);
  });

  // Contract: operation#workers-that-end — A first worker that cannot start
  it('are not restarted when the first one cannot start: its message and its code are the result', async () => {
    const refused = async (more: Environment, sentence: RegExp): Promise<void> => {
      const { code, stderr } = await runGatehouse(['serve', '--workers', '2'], { ...environment, ...more });
      expect(code).toBe(1);
      expect(stderr).toMatch(sentence);
    };
    const missing = new URL(stored.url ?? '');
    missing.pathname = '/no_such_database';
    const port = String(await freePort());
    await refused(
      { DATABASE_URL: missing.href, PORT: port },
      /^There is no database no_such_database on the server at [^\n]+\n$/,
    );
    // Theirs, which they share among each other.
    await refused({}, /^Port \d+ on 127\.0\.0\.1 is in use[^\n]+\n$/);
    expect(await isAnswered(url)).toBe(true);
  });

  // Contract: operation#workers-that-end — Workers end with their supervisor
  it('do not outlive their supervisor', async () => {
    const pids = pidsOf(started).filter(isAlive);
    expect(pids).toHaveLength(count);
    started.signal('SIGKILL');
    await started.ended;
    await until('none of them lives', async () => !pids.some(isAlive));
  });
});

/** For NODE_OPTIONS: runs this first in the supervisor and in each worker. */
const preloading = (source: string): string =>
  `--import data:text/javascript,${encodeURIComponent(`import cluster from 'node:cluster'; ${source}`)}`;

interface Site {
  /** The variables of several workers on their own database. */
  readonly environment: Environment & { readonly BASE_URL: string };
  readonly stored: TestDatabase;
}

const newSite = async (): Promise<Site> => {
  const stored = await createTestDatabase();
  const port = String(await freePort());
  const environment = {
    ...environmentFor(stored),
    PORT: port,
    BASE_URL: `http://127.0.0.1:${port}`,
    LOG_LEVEL: 'info',
    SMTP_URL: `smtp://127.0.0.1:${await freePort()}`,
  };
  return { environment, stored };
};

/** Dropped with the test. */
const siteOfTest = async (): Promise<Site> => {
  const site = await newSite();
  onTestFinished(() => site.stored.drop());
  return site;
};

/** Ends with the test; call it after the resources it needs were created. */
const killedAfterTest = (started: GatehouseProcess): GatehouseProcess => {
  onTestFinished(async () => {
    started.signal('SIGKILL');
    await started.ended;
  });
  return started;
};

const twoReady = /(?:"event":"worker\.ready"[\s\S]*){2}/;

it.runIf(isOnPostgres).each([
  { end: "process.kill(process.pid, 'SIGKILL')", says: 'was ended by SIGKILL' },
  { end: 'process.exit(0)', says: 'was asked to end' },
])('A first worker that exits early is reported in a sentence (PostgreSQL only): it $says', async ({ end, says }) => {
  const { code, stderr } = await runGatehouse(['serve', '--workers', '2'], {
    ...(await siteOfTest()).environment,
    NODE_OPTIONS: preloading(`if (cluster.isWorker) ${end};`),
  });
  expect({ code, stderr }).toEqual({ code: 1, stderr: `The first worker ${says} before it listened.\n` });
});

it.runIf(isOnPostgres)(
  'A worker that cannot be started is retried, while the others serve (PostgreSQL only)',
  async () => {
    const { environment } = await siteOfTest();
    // As Node does where the system has no memory for another process.
    const failing = `const { fork } = cluster; let forks = 0;
      cluster.fork = () => {
        forks += 1;
        if (forks > 1 && forks < 5) throw new Error('spawn ENOMEM');
        return fork.call(cluster);
      };`;
    const started = killedAfterTest(
      startGatehouse(['serve', '--workers', '2'], { ...environment, NODE_OPTIONS: preloading(failing) }),
    );
    await started.printed(twoReady);
    const events = linesOf(started.stdout()).filter(({ event }) => String(event).startsWith('worker.'));
    expect(events.map(({ event, worker }) => [event, worker])).toEqual([
      ['worker.ready', 1],
      ...[1, 2, 3].flatMap(() => [
        ['worker.unreachable', 2],
        ['worker.ended', 2],
      ]),
      ['worker.ready', 2],
    ]);
    const pids = pidsOf(started);
    started.signal('SIGTERM');
    expect(await started.ended).toMatchObject({ code: 0, stderr: '' });
    expect(pids.filter(isAlive)).toEqual([]);
  },
);

it.runIf(isOnPostgres)('A worker that no longer answers is killed and replaced (PostgreSQL only)', async () => {
  const path = fileURLToPath(new URL('../../support/gatehouse/short-timeout-workers.ts', import.meta.url));
  const started = killedAfterTest(startProgram(path, ['2'], (await siteOfTest()).environment));
  await started.printed(twoReady);
  const [first, second = 0] = pidsOf(started);
  process.kill(second, 'SIGSTOP');
  await until('another one listens', async () => pidsOf(started).length === 3);
  const lines = linesOf(started.stdout());
  expect(lines.filter(({ event }) => event === 'worker.silent')).toEqual([
    expect.objectContaining({ level: 'error', worker: 2, pid: second }),
  ]);
  expect(lines.filter(({ event }) => event === 'worker.ended')).toEqual([
    expect.objectContaining({ level: 'error', worker: 2, signal: 'SIGKILL' }),
  ]);
  expect(isAlive(second)).toBe(false);
  expect(isAlive(first ?? 0)).toBe(true);
  started.signal('SIGINT');
  expect(await started.ended).toMatchObject({ code: 0, stderr: '' });
});

describe.runIf(isOnPostgres)('Readiness at the port of several workers (PostgreSQL only)', () => {
  const drainSeconds = 2;
  let started: GatehouseProcess;
  let url: string;
  let stored: TestDatabase;
  beforeAll(async () => {
    const site = await newSite();
    const environment = { ...site.environment, DRAIN_SECONDS: String(drainSeconds) };
    ({ stored } = site);
    url = environment.BASE_URL;
    started = startGatehouse(['serve', '--workers', '2'], environment);
    await started.printed(twoReady);
  });
  afterAll(async () => {
    started.signal('SIGKILL');
    await started.ended;
    await stored.drop();
  });

  /** The answers on many connections while work continues. */
  const readinessDuring = async (url: string, isOver: () => boolean): Promise<Set<number | null>> => {
    const seen = new Set<number | null>();
    while (!isOver()) {
      seen.add(await statusOverNewConnection(`${url}/readyz`));
      await sleep(20);
    }
    // The kernel drops unaccepted connections when their listener closes.
    seen.delete(null);
    return seen;
  };

  it('remains when only one of them receives the signal, since the others serve', async () => {
    process.kill(pidsOf(started)[0] ?? 0, 'SIGTERM');
    const hasEnded = () => started.stdout().includes('"event":"worker.ended"');
    expect(await readinessDuring(url, hasEnded)).toEqual(new Set([200]));
    await until('another one listens', async () => pidsOf(started).length === 3);
  });

  it('ends when all of them receive the signal, including each by itself', async () => {
    for (const pid of pidsOf(started).filter(isAlive)) process.kill(pid, 'SIGTERM');
    started.signal('SIGTERM');
    // They take connections in turn.
    const isDraining = async (): Promise<boolean> => (await statusOverNewConnection(`${url}/readyz`)) === 503;
    await until('both are draining', async () => (await isDraining()) && (await isDraining()));
    let hasEnded = false;
    const ended = started.ended.finally(() => {
      hasEnded = true;
    });
    const later = await readinessDuring(url, () => hasEnded);
    expect([...later].filter((status) => status !== 503)).toEqual([]);
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });
});

/** Null where the connection was reset. */
const statusOverNewConnection = (url: string): Promise<number | null> =>
  new Promise((resolve) => {
    const asked = get(url, { agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? null);
    });
    asked.on('error', () => resolve(null));
  });

// Contract: operation#workers-that-end — Workers and a newer database
it.runIf(isOnPostgres)(
  'Workers with a newer database are restarted in vain, and end once none serves (PostgreSQL only)',
  async () => {
    const { environment, stored } = await siteOfTest();
    const started = killedAfterTest(startGatehouse(['serve', '--workers', '2'], environment));
    await started.printed(twoReady);
    const database = new pg.Client({ connectionString: stored.url });
    await database.connect();
    await database.query(`INSERT INTO schema_migrations (version, name, checksum)
      SELECT max(version) + 1, '9999-later', 'x' FROM schema_migrations`);
    await database.end();
    const [first = 0, second = 0] = pidsOf(started);
    const ends = () => linesOf(started.stdout()).filter(({ event }) => event === 'worker.ended').length;

    process.kill(first, 'SIGKILL');
    await until('the place was filled in vain', async () => ends() > 3);
    expect(await isAnswered(environment.BASE_URL)).toBe(true);

    process.kill(second, 'SIGKILL');
    const { code, stdout, stderr } = await started.ended;
    expect([code, new Set(stderr.trim().split('\n'))]).toEqual([
      1,
      new Set([expect.stringContaining('newer version')]),
    ]);
    expect(linesOf(stdout).at(-1)).toMatchObject({ event: 'service.stop_failed', level: 'error' });
    expect(pidsOf(started)).toHaveLength(2);
  },
  120_000,
);

it('The metrics of several workers are one text, each series with its worker, each family once with its description', () => {
  const one = '# HELP a Of a.\n# TYPE a counter\na{b="x{y}"} 1\na 2\n# HELP c Of c.\n# TYPE c gauge\nc{} 3\n';
  const two = '# HELP c Of c.\n# TYPE c gauge\nc 4\n# HELP a Of a.\n# TYPE a counter\na{b="}"} 5 1700000000\n';
  const joined = joinMetrics([
    { worker: 1, text: one },
    { worker: 2, text: two },
    { worker: 3, text: '' },
  ]);
  expect(joined).toBe(
    '# HELP a Of a.\n# TYPE a counter\na{worker="1",b="x{y}"} 1\na{worker="1"} 2\na{worker="2",b="}"} 5 1700000000\n' +
      '# HELP c Of c.\n# TYPE c gauge\nc{worker="1"} 3\nc{worker="2"} 4\n',
  );
  expect(joinMetrics([])).toBe('');
});
