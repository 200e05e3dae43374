/** `gatehouse doctor` on the configuration, the two origins and the proxy: faults of the variables alone. */
import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { newDirectory } from '../support/database/databases.ts';
import { runHere } from '../support/gatehouse/command-line.ts';
import type { Environment } from '../support/gatehouse/gatehouse-process.ts';
import { diagnose, expectFault, faults, theFault } from './run-doctor.ts';

/** An address where nothing answers: port 1 refuses at once. */
const production: Environment = {
  NODE_ENV: 'production',
  BASE_URL: 'https://localhost:1',
  FRONTEND_URL: 'https://localhost:1',
  DATABASE_URL: 'postgres://gatehouse:Canary-password@127.0.0.1:1/gatehouse',
  GATEHOUSE_SECRET: 'Canary-0123456789-abcdefghijklmnopqrstuvwxyz',
  SMTP_URL: 'smtp://mailer:Canary-mail@127.0.0.1:1',
  MAIL_FROM: 'Gatehouse <no-reply@gatehouse.dev>',
  TRUST_PROXY: '1',
};

const development = async (variables: Environment): Promise<Environment> => ({
  DATA_DIR: await newDirectory(),
  BASE_URL: 'http://localhost:1',
  ...variables,
});

describe('gatehouse doctor, the command', () => {
  it('prints its usage with --help', async () => {
    const { code, stdout } = await runHere(['doctor', '--help'], {});
    expect(code).toBe(0);
    expect(stdout).toContain('--json');
  });

  it('exits with a usage error for an unknown option', async () => {
    expect(await runHere(['doctor', '--frobnicate'], {})).toMatchObject({ code: 2, stdout: '' });
  });

  it('exits with 0 when there are only warnings, and prints each with its fix', async () => {
    const { code, stdout, stderr } = await runHere(['doctor'], await development({}));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^! warning +service +The service is not running, or not reachable from here/m);
    expect(stdout).toMatch(/^ +Fix: Start it \(gatehouse serve\)/m);
    expect(stdout).toMatch(/0 errors, 1 warning, \d+ ok\.\n$/);
    // No colour without a terminal.
    expect(stdout).not.toContain('\u001b');
  });
});

describe('The configuration', () => {
  it('names every variable that prevents a start, with a fix, and omits the rest', async () => {
    const diagnosis = await diagnose({
      ...production,
      BASE_URL: 'http://Canary.example.com',
      PORT: 'canary',
      MAIL_FROM: '',
    });
    const errors = diagnosis.findings.filter(({ level }) => level === 'error');
    expect(errors.map(({ says }) => says.split(' ', 1).join()).toSorted()).toEqual(['BASE_URL', 'MAIL_FROM', 'PORT']);
    expect(diagnosis.findings.every(({ check }) => check === 'configuration')).toBe(true);
    expect(diagnosis.findings.at(-1)).toMatchObject({
      level: 'warning',
      says: expect.stringMatching(/^All other checks were skipped/) as string,
    });
  });

  it.each([
    { value: '"whsec_Canary"', says: /^STRIPE_WEBHOOK_SECRET has quotation marks around its value/ },
    { value: 'whsec_Canary\r', says: /^STRIPE_WEBHOOK_SECRET has a carriage return in its value/ },
    { value: 'whsec_Canary ', says: /^STRIPE_WEBHOOK_SECRET has whitespace before or after its value/ },
  ])('names a secret that arrives as $value, without showing it', async ({ value, says }) => {
    const { findings } = await diagnose({ ...production, STRIPE_WEBHOOK_SECRET: value });
    const errors = findings.filter(({ level }) => level === 'error');
    expect(errors).toMatchObject([{ check: 'configuration', says: expect.stringMatching(says) as string }]);
    expect(JSON.stringify(findings)).not.toContain('Canary');
  });

  it.each([
    { variable: 'EMAIL_VERIFICATION_ENABLED', value: 'false' },
    { variable: 'PASSWORD_BLOCKLIST', value: 'false' },
    { variable: 'GRAPHQL_INTROSPECTION', value: 'true' },
    { variable: 'LOG_LEVEL', value: 'silent' },
    { variable: 'DEFAULT_PRODUCT', value: 'gold' },
    { variable: 'STRIPE_SECRET_KEY', value: 'sk_live_Canary' },
    { variable: 'STRIPE_WEBHOOK_SECRET', value: 'whsec_Canary' },
    { variable: 'TRUST_PROXI', value: '1' },
  ])('warns in production of $variable', async ({ variable, value }) => {
    expect(faults(await diagnose(production), 'configuration')).toEqual([]);
    const fault = theFault(await diagnose({ ...production, [variable]: value }), 'configuration');
    expect(fault.level).toBe('warning');
    expect(fault.says).toContain(variable);
  });

  it.each(['0.0.0.0', '::', '192.0.2.7'])('warns of metrics that every client of %s can read', async (host) => {
    const open = { ...production, HOST: host, METRICS_PORT: '9464' };
    const fault = theFault(await diagnose(open), 'configuration');
    expect(fault).toMatchObject({ level: 'warning', fix: expect.stringContaining('METRICS_TOKEN') as string });
    expect(fault.says).toContain('METRICS_PORT');
    expect(faults(await diagnose({ ...open, METRICS_TOKEN: 'Canary-0123456789' }), 'configuration')).toEqual([]);
  });

  it.each(['127.0.0.1', '::1', 'localhost'])('accepts metrics that only clients at %s can read', async (host) => {
    expect(faults(await diagnose({ ...production, HOST: host, METRICS_PORT: '9464' }), 'configuration')).toEqual([]);
  });

  it('warns in development of redirects to an http address of another machine', async () => {
    const variables = { MCP_REDIRECT_ALLOW_LIST: 'http://client.example.com/callback' };
    expectFault(await diagnose(await development(variables)), 'configuration', {
      level: 'warning',
      says: /^MCP_REDIRECT_ALLOW_LIST/,
    });
  });

  it.each(['https://10.0.0.1/c.json', 'https://[::1]/c.json', 'https://0x7f.1/c.json', 'https://localhost/c.json'])(
    'warns of the metadata document %s, which is never fetched',
    async (url) => {
      const said = { level: 'warning', says: /^MCP_CLIENT_METADATA_ALLOW_LIST/ } as const;
      expectFault(await diagnose({ ...production, MCP_CLIENT_METADATA_ALLOW_LIST: url }), 'configuration', said);
      const other = { MCP_CLIENT_METADATA_ALLOW_LIST: 'https://8.8.8.8/c.json,https://client.example/c.json' };
      expect(faults(await diagnose({ ...production, ...other }), 'configuration')).toEqual([]);
    },
  );

  it.each(['https://Client.example/c.json', 'https://client.example:443/c.json', 'https://client.example/{c}.json'])(
    'warns of the metadata document %s, which is not in its plain form',
    async (url) => {
      const said = { level: 'warning', says: /^MCP_CLIENT_METADATA_ALLOW_LIST.*plain form/ } as const;
      expectFault(await diagnose({ ...production, MCP_CLIENT_METADATA_ALLOW_LIST: url }), 'configuration', said);
    },
  );

  it('warns of a development instance at a reachable address', async () => {
    const diagnosis = await diagnose(await development({ BASE_URL: 'https://gatehouse.invalid' }));
    expectFault(diagnosis, 'configuration', { level: 'warning', says: /NODE_ENV.*\/dev\/mailbox/ });
  });

  it('warns of a development instance with unverified sign-ups and an external provider', async () => {
    const client = { GOOGLE_CLIENT_ID: 'Canary', GOOGLE_CLIENT_SECRET: 'Canary', GOOGLE_ISSUER: 'http://127.0.0.1:1' };
    const said = async (variables: Environment) =>
      faults(await diagnose(await development(variables)), 'configuration').map(
        ({ level, says }) => `${level}: ${says}`,
      );
    expect(await said(client)).toEqual([]);
    expect(await said({ EMAIL_VERIFICATION_ENABLED: 'false' })).toEqual([]);
    expect(await said({ ...client, EMAIL_VERIFICATION_ENABLED: 'false' })).toEqual([
      expect.stringMatching(/^warning: EMAIL_VERIFICATION_ENABLED is false and GOOGLE_CLIENT_ID is set/),
    ]);
  });

  it('creates neither a secret nor a directory', async () => {
    const environment = await development({});
    await diagnose({ ...environment, DATA_DIR: `${environment['DATA_DIR']}/missing` });
    expect(await readdir(environment['DATA_DIR'] ?? '')).toEqual([]);
  });
});

