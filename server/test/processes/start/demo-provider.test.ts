/** The demo provider of development: its people, the claims about them, and where it does not exist. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoProvider, demoIssuer, startDemoProvider } from '../../../src/cli/demo/demo-provider.ts';
import type { Config } from '../../../src/config/config.ts';
import { createLogger } from '../../../src/platform/observability/logger.ts';
import type { ProviderAttempt, ProviderPurpose } from '../../../src/platform/oidc/identity-provider.ts';
import { createOpenIdProvider } from '../../../src/platform/oidc/openid-provider.ts';
import { operations } from '../../support/clients/clients.ts';
import { ProviderBrowser } from '../../support/clients/provider-browser.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/databases.ts';
import { configOf, isFree, portWithFreeCompanion, serveDevelopment } from '../../support/gatehouse/development.ts';
import type { Environment, Serving } from '../../support/gatehouse/gatehouse-process.ts';
import { silentLogger } from '../../support/gatehouse/silent-logger.ts';
import { type SignedInUser, userOf } from '../../support/servers/external.ts';

const now = async (): Promise<Date> => new Date();

const isCallback = ({ pathname }: URL): boolean => pathname === '/auth/google/callback';

const attempt: ProviderAttempt = {
  state: 'state-of-the-test-which-is-long-enough-00000',
  nonce: 'nonce-of-the-test-which-is-long-enough-00000',
  codeVerifier: 'verifier-of-the-test-which-is-long-enough-0',
};

const start = async (config: Config): Promise<DemoProvider> => {
  const started = await startDemoProvider(config, silentLogger);
  if (started === null) throw new Error('There is no demo provider');
  return started;
};

describe('The demo provider', () => {
  let config: Config;
  let demo: DemoProvider;
  let redirectUri: string;
  beforeAll(async () => {
    config = configOf({ PORT: String(await portWithFreeCompanion()) });
    demo = await start(config);
    redirectUri = `${config.frontendUrl}/auth/google/callback`;
  });
  afterAll(() => demo.close());

  const authorizationUrl = (purpose: ProviderPurpose = 'sign_in') =>
    createOpenIdProvider({ ...demo.client, now }).authorizationUrl(attempt, redirectUri, purpose);

  const question = async (browser: ProviderBrowser, purpose: ProviderPurpose = 'sign_in'): Promise<string> => {
    const asked = await browser.get(await authorizationUrl(purpose));
    return new URL(asked.location ?? '', demo.client.issuer).href;
  };

  const submit = async (
    browser: ProviderBrowser,
    page: string,
    form: Readonly<Record<string, string>>,
  ): Promise<URL> => {
    const answered = await browser.submit(page, form);
    const callback = await browser.follow(answered.location ?? '', isCallback);
    if (typeof callback !== 'string') throw new Error(`Not sent back: ${JSON.stringify(callback)}`);
    return new URL(callback);
  };

  const answer = async (form: Readonly<Record<string, string>>): Promise<URL> => {
    const browser = new ProviderBrowser();
    return submit(browser, await question(browser), form);
  };

  const identifyFrom = ({ search }: URL) =>
    createOpenIdProvider({ ...demo.client, now }).identify(search.slice(1), attempt, redirectUri);

  const identify = async (form: Readonly<Record<string, string>>) => identifyFrom(await answer(form));

  it('offers people on a page without scripts and frames, and returns the choice', async () => {
    const page = await new ProviderBrowser().get(await question(new ProviderBrowser()));
    expect(page.status).toBe(400);
    const browser = new ProviderBrowser();
    const { status, text, headers } = await browser.get(await question(browser));
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'.*frame-ancestors 'none'/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(text).not.toContain('<script');
    expect(text).toContain('It asks for no password');
    const { authenticatedAt, ...identity } = await identify({ who: '1' });
    expect(authenticatedAt).toBeTypeOf('number');
    expect(identity).toEqual({
      issuer: demo.client.issuer,
      subject: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
      email: 'ada@acme.example',
      isEmailVerified: true,
      isEmailAuthoritative: true,
      name: 'Ada Marlow',
    });
  });

  it.each([
    { who: '3', email: 'grace@acme.example', isEmailVerified: false },
    { who: '4', email: null, isEmailVerified: false },
  ])('offers a person with the address $email, verified: $isEmailVerified', async ({ who, ...reported }) => {
    expect(await identify({ who })).toMatchObject(reported);
  });

  it('returns any typed person', async () => {
    const typed = { who: 'typed', email: "o'hara+<b>@typed.example", name: '<i>Ünal & "Söhne"</i>' };
    expect(await identify({ ...typed, verified: 'on' })).toMatchObject({
      email: typed.email,
      isEmailVerified: true,
      name: typed.name,
    });
    expect(await identify(typed)).toMatchObject({ email: typed.email, isEmailVerified: false });
    expect(await identify({ who: 'typed' })).toMatchObject({ email: null, name: null });
  });

  it('identifies an address with one person, in any spelling and with any name', async () => {
    const { subject } = await identify({ who: '1' });
    const typed = await identify({ who: 'typed', email: 'Ada@ACME.example', name: 'Somebody', verified: 'on' });
    expect(typed).toMatchObject({ subject, email: 'Ada@ACME.example', name: 'Somebody' });
    expect((await identify({ who: '0' })).subject).not.toBe(subject);
  });

  it('asks the same browser each time, also in two tabs at once', async () => {
    const browser = new ProviderBrowser();
    const [one, other] = [await question(browser), await question(browser)];
    expect(one).not.toBe(other);
    const callbacks = [await submit(browser, one, { who: '0' }), await submit(browser, other, { who: '1' })];
    const people = await Promise.all(callbacks.map(identifyFrom));
    expect(people.map(({ email }) => email)).toEqual(['nina@elsewhere.example', 'ada@acme.example']);
  });

  it('asks for a link as for a sign-in', async () => {
    const browser = new ProviderBrowser();
    const callback = await submit(browser, await question(browser, 'link'), { who: '0' });
    expect(await identifyFrom(callback)).toMatchObject({ email: 'nina@elsewhere.example' });
  });

  it.each(['none', '99', '-1', ''])('treats "%s" as a refusal, which the service receives', async (who) => {
    const callback = await answer({ who });
    expect(callback.searchParams.get('error')).toBe('access_denied');
    expect(callback.searchParams.has('code')).toBe(false);
    expect(callback.searchParams.get('state')).toBe(attempt.state);
    await expect(identifyFrom(callback)).rejects.toMatchObject({ code: 'PROVIDER_CANCELLED' });
  });

  it('accepts an answer once, from the browser that it asked, and of bounded length', async () => {
    const browser = new ProviderBrowser();
    const page = await question(browser);
    expect((await new ProviderBrowser().submit(page, { who: '1' })).status).toBe(400);
    expect((await browser.submit(page, { who: 'typed', name: 'x'.repeat(30_000) })).status).toBe(413);
    await submit(browser, page, { who: '1' });
    const again = await browser.submit(page, { who: '0' });
    expect(again).toMatchObject({ status: 400, location: null });
    expect(again.text).toContain('There is no sign-in to answer');
  });

  it('sends a code only to this instance, and redeems it only for its secret', async () => {
    const foreign = new URL(await authorizationUrl());
    for (const uri of ['https://elsewhere.example/auth/google/callback', `${config.frontendUrl}/auth/google/other`]) {
      foreign.searchParams.set('redirect_uri', uri);
      expect(await new ProviderBrowser().get(foreign.href)).toMatchObject({ status: 400, location: null });
    }
    const unproven = new URL(await authorizationUrl());
    unproven.searchParams.delete('code_challenge');
    unproven.searchParams.delete('code_challenge_method');
    const refused = await new ProviderBrowser().get(unproven.href);
    expect(new URL(refused.location ?? '').searchParams.get('error')).toBe('invalid_request');
    const { search } = await answer({ who: '1' });
    const guessed = createOpenIdProvider({ ...demo.client, now, clientSecret: 'guessed' });
    await expect(guessed.identify(search.slice(1), attempt, redirectUri)).rejects.toMatchObject({
      code: 'PROVIDER_REFUSED',
    });
  });

  it('answers only to its own host name, which no other site can resolve to it', async () => {
    const { port } = new URL(demo.client.issuer);
    const answered = await new ProviderBrowser().get(`http://localhost:${port}/.well-known/openid-configuration`);
    expect(answered.status).toBe(421);
    expect(answered.text).not.toContain('authorization_endpoint');
  });

  it('keeps the subjects of people after a restart, with another secret', async () => {
    const { subject } = await identify({ who: '0' });
    const before = demo.client;
    await demo.close();
    demo = await start(config);
    expect(demo.client.issuer).toBe(before.issuer);
    expect(demo.client.clientSecret).not.toBe(before.clientSecret);
    expect((await identify({ who: '0' })).subject).toBe(subject);
  });

  it('is omitted when its port is taken, with a message about the variable', async () => {
    const log: string[] = [];
    const logger = createLogger('warn', { write: (line) => log.push(line) });
    expect(await startDemoProvider(config, logger)).toBeNull();
    const { port } = new URL(demo.client.issuer);
    expect(log.join('')).toContain(
      `The demo Google did not start: its port ${port} is in use. Set PORT to another number; the demo Google uses a port that is 10000 from it`,
    );
  });
});

describe('The address of the demo provider', () => {
  const addressOf = (environment: Environment): string | null => demoIssuer(configOf(environment));
  const hardened: Environment = {
    BASE_URL: 'https://id.example.com',
    FRONTEND_URL: 'https://id.example.com',
    DATABASE_URL: 'postgres://127.0.0.1:1/x',
    GATEHOUSE_SECRET: '0123456789-abcdefghijklmnopqrstuvwxyz',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'no-reply@example.com',
  };

  it.each([
    { variables: {}, address: 'http://127.0.0.1:14000' },
    { variables: { PORT: '4001' }, address: 'http://127.0.0.1:14001' },
    { variables: { PORT: '65000' }, address: 'http://127.0.0.1:55000' },
    { variables: { BASE_URL: 'http://127.0.0.1:4000' }, address: 'http://localhost:14000' },
    { variables: { FRONTEND_URL: 'http://localhost:5173' }, address: 'http://127.0.0.1:14000' },
  ])('is $address with $variables, on another site than the service', ({ variables, address }) => {
    expect(addressOf(variables)).toBe(address);
  });

  // Contract: accounts#identity-provider — The built-in provider: never in production, staging or test, nor beyond the
  //   loopback
  it.each([
    { NODE_ENV: 'test' },
    { NODE_ENV: 'staging', ...hardened },
    { NODE_ENV: 'production', ...hardened },
    { GOOGLE_CLIENT_ID: 'own', GOOGLE_CLIENT_SECRET: 'own' },
    { BASE_URL: 'http://dev.example.com:4000' },
    { BASE_URL: 'http://localhost:4000', FRONTEND_URL: 'http://192.168.1.20:4000' },
  ])('is absent with %j', async (variables) => {
    expect(addressOf(variables)).toBeNull();
    expect(await startDemoProvider(configOf(variables), silentLogger)).toBeNull();
  });
});

/** As if the library had not been installed. */
const withoutLibrary = `--import data:text/javascript,${encodeURIComponent(
  `import { registerHooks } from 'node:module';
   registerHooks({ resolve: (name, context, next) => {
     if (name === 'oidc-provider') throw Object.assign(new Error('gone'), { code: 'ERR_MODULE_NOT_FOUND' });
     return next(name, context);
   } });`,
)}`;

