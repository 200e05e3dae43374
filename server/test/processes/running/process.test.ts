/** The running process: health, logs, and its shutdown on a signal while requests are in flight. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { readConfig } from '../../../src/config/config.ts';
import { DatabaseUnavailable } from '../../../src/platform/database/database.ts';
import { openDatabase } from '../../../src/platform/database/open.ts';
import { until } from '../../support/checks/concurrency.ts';
import {
  Browser,
  bearer,
  goodPassword,
  newAddress,
  operations,
  post,
  tokensOf,
} from '../../support/clients/clients.ts';
import { beginPost, isListening, RawConnection } from '../../support/clients/raw-http.ts';
import { openTcpGate } from '../../support/clients/tcp-gate.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/databases.ts';
import { sqlOn } from '../../support/database/sql.ts';
import {
  type Environment,
  environmentFor,
  inDirectory,
  type Serving,
  serve,
  sourceProgram,
  startGatehouse,
} from '../../support/gatehouse/gatehouse-process.ts';
import { silentLogger } from '../../support/gatehouse/silent-logger.ts';
import { freePort } from '../../support/servers/listen.ts';

const postgresServer = process.env['TEST_DATABASE_URL'];
const drainMilliseconds = 10_000;

let stored: TestDatabase;
let environment: Environment;
beforeAll(async () => {
  stored = await createTestDatabase();
  environment = {
    ...environmentFor(stored),
    SUPER_ADMIN_EMAIL: 'root@example.com',
    SUPER_ADMIN_PASSWORD: goodPassword,
  };
});
afterAll(() => stored.drop());

const credentials = { input: { email: 'root@example.com', password: goodPassword } };
const statusOf = async (url: string, path: string): Promise<number> => (await fetch(`${url}${path}`)).status;

type LogLine = Readonly<Record<string, unknown>>;
/** All except the one line that the HTTP framework writes itself. */
const logLines = (stdout: string): LogLine[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '' && !line.includes('"Server listening at '))
    .map((line) => JSON.parse(line) as LogLine);

