/** `gatehouse doctor` on external sign-in: the issuer, the redirect URI to register, the hosts, the callback. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createSuperAdminAccount } from '../support/actors/super-admins.ts';
import { startProxy } from '../support/clients/http-proxy.ts';
import { newDirectory } from '../support/database/databases.ts';
import { fixture, testFixture } from '../support/fixture.ts';
import { type Service, serviceFixture, startService } from '../support/gatehouse/gatehouse.ts';
import type { Environment } from '../support/gatehouse/gatehouse-process.ts';
import { startIdentityProvider } from '../support/servers/identity-provider.ts';
import { freePort, listen } from '../support/servers/listen.ts';
import { type Diagnosis, diagnose, environmentOf, expectFault, faults } from './run-doctor.ts';

const says = (pattern: RegExp): unknown => expect.stringMatching(pattern);

const environment = async (variables: Environment): Promise<Environment> => ({
  NODE_ENV: 'test',
  BASE_URL: 'http://localhost:1',
  DATA_DIR: await newDirectory(),
  GOOGLE_CLIENT_ID: 'client-of-the-tests',
  GOOGLE_CLIENT_SECRET: 'Canary-secret',
  ...variables,
});

const praises = ({ findings }: Diagnosis): readonly string[] =>
  findings.filter(({ check, level }) => check === 'provider' && level === 'ok').map((finding) => finding.says);

/** A server that answers the given metadata as an issuer; returns the issuer. */
const startIssuer = async (answer: (issuer: string) => unknown, path = ''): Promise<string> => {
  const server = createServer((request, response) => {
    const metadata = request.url === `${path}/.well-known/openid-configuration` ? answer(issuer) : null;
    if (metadata === null) response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Canary</h1>');
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata));
  });
  const { url, close } = await listen(server);
  onTestFinished(close);
  const issuer = `${url}${path}`;
  return issuer;
};

const complete = (issuer: string) => ({
  issuer,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['plain', 'S256'],
});

describe('The external provider', () => {
  it.each([
    { mode: 'test', what: /^GOOGLE_CLIENT_ID is not set: people sign in with a password or a passkey\.$/ },
    { mode: 'development', what: /^GOOGLE_CLIENT_ID is not set: in development, a demo provider/ },
  ])('is valid when none is configured in $mode', async ({ mode, what }) => {
    const none = await environment({ NODE_ENV: mode, GOOGLE_CLIENT_ID: '', GOOGLE_CLIENT_SECRET: '' });
    expect(praises(await diagnose(none))).toEqual([says(what)]);
  });

  // Contract: accounts#doctor-of-the-provider — The doctor: the redirect URI to register, and the issuer
  it('is queried for its metadata, and the redirect URI to register is shown', async () => {
    const issuer = await startIssuer(complete, '/tenant');
    const diagnosis = await diagnose(
      await environment({
        GOOGLE_ISSUER: issuer,
        GOOGLE_DISPLAY_NAME: 'Example ID',
        FRONTEND_URL: 'http://localhost:2',
      }),
    );
    expect(faults(diagnosis, 'provider')).toEqual([]);
    expect(praises(diagnosis)).toEqual([
      'Example ID answers, and its issuer is GOOGLE_ISSUER.',
      'Example ID must have exactly this redirect URI registered: http://localhost:2/auth/google/callback.',
    ]);
  });

  // Contract: accounts#doctor-of-the-provider — The doctor: metadata that does not fit
  it.each([
    {
      what: 'is of another issuer',
      metadata: () => complete('https://id.elsewhere.example/?token=Canary'),
      said: /another issuer, https:\/\/id\.elsewhere\.example,/,
    },
    {
      what: 'has a trailing slash that GOOGLE_ISSUER lacks',
      metadata: (issuer: string) => complete(`${issuer}/`),
      said: /another issuer, http:\/\/127\.0\.0\.1:\d+\/,/,
    },
    {
      what: 'lacks the code flow',
      metadata: (issuer: string) => ({ ...complete(issuer), response_types_supported: ['id_token'] }),
      said: /does not support response_type code,/,
    },
    {
      what: 'lacks PKCE with S256',
      metadata: (issuer: string) => ({ ...complete(issuer), code_challenge_methods_supported: ['plain'] }),
      said: /does not support PKCE with S256,/,
    },
    { what: 'is not metadata', metadata: () => ['Canary'], said: /another issuer, no address,/ },
    { what: 'is not found', metadata: () => null, said: /answers 404 with a page of HTML, not the metadata/ },
  ])('has a fault when its metadata $what', async ({ metadata, said }) => {
    const variables = await environment({ GOOGLE_ISSUER: await startIssuer(metadata) });
    expectFault(await diagnose(variables), 'provider', { level: 'error', says: said });
  });

  it('need not list its code challenge methods', async () => {
    const issuer = await startIssuer((own) => ({ issuer: own, response_types_supported: ['code'] }));
    const diagnosis = await diagnose(await environment({ GOOGLE_ISSUER: issuer }));
    expect(faults(diagnosis, 'provider')).toEqual([]);
    expect(praises(diagnosis)).toContainEqual(says(/^Google answers/));
  });

  it('has a fault when it cannot be reached', async () => {
    const variables = await environment({ GOOGLE_ISSUER: `http://127.0.0.1:${await freePort()}` });
    expectFault(await diagnose(variables), 'provider', {
      level: 'error',
      says: /^Google cannot be reached: .* got no response \(ECONNREFUSED\)/,
    });
  });

  // Contract: accounts#doctor-of-the-provider — The doctor: two hosts that share no cookies
  it('has faults with two hosts that share no cookies, and none once they share them', async () => {
    const hosts = {
      GOOGLE_ISSUER: await startIssuer(complete),
      BASE_URL: 'http://api.localhost:1',
      FRONTEND_URL: 'http://app.localhost:1',
    };
    expect(faults(await diagnose(await environment(hosts)), 'provider')).toMatchObject([
      { level: 'error', says: says(/AUTH_COOKIE_DOMAIN is not set: .* sign-in fails/) },
      { level: 'warning', says: says(/SESSION_COOKIE_DOMAIN is not set: a sign-in that begins at BASE_URL/) },
    ]);
    const shared = { ...hosts, AUTH_COOKIE_DOMAIN: 'localhost', SESSION_COOKIE_DOMAIN: 'localhost' };
    const fixed = await diagnose(await environment(shared));
    expect(faults(fixed, 'provider')).toEqual([]);
    expect(praises(fixed)).toHaveLength(2);
  });
});

