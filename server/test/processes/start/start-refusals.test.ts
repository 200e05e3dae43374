/** Faults that prevent the start: each is one sentence and an exit code, and changes nothing. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { claimDirectory } from '../../../src/platform/database/embedded/embedded-directory.ts';
import { administer, newName, urlOf } from '../../support/database/database-template.ts';
import { createTestDatabase } from '../../support/database/databases.ts';
import { serverUrl } from '../../support/database/engines.ts';
import { type CommandResult, runHere } from '../../support/gatehouse/command-line.ts';
import {
  type Environment,
  environmentFor,
  processSecret,
  runGatehouse,
} from '../../support/gatehouse/gatehouse-process.ts';
import { freePort } from '../../support/servers/listen.ts';
import { startScriptedRedis } from '../../support/servers/scripted-redis.ts';

const failed = 1;
const configuration = 78;

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
});

/** A fault: the variables of the process, and a snapshot of everything that must not change. */
interface Scene {
  readonly environment: Environment;
  readonly look?: () => Promise<unknown>;
}

interface Fault {
  readonly name: string;
  /** By default that of a failure. */
  readonly code?: number;
  readonly says: RegExp;
  /** One of each stage of a start ends a process of its own; the others run the same command here. */
  readonly inProcess?: true;
  readonly arrange: () => Promise<Scene>;
}

const newDirectory = async (): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-start-'));
  cleanups.push(() => rm(directory, { recursive: true, force: true }));
  return directory;
};

const filesIn = async (directory: string): Promise<readonly string[]> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const described = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    const bytes = entry.isFile() ? await readFile(path) : '';
    return `${path} ${createHash('sha256').update(bytes).digest('hex')}`;
  });
  return (await Promise.all(described)).toSorted();
};

const inDirectory = async (files: Readonly<Record<string, string>>): Promise<Scene> => {
  const directory = await newDirectory();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(directory, path, '..'), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  return { environment: { DATA_DIR: directory }, look: () => filesIn(directory) };
};

const ask = async (url: string, text: string): Promise<readonly unknown[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows }: { readonly rows: readonly unknown[] } = await client.query(text);
    return rows;
  } finally {
    await client.end();
  }
};

const everythingIn = async (url: string): Promise<unknown> => {
  const tables = await ask(
    url,
    `SELECT c.oid::regclass::text AS name, c.relkind FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema' ORDER BY 1`,
  );
  const names = tables.flatMap((row) => {
    const { name, relkind } = row as { name: string; relkind: string };
    return relkind === 'r' ? [name] : [];
  });
  const rows = await Promise.all(names.map((name) => ask(url, `SELECT t::text AS row FROM ${name} t ORDER BY 1`)));
  return { tables, rows };
};

/** A new database after these statements. */
const inDatabase = (...statements: readonly string[]) => inDatabaseOf('', ...statements);

