/** Configuration: refused values, warnings, and its documentation. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { variables } from '../../src/config/variables.ts';
import { type CommandResult, runHere } from '../support/gatehouse/command-line.ts';
import type { Environment } from '../support/gatehouse/gatehouse-process.ts';

const secret = 'canary.Zk3vQ9xw7Rb2TnLpYs8MdHf5Jc1Ga6Ue';
const databasePassword = 'canary-of-the-database';
const smtpPassword = 'canary-of-the-mail-server';

/** Nothing listens on port 1: an accepted configuration ends in exit code 1, at the database. */
const production: Environment = {
  NODE_ENV: 'production',
  BASE_URL: 'https://id.example.com',
  FRONTEND_URL: 'https://app.example.com',
  DATABASE_URL: `postgres://gatehouse:${databasePassword}@127.0.0.1:1/gatehouse`,
  GATEHOUSE_SECRET: secret,
  SMTP_URL: `smtps://mailer:${smtpPassword}@mail.example.com`,
  MAIL_FROM: 'Gatehouse <no-reply@example.com>',
};

const configurationRefused = 78;

const without = (name: string): Environment =>
  Object.fromEntries(Object.entries(production).filter(([other]) => other !== name));

/** The sentences with which `print-config` refuses these variables, without quoting their values. */
const expectRefusal = async (environment: Environment, ...names: readonly string[]): Promise<void> =>
  judgeRefusal(await runHere(['print-config'], environment), names);

const judgeRefusal = ({ code, stdout, stderr }: CommandResult, names: readonly string[]): void => {
  expect({ code, stdout }, stderr).toEqual({ code: configurationRefused, stdout: '' });
  const named = stderr.split('\n').flatMap((line) => /^ {2}([A-Z_]+) \S/.exec(line)?.[1] ?? []);
  expect(named).toEqual(names);
  expect(stderr).not.toContain('canary');
  // Each is a sentence of ours, not one of the library.
  expect(stderr).not.toMatch(/ (Invalid|Too|Unrecognized) /);
};

const printConfig = async (environment: Environment): Promise<Record<string, unknown>> => {
  const { code, stdout, stderr } = await runHere(['print-config', '--json'], environment);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Record<string, unknown>;
};

describe.each(['production', 'staging'])('%s', (mode) => {
  it.each(['BASE_URL', 'FRONTEND_URL', 'DATABASE_URL', 'GATEHOUSE_SECRET', 'SMTP_URL', 'MAIL_FROM'])(
    'refuses to start without %s',
    async (name) => {
      judgeRefusal(await runHere(['serve'], { ...without(name), NODE_ENV: mode }), [name]);
    },
  );

  it('treats an empty variable as missing, and names all missing ones at once', async () => {
    const empty = { ...production, NODE_ENV: mode, GATEHOUSE_SECRET: '', MAIL_FROM: '', SMTP_URL: '' };
    judgeRefusal(await runHere(['serve'], empty), ['GATEHOUSE_SECRET', 'SMTP_URL', 'MAIL_FROM']);
  });

  it('accepts a complete configuration', async () => {
    const shown = await printConfig({ ...production, NODE_ENV: mode });
    expect(shown).toMatchObject({
      NODE_ENV: mode,
      BASE_URL: 'https://id.example.com',
      FRONTEND_URL: 'https://app.example.com',
      PASSWORD_BLOCKLIST: true,
      SEED_DEMO_DATA: false,
      SUPER_ADMIN_EMAIL: null,
      SUPER_ADMIN_PASSWORD: null,
      GRAPHQL_INTROSPECTION: false,
    });
    expect(readConfig({ ...production, NODE_ENV: mode }, () => '').graphiql).toBe(false);
  });
});

