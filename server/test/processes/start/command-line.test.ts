/** The command line: what each command does and prints, its exit codes, and that it reveals no secret. */
import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { variables } from '../../../src/config/variables.ts';
import { openDatabase } from '../../../src/platform/database/open.ts';
import { bearer, operations, post, tokensOf } from '../../support/clients/clients.ts';
import { migrationsDirectory } from '../../support/database/database-template.ts';
import {
  createEmptyPostgres,
  createTestDatabase,
  newDirectory,
  type TestDatabase,
} from '../../support/database/databases.ts';
import { sqlOn } from '../../support/database/sql.ts';
import { runHere } from '../../support/gatehouse/command-line.ts';
import {
  type Environment,
  environmentFor,
  runGatehouse,
  serve,
  startGatehouse,
} from '../../support/gatehouse/gatehouse-process.ts';
import { silentLogger } from '../../support/gatehouse/silent-logger.ts';

const postgresServer = process.env['TEST_DATABASE_URL'];
const ok = 0;
const failed = 1;
const usage = 2;

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');
const json = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;

describe('help and usage', () => {
  it('of a process are its output and its exit code', async () => {
    const asked = await runGatehouse(['--help']);
    expect(asked).toMatchObject({ code: ok, stderr: '' });
    expect(asked.stdout).toMatch(/^Usage: gatehouse /);
    for (const name of ['serve', 'migrate', 'create-super-admin', 'doctor', 'print-config']) {
      expect(asked.stdout).toContain(name);
    }
    const unknown = await runGatehouse(['frobnicate']);
    expect(unknown).toMatchObject({ code: usage, stdout: '' });
    expect(unknown.stderr).toMatch(/^error: /);
  });

  it.each([
    { args: ['help'], names: ['serve', 'migrate', 'create-super-admin', 'doctor', 'print-config'] },
    { args: ['serve', '--help'], names: ['Run the service'] },
    { args: ['migrate', '--help'], names: ['--json'] },
    { args: ['create-super-admin', '--help'], names: ['--email', '--password-stdin', '--scopes', '--json'] },
    { args: ['doctor', '--help'], names: ['--json'] },
    { args: ['print-config', '--help'], names: ['--json'] },
    { args: ['verify-audit', '--help'], names: ['--expect', '--json'] },
  ])('gatehouse $args prints its usage', async ({ args, names }) => {
    const { code, stdout, stderr } = await runHere(args, {});
    expect({ code, stderr }).toEqual({ code: ok, stderr: '' });
    expect(stdout).toMatch(/^Usage: gatehouse /);
    for (const name of names) expect(stdout).toContain(name);
  });

  it.each([
    { args: [], reason: 'no command' },
    { args: ['migrate', '--frobnicate'], reason: 'an unknown option' },
    { args: ['serve', 'now'], reason: 'an extra argument' },
    { args: ['create-super-admin'], reason: 'no address' },
    { args: ['create-super-admin', '--email'], reason: 'an option without its value' },
  ])('$reason is a usage error', async ({ args }) => {
    const { code, stdout, stderr } = await runHere(args, {});
    expect({ code, stdout }).toEqual({ code: usage, stdout: '' });
    expect(stderr).toMatch(/^(error: |Usage: )/);
  });
});

describe('migrate', () => {
  const names = readdirSync(migrationsDirectory).map((file) => file.replace(/\.sql$/, ''));

  it('brings an empty database to the version of the build, once', async () => {
    const empty = postgresServer === undefined ? null : await createEmptyPostgres(postgresServer);
    const dataDirectory = await newDirectory();
    const environment = environmentFor(empty === null ? { dataDirectory } : { dataDirectory, url: empty.url });
    onTestFinished(() => empty?.drop());
    const first = await runGatehouse(['migrate', '--json'], environment);
    expect(first).toMatchObject({ code: ok, stderr: '' });
    expect(json(first.stdout)).toEqual({ applied: names, version: names.length });
    const second = await runHere(['migrate', '--json'], environment);
    expect(json(second.stdout)).toEqual({ applied: [], version: names.length });
    const third = await runHere(['migrate'], environment);
    expect(third).toMatchObject({
      code: ok,
      stdout: `Nothing to apply; the database is at version ${names.length}.\n`,
      stderr: '',
    });
  });
});

