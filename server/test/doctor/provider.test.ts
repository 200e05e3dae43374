/** `gatehouse doctor` on sign-in by an outside provider: the issuer, the address to register, the hosts, the way back. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createSuperAdminAccount } from '../support/actors/super-admins.ts';
import { type MeddlingProxy, startProxy } from '../support/clients/http-proxy.ts';
import { newDirectory } from '../support/database/databases.ts';
import { freePort, type Service, startService } from '../support/gatehouse/gatehouse.ts';
import type { Environment } from '../support/gatehouse/gatehouse-process.ts';
import { type IdentityProviderUnderTest, startIdentityProvider } from '../support/servers/identity-provider.ts';
import { type Diagnosis, diagnose, faults, theFault } from './running.ts';

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

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Somebody at the place of an issuer, who answers its metadata as told; answers the issuer. */
const startIssuer = async (answer: (issuer: string) => unknown, path = ''): Promise<string> => {
  const server = createServer((request, response) => {
    const metadata = request.url === `${path}/.well-known/openid-configuration` ? answer(issuer) : null;
    if (metadata === null) response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Canary</h1>');
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  return issuer;
};

const complete = (issuer: string) => ({
  issuer,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['plain', 'S256'],
});

describe('The outside provider', () => {
  it.each([
    { mode: 'test', what: /^GOOGLE_CLIENT_ID is not set: people sign in with a password alone\.$/ },
    { mode: 'development', what: /^GOOGLE_CLIENT_ID is not set: in development, a demo provider/ },
  ])('is fine when there is none in $mode', async ({ mode, what }) => {
    const none = await environment({ NODE_ENV: mode, GOOGLE_CLIENT_ID: '', GOOGLE_CLIENT_SECRET: '' });
    expect(praises(await diagnose(none))).toEqual([says(what)]);
  });

  // Specification: External sign-in — The doctor: the redirect URI to register, and the issuer
  it('is asked for its metadata, and the redirect URI that it has to know is told', async () => {
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
      'Example ID answers, and is the issuer that GOOGLE_ISSUER names.',
      'Example ID must know this redirect URI, to the letter: http://localhost:2/auth/google/callback.',
    ]);
  });

  // Specification: External sign-in — The doctor: metadata that does not fit
  it.each([
    {
      what: 'is of another issuer',
      metadata: () => complete('https://id.elsewhere.example/?token=Canary'),
      said: /another issuer, https:\/\/id\.elsewhere\.example,/,
    },
    {
      what: 'has a slash at its end that GOOGLE_ISSUER has not',
      metadata: (issuer: string) => complete(`${issuer}/`),
      said: /another issuer, http:\/\/127\.0\.0\.1:\d+\/,/,
    },
    {
      what: 'has no code flow',
      metadata: (issuer: string) => ({ ...complete(issuer), response_types_supported: ['id_token'] }),
      said: /does not offer response_type code,/,
    },
    {
      what: 'has no PKCE with S256',
      metadata: (issuer: string) => ({ ...complete(issuer), code_challenge_methods_supported: ['plain'] }),
      said: /does not offer PKCE with S256,/,
    },
    { what: 'is no metadata', metadata: () => ['Canary'], said: /another issuer, no address,/ },
    { what: 'is not there', metadata: () => null, said: /answers 404 with a page of HTML, not the metadata/ },
  ])('has a fault when its metadata $what', async ({ metadata, said }) => {
    const variables = await environment({ GOOGLE_ISSUER: await startIssuer(metadata) });
    expect(theFault(await diagnose(variables), 'provider')).toMatchObject({ level: 'error', says: says(said) });
  });

  it('may keep to itself which challenges it knows', async () => {
    const issuer = await startIssuer((own) => ({ issuer: own, response_types_supported: ['code'] }));
    const diagnosis = await diagnose(await environment({ GOOGLE_ISSUER: issuer }));
    expect(faults(diagnosis, 'provider')).toEqual([]);
    expect(praises(diagnosis)).toContainEqual(says(/^Google answers/));
  });

  it('has a fault when it cannot be asked', async () => {
    const variables = await environment({ GOOGLE_ISSUER: `http://127.0.0.1:${await freePort()}` });
    expect(theFault(await diagnose(variables), 'provider')).toMatchObject({
      level: 'error',
      says: says(/^Google cannot be asked: .* answers nothing \(ECONNREFUSED\)/),
    });
  });

  // Specification: External sign-in — The doctor: two hosts that share no cookies
  it('has faults with two hosts that share no cookies, and none once they do', async () => {
    const hosts = {
      GOOGLE_ISSUER: await startIssuer(complete),
      BASE_URL: 'http://api.localhost:1',
      FRONTEND_URL: 'http://app.localhost:1',
    };
    expect(faults(await diagnose(await environment(hosts)), 'provider')).toMatchObject([
      { level: 'error', says: says(/AUTH_COOKIE_DOMAIN is not set: .* nobody is signed in/) },
      { level: 'warning', says: says(/SESSION_COOKIE_DOMAIN is not set: a sign-in that begins at BASE_URL/) },
    ]);
    const shared = { ...hosts, AUTH_COOKIE_DOMAIN: 'localhost', SESSION_COOKIE_DOMAIN: 'localhost' };
    const mended = await diagnose(await environment(shared));
    expect(faults(mended, 'provider')).toEqual([]);
    expect(praises(mended)).toHaveLength(2);
  });
});