/** [variable, what is wrong with the value, the value]. */
const weak: readonly (readonly [string, string, string])[] = [
  ['NODE_ENV', 'is not one of the four', 'canary'],
  ['BASE_URL', 'is http', 'http://canary.example.com'],
  ['FRONTEND_URL', 'is http', 'http://canary.example.com'],
  ['BASE_URL', 'has a path', 'https://canary.example.com/path'],
  ['BASE_URL', 'has the port of its scheme', 'https://canary.example.com:443'],
  ['BASE_URL', 'has capitals', 'https://CANARY.example.com'],
  ['BASE_URL', 'has a query', 'https://canary.example.com?x=1'],
  ['BASE_URL', 'has a user', 'https://canary:canary@id.example.com'],
  ['FRONTEND_URL', 'is no URL', 'canary'],
  ['GATEHOUSE_SECRET', 'is short', 'canary-of-thirty-one-bytes-12345'.slice(1)],
  ['GATEHOUSE_SECRET', 'has a short one in its list', `${secret},canary`],
  ['GATEHOUSE_SECRET', 'is an empty list', ' , '],
  ['GATEHOUSE_SECRET', 'is one letter over and over', 'c'.repeat(64)],
  ['GATEHOUSE_SECRET', 'is a few letters over and over', 'canary'.repeat(8)],
  ['GATEHOUSE_SECRET', 'has a regular one in its list', `${secret},${'canary'.repeat(8)}`],
  ['DATABASE_URL', 'is of another engine', 'mysql://user:canary@127.0.0.1/db'],
  ['DATABASE_URL', 'is no URL', 'canary'],
  ['DATABASE_URL', 'names an empty host among several', 'postgres://canary:canary@canary-1,,canary-2/canary'],
  ['DATABASE_URL', 'ends its hosts with a comma', 'postgres://canary:canary@canary-1,/canary'],
  ['DATABASE_URL', 'names a host twice', 'postgres://canary:canary@canary-1,CANARY-1:5432/canary'],
  ['DATABASE_URL', 'has fewer ports than hosts', 'postgres:///canary?host=canary-1,canary-2,canary-3&port=5432,5433'],
  ['DATABASE_URL', 'has several ports for one host', 'postgres://canary-1/canary?port=5432,5433'],
  ['DATABASE_URL', 'has a port that is none', 'postgres://canary-1:5432,canary-2:canary/canary'],
  ['DATABASE_URL', 'has a port that is too high', 'postgres://canary-1:5432,canary-2:65536/canary'],
  ['DATABASE_URL', 'has an IPv6 address without brackets', 'postgres://fe80::ca,canary-2/canary'],
  ['DATABASE_URL', 'has a host that is none', 'postgres://canary-1,canary 2/canary'],
  ['DATABASE_URL', 'names a host and a socket', 'postgres:///canary?host=/var/run/canary,canary-2'],
  ['DATABASE_URL', 'asks for a standby', 'postgres://canary-1,canary-2/canary?target_session_attrs=prefer-standby'],
  ['DATABASE_URL', 'asks for any server', 'postgres://canary-1/canary?target_session_attrs=any'],
  ['DATABASE_URL', 'names a host in two parameters', 'postgres:///canary?host=canary-1&host=canary-2'],
  ['DATABASE_URL', 'has an sslmode of libpq alone', 'postgres://canary.example.com/canary?sslmode=allow'],
  ['DATABASE_URL', 'has no mode as sslmode', 'postgres://canary.example.com/canary?sslmode=canary'],
  ['SMTP_URL', 'is of another protocol', 'http://user:canary@127.0.0.1'],
  ['DATABASE_URL', 'has a / in its password', 'postgres://canary:12/canary@canary.example.com/canary'],
  ['DATABASE_URL', 'has a ? in its password', 'postgres://canary:12?canary@canary.example.com/canary'],
  ['DATABASE_URL', 'has a # in its password', 'postgres://canary:12#canary@canary.example.com/canary'],
  ['DATABASE_URL', 'has a / after a letter in its password', 'postgres://canary:canary/1@canary.example.com/canary'],
  ['SMTP_URL', 'has a / in its password', 'smtps://canary:12/canary@canary.example.com'],
  ['SMTP_URL', 'has a ? in its user', 'smtps://canary?canary:canary@canary.example.com'],
  ['SMTP_URL', 'has a # after a letter in its password', 'smtp://canary:canary#1@canary.example.com'],
  ['SMTP_URL', 'has no slashes', 'smtp:canary:canary@canary.example.com'],
  ['SMTP_URL', 'has no slashes and nothing that is cut in two', 'smtp:canary:canary%40canary.example.com'],
  ['MAIL_FROM', 'is no address', 'canary'],
  ['MAIL_FROM', 'holds another header', 'Gatehouse <a@example.com>\r\nBcc: canary@example.com'],
  ['PORT', 'is a word', 'canary'],
  ['PORT', 'is too high', '65536'],
  ['PORT', 'is negative', '-1'],
  ['PORT', 'is hexadecimal', '0x50'],
  ['SALT_ROUNDS', 'is below 10', '9'],
  ['SALT_ROUNDS', 'is above 15', '16'],
  ['SALT_ROUNDS', 'is a word', 'canary'],
  ['GRAPHQL_BEARER_ACCEPTED_AUDIENCES', 'holds mcp', 'portal,mcp'],
  ['GRAPHQL_BEARER_ACCEPTED_AUDIENCES', 'is mcp with spaces', ' mcp '],
  ['GRAPHQL_BEARER_ACCEPTED_AUDIENCES', 'is an empty list', ','],
  ['ACCESS_TTL_SECONDS', 'is longer than 15 minutes', '901'],
  ['ACCESS_TTL_SECONDS', 'is zero', '0'],
  ['REFRESH_TTL_SECONDS', 'is longer than 30 days', '2592001'],
  ['RATE_LIMITS_ENABLED', 'is false', 'false'],
  ['SEED_DEMO_DATA', 'is true', 'true'],
  ['SEED_DEMO_DATA', 'is neither true nor false', 'canary'],
  ['EMAIL_VERIFICATION_ENABLED', 'is neither true nor false', 'canary'],
  ['AUTH_COOKIE_DOMAIN', 'is a URL', 'https://canary.example.com'],
  ['AUTH_COOKIE_DOMAIN', 'is no parent of the hosts', 'canary.test'],
  ['AUTH_COOKIE_DOMAIN', 'is a public suffix', 'com'],
  ['AUTH_COOKIE_DOMAIN', 'is a public suffix of two labels, with a dot before it', '.co.uk'],
  ['AUTH_COOKIE_DOMAIN', 'is a suffix that its owner put on the list', 'GitHub.io'],
  ['AUTH_COOKIE_DOMAIN', 'is a suffix of a host for applications', 'vercel.app'],
  ['TRUST_PROXY', 'is a word', 'canary'],
  ['TRUST_PROXY', 'is true, which would trust every client', 'true'],
  ['TRUST_PROXY', 'is no address', '300.1.2.3'],
  ['TRUST_PROXY', 'has a prefix that is too long', '10.0.0.0/33'],
  ['TRUST_PROXY', 'is an empty list', ','],
  ['TRUST_PROXY', 'has a network of every IPv4 address', '10.0.0.0/8,0.0.0.0/0'],
  ['TRUST_PROXY', 'has a network of every IPv6 address', '::/0'],
  ['TRUST_PROXY', 'has the network that every IPv4 address is mapped to', '::ffff:0:0/96'],
  ['TRUST_PROXY', 'has that network, written with an IPv4 address', '::ffff:0.0.0.0/96'],
  ['LOG_LEVEL', 'is no level', 'canary'],
  ['MAX_CONNECTIONS', 'is a word', 'canary'],
  ['MAX_CONNECTIONS', 'is too few', '9'],
  ['METRICS_PORT', 'is no port', 'canary'],
  ['METRICS_PORT', 'is any free one', '0'],
  ['METRICS_PORT', 'is the port of the service', '4000'],
  ['METRICS_TOKEN', 'holds what no Bearer can', 'canary canary'],
  ['METRICS_TOKEN', 'is soon guessed', 'canary-89012345'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'is of another protocol', 'grpc://canary.example.com:4317'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'has a query, below which no path can be', 'http://127.0.0.1:4318/?key=canary'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'has a fragment', 'http://127.0.0.1:4318/#canary'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'has a question mark alone', 'http://canary.example.com:4318?'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'has a percent sign that encodes nothing', 'http://me:canary%zz@127.0.0.1:4318'],
  ['STRIPE_API_BASE', 'is http', 'http://canary.example.com'],
  ['STRIPE_API_BASE', 'has a path', 'https://canary.example.com/v1'],
  ['STRIPE_SECRET_KEY', 'holds a line break', 'sk_canary\r\nx: y'],
  ['STRIPE_WEBHOOK_SECRET', 'holds a space', 'whsec_ canary'],
  ['REDIS_URL', 'is of another protocol', 'http://user:canary@127.0.0.1:6379'],
  ['REDIS_URL', 'is no URL', 'canary:6379'],
  ['REDIS_URL', 'has no host', 'redis:///0'],
  ['REDIS_URL', 'has a database that is no number', 'redis://:canary@127.0.0.1/canary'],
  ['REDIS_URL', 'has a query, where its password holds a ?', 'redis://127.0.0.1:6379?canary'],
  ['REDIS_URL', 'has a fragment', 'redis://127.0.0.1:6379/0#canary'],
  ['REDIS_URL', 'has a percent sign that encodes nothing', 'redis://user:canary%zz@127.0.0.1:6379'],
  ['SESSION_COOKIE_DOMAIN', 'is a URL', 'https://canary.example.com'],
  ['SESSION_COOKIE_DOMAIN', 'is no parent of the hosts', 'canary.test'],
  ['SESSION_COOKIE_DOMAIN', 'is a public suffix', 'com'],
  ['MCP_REDIRECT_ALLOW_LIST', 'has http of another machine', 'http://canary.example.com/callback'],
  ['MCP_REDIRECT_ALLOW_LIST', 'has http of this machine', 'http://127.0.0.1:7777/canary'],
  ['MCP_REDIRECT_ALLOW_LIST', 'has https with a user', 'https://canary:canary@client.example.com/callback'],
  ['MCP_REDIRECT_ALLOW_LIST', 'has one such URI next to a valid one', 'https://a.example/cb,ws://canary.example/cb'],
  ...[
    'javascript:canary()',
    'data:text/html,canary',
    'file:///canary',
    'blob:https://canary.example/1',
    'about:canary',
    'ws://canary.example',
    'wss://canary.example',
    'ftp://canary.example',
    'mailto:canary@example.com',
    'view-source:https://canary.example',
    'intent://canary',
    'chrome://canary',
    'urn:ietf:wg:oauth:2.0:canary',
    'ms-appinstaller:?canary',
    'ms-word:ofe|u|https://canary.example',
    'MS-Excel:canary',
    'microsoft-edge:https://canary.example',
    'itms-services://canary',
    'itms-apps://canary',
    'x-apple.systempreferences:canary',
    'chrome-untrusted://canary',
    'chrome-search://canary',
    'edge-untrusted://canary',
    'moz-icon://canary',
    'search://canary',
    'search-ms:query=canary',
    'googlechromes://canary',
    'shortcuts://run-shortcut?name=canary',
    'vnc://canary.example.com',
    'macappstore://canary',
    'jnlp://canary.example.com/app.jnlp',
    'jnlps://canary.example.com/app.jnlp',
    'applescript://com.apple.scripteditor?action=new&script=canary',
    'web+canary://x',
    'ssh+git://canary',
    'com.canary+app:/callback',
  ].map((uri) => ['MCP_REDIRECT_ALLOW_LIST', `is ${uri.split(':', 1)[0] ?? ''}`, uri] as const),
  ['MCP_CLIENT_METADATA_ALLOW_LIST', 'is no URL', 'canary'],
  ['MCP_CLIENT_METADATA_ALLOW_LIST', 'is a whole host', 'https://canary.example'],
  ['MCP_CLIENT_METADATA_ALLOW_LIST', 'is a whole host with a slash', 'https://canary.example/'],
  ['MCP_CLIENT_METADATA_ALLOW_LIST', 'is a whole host with a query', 'https://canary.example/?client=1'],
  ['MCP_CLIENT_METADATA_ALLOW_LIST', 'has a wildcard as host', 'https://*.canary.example/client.json'],
  ['MCP_CLIENT_METADATA_ALLOW_LIST', 'has a wildcard in the path', 'https://canary.example/clients/*'],
  ['MCP_CLIENT_METADATA_ALLOW_LIST', 'has a user', 'https://canary@client.example/client.json'],
  ['MCP_CLIENT_METADATA_ALLOW_LIST', 'has an empty user', 'https://@canary.example/client.json'],
  ['MCP_CLIENT_METADATA_ALLOW_LIST', 'has a user and a password', 'https://canary:canary@client.example/client.json'],
  ['MCP_CLIENT_METADATA_ALLOW_LIST', 'has a fragment', 'https://canary.example/client.json#canary'],
  ['MCP_CLIENT_METADATA_ALLOW_LIST', 'has an empty fragment', 'https://canary.example/client.json#'],
  ['MCP_CLIENT_METADATA_ALLOW_LIST', 'has a dot segment', 'https://canary.example/./client.json'],
  ['MCP_CLIENT_METADATA_ALLOW_LIST', 'has a dot-dot segment', 'https://canary.example/a/../client.json'],
  ['MCP_CLIENT_METADATA_ALLOW_LIST', 'has an escaped dot segment', 'https://canary.example/a/%2E%2e/client.json'],
  ['MCP_CLIENT_METADATA_ALLOW_LIST', 'ends in a dot segment', 'https://canary.example/a/.'],
  ['MCP_CLIENT_METADATA_ALLOW_LIST', 'has a backslash', 'https://canary.example\\client.json'],
  ['MCP_CLIENT_METADATA_ALLOW_LIST', 'has a space', 'https://canary.example/client canary.json'],
  ['MCP_CLIENT_METADATA_ALLOW_LIST', 'has another scheme', 'ftp://canary.example/client.json'],
  ['MCP_CLIENT_METADATA_ALLOW_LIST', 'has no slashes', 'https:canary.example/client.json'],
  ['MCP_CLIENT_METADATA_ALLOW_LIST', 'has three slashes', 'https:///canary.example/client.json'],
  ['MCP_CLIENT_METADATA_ALLOW_LIST', 'is http', 'http://canary.example/client.json'],
  ['MCP_CLIENT_METADATA_ALLOW_LIST', 'is http of this machine', 'http://127.0.0.1:7777/canary.json'],
  ['MCP_CLIENT_METADATA_ALLOW_LIST', 'is http of localhost', 'http://localhost:7777/canary.json'],
  [
    'MCP_CLIENT_METADATA_ALLOW_LIST',
    'has one such URL next to a valid one',
    'https://a.example/c.json,https://canary.example',
  ],
  ['CONSENT_BANNER', 'is neither true nor false', 'canary'],
  ['GOOGLE_ISSUER', 'is http', 'http://canary.example.com'],
  ['GOOGLE_ISSUER', 'is no URL', 'canary'],
  ['GOOGLE_ISSUER', 'has a query', 'https://canary.example.com/?tenant=canary'],
  ['GOOGLE_ISSUER', 'has a fragment', 'https://canary.example.com/#canary'],
  ['GOOGLE_ISSUER', 'has a user', 'https://canary:canary@provider.example.com'],
  ['GOOGLE_DISPLAY_NAME', 'is longer than a button', 'canary '.repeat(6)],
  ['GOOGLE_DISPLAY_NAME', 'holds a line break', 'canary\ncanary'],
];