const inDatabaseOf = async (
  options: string,
  ...statements: readonly string[]
): Promise<Scene & { readonly name: string }> => {
  const name = newName('start');
  const url = urlOf(serverUrl ?? '', name);
  await administer(serverUrl ?? '', `CREATE DATABASE ${name} ${options}`);
  cleanups.push(() => administer(serverUrl ?? '', `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  for (const text of statements) await ask(url, text);
  return { name, environment: { DATABASE_URL: url }, look: () => everythingIn(url) };
};

const asRole = async ({ environment, look }: Scene): Promise<Scene> => {
  const role = newName('role');
  await administer(serverUrl ?? '', `CREATE ROLE ${role} LOGIN PASSWORD 'hunter2'`);
  cleanups.push(() => administer(serverUrl ?? '', `DROP ROLE IF EXISTS ${role}`));
  const url = new URL(environment['DATABASE_URL'] ?? '');
  url.username = role;
  url.password = 'hunter2';
  return { environment: { DATABASE_URL: url.href }, ...(look === undefined ? {} : { look }) };
};

/** Fakes a server of another kind: these functions precede those of the system. */
const pretending = async (bodies: Readonly<Record<string, string>>): Promise<Scene> => {
  const functions = Object.entries(bodies).map(
    ([head, body]) => `CREATE FUNCTION fake.${head} LANGUAGE sql AS ${body}`,
  );
  const scene = await inDatabase('CREATE SCHEMA fake', ...functions);
  await administer(serverUrl ?? '', `ALTER DATABASE ${scene.name} SET search_path TO fake, pg_catalog, public`);
  return scene;
};

/** Requires a password and refuses it, as PostgreSQL does with password authentication. */
const refusingPasswords = async (): Promise<Scene> => {
  const passwordPlease = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]);
  const text = 'SFATAL\0VFATAL\0C28P01\0Mpassword authentication failed for user "gatehouse"\0\0';
  const refusal = Buffer.concat([Buffer.from([0x45, 0, 0, 0, text.length + 4]), Buffer.from(text, 'latin1')]);
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', () => {
      socket.write(passwordPlease);
      socket.once('data', () => socket.end(refusal));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(async () => server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { environment: { DATABASE_URL: `postgres://gatehouse:hunter2@127.0.0.1:${port}/gatehouse` } };
};

const refusingRedis = async (reply: string, login: string): Promise<Scene> => {
  const redis = await startScriptedRedis(() => reply);
  cleanups.push(() => redis.close());
  const directory = await newDirectory();
  const url = new URL(redis.url);
  return {
    environment: { DATA_DIR: directory, REDIS_URL: `redis://${login}${url.host}` },
    look: () => filesIn(directory),
  };
};

/** A definition beside a data directory that must not be created. */
const withApplication = async (name: string, text: string, more: Environment = {}): Promise<Scene> => {
  const directory = await newDirectory();
  await writeFile(join(directory, name), text);
  const environment = {
    DATA_DIR: join(directory, 'data'),
    APPLICATION_FILE: join(directory, name),
    GATEHOUSE_SECRET: '',
  };
  return { environment: { ...environment, ...more }, look: () => filesIn(directory) };
};

const applications: readonly (readonly [name: string, says: RegExp, file: string, text: string, more?: Environment])[] =
  [
    [
      'a resource at an address of the service',
      /app\.json: resources\.a\.url: is an address of this service or an audience of GraphQL; take the URL of your own server\.$/m,
      'app.json',
      '{"resources":{"a":{"url":"http://localhost:4000/graphql/","scopes":[]}}}',
      { BASE_URL: 'http://localhost:4000' },
    ],
    [
      'a role with a scope that does not exist',
      /app\.json: roles\.EDITOR\.scopes\[0\]: no scope notes:wirte; did you mean notes:write\?$/m,
      'app.json',
      '{"scopes":{"notes:write":"Write"},"roles":{"EDITOR":{"title":"Editor","scopes":["notes:wirte"]}}}',
    ],
    [
      'a text of a mail with a placeholder that the mail does not have',
      /app\.json: messages\.de\.mails\["suspended\.body"\]: there is no \{nmae\}; did you mean \{name\}\?$/m,
      'app.json',
      '{"messages":{"de":{"mails":{"suspended.body":"{nmae}"}}}}',
    ],
    [
      'a text of the portal that there is not',
      /app\.json: messages\.de\.portal\["signIn\.titel"\]: no such text; did you mean signIn\.title\?$/m,
      'app.json',
      '{"messages":{"de":{"portal":{"signIn.titel":"Willkommen"}}}}',
    ],
    [
      'a text of the portal that is no ICU message',
      /app\.json: messages\.de\.portal\["signIn\.title"\]: is no ICU message: each \{ that begins/m,
      'app.json',
      '{"messages":{"de":{"portal":{"signIn.title":"Willkommen {"}}}}',
    ],
    ['JSON with a comment', /app\.json: it is no JSON, which has no comments/, 'app.json', '{} // none'],
    ['a file that throws', /app\.mjs: it cannot be loaded: not today\.$/m, 'app.mjs', "throw new Error('not today')"],
    ['a file without a default export', /app\.mjs: it has no default export/, 'app.mjs', 'export const a = 1;'],
    [
      'a file that imports itself',
      /app\.mjs: it cannot be loaded: Cannot access .+ before initialization\.$/m,
      'app.mjs',
      "import own from './app.mjs'; export default { name: own.name };",
    ],
    ['a file of another kind', /app\.yaml: its name must end in \.ts/, 'app.yaml', 'name: x'],
    [
      'a default product that the application does not have',
      /DEFAULT_PRODUCT must name a product of the application \(team\), or be empty\.$/m,
      'app.json',
      '{"products":{"team":{}}}',
      { DEFAULT_PRODUCT: 'free' },
    ],
  ];

/** As /tmp is: to close it would lock out everybody else. */
const sharedDirectory: Fault = {
  name: 'a data directory that all users of the machine share',
  says: /^The data directory \S+ is shared by all users of this machine; set DATA_DIR to a directory below it, which is/,
  arrange: async () => {
    const directory = await newDirectory();
    await chmod(directory, 0o1777);
    const look = async () => [(await stat(directory)).mode & 0o7777, await filesIn(directory)];
    return { environment: { DATA_DIR: directory, GATEHOUSE_SECRET: '' }, look };
  },
};

const anywhere: readonly Fault[] = [
  ...applications.map(([name, says, file, text, more]) => ({
    name: `an application with ${name}`,
    code: configuration,
    says,
    arrange: () => withApplication(file, text, more),
  })),
  {
    name: 'a DATABASE_URL of another kind of server',
    code: configuration,
    says: /DATABASE_URL must be a URL that begins with postgres:\/\/ or postgresql:\/\//,
    arrange: async () => ({ environment: { DATABASE_URL: 'mysql://gatehouse:hunter2@127.0.0.1/gatehouse' } }),
  },
  {
    name: 'an unreachable server',
    inProcess: true,
    says: /^The PostgreSQL server at 127\.0\.0\.1:\d+ cannot be reached: .*ECONNREFUSED/,
    arrange: async () => ({
      environment: { DATABASE_URL: `postgres://gatehouse:hunter2@127.0.0.1:${await freePort()}/gatehouse` },
    }),
  },
  {
    name: 'a wrong password',
    says: /^The PostgreSQL server at 127\.0\.0\.1:\d+ refused the password of user gatehouse \(password authentication failed for user "gatehouse"\); correct it\.$/,
    arrange: refusingPasswords,
  },
  {
    name: 'one variable of a pair',
    inProcess: true,
    code: configuration,
    says: /GOOGLE_CLIENT_SECRET is required when GOOGLE_CLIENT_ID is set\./,
    arrange: async () => {
      const scene = await inDirectory({});
      return { ...scene, environment: { ...scene.environment, GOOGLE_CLIENT_ID: 'client' } };
    },
  },
  {
    name: 'a Redis that requires a password which REDIS_URL lacks',
    code: configuration,
    says: /REDIS_URL has a user or a password that Redis refuses \(NOAUTH\): correct it/,
    arrange: () => refusingRedis('-NOAUTH Authentication required.\r\n', ''),
  },
  {
    name: 'a wrong password of Redis',
    inProcess: true,
    code: configuration,
    says: /REDIS_URL has a user or a password that Redis refuses \(WRONGPASS\): correct it/,
    arrange: () => refusingRedis('-WRONGPASS invalid username-password pair\r\n', ':hunter2@'),
  },
  ...['', processSecret].map((secret) => ({
    name: `a data directory that the file system refuses to create, ${secret === '' ? 'with a secret to generate' : 'with a secret'}`,
    says: /^The data directory \S+\/missing\/below\/data cannot be used \(\w+\): DATA_DIR must be a directory that/,
    arrange: async () => ({ environment: { DATA_DIR: '/proc/self/missing/below/data', GATEHOUSE_SECRET: secret } }),
  })),
  {
    name: 'a read-only data directory',
    inProcess: true,
    says: /^No file can be created in the data directory \S+: DATA_DIR must be a directory that this process may write to\.$/,
    arrange: async () => {
      const directory = await newDirectory();
      // A folder with the name of the lock is refused to every user, including root.
      await mkdir(join(directory, 'database.lock'));
      return { environment: { DATA_DIR: directory }, look: () => filesIn(directory) };
    },
  },
  {
    name: 'a data directory of a PostgreSQL server',
    says: /^The data directory \S+ belongs to a PostgreSQL server; choose another DATA_DIR/,
    arrange: () => inDirectory({ PG_VERSION: '18\n', 'base/1/1259': 'pages' }),
  },
  {
    name: "a data directory with a PostgreSQL server's directory inside",
    says: /^The data directory \S+ has a PostgreSQL server in its folder database; choose another DATA_DIR/,
    arrange: () => inDirectory({ 'database/PG_VERSION': '18\n', 'database/postmaster.opts': 'postgres' }),
  },
  {
    name: 'a data directory with the database of another version of the engine',
    says: /^The data directory \S+ has a database of PostgreSQL 16 in its folder database; choose another DATA_DIR/,
    arrange: () => inDirectory({ 'database/PG_VERSION': '16\n' }),
  },
  {
    name: 'a data directory with other files and none of ours',
    inProcess: true,
    says: /^The data directory \S+ has files of another program and none of Gatehouse \(orders\.csv\); choose another DATA_DIR/,
    arrange: () => inDirectory({ 'orders.csv': '1,2,3', 'pages/one': '1' }),
  },
  {
    name: 'the same, where a secret would be generated',
    says: /^The data directory \S+ has files of another program and none of Gatehouse \(orders\.csv\); choose another DATA_DIR/,
    arrange: async () => {
      const scene = await inDirectory({ 'orders.csv': '1,2,3' });
      return { ...scene, environment: { ...scene.environment, GATEHOUSE_SECRET: '' } };
    },
  },
  {
    name: 'a data directory with other files where the database would be',
    says: /^The data directory \S+ has other files than a database in its folder database; choose another/,
    arrange: () => inDirectory({ 'database/orders.csv': '1,2,3' }),
  },
  {
    name: 'a data directory with a file where the database would be',
    says: /^The data directory \S+ has a file named database; choose another/,
    arrange: () => inDirectory({ database: 'SQLite format 3' }),
  },
  ...(process.platform === 'win32' ? [] : [sharedDirectory]),
];

const onPostgres: readonly Fault[] = [
  ...['LATIN1', 'SQL_ASCII'].map((encoding) => ({
    name: `a database in ${encoding}`,
    says: new RegExp(
      `^The database at DATABASE_URL has the encoding ${encoding}; create it with UTF8, for example with CREATE DATABASE`,
    ),
    arrange: () => inDatabaseOf(`TEMPLATE template0 ENCODING '${encoding}' LOCALE 'C'`),
  })),
  {
    name: 'a missing database',
    says: /^There is no database no_such_database on the server at \S+ \(database "no_such_database" does not exist\); create it first\.$/,
    arrange: async () => ({ environment: { DATABASE_URL: urlOf(serverUrl ?? '', 'no_such_database') } }),
  },
  {
    name: 'a user who may not create tables',
    says: /lacks a right that the migration needs \(permission denied for schema public\): let it create tables in the schema/,
    arrange: async () => asRole(await inDatabase('REVOKE CREATE ON SCHEMA public FROM PUBLIC')),
  },
  {
    name: 'a user without a schema',
    says: /^The user in DATABASE_URL has no schema to create tables in/,
    arrange: () => inDatabase('DROP SCHEMA public'),
  },
  {
    name: 'an old PostgreSQL',
    says: /^The server at DATABASE_URL is PostgreSQL 14; Gatehouse needs 15 or newer\.$/,
    arrange: () =>
      pretending({
        'current_setting(text) RETURNS text':
          "$$ SELECT CASE $1 WHEN 'server_version_num' THEN '140011' ELSE pg_catalog.current_setting($1) END $$",
      }),
  },
  {
    name: 'a standby',
    says: /^The server at DATABASE_URL is a read-only standby; point DATABASE_URL at the primary\.$/,
    arrange: () => pretending({ 'pg_is_in_recovery() RETURNS boolean': '$$ SELECT true $$' }),
  },
  {
    name: 'a database from a newer version',
    says: /^The database was created by a newer version of Gatehouse: it has the migration 9999-later, .+; start a build that/,
    arrange: async () => {
      const stored = await createTestDatabase();
      cleanups.push(() => stored.drop());
      const url = stored.url ?? '';
      await ask(
        url,
        `INSERT INTO schema_migrations (version, name, checksum)
         SELECT max(version) + 1, '9999-later', 'of later' FROM schema_migrations`,
      );
      return { environment: { DATABASE_URL: url }, look: () => everythingIn(url) };
    },
  },
  {
    name: 'a database with the tables of another program',
    inProcess: true,
    says: /^The database contains objects of another program \(the table users\): give Gatehouse its own database/,
    arrange: () => inDatabase('CREATE TABLE users (id int)', 'INSERT INTO users VALUES (7)'),
  },
  {
    name: 'a database with a table of another program that only a later migration would meet',
    says: /^The database contains objects of another program \(the table scheduled_jobs\): give Gatehouse its own database/,
    arrange: () => inDatabase('CREATE TABLE scheduled_jobs (id int)', 'INSERT INTO scheduled_jobs VALUES (7)'),
  },
  {
    name: 'a database with the migrations of another program',
    says: /^The table schema_migrations in the database belongs to another program .+: give Gatehouse its own database/,
    arrange: () =>
      inDatabase(
        'CREATE TABLE schema_migrations (version text PRIMARY KEY)',
        "INSERT INTO schema_migrations VALUES ('7')",
      ),
  },
];

/** The heading of a refused configuration is its own line. */
const linesOf = (stderr: string, code: number): string[] =>
  stderr.split('\n').filter((line) => line !== '' && !(code === configuration && line === heading));
const heading = 'The configuration is not usable:';

const runAs = (inProcess: true | undefined, command: string, environment: Environment): Promise<CommandResult> =>
  inProcess === true ? runGatehouse([command], environment) : runHere([command], environment);

const expectRefusal = async ({ code = failed, says, inProcess, arrange }: Fault): Promise<void> => {
  const { environment, look } = await arrange();
  const before = await look?.();
  const port = await freePort();
  const all = {
    NODE_ENV: 'test',
    GATEHOUSE_SECRET: processSecret,
    SALT_ROUNDS: '10',
    PORT: String(port),
    ...environment,
  };
  for (const command of ['serve', 'migrate']) {
    // Redis is irrelevant for the others.
    if (command === 'migrate' && (environment['REDIS_URL'] ?? environment['APPLICATION_FILE']) !== undefined) continue;
    const ended = await runAs(inProcess, command, { DATA_DIR: await newDirectory(), ...all });
    const output = `${ended.stdout}${ended.stderr}`;
    expect(ended.code, output).toBe(code);
    const lines = linesOf(ended.stderr, code);
    expect(lines, ended.stderr).toHaveLength(1);
    expect(lines[0]?.trim()).toMatch(says);
    expect(output).not.toContain('hunter2');
    expect(await look?.()).toEqual(before);
  }
};

describe('A start is refused in a sentence, and nothing is changed, for', () => {
  // Contract: operation#refused-start — Bad input at start: a sentence, exit code 78 or 1, nothing changed
  it.each(anywhere)('$name', (fault) => expectRefusal(fault));
  // Contract: operation#refused-start — Bad input at start, of databases: a sentence, exit code 78 or 1, nothing
  //   changed
  it.runIf(serverUrl !== undefined).each(onPostgres)('$name (needs TEST_DATABASE_URL)', (fault) =>
    expectRefusal(fault),
  );
});

// Contract: operation#refused-start — A taken port ends the start before anything is created, migrated or printed, with
//   workers too
it.each([[['serve']], [['serve', '--workers', '2']]])(
  'A taken port ends %j before anything is created or printed',
  async (command) => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    cleanups.push(async () => holder.close());
    const address = holder.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const directory = join(await newDirectory(), 'data');
    const scene: Scene = serverUrl === undefined ? { environment: {} } : await inDatabase();
    const ended = await runGatehouse(command, {
      NODE_ENV: 'development',
      DATA_DIR: directory,
      PORT: String(port),
      SUPER_ADMIN_EMAIL: 'root@example.com',
      ...scene.environment,
    });
    expect(ended).toMatchObject({ code: failed, stdout: '' });
    expect(ended.stderr).toBe(`Port ${port} on 127.0.0.1 is in use: stop the process that uses it, or set PORT.\n`);
    expect(existsSync(directory)).toBe(false);
    expect(await scene.look?.()).toEqual(serverUrl === undefined ? undefined : { tables: [], rows: [] });
  },
);

it.each([
  // Of RFC 5737, for documentation: never assigned.
  { host: '192.0.2.1', says: /^HOST is 192\.0\.2\.1, which is not an address of this machine: correct it, or set 0/ },
  { host: 'fe80::1', says: /^HOST is fe80::1, which is not an address of this machine: correct it/ },
  { host: 'no-such.invalid', says: /^HOST is no-such\.invalid, a name that cannot be resolved: correct it/ },
])('An unavailable listen address is reported in a sentence: $host', async ({ host, says }) => {
  const stored = await createTestDatabase();
  cleanups.push(() => stored.drop());
  const environment = { ...environmentFor(stored), PORT: String(await freePort()), HOST: host };
  const { code, stderr } = await runHere(['serve'], environment);
  expect(code, stderr).toBe(failed);
  expect(linesOf(stderr, code ?? 0)).toEqual([expect.stringMatching(says)]);
});

// Contract: application#resources-of-an-application — A resource has no URL of the service and no audience of GraphQL
it('check-application refuses a resource at an audience of GraphQL, and changes nothing', async () => {
  const url = 'https://notes.acme.example/mcp';
  const scene = await withApplication('app.json', JSON.stringify({ resources: { a: { url, scopes: [] } } }));
  const before = await scene.look?.();
  const environment = { NODE_ENV: 'development', ...scene.environment };
  expect(await runHere(['check-application'], environment)).toMatchObject({ code: 0 });
  const audiences = { GRAPHQL_BEARER_ACCEPTED_AUDIENCES: `portal,${url}/` };
  const ended = await runHere(['check-application'], { ...environment, ...audiences });
  expect(ended).toMatchObject({ code: failed, stdout: '' });
  expect(ended.stderr).toMatch(/app\.json: resources\.a\.url: is an address of this service or an audience/);
  expect(await scene.look?.()).toEqual(before);
});

// Contract: application#check-without-a-start — check-application prints roles × products × scopes
it('check-application prints the scopes that serve grants with the same variables, those of optional parts too', async () => {
  const scene = await withApplication('app.json', '{}');
  const tableWith = async (variables: Environment): Promise<string> => {
    const environment = { NODE_ENV: 'test', ...scene.environment, ...variables };
    const { code, stdout } = await runHere(['check-application'], environment);
    expect(code).toBe(0);
    return stdout.replaceAll(/ +/g, ' ');
  };
  const all = await tableWith({});
  for (const scope of ['TOKENS_MANAGE', 'MCP_MANAGE', 'AUDIT_VIEW']) expect(all).toContain(`${scope} yes yes -`);
  const without = await tableWith({ MACHINE_TOKENS_ENABLED: 'false', ORGANIZATION_MCP_ENABLED: 'false' });
  expect(without).toContain('MEMBERS_VIEW yes yes yes');
  expect(without).not.toMatch(/TOKENS_MANAGE|MCP_MANAGE|AUDIT_VIEW/);
});

// Contract: application#replaced-texts — A text of the portal that is replaced is checked by check-application too
it('check-application refuses a text of the portal with a placeholder that there is not, and changes nothing', async () => {
  const file = (text: string) => JSON.stringify({ messages: { de: { portal: { 'signIn.leadWithProvider': text } } } });
  const usable = await withApplication('app.json', file('Mit {provider}'));
  const environment = { NODE_ENV: 'development' };
  expect(await runHere(['check-application'], { ...environment, ...usable.environment })).toMatchObject({
    code: 0,
    stderr: '',
  });
  const scene = await withApplication('app.json', file('Mit {provder}'));
  const before = await scene.look?.();
  const ended = await runHere(['check-application'], { ...environment, ...scene.environment });
  expect(ended).toMatchObject({ code: failed, stdout: '' });
  expect(ended.stderr).toMatch(
    /messages\.de\.portal\["signIn\.leadWithProvider"\]: there is no \{provder\}; did you mean \{provider\}\?/,
  );
  expect(await scene.look?.()).toEqual(before);
});

describe('A start is not refused', () => {
  it('for a byte order mark before the definition of the application', async () => {
    const { environment } = await withApplication('app.json', '\uFEFF{"name":"Marked"}');
    const ended = await runHere(['check-application'], { NODE_ENV: 'development', ...environment });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toMatch(/^Marked is a usable application\./);
  });

  // Contract: operation#refused-start — A folder with only files of the operating system counts as empty
  it('for files of the operating system in an empty folder', async () => {
    const contents = [
      { 'lost+found/1': 'cut off', '.DS_Store': 'icons' },
      // After an operator moved the database away, and beside one of ours.
      { 'database.holder.json': '{}', 'database.lock-journal': '', 'notes.txt': '' },
      { 'database/PG_VERSION': '18\n', 'notes.txt': 'of the operator' },
    ];
    for (const files of contents) {
      const { environment, look } = await inDirectory(files);
      const before = await look?.();
      // What every start calls first, as the refusals above show.
      claimDirectory(environment['DATA_DIR'] ?? '');
      expect(await look?.()).toEqual(before);
    }
  });

  // Contract: operation#refused-start — Serving needs no right to create tables
  it.runIf(serverUrl !== undefined)(
    'for a user without the right to create tables (needs TEST_DATABASE_URL)',
    async () => {
      const stored = await createTestDatabase();
      cleanups.push(() => stored.drop());
      const url = stored.url ?? '';
      const scene = await asRole({ environment: { DATABASE_URL: url } });
      const role = new URL(scene.environment['DATABASE_URL'] ?? '').username;
      cleanups.push(() => ask(url, `DROP OWNED BY ${role}`));
      await ask(url, `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`);
      const all = { NODE_ENV: 'test', GATEHOUSE_SECRET: processSecret, ...scene.environment };
      expect(await runHere(['migrate'], all)).toMatchObject({ code: 0, stderr: '' });
    },
  );
});