describe('print-config', () => {
  const secrets = {
    GATEHOUSE_SECRET: 'Canary-one-0123456789-abcdefghijkl,Canary-two-9876543210-abcdefghijkl',
    DATABASE_URL: 'postgres://gatehouse:Canary%2Fthree@db.example.com:5433/gate?password=Canary-four&sslmode=require',
    SMTP_URL: 'smtps://mailer:Canary-five@mail.example.com:465/?pool=true&secret=Canary-six',
    SUPER_ADMIN_EMAIL: 'root@example.com',
    SUPER_ADMIN_PASSWORD: 'Canary.seven7',
  };

  it.each([
    { how: 'as JSON', print: () => runHere(['print-config', '--json'], secrets) },
    { how: 'as text, from its process', print: () => runGatehouse(['print-config'], secrets) },
  ])('prints the effective configuration, with hidden secrets, $how', async ({ print }) => {
    const { code, stdout, stderr } = await print();
    expect({ code, stderr }).toEqual({ code: ok, stderr: '' });
    expect(stdout).not.toMatch(/canary/i);
    for (const shown of ['db.example.com:5433', 'gatehouse', 'mail.example.com:465', 'mailer', 'root@example.com']) {
      expect(stdout).toContain(shown);
    }
  });

  it('prints the values as one JSON object', async () => {
    const { stdout } = await runHere(['print-config', '--json'], { ...secrets, PORT: '5201' });
    expect(lines(stdout)).toHaveLength(1);
    expect(json(stdout)).toMatchObject({
      PORT: 5201,
      BASE_URL: 'http://localhost:5201',
      GATEHOUSE_SECRET: ['[set]', '[set]'],
      SUPER_ADMIN_EMAIL: 'root@example.com',
      SUPER_ADMIN_PASSWORD: '[set]',
    });
  });

  // Contract: operation#printed-configuration — print-config shows each value under its variable's name
  it('shows each value under the name of its variable, all of them, as text and as JSON', async () => {
    const environment = { ...secrets, PORT: '5201', TRUST_PROXY: '10.0.0.0/8,::1', DEFAULT_PRODUCT: '' };
    const text = lines((await runHere(['print-config'], environment)).stdout);
    const facts = json((await runHere(['print-config', '--json'], environment)).stdout);
    expect(Object.keys(facts).toSorted()).toEqual(Object.keys(variables).toSorted());
    expect(text.map((line) => line.slice(0, line.indexOf('=')))).toEqual(Object.keys(facts));
    expect(text).toEqual(expect.arrayContaining(['PORT=5201', 'TRUST_PROXY=10.0.0.0/8,::1', 'DEFAULT_PRODUCT=']));
    expect(text).toEqual(expect.arrayContaining(['NODE_ENV=development', 'GATEHOUSE_SECRET=[set],[set]']));
    expect(facts).toMatchObject({ TRUST_PROXY: ['10.0.0.0/8', '::1'], DEFAULT_PRODUCT: null, REDIS_URL: null });
  });

  // Contract: operation#printed-configuration — print-config creates nothing, and needs no directory
  it('creates no secret, and shows the other values where DATA_DIR cannot be used', async () => {
    const directory = join(await newDirectory(), 'data');
    for (const DATA_DIR of [directory, '/dev/null/data']) {
      const { code, stdout, stderr } = await runHere(['print-config', '--json'], { DATA_DIR });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(json(stdout)).toMatchObject({ DATA_DIR, GATEHOUSE_SECRET: ['[set]'] });
    }
    expect(existsSync(directory)).toBe(false);
  });
});