describe('The way back from the outside provider', () => {
  let provider: IdentityProviderUnderTest;
  let frontend: MeddlingProxy;
  let service: Service;
  beforeAll(async () => {
    [provider, frontend] = await Promise.all([startIdentityProvider(), startProxy()]);
    service = await startService({ ...provider.environment(), FRONTEND_URL: frontend.url }, 'one origin');
    await createSuperAdminAccount(service);
  });
  afterAll(async () => {
    await service.close();
    await frontend.close();
    await provider.close();
  });

  const environmentOf = ({ config }: Service, more: Environment = {}): Environment => ({
    NODE_ENV: 'test',
    BASE_URL: config.baseUrl,
    FRONTEND_URL: config.frontendUrl,
    DATA_DIR: config.dataDirectory,
    ...(config.databaseUrl === undefined ? {} : { DATABASE_URL: config.databaseUrl }),
    ...provider.environment(),
    ...more,
  });

  const asPage = (incoming: IncomingMessage, response: ServerResponse): boolean => {
    if (incoming.url?.startsWith('/auth/') !== true) return false;
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<!doctype html><title>Portal</title>');
    return true;
  };

  it('is fine when FRONTEND_URL passes it on, and nothing is left behind', async () => {
    frontend.pass(service.url);
    const diagnosis = await diagnose(environmentOf(service));
    expect(diagnosis.findings.filter(({ level }) => level !== 'ok')).toEqual([]);
    expect(praises(diagnosis)).toContainEqual(says(/^FRONTEND_URL passes those who come back/));
    expect(await service.sql('SELECT * FROM external_exchanges')).toEqual([]);
  });

  // Specification: External sign-in — The doctor: {frontend_url}/auth/google/callback is proxied to the backend
  it('has a fault when FRONTEND_URL answers it with a page', async () => {
    frontend.pass(service.url, { answer: asPage });
    expect(theFault(await diagnose(environmentOf(service)), 'provider')).toMatchObject({
      level: 'error',
      says: says(/\/auth\/google\/callback answers 200 with a page of HTML: whoever comes back/),
      mend: says(/^Let what serves FRONTEND_URL pass every path below \/auth/),
    });
  });

  it('has a fault when the service runs without the provider', async () => {
    const without = await startService({}, 'one origin');
    try {
      await createSuperAdminAccount(without);
      expect(theFault(await diagnose(environmentOf(without)), 'provider')).toMatchObject({
        level: 'error',
        says: says(/\/auth\/google\/callback answers 404/),
        mend: says(/with the GOOGLE_ variables that this command sees/),
      });
    } finally {
      await without.close();
    }
  });
});