const asBrowsersDo =
  'an origin as browsers write it: in lower case, and without the default port of its scheme (80 or 443)';
const inAscii = 'an origin with its host name in ASCII, such as https://xn--mnchen-3ya.example';
const nothingMore = 'an origin such as https://id.example.com, without a path or spaces';

/** [what is wrong with the value, the value, what it must be]. */
const misspelledOrigins: readonly (readonly [string, string, string])[] = [
  ['has capitals', 'HTTPS://ID.example.com', asBrowsersDo],
  ['has the port of https', 'https://id.example.com:443', asBrowsersDo],
  ['has capitals, the port of https and a slash', 'https://ID.example.com:443/', asBrowsersDo],
  ['has the port of http', 'http://localhost:80', asBrowsersDo],
  ['has an internationalized name', 'https://münchen.example', inAscii],
  ['has an internationalized name in capitals', 'https://MÜNCHEN.example:443', inAscii],
  ['has no slashes', 'https:id.example.com', nothingMore],
  ['has one slash', 'https:/id.example.com', nothingMore],
  ['has a blank before its port', 'https://id.example.com :443', nothingMore],
  ['has a colon without a port', 'https://id.example.com:', nothingMore],
  ['has a path in another alphabet', 'https://id.example.com/ä', nothingMore],
  ['has a user', 'https://me@id.example.com', nothingMore],
  ['is not a URL', 'https://', nothingMore],
];