describe('health', () => {
  it('is ok from the first answer on, and a preconnected socket that sent no byte does not delay the end', async () => {
    const service = await serve(environment);
    const silent = await RawConnection.open(service.url);
    // A process that answers a later connection has accepted this one.
    const live = await fetch(`${service.url}/healthz`);
    expect({ status: live.status, body: await live.text() }).toEqual({ status: 200, body: '{"status":"ok"}' });
    const ready = await fetch(`${service.url}/readyz`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toEqual({
      status: 'ok',
      checks: { database: 'ok', cache: 'none', queue: 'ok', process: 'ok' },
    });
    service.signal('SIGTERM');
    expect(await silent.closed()).toBe('');
    const { code, stdout, stderr } = await service.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    // Those of LOG_LEVEL and above: the requests are of debug. The first start of this file has created the super
    // admin.
    const events = logLines(stdout).map(({ event }) => event);
    const ofEach = events.filter((event) => event !== 'auth.super_admin_created');
    expect(ofEach).toEqual(['service.started', 'service.stopping']);
  });

  // Contract: operation#readiness-of-a-process — Readiness with database, cache and queue, 503 while draining
  it('is not ready while the process drains or its database is closed', async () => {
    const database = await openDatabase({ url: stored.url, dataDirectory: stored.dataDirectory, logger: silentLogger });
    const config = readConfig({ ...environment }, () => '');
    const app = await createApp({ config, database, logger: silentLogger, portalDirectory: null });
    const ready = async () => {
      const { statusCode, body } = await app.http.inject('/readyz');
      return { statusCode, body: JSON.parse(body) as unknown };
    };
    app.beginDrain();
    expect(await ready()).toEqual({
      statusCode: 503,
      body: { status: 'unavailable', checks: { database: 'ok', cache: 'none', queue: 'ok', process: 'draining' } },
    });
    await database.close();
    expect(await ready()).toEqual({
      statusCode: 503,
      body: {
        status: 'unavailable',
        checks: { database: 'unavailable', cache: 'none', queue: 'ok', process: 'draining' },
      },
    });
    expect((await app.http.inject('/healthz')).statusCode).toBe(200);
    await app.close();
  });

  it.runIf(postgresServer !== undefined)(
    'follows an outage of the database, without a false refusal (needs TEST_DATABASE_URL)',
    async () => {
      const url = new URL(stored.url ?? '');
      const gate = await openTcpGate(url.hostname, Number(url.port === '' ? 5432 : url.port));
      url.host = `127.0.0.1:${gate.port}`;
      const service = await serve({ ...environment, DATABASE_URL: url.href });
      const tokens = tokensOf(await post(service.url, operations.signIn, credentials));
      gate.cut();
      expect(await statusOf(service.url, '/readyz')).toBe(503);
      expect(await statusOf(service.url, '/healthz')).toBe(200);
      for (const ask of [
        () => post(service.url, operations.me, {}, bearer(tokens)),
        () => post(service.url, operations.signIn, credentials),
        () => post(service.url, operations.refresh, { ...tokens }),
      ]) {
        expect(await ask()).toMatchObject({ status: 503, code: 'UNAVAILABLE' });
      }
      gate.repair();
      await until('the service is ready again', async () => (await statusOf(service.url, '/readyz')) === 200);
      // Look-ups have a connection of their own, which may come later.
      await until(
        'the session is accepted again',
        async () => (await post(service.url, operations.me, {}, bearer(tokens))).code === null,
      );
      expect(await service.stop()).toMatchObject({ code: 0 });
      await gate.close();
    },
  );
});

it('A failed start closes the database, so that the process ends', async () => {
  const { url, dataDirectory } = stored;
  const config = readConfig({ ...environment }, () => '');
  const database = await openDatabase({ url, dataDirectory, logger: silentLogger });
  const portalDirectory = join(dataDirectory, 'no-portal');
  await expect(createApp({ config, database, logger: silentLogger, portalDirectory })).rejects.toThrow('ENOENT');
  await expect(database.ping()).rejects.toThrow(DatabaseUnavailable);
});

describe('logs', () => {
  it('are JSON lines that name the event, and contain no secret or address of a person', async () => {
    const service = await serve({ ...environment, LOG_LEVEL: 'debug' });
    const email = newAddress();
    const browser = new Browser(service);
    await browser.run(operations.signUp, { input: { email, name: 'Test Person', password: goodPassword } });
    await service.printed(/"event":"mail\.sent"/);
    const mails = (await (await fetch(`${service.url}/dev/mailbox.json`)).json()) as { links: string[] }[];
    const token = mails[0]?.links[0]?.split('/').at(-1) ?? '';
    await browser.run(operations.signIn, { input: { email, password: goodPassword } });
    await browser.run(operations.validate, { token });
    await browser.run(operations.signIn, { input: { email, password: goodPassword } });
    const cookies = [...browser.cookies.values()];
    await browser.run(operations.me);
    await browser.run(operations.signOut);
    await fetch(`${service.url}/verify/${token}?redirect=/canary`);
    const { code, stdout, stderr } = await service.stop();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = logLines(stdout);
    for (const { service: name, level, time, event, msg } of lines) {
      expect(name).toBe('gatehouse');
      expect(level).toMatch(/^(debug|info)$/);
      expect(event).toMatch(/^[a-z]+(\.[a-z_]+)*$/);
      expect(msg).toMatch(/^[A-Z]/);
      expect(new Date(String(time)).toISOString()).toBe(time);
    }
    const events = new Set(lines.map(({ event }) => event));
    expect([...events]).toEqual(
      expect.arrayContaining(['service.started', 'mail.sent', 'auth.sign_in', 'auth.sign_out', 'service.stopping']),
    );
    expect(cookies).toHaveLength(3);
    for (const secret of [...cookies, token, goodPassword, email, 'canary']) expect(stdout).not.toContain(secret);
    const requests = lines.filter(({ event }) => event === 'request');
    expect(requests).toContainEqual(expect.objectContaining({ method: 'POST', route: '/graphql', status: 200 }));
    expect(new Set(requests.map(({ correlationId }) => correlationId)).size).toBe(requests.length);
  });
});

/** Stops the process while requests are in flight on two connections; returns their outcomes. */
const stopMeanwhile = async (service: Serving, signal: NodeJS.Signals) => {
  const [signingIn, slow] = [await RawConnection.open(service.url), await RawConnection.open(service.url)];
  const sendSignIn = await beginPost(signingIn, operations.signIn, credentials);
  const email = newAddress();
  const input = { email, name: 'Test Person', password: goodPassword };
  const sendSlow = await beginPost(slow, operations.signUp, { input });
  sendSignIn();
  service.signal(signal);
  await until('the port is closed', async () => !(await isListening(service.url)));
  sendSlow();
  const answers = [await signingIn.closed(), await slow.closed()];
  const ended = await service.ended;
  return { answers, ended, email };
};

const bodyOf = (answer: string): unknown => JSON.parse(answer.slice(answer.lastIndexOf('\r\n\r\n')));

describe('A process that does not listen yet', () => {
  it('sends no mail, which a signal could cause to be sent twice', async () => {
    const database = await openDatabase({ url: stored.url, dataDirectory: stored.dataDirectory, logger: silentLogger });
    const config = readConfig({ ...environment }, () => '');
    const app = await createApp({ config, database, logger: silentLogger, portalDirectory: null });
    const sql = sqlOn(database);
    const waiting = (): Promise<object[]> => sql('SELECT 1 FROM mail_outbox');
    const input = { email: newAddress(), name: 'Test Person', password: goodPassword };
    const { statusCode } = await app.http.inject({
      method: 'POST',
      url: '/graphql',
      payload: { query: operations.signUp, variables: { input } },
    });
    expect(statusCode).toBe(200);
    await sleep(1000);
    expect(await waiting()).toHaveLength(1);
    await app.http.listen({ port: 0, host: '127.0.0.1' });
    await until('the mail has left', async () => (await waiting()).length === 0);
    await app.close();
  });

  it('ends without waiting for load balancers, which do not know it yet', async () => {
    const database = await openDatabase({ url: stored.url, dataDirectory: stored.dataDirectory, logger: silentLogger });
    // Longer than a test may take.
    const config = { ...readConfig(environment, () => ''), drainSeconds: 300 };
    const app = await createApp({ config, database, logger: silentLogger, portalDirectory: null });
    await app.close();
    await expect(sqlOn(database)('SELECT 1')).rejects.toThrow();
  });
});

it('A process that is killed leaves its compiled code to the next one', () =>
  inDirectory(async (directory) => {
    const service = await serve({ ...environment, NODE_COMPILE_CACHE: directory }, sourceProgram);
    service.signal('SIGKILL');
    await service.ended;
    // Node creates its folder at once. It contains modules: some hundreds of the service, more of its libraries.
    expect((await readdir(directory, { recursive: true })).length).toBeGreaterThan(500);
  }));

it('A closed standard output has no effect: the service starts, answers and ends as before', async () => {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  // Development prints addresses and accounts in addition to the log.
  const service = startGatehouse(['serve'], { ...environment, NODE_ENV: 'development', PORT: port, BASE_URL: url });
  service.leave();
  await until('the service answers', async () => (await fetch(`${url}/healthz`).catch(() => null))?.ok === true);
  service.signal('SIGTERM');
  expect((await service.ended).code).toBe(0);
});

it('A client that never sends the rest of its request is cut off, and the steps after the HTTP server still run in order', async () => {
  const service = await serve(environment);
  const stuck = await RawConnection.open(service.url);
  await beginPost(stuck, operations.signIn, credentials);
  stuck.write('{');
  const { code, stdout, stderr } = await service.stop();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(logLines(stdout).map(({ event }) => event)).toEqual(['service.started', 'service.stopping']);
});

it('A shutdown step that does not end is abandoned in time, with a log line, and exit code 1', async () => {
  const stuck = "import http from 'node:http'; http.Server.prototype.close = function () { return this; };";
  const preloaded = `--import data:text/javascript,${encodeURIComponent(stuck)}`;
  const service = await serve({ ...environment, NODE_OPTIONS: preloaded });
  const { code, stdout } = await service.stop();
  expect(code).toBe(1);
  expect(logLines(stdout).at(-1)).toMatchObject({
    event: 'service.stop_failed',
    level: 'error',
    err: { message: `It took more than ${drainMilliseconds} ms` },
  });
});

it('A host name with several addresses has one server listening, for whose answers the shutdown waits', async () => {
  // As on a machine whose localhost is ::1 too.
  const lookUp = `import dns from 'node:dns';
      const { lookup } = dns;
      const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
      dns.lookup = (name, options, done) =>
        name === 'localhost' && options.all ? setImmediate(done, null, addresses) : lookup(name, options, done);`;
  const preloaded = `--import data:text/javascript,${encodeURIComponent(lookUp)}`;
  const service = await serve({ ...environment, HOST: 'localhost', NODE_OPTIONS: preloaded });
  expect(await isListening(service.url)).toBe(true);
  expect(await isListening(service.url.replace('127.0.0.1', '127.0.0.2'))).toBe(false);
  expect(await service.stop()).toMatchObject({ code: 0, stderr: '' });
});

it('SIGTERM and SIGINT end the process after requests in flight, and no acknowledged write is lost', async () => {
  const stopped = [];
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    // A hash of this cost takes long enough for the signal to arrive meanwhile.
    stopped.push(await stopMeanwhile(await serve({ ...environment, SALT_ROUNDS: '11' }), signal));
  }
  const again = await serve(environment);
  for (const { answers, ended, email } of stopped) {
    const { code, stderr, stdout } = ended;
    const failed = logLines(stdout).find(({ event }) => event === 'service.stop_failed');
    expect({ code, stderr, failed }).toEqual({ code: 0, stderr: '', failed: undefined });
    const [signedIn, signedUp] = answers.map(bodyOf);
    expect(signedUp).toEqual({ data: { signUpWithPassword: { success: true, verificationRequired: true } } });
    const { signInWithPassword } = (signedIn as { data: Record<string, { accessToken: string }> }).data;
    const authorization = `Bearer ${signInWithPassword?.accessToken}`;
    const me = await post(again.url, operations.me, {}, { authorization });
    expect(me.data).toMatchObject({ me: { email: 'root@example.com' } });
    const unverified = await post(again.url, operations.signIn, { input: { email, password: goodPassword } });
    expect(unverified.code).toBe('EMAIL_NOT_VERIFIED');
  }
  await again.stop();
});