describe('The callback of the external provider', () => {
  const provider = fixture(startIdentityProvider);
  const frontend = fixture(startProxy);
  const service = serviceFixture(() => ({ ...provider.environment(), FRONTEND_URL: frontend.url }), 'one origin');
  beforeAll(() => createSuperAdminAccount(service));

  const environmentAt = (at: Service, more: Environment = {}): Environment =>
    environmentOf(at, { ...provider.environment(), ...more });

  const asPage = (incoming: IncomingMessage, response: ServerResponse): boolean => {
    if (incoming.url?.startsWith('/auth/') !== true) return false;
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<!doctype html><title>Portal</title>');
    return true;
  };

  it('is valid when FRONTEND_URL passes it on, and leaves no data behind', async () => {
    frontend.pass(service.url);
    const diagnosis = await diagnose(environmentAt(service));
    expect(diagnosis.findings.filter(({ level }) => level !== 'ok')).toEqual([]);
    expect(praises(diagnosis)).toContainEqual(says(/^FRONTEND_URL passes the callback/));
    expect(await service.sql('SELECT * FROM external_exchanges')).toEqual([]);
  });

  // Contract: accounts#doctor-of-the-provider — The doctor: {frontend_url}/auth/google/callback is proxied to the
  //   backend
  it('has a fault when FRONTEND_URL answers it with a page', async () => {
    frontend.pass(service.url, { answer: asPage });
    expectFault(await diagnose(environmentAt(service)), 'provider', {
      level: 'error',
      says: /\/auth\/google\/callback answers 200 with a page of HTML: the callback of the identity provider/,
      fix: /^Configure the server of FRONTEND_URL to pass every path below \/auth/,
    });
  });

  it('has a fault when the service runs without the provider', async () => {
    const without = await testFixture(startService({}, 'one origin'));
    await createSuperAdminAccount(without);
    expectFault(await diagnose(environmentAt(without)), 'provider', {
      level: 'error',
      says: /\/auth\/google\/callback answers 404/,
      fix: /with the GOOGLE_ variables that this command sees/,
    });
  });
});