describe('a weak or wrong value', () => {
  // Contract: credentials#attributes-of-cookies — AUTH_COOKIE_DOMAIN that is a public suffix is refused
  it.each(weak)('%s that %s', async (name, _reason, value) => {
    await expectRefusal({ ...production, [name]: value }, name);
  });

  it('SUPER_ADMIN_EMAIL without a password, which would be generated into the log', async () => {
    await expectRefusal({ ...production, SUPER_ADMIN_EMAIL: 'canary@example.com' }, 'SUPER_ADMIN_PASSWORD');
  });

  it.each(['production', 'development'])('SUPER_ADMIN_PASSWORD without an address, in %s', async (mode) => {
    await expectRefusal({ ...production, NODE_ENV: mode, SUPER_ADMIN_PASSWORD: 'Canary.7canary' }, 'SUPER_ADMIN_EMAIL');
  });

  it.each(['production', 'development'])('half of a client at the external provider, in %s', async (mode) => {
    const others = { ...production, NODE_ENV: mode };
    await expectRefusal({ ...others, GOOGLE_CLIENT_ID: 'canary' }, 'GOOGLE_CLIENT_SECRET');
    await expectRefusal({ ...others, GOOGLE_CLIENT_SECRET: 'canary' }, 'GOOGLE_CLIENT_ID');
  });

  // Contract: accounts#disabled-verification — EMAIL_VERIFICATION_ENABLED=false with a provider
  it.each(['production', 'staging'])('unverified sign-ups with an external provider, in %s', async (mode) => {
    const client = { GOOGLE_CLIENT_ID: 'id-of-the-client', GOOGLE_CLIENT_SECRET: 'secret-of-the-client' };
    const both = { ...production, NODE_ENV: mode, EMAIL_VERIFICATION_ENABLED: 'false', ...client };
    await expectRefusal(both, 'EMAIL_VERIFICATION_ENABLED');
    // Each by itself, and both in development.
    expect(await printConfig({ ...production, ...client })).toMatchObject({ EMAIL_VERIFICATION_ENABLED: true });
    expect(await printConfig({ ...production, EMAIL_VERIFICATION_ENABLED: 'false' })).toMatchObject({
      EMAIL_VERIFICATION_ENABLED: false,
    });
    expect(await printConfig({ ...both, NODE_ENV: 'development' })).toMatchObject({
      EMAIL_VERIFICATION_ENABLED: false,
    });
  });

  it.each([
    ['DATABASE_URL', 'postgres://canary:12/canary@canary.example.com/canary'],
    ['SMTP_URL', 'smtps://canary:canary#1@canary.example.com'],
  ])('%s that a password cuts in two is refused with the right form', async (name, value) => {
    const { code, stdout, stderr } = await runHere(['print-config'], { ...production, [name]: value });
    expect({ code, stdout }).toEqual({ code: configurationRefused, stdout: '' });
    expect(stderr.split('\n').filter((line) => line.startsWith('  '))).toEqual([
      `  ${name} must have each / ? # and @ of its user name and password percent-encoded, as %2F %3F %23 and %40, and each @ after its host too.`,
    ]);
  });

  it.each(misspelledOrigins)('BASE_URL that is %s is refused with the right form', async (_reason, value, advice) => {
    const { code, stdout, stderr } = await runHere(['print-config'], { ...production, BASE_URL: value });
    expect({ code, stdout }).toEqual({ code: configurationRefused, stdout: '' });
    expect(stderr.split('\n').filter((line) => line.startsWith('  '))).toEqual([`  BASE_URL must be ${advice}.`]);
  });

  it('several at once are all named', async () => {
    const names = ['PORT', 'SALT_ROUNDS', 'LOG_LEVEL'];
    await expectRefusal({ ...production, ...Object.fromEntries(names.map((name) => [name, 'canary'])) }, ...names);
  });

  it('end every command alike', async () => {
    const environment = { ...production, PORT: 'canary' };
    const commands = [['migrate'], ['print-config'], ['create-super-admin', '--email', 'a@example.com']];
    for (const command of commands) {
      const { code, stdout, stderr } = await runHere(command, environment);
      expect({ command, code }).toEqual({ command, code: configurationRefused });
      expect(stderr).toMatch(/^ {2}PORT must be/m);
      expect(stdout + stderr).not.toContain('canary');
    }
  });
});