describe('serve, with the demo provider', { timeout: 120_000 }, () => {
  let stored: TestDatabase;
  beforeAll(async () => {
    stored = await createTestDatabase();
  });
  afterAll(() => stored.drop());

  const providerOnPage = async (url: string): Promise<string | undefined> => {
    const page = await (await fetch(`${url}/signin`)).text();
    return /name="gatehouse-provider" content="([^"]*)"/.exec(page)?.[1];
  };

  it('prints its address at the start, and stops with the service', async () => {
    const service = await serveDevelopment(stored);
    expect(service.stdout()).toMatch(new RegExp(`^ {2}Demo Google {4}${service.issuer} `, 'm'));
    expect(await providerOnPage(service.url)).toBe('demo Google');
    expect((await fetch(`${service.issuer}/.well-known/openid-configuration`)).status).toBe(200);
    expect(await service.stop()).toMatchObject({ code: 0, stderr: '' });
    expect(await isFree(Number(new URL(service.issuer).port))).toBe(true);
  });

  it('signs in any chosen person, and recognizes them after a restart', async () => {
    const service = await serveDevelopment(stored);
    const first = await signIn(service);
    expect(first).toMatchObject({ name: 'Nina Castell', email: 'nina@elsewhere.example' });
    await service.stop();
    const again = await serveDevelopment(stored, { PORT: new URL(service.url).port });
    expect(await signIn(again)).toEqual(first);
    await again.stop();
  });

  /** Through the page of the demo provider; returns the person. */
  const signIn = async ({ url }: Serving): Promise<SignedInUser> => {
    const browser = new ProviderBrowser();
    const asked = await browser.follow(`${url}/auth/google`);
    if (typeof asked === 'string') throw new Error(`Nobody was asked: ${asked}`);
    const answered = await browser.submit(asked.url, { who: '0' });
    const arrival = await browser.follow(answered.location ?? '', ({ pathname }) => pathname === '/signin');
    expect(arrival).toBe(`${url}/signin?oauth_exchange=1`);
    return userOf(await browser.run({ url, portalUrl: url }, operations.exchangeAuthTokens));
  };

  it('starts without its library, and without the button', async () => {
    const service = await serveDevelopment(stored, { NODE_OPTIONS: withoutLibrary });
    expect(service.stdout()).not.toContain('Demo Google');
    expect(await providerOnPage(service.url)).toBe('');
    expect(await isFree(Number(new URL(service.issuer).port))).toBe(true);
    expect(await service.stop()).toMatchObject({ code: 0, stderr: '' });
  });
});