describe('The two origins', () => {
  it.each([
    { what: 'two ports of one host', base: 'http://localhost:1', frontend: 'http://localhost:2' },
    { what: 'two names below one domain', base: 'https://api.gatehouse.invalid', domain: 'gatehouse.invalid' },
  ])('are valid with $what', async ({ base, frontend = 'https://app.gatehouse.invalid', domain = '' }) => {
    const variables = { BASE_URL: base, FRONTEND_URL: frontend, AUTH_COOKIE_DOMAIN: domain };
    expect(faults(await diagnose(await development(variables)), 'origins')).toEqual([]);
  });

  it.each([
    [
      'a cookie domain that is a public suffix',
      'https://api.invalid',
      'https://api.invalid',
      'invalid',
      'error',
      /^AUTH_COOKIE_DOMAIN is invalid/,
    ],
    ['two domains', 'https://api.one.invalid', 'https://app.two.invalid', '', 'error', /share no domain/],
    [
      'two hosts without a cookie domain',
      'https://api.one.invalid',
      'https://app.one.invalid',
      '',
      'warning',
      /AUTH_COOKIE_DOMAIN is not set/,
    ],
    ['localhost and 127.0.0.1', 'http://localhost:1', 'http://127.0.0.1:1', '', 'error', /this machine in two ways/],
    ['https and http', 'https://one.invalid', 'http://one.invalid', '', 'error', /is https and the other is not/],
    [
      'http on another machine',
      'http://one.invalid',
      'http://one.invalid',
      '',
      'warning',
      /BASE_URL is http on another/,
    ],
  ] as const)('have a fault with %s', async (_what, baseUrl, frontendUrl, domain, level, says) => {
    const variables = { BASE_URL: baseUrl, FRONTEND_URL: frontendUrl, AUTH_COOKIE_DOMAIN: domain };
    expectFault(await diagnose(await development(variables)), 'origins', { level, says });
  });
});

describe('The proxy', () => {
  it('has a warning when BASE_URL is https and no proxy is trusted', async () => {
    const { TRUST_PROXY: _, ...untrusting } = production;
    expectFault(await diagnose(untrusting), 'proxy', {
      level: 'warning',
      says: /TRUST_PROXY is false/,
      fix: /usually 1/,
    });
    expect(faults(await diagnose(production), 'proxy')).toEqual([]);
  });

  it('has a warning when a trusted proxy sends no forwarding headers', async () => {
    const diagnosis = await diagnose(await development({ TRUST_PROXY: '1' }));
    expectFault(diagnosis, 'proxy', { says: /there is no sign of a proxy in front/ });
  });
});