describe('accepted values', () => {
  it('has the defaults of the contract when nothing is set', async () => {
    const shown = await printConfig({});
    expect(shown).toMatchObject({
      NODE_ENV: 'development',
      PORT: 4000,
      HOST: '127.0.0.1',
      BASE_URL: 'http://localhost:4000',
      FRONTEND_URL: 'http://localhost:4000',
      DATABASE_URL: null,
      REDIS_URL: null,
      DATA_DIR: './data',
      PASSWORD_BLOCKLIST: false,
      SALT_ROUNDS: 12,
      AUTH_COOKIE_DOMAIN: null,
      SESSION_COOKIE_DOMAIN: null,
      GOOGLE_CLIENT_ID: null,
      CONSENT_BANNER: true,
      GRAPHQL_BEARER_ACCEPTED_AUDIENCES: ['portal', 'api'],
      EMAIL_VERIFICATION_ENABLED: true,
      SMTP_URL: null,
      STRIPE_WEBHOOK_SECRET: null,
      STRIPE_SECRET_KEY: null,
      STRIPE_API_BASE: 'https://api.stripe.com',
      DEFAULT_PRODUCT: 'free',
      SEED_DEMO_DATA: true,
      TRUST_PROXY: false,
      ACCESS_TTL_SECONDS: 900,
      REFRESH_TTL_SECONDS: 2_592_000,
      LOG_LEVEL: 'info',
    });
  });

  it('BASE_URL and FRONTEND_URL follow the port, and each other', async () => {
    expect(await printConfig({ PORT: '5250' })).toMatchObject({
      BASE_URL: 'http://localhost:5250',
      FRONTEND_URL: 'http://localhost:5250',
    });
    const named = await printConfig({ BASE_URL: 'http://gate.example:8080/' });
    expect(named).toMatchObject({ BASE_URL: 'http://gate.example:8080', FRONTEND_URL: 'http://gate.example:8080' });
  });

  it('BASE_URL omits the default port of http, as browsers do', async () => {
    expect(await printConfig({ PORT: '80' })).toMatchObject({
      BASE_URL: 'http://localhost',
      FRONTEND_URL: 'http://localhost',
    });
  });

  it('the lifetimes may be shortened, and SALT_ROUNDS be 10 or 15', async () => {
    const shortened = { ...production, ACCESS_TTL_SECONDS: '60', REFRESH_TTL_SECONDS: '3600', SALT_ROUNDS: '15' };
    expect(await printConfig(shortened)).toMatchObject({
      ACCESS_TTL_SECONDS: 60,
      REFRESH_TTL_SECONDS: 3600,
      SALT_ROUNDS: 15,
    });
    expect(await printConfig({ ...production, SALT_ROUNDS: '10' })).toMatchObject({ SALT_ROUNDS: 10 });
  });

  it('GATEHOUSE_SECRET is a list, so that it can be rotated', async () => {
    const rotated = { ...production, GATEHOUSE_SECRET: `${secret} , ${secret.toUpperCase()}` };
    expect((await printConfig(rotated))['GATEHOUSE_SECRET']).toEqual(['[set]', '[set]']);
  });

  it('TRUST_PROXY is a number of hops or a list of networks', async () => {
    expect(await printConfig({ ...production, TRUST_PROXY: '2' })).toMatchObject({ TRUST_PROXY: 2 });
    const networks = { ...production, TRUST_PROXY: '10.0.0.0/8, ::1,::ffff:192.0.2.7,fe80::1%eth0' };
    expect(await printConfig(networks)).toMatchObject({
      TRUST_PROXY: ['10.0.0.0/8', '::1', '192.0.2.7', 'fe80::1%eth0'],
    });
  });

  it('the secrets of the payment provider are hidden, and its API may be elsewhere in a test', async () => {
    const secrets = { STRIPE_WEBHOOK_SECRET: 'whsec_canary', STRIPE_SECRET_KEY: 'sk_canary' };
    const shown = await printConfig({ ...secrets, STRIPE_API_BASE: 'http://127.0.0.1:12111' });
    expect(shown).toMatchObject({
      STRIPE_WEBHOOK_SECRET: '[set]',
      STRIPE_SECRET_KEY: '[set]',
      STRIPE_API_BASE: 'http://127.0.0.1:12111',
    });
    expect(JSON.stringify(shown)).not.toContain('canary');
  });

  it.each(['otlp', 'otlp/api/canary'])('OTEL_EXPORTER_OTLP_ENDPOINT may be %s, shown as its origin', async (path) => {
    const url = `https://canary:canary%23@collector.example.com:4318/${path}/`;
    expect(await printConfig({ ...production, OTEL_EXPORTER_OTLP_ENDPOINT: url })).toMatchObject({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example.com:4318',
    });
  });

  it('METRICS_TOKEN may be of 16 characters, and be any outside of production and staging', async () => {
    const accepted = { METRICS_TOKEN: '[set]' };
    expect(await printConfig({ ...production, METRICS_TOKEN: '0123456789abcdef' })).toMatchObject(accepted);
    expect(await printConfig({ METRICS_TOKEN: 'short' })).toMatchObject(accepted);
  });

  it.each([
    'rediss://redis.example.com',
    'rediss://redis.example.com/',
    'rediss://:hidden@redis.example.com:6380/15',
    'redis://:hidden@127.0.0.1:6380/15',
    'rediss://gatehouse:hidden@[::1]:6379/0',
  ])('REDIS_URL may be %s, and its password is hidden', async (url) => {
    const shown = await printConfig({ ...production, REDIS_URL: url.replace('hidden', 'canary%23%3f') });
    expect(shown).toMatchObject({ REDIS_URL: url });
  });

  it.each([
    ['SMTP_URL', 'smtp://canary:canary@mail.example.com:587'],
    ['SMTP_URL', 'smtp://mail:1025'],
    ['SMTP_URL', 'smtp://10.0.0.1?requireTLS=false'],
    ['REDIS_URL', 'redis://:canary@redis.example.com:6379/0'],
    ['REDIS_URL', 'redis://[fd00::1]'],
  ])('%s of production must use TLS, which %s does not', async (name, url) => {
    const plaintext = name.replace('URL', 'PLAINTEXT');
    for (const NODE_ENV of ['production', 'staging']) {
      await expectRefusal({ ...production, NODE_ENV, [name]: url }, name);
      await expectRefusal({ ...production, NODE_ENV, [name]: url, [plaintext]: 'refused' }, name);
    }
    expect(await printConfig({ ...production, [name]: url, [plaintext]: 'allowed' })).toMatchObject({
      [plaintext]: 'allowed',
    });
    expect(await printConfig({ [name]: url })).toMatchObject({ [plaintext]: 'refused' });
  });

  it.each([
    'smtp://mail.example.com:587?requireTLS=true',
    'smtp://localhost:1025',
    'smtp://[::1]',
    'SMTPS://mail.example.com',
  ])('SMTP_URL of production may be %s', async (url) => {
    expect(await printConfig({ ...production, SMTP_URL: url })).toMatchObject({ SMTP_PLAINTEXT: 'refused' });
  });

  it.each([
    ['postgres:///canary?host=/var/run/postgresql', 'postgres:///canary'],
    ['postgres://gatehouse:canary@/db?host=/var/run/postgresql', 'postgres://gatehouse:hidden@localhost/db'],
    ['postgres://gatehouse@/db?sslmode=disable&host=/tmp', 'postgres://gatehouse@localhost/db'],
    ['postgres://%2Fvar%2Frun%2Fpostgresql/db', 'postgres://%2Fvar%2Frun%2Fpostgresql/db'],
    ['postgres://db.example.com/db?sslmode=verify-full&sslrootcert=/etc/ca.pem', 'postgres://db.example.com/db'],
    ['postgres://db.example.com/db?target_session_attrs=read-write', 'postgres://db.example.com/db'],
    [
      'postgres://gatehouse:canary@a:5433,b/db?target_session_attrs=primary&sslmode=verify-full',
      'postgres://gatehouse:hidden@a:5433/db,postgres://gatehouse:hidden@b:5432/db',
    ],
    ['postgres://[::1]:5433,[::2]/db', 'postgres://[::1]:5433/db,postgres://[::2]:5432/db'],
    ['postgres://gatehouse@/db?host=a,b&port=5433', 'postgres://gatehouse@a:5433/db,postgres://gatehouse@b:5433/db'],
    ['postgres:///db?host=/run/a,/run/b&port=1,2', 'postgres://localhost/db,postgres://localhost/db'],
  ])('DATABASE_URL may be %s', async (url, shown) => {
    expect(await printConfig({ ...production, DATABASE_URL: url })).toMatchObject({ DATABASE_URL: shown });
  });

  it('DATABASE_URL and SMTP_URL may have any character in their passwords, encoded, which are hidden', async () => {
    const password = 'canary%2F%3F%23%40';
    const shown = await printConfig({
      ...production,
      DATABASE_URL: `postgres://gatehouse:${password}@db.example.com/gate%40house?application_name=a%40b`,
      SMTP_URL: `smtps://mailer%40example.com:${password}@mail.example.com:465`,
    });
    expect(shown).toMatchObject({
      DATABASE_URL: 'postgres://gatehouse:hidden@db.example.com/gate%40house',
      SMTP_URL: 'smtps://mailer%40example.com:hidden@mail.example.com:465',
    });
  });

  it.each([
    ['canary-token', 'canary-token'],
    ['canary%2Dtoken', 'canary-token'],
  ])('SMTP_URL may have one token as user and password, %s and %s, and neither is shown', async (user, password) => {
    const shown = await printConfig({ ...production, SMTP_URL: `smtps://${user}:${password}@mail.example.com:465` });
    expect(shown).toMatchObject({ SMTP_URL: 'smtps://hidden:hidden@mail.example.com:465' });
    expect(JSON.stringify(shown)).not.toContain('canary');
  });

  it('the client at the external provider is at Google unless another issuer is named, and its secret is hidden', async () => {
    const client = { GOOGLE_CLIENT_ID: 'client-of-example.apps.googleusercontent.com', GOOGLE_CLIENT_SECRET: 'canary' };
    expect(await printConfig({ ...production, ...client })).toMatchObject({
      GOOGLE_ISSUER: 'https://accounts.google.com',
      GOOGLE_CLIENT_ID: client.GOOGLE_CLIENT_ID,
      GOOGLE_CLIENT_SECRET: '[set]',
      GOOGLE_DISPLAY_NAME: 'Google',
    });
    const elsewhere = {
      GOOGLE_ISSUER: 'https://login.example.com/tenant/v2.0',
      GOOGLE_DISPLAY_NAME: 'Beispiel & Söhne',
    };
    expect(await printConfig({ ...production, ...client, ...elsewhere })).toMatchObject(elsewhere);
    expect(await printConfig({ ...client, GOOGLE_ISSUER: 'http://127.0.0.1:9000' })).toMatchObject({
      GOOGLE_ISSUER: 'http://127.0.0.1:9000',
    });
  });

  it('SESSION_COOKIE_DOMAIN may be the host of both origins or a parent of them, and CONSENT_BANNER be off', async () => {
    for (const domain of ['example.com', '.example.com', 'EXAMPLE.com']) {
      expect(
        await printConfig({ ...production, SESSION_COOKIE_DOMAIN: domain, CONSENT_BANNER: 'false' }),
      ).toMatchObject({
        SESSION_COOKIE_DOMAIN: domain,
        CONSENT_BANNER: false,
      });
    }
  });

  // Contract: credentials#redirect-uris-of-mcp-clients — MCP_REDIRECT_ALLOW_LIST in production: https or a private-use
  //   scheme
  it('MCP_REDIRECT_ALLOW_LIST may hold https and the schemes of apps in production, and http in development', async () => {
    const safe = [
      'https://client.example.com/callback?a=b',
      'com.example.app:/callback',
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'vscode://vscode.github-authentication/did-authenticate',
      'vscode-insiders://vscode.github-authentication/did-authenticate',
      'research-assistant://callback',
      'edgestudio://callback',
      'searchlight.app://callback',
      'chromecast-app://callback',
    ];
    const list = { MCP_REDIRECT_ALLOW_LIST: safe.join(',') };
    expect(await printConfig({ ...production, ...list })).toMatchObject({ MCP_REDIRECT_ALLOW_LIST: safe });
    const intranet = 'http://intranet.example:8080/cb';
    expect(await printConfig({ MCP_REDIRECT_ALLOW_LIST: intranet })).toMatchObject({
      MCP_REDIRECT_ALLOW_LIST: [intranet],
    });
  });

  // Contract: organization-mcp#listed-documents — The list: exact https URLs, empty in production, loopback in
  //   development
  it('MCP_CLIENT_METADATA_ALLOW_LIST holds https URLs, in development those of this machine too, and none in production by default', async () => {
    const name = 'MCP_CLIENT_METADATA_ALLOW_LIST';
    const urls = ['https://client.example.com/client.json', 'https://client.example.com:8443/a/@b/c.json?d=e'];
    expect(await printConfig({ ...production, [name]: urls.join(',') })).toMatchObject({ [name]: urls });
    expect(await printConfig(production)).toMatchObject({ [name]: [] });
    const local = ['http://127.0.0.1:7777/client.json', 'http://localhost:7777/client.json'];
    expect(await printConfig({ [name]: local.join(',') })).toMatchObject({ [name]: local });
    expect(await printConfig({})).toMatchObject({ [name]: ['https://claude.ai/oauth/claude-code-client-metadata'] });
    expect(await printConfig({ [name]: '' })).toMatchObject({ [name]: [] });
    for (const url of ['http://127.0.0.2/client.json', 'http://[::1]/client.json', 'http://localhost:7777'])
      await expectRefusal({ [name]: url }, name);
  });

  // Contract: credentials#attributes-of-cookies — AUTH_COOKIE_DOMAIN below a public suffix
  it('AUTH_COOKIE_DOMAIN may be a domain below a public suffix, and must match the default origins', async () => {
    const hosts = { BASE_URL: 'https://api.shop.co.uk', FRONTEND_URL: 'https://shop.co.uk' };
    expect(await printConfig({ ...production, ...hosts, AUTH_COOKIE_DOMAIN: 'shop.co.uk' })).toMatchObject({
      AUTH_COOKIE_DOMAIN: 'shop.co.uk',
    });
    expect(await printConfig({ AUTH_COOKIE_DOMAIN: 'localhost' })).toMatchObject({ AUTH_COOKIE_DOMAIN: 'localhost' });
    await expectRefusal({ AUTH_COOKIE_DOMAIN: 'canary.example.com' }, 'AUTH_COOKIE_DOMAIN');
  });

  it('AUTH_COOKIE_DOMAIN has a dot in production, even for a name on no list', async () => {
    const hosts = { BASE_URL: 'https://id.canary', FRONTEND_URL: 'https://app.canary', AUTH_COOKIE_DOMAIN: 'canary' };
    await expectRefusal({ ...production, ...hosts }, 'AUTH_COOKIE_DOMAIN');
  });

  it('DEFAULT_PRODUCT may be empty: no product', async () => {
    expect(await printConfig({ DEFAULT_PRODUCT: '' })).toMatchObject({ DEFAULT_PRODUCT: null });
  });
});