describe('an unusable database', () => {
  const commands = [['serve'], ['migrate'], ['create-super-admin', '--email', 'root@example.com']];

  const expectOneSentence = async (args: readonly string[], environment: Environment): Promise<string> => {
    const { code, stdout, stderr } = await runHere(args, { ...environment, PORT: '0' });
    expect({ args, code, stdout }, stderr).toEqual({ args, code: failed, stdout: '' });
    expect(lines(stderr)).toHaveLength(1);
    expect(stderr).toMatch(/^[A-Z].*\.\n$/);
    return stderr;
  };

  it.each(commands)('is a sentence and exit code 1 of %s', async (...args) => {
    const environment = environmentFor({
      url: 'postgres://gatehouse:Canary-password@127.0.0.1:1/gatehouse',
      dataDirectory: await newDirectory(),
    });
    const sentence = await expectOneSentence(args, environment);
    expect(sentence).toContain('127.0.0.1:1');
    expect(sentence).not.toContain('Canary');
  });

  it('is a sentence for a DATABASE_URL with an invalid percent escape', async () => {
    for (const url of [
      'postgres://%zz:Canary-password@127.0.0.1:1/x',
      'postgres://u:Canary-password@127.0.0.1:1/%zz',
    ]) {
      const environment = environmentFor({ url, dataDirectory: await newDirectory() });
      const sentence = await expectOneSentence(['migrate'], environment);
      expect(sentence).toContain('DATABASE_URL');
      expect(sentence).not.toContain('Canary');
    }
  });

  it('is a sentence for an unknown host', async () => {
    const url = 'postgres://gatehouse:Canary-password@nowhere.invalid/gatehouse';
    const sentence = await expectOneSentence(['migrate'], environmentFor({ url, dataDirectory: await newDirectory() }));
    expect(sentence).toContain('nowhere.invalid');
    expect(sentence).not.toContain('Canary');
  });

  it.runIf(postgresServer !== undefined)(
    'is a sentence that names a missing one (needs TEST_DATABASE_URL)',
    async () => {
      const url = new URL(postgresServer ?? '');
      url.pathname = '/gatehouse_missing';
      const environment = environmentFor({ url: url.href, dataDirectory: await newDirectory() });
      expect(await expectOneSentence(['migrate'], environment)).toContain('gatehouse_missing');
    },
  );

  it('is a sentence for a DATA_DIR that is a file', async () => {
    const file = join(await newDirectory(), 'a-file');
    await writeFile(file, '');
    const { GATEHOUSE_SECRET, ...generated } = environmentFor({ dataDirectory: file });
    const given = { ...generated, GATEHOUSE_SECRET: GATEHOUSE_SECRET ?? '' };
    for (const environment of [given, generated]) {
      expect(await expectOneSentence(['migrate'], environment)).toContain(file);
    }
  });
});

describe('create-super-admin', () => {
  let stored: TestDatabase;
  let environment: Environment;
  beforeAll(async () => {
    stored = await createTestDatabase();
    environment = environmentFor(stored);
  });
  afterAll(() => stored.drop());

  const create = (...options: readonly string[]) => runHere(['create-super-admin', ...options], environment);
  const createWith = (stdin: string, ...options: readonly string[]) =>
    runHere(['create-super-admin', '--password-stdin', ...options], environment, stdin);
  /** The passwords of the accounts that were created, by address. */
  const created = new Map<string, unknown>();

  const users = async (): Promise<Record<string, unknown>[]> => {
    const database = await openDatabase({
      url: stored.url,
      dataDirectory: stored.dataDirectory,
      logger: silentLogger,
    });
    try {
      return await sqlOn(database)<Record<string, unknown>>('SELECT * FROM users ORDER BY email');
    } finally {
      await database.close();
    }
  };

  it('creates verified super admins with the given scopes', async () => {
    const generated = await create('--email', ' Generated@Example.com ', '--json');
    expect(generated.code).toBe(ok);
    expect(json(generated.stderr)).toMatchObject({ event: 'auth.super_admin_created', security: true });
    expect(generated.stderr).not.toMatch(/@|Gate\./);
    const facts = json(generated.stdout);
    const options = ['--email', 'given@example.com', '--scopes', 'users:view, mcp:whoami', '--password-stdin'];
    const given = await runGatehouse(['create-super-admin', ...options], environment, { stdin: 'Given.horse7\n' });
    expect(given).toMatchObject({ code: ok, stdout: 'Created the super admin given@example.com.\n' });
    expect(json(given.stderr)).toMatchObject({ scopes: ['users:view', 'mcp:whoami'] });
    expect(await users()).toMatchObject([
      { email: 'generated@example.com', platform_scopes: facts['scopes'] },
      { email: 'given@example.com', platform_scopes: ['users:view', 'mcp:whoami'] },
    ]);
    created.set('generated@example.com', facts['password']).set('given@example.com', 'Given.horse7');
  });

  it('prints a generated password as soon as its account exists, even when a signal ends the rest', async () => {
    const email = 'interrupted@example.com';
    // The hashing threads never end, and another handle keeps the process alive.
    const stuck = `import { Worker } from 'node:worker_threads';
      Worker.prototype.terminate = () => new Promise(() => setInterval(() => undefined, 1000));`;
    const preloaded = `--import data:text/javascript,${encodeURIComponent(stuck)}`;
    const started = startGatehouse(['create-super-admin', '--email', email, '--json'], {
      ...environment,
      NODE_OPTIONS: preloaded,
    });
    await started.printed(/"password":"[^"]+"/);
    started.signal('SIGTERM');
    const { code, stdout } = await started.ended;
    expect(code).toBe(143);
    created.set(email, json(stdout)['password']);
  });

  it('creates super admins who can sign in with these passwords', async () => {
    const service = await serve(environment);
    for (const [email, password] of created) {
      const answer = await post(service.url, operations.signIn, { input: { email, password } });
      const me = await post(service.url, operations.me, {}, bearer(tokensOf(answer)));
      expect(me.data).toMatchObject({ me: { email, isSuperAdmin: true, currentMembership: { role: 'OWNER' } } });
    }
    expect(created.size).toBe(3);
    expect(await service.stop()).toMatchObject({ code: ok });
  });

  it('prints a generated password once, in a sentence', async () => {
    const { code, stdout } = await create('--email', 'sentence@example.com');
    expect(code).toBe(ok);
    expect(stdout).toMatch(
      /^Created the super admin sentence@example\.com\. The password, shown this once: \S{20,}\n$/,
    );
  });

  it.each([
    { what: 'the address of an account', args: ['--email', 'GIVEN@example.com'], says: /already/ },
    { what: 'an unknown scope', args: ['--email', 'x@example.com', '--scopes', 'users:view,canary'], says: /scopes/ },
    { what: 'an empty list of scopes', args: ['--email', 'x@example.com', '--scopes', ''], says: /scopes/ },
    { what: 'no address', args: ['--email', 'canary'], says: /email/ },
    { what: 'a weak password', args: ['--email', 'x@example.com'], password: 'canary', says: /password/ },
    { what: 'an empty password', args: ['--email', 'x@example.com'], password: '', says: /password/ },
    {
      what: 'a password over 72 bytes',
      args: ['--email', 'x@example.com'],
      password: `aA1.${'🐎'.repeat(20)}`,
      says: /72/,
    },
  ])('refuses $what with exit code 1 and changes nothing', async ({ args, password, says }) => {
    const before = await users();
    const { code, stdout, stderr } = await (password === undefined ? create(...args) : createWith(password, ...args));
    expect({ code, stdout }, stderr).toEqual({ code: failed, stdout: '' });
    expect(stderr).toMatch(says);
    expect(stderr).not.toMatch(/canary|🐎|\n {4}at /);
    expect(await users()).toEqual(before);
  });
});