describe('what is secret', () => {
  /** For every variable with a secret a value with the canary in each possible place, and its required variables. */
  const secrets: Environment = {
    DATABASE_URL: 'postgres://gatehouse:canary@127.0.0.1:1/gatehouse?sslpassword=canary#canary',
    REDIS_URL: 'rediss://gatehouse:canary@127.0.0.1:1/0',
    GATEHOUSE_SECRET: `${secret},${secret.toUpperCase()}canary`,
    SMTP_URL: 'smtps://mailer:canary@mail.example.com?pass=canary#canary',
    GOOGLE_CLIENT_SECRET: 'canary',
    STRIPE_WEBHOOK_SECRET: 'whsec_canary',
    STRIPE_SECRET_KEY: 'sk_canary',
    SUPER_ADMIN_PASSWORD: 'Canary.7canary',
    METRICS_TOKEN: 'canary-of-the-metrics',
    RESOURCE_SECRET_NOTES: `canary canary canary canary canary canary,${secret}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://canary:canary@collector.example.com/canary',
  };
  const beside: Environment = { GOOGLE_CLIENT_ID: 'id-of-the-client', SUPER_ADMIN_EMAIL: 'admin@example.com' };

  it('is printed for no variable by print-config, as text or as JSON', async () => {
    const marked = Object.entries(variables).flatMap(([name, variable]) =>
      variable.secret === undefined ? [] : [name],
    );
    expect(Object.keys(secrets).toSorted()).toEqual([...marked, 'RESOURCE_SECRET_NOTES'].toSorted());
    for (const options of [[], ['--json']]) {
      const { code, stdout, stderr } = await runHere(['print-config', ...options], {
        ...production,
        ...beside,
        ...secrets,
      });
      expect(code, stderr).toBe(0);
      expect(stdout).toContain('collector.example.com');
      expect(`${stdout}${stderr}`).not.toMatch(/canary/i);
    }
  });
});

describe('the secrets of resources', () => {
  // Contract: credentials#introspecting-caller — RESOURCE_SECRET_<NAME> has 32 bytes or more; a comma-separated list
  //   rotates
  it('are one or more of at least 32 bytes each, for a name in capitals', async () => {
    const short = 'canary '.repeat(4);
    await expectRefusal({ RESOURCE_SECRET_NOTES: short }, 'RESOURCE_SECRET_NOTES');
    await expectRefusal({ RESOURCE_SECRET_NOTES: `${secret},${short}` }, 'RESOURCE_SECRET_NOTES');
    await expectRefusal({ RESOURCE_SECRET_: secret }, 'RESOURCE_SECRET_');
    await expectRefusal({ [`RESOURCE_SECRET_${'N'.repeat(33)}`]: secret }, `RESOURCE_SECRET_${'N'.repeat(33)}`);
  });

  it('are shown as set, and a name that differs is no typing error', async () => {
    const named = { RESOURCE_SECRET_NOTES: `${secret},${secret}`, RESOURCE_SECRET_NOTE: secret, RESOURCE_SECRET_A: '' };
    const shown = await printConfig(named);
    expect(shown).toMatchObject({ RESOURCE_SECRET_NOTES: ['[set]', '[set]'], RESOURCE_SECRET_NOTE: ['[set]'] });
    expect(shown).not.toHaveProperty('RESOURCE_SECRET_A');
  });
});

describe('names that look like a typo', () => {
  const warningsFor = async (environment: Environment): Promise<string[]> => {
    const { code, stderr } = await runHere(['print-config'], environment);
    expect(code).toBe(0);
    expect(stderr).not.toContain('canary');
    return stderr.split('\n').filter((line) => line !== '');
  };

  it('warns of a DEFAULT_PRODUCT that docs/scopes does not list', async () => {
    expect(await warningsFor({ DEFAULT_PRODUCT: 'canary' })).toEqual([
      'Warning: DEFAULT_PRODUCT names no existing product (free), so new organizations are granted no scopes.',
    ]);
    expect(await warningsFor({ DEFAULT_PRODUCT: 'free' })).toEqual([]);
  });

  it('are warnings that suggest the known name', async () => {
    const slips = {
      DATABASE_ULR: 'DATABASE_URL',
      DATABASEURL: 'DATABASE_URL',
      SMPT_URL: 'SMTP_URL',
      BASE_URI: 'BASE_URL',
      base_url: 'BASE_URL',
      LOGLEVEL: 'LOG_LEVEL',
      GATEHOUSE_SECRETS: 'GATEHOUSE_SECRET',
      GATEHOUSE_SECERT: 'GATEHOUSE_SECRET',
      SALT_ROUND: 'SALT_ROUNDS',
      EMAIL_VERIFICATION_ENABLE: 'EMAIL_VERIFICATION_ENABLED',
      GOOGLE_CLIENTID: 'GOOGLE_CLIENT_ID',
      SESSION_COOKIE_DOMIAN: 'SESSION_COOKIE_DOMAIN',
      CONSENT_BANER: 'CONSENT_BANNER',
      REDISURL: 'REDIS_URL',
    };
    const warnings = await warningsFor(Object.fromEntries(Object.keys(slips).map((name) => [name, 'canary'])));
    const expected = Object.entries(slips).map(
      ([typed, meant]) => `Warning: ${typed} is not a variable of Gatehouse; did you mean ${meant}?`,
    );
    expect(warnings.toSorted()).toEqual(expected.toSorted());
  });

  it('an unknown GATEHOUSE_* variable is a warning', async () => {
    expect(await warningsFor({ GATEHOUSE_COLOUR: 'canary' })).toEqual([
      'Warning: GATEHOUSE_COLOUR is not a variable of Gatehouse.',
    ]);
  });

  it('names of other programs are ignored', async () => {
    const unrelated = `
      LANG LC_ALL LOGNAME SHELL USER TERM HOSTNAME PWD EDITOR XDG_DATA_DIRS CI NODE_OPTIONS NODE_PATH
      NODE_EXTRA_CA_CERTS BASH_ENV npm_config_loglevel npm_lifecycle_event PGHOST PGPASSWORD TEST_DATABASE_URL
      VALKEY_URL HTTP_URL SITE_URL CACHE_DIR TEMP_DIR SMTP_HOST SMTP_PORT SMTP_USER MAIL_HOST MAIL_PORT
      KUBERNETES_SERVICE_HOST HTTPS_PROXY`
      .trim()
      .split(/\s+/);
    expect(await warningsFor(Object.fromEntries(unrelated.map((name) => [name, ''])))).toEqual([]);
  });
});

describe('the documentation of the variables', () => {
  const fileAt = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
  const documented = [
    { file: '.env.example', format: 'env', names: /^#([A-Z_]+)=$/gm },
    { file: 'docs/configuration.md', format: 'markdown', names: /^\| `([A-Z_]+)` \|/gm },
  ];

  it.each(documented)('$file names every variable, and no other', ({ file, names }) => {
    expect([...fileAt(file).matchAll(names)].map(([, name]) => name)).toEqual([
      ...Object.keys(variables),
      'RESOURCE_SECRET_NAME',
    ]);
  });

  it.each(documented)('$file is what print-config-docs prints', async ({ file, format }) => {
    const { code, stdout } = await runHere(['print-config-docs', '--format', format], {});
    expect({ code, stdout }).toEqual({ code: 0, stdout: fileAt(file) });
  });
});
