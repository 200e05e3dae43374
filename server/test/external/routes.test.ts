/** `/auth/google` and its callback: the redirect to the provider, the result, and what remains. */

import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import cookie from '@fastify/cookie';
import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { Authenticator } from '../../src/domain/access/authenticate.ts';
import { LastSeenRecorder } from '../../src/domain/credentials/last-seen.ts';
import { defaultApplication } from '../../src/domain/scopes/application-definition.ts';
import { SignInHistory } from '../../src/domain/sign-ins/sign-in-history.ts';
import { mountExternal } from '../../src/http/external-sign-in/routes.ts';
import { mountFailures } from '../../src/http/fallbacks.ts';
import { portalAlone } from '../../src/http-kit/origins.ts';
import { BodyBudget } from '../../src/http-kit/request-bodies.ts';
import { Keyring } from '../../src/kernel/secrets.ts';
import { type Database, DatabaseUnavailable } from '../../src/platform/database/database.ts';
import { createDatabaseHelperSessions } from '../../src/platform/helper-sessions.ts';
import { createLogger } from '../../src/platform/observability/logger.ts';
import type { IdentityProvider } from '../../src/platform/oidc/identity-provider.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import { newAddress } from '../support/clients/clients.ts';
import type { PageAnswer } from '../support/clients/cookie-jar.ts';
import { ProviderBrowser } from '../support/clients/provider-browser.ts';
import { fixture, testFixture } from '../support/fixture.ts';
import { serviceFixture, startService } from '../support/gatehouse/gatehouse.ts';
import { limitsOn } from '../support/gatehouse/rate-limits.ts';
import { expectExternalRefusal } from '../support/servers/external-refusals.ts';
import { startHostileIssuer } from '../support/servers/hostile-issuer.ts';
import type { Json } from '../support/servers/id-tokens.ts';
import { startIssuerOfPeople } from '../support/servers/issuer-with-accounts.ts';

/** The attributes of a cookie that an answer sets, or null. */
const cookieIn = ({ setCookies }: Pick<PageAnswer, 'setCookies'>, name: string): readonly string[] | null => {
  const line = setCookies.find((each) => each.startsWith(`${name}=`));
  return line === undefined ? null : line.split('; ').slice(1).sort();
};

const isCleared = ({ setCookies }: Pick<PageAnswer, 'setCookies'>, name: string): boolean =>
  setCookies.some((line) => new RegExp(`^${name}=;.*(Max-Age=0|Expires=Thu, 01 Jan 1970)`, 'i').test(line));

const queryOf = (url: string | null): URLSearchParams => new URL(url ?? 'none:').searchParams;

const internal = ['/', '/members?page=2', '/a/b#part', '/auth/mcp/continue/0197', '/?external=linked', '/caf%C3%A9'];

const hostile = [
  '//evil.example',
  '/\\evil.example',
  '\\/evil.example',
  'https://evil.example/',
  '/%2F/evil.example',
  '/%252f%252fevil.example',
  '/%5Cevil.example',
  '/x?next=//evil.example',
  'javascript:alert(1)',
  '/\u0000',
  '/line\r\nset-cookie: x=y',
  'evil.example',
  '',
  `/${'x'.repeat(2048)}`,
];

describe('Starting a sign-in', () => {
  const provider = fixture(startIssuerOfPeople);
  const service = serviceFixture(() => provider.environment());

  const begin = (query = '', browser = new ProviderBrowser()): Promise<PageAnswer> =>
    browser.get(`${service.portalUrl}/auth/google${query}`);

  // Contract: accounts#begin-of-an-attempt — GET /auth/google: redirect to the provider; state, nonce and PKCE
  it('sends a state, a nonce and an S256 challenge, and the configured redirect URI', async () => {
    const { status, location, headers } = await begin();
    const { origin } = new URL(location ?? '');
    const { state, nonce, code_challenge: challenge, ...rest } = Object.fromEntries(queryOf(location).entries());
    expect({ status, origin, cacheControl: headers.get('cache-control') }).toEqual({
      status: 302,
      origin: provider.issuer,
      cacheControl: 'no-store',
    });
    for (const secret of [state, nonce, challenge]) expect(secret).toMatch(/^[\w-]{43}$/);
    expect(rest).toEqual({
      client_id: provider.clientId,
      response_type: 'code',
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      redirect_uri: `${service.portalUrl}/auth/google/callback`,
    });
  });

  // Contract: accounts#begin-of-an-attempt — State, nonce and PKCE in the helper session, each attempt its own
  it('generates new secrets each time, also in one browser, and stores none of them in clear', async () => {
    const browser = new ProviderBrowser();
    const queries = [];
    for (const _ of ['one', 'two', 'three']) queries.push(queryOf((await begin('', browser)).location));
    const secrets = queries.flatMap((query) => ['state', 'nonce', 'code_challenge'].map((name) => query.get(name)));
    expect(new Set(secrets).size).toBe(9);
    const rows = await service.sql<Record<string, unknown>>('SELECT * FROM helper_session_entries');
    const text = JSON.stringify(rows) + rows.map((row) => Object.values(row).map(String).join(' ')).join(' ');
    expect(secrets.filter((secret) => text.includes(secret ?? ''))).toEqual([]);
    expect(text).not.toContain((browser.valueOf('helper_session') ?? '').split('.')[0]);
  });

  it('starts or keeps a helper session, and sets no other cookie', async () => {
    const browser = new ProviderBrowser();
    const first = await begin('', browser);
    const [id = ''] = (browser.valueOf('helper_session') ?? '').split('.');
    expect(id).toMatch(/^[\w-]{43}$/);
    expect(cookieIn(first, 'helper_session')).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax']);
    expect(first.setCookies).toHaveLength(1);
    await begin('', browser);
    expect(browser.valueOf('helper_session')?.split('.')[0]).toBe(id);
  });

  // Contract: accounts#refused-browser-routes — Limits on /auth/google
  it('is limited by network, and shows this on the sign-in page', async () => {
    const limited = await testFixture(
      startService({ ...provider.environment(), RATE_LIMITS_ENABLED: 'true', TRUST_PROXY: '1' }),
    );
    const beginFrom = (ip: string) =>
      new ProviderBrowser().get(`${limited.portalUrl}/auth/google?redirect=/members`, { 'x-forwarded-for': ip });
    expect((await beginFrom('2001:db8:1:2::1')).location).toContain(provider.issuer);
    await limited.sql("UPDATE rate_limits SET due_at = now() + interval '2 hours' WHERE key LIKE 'external_sign_in:%'");
    // A row whose permits are all refilled may go at any time.
    await limited.sql(
      `UPDATE rate_limits SET due_at = now() + interval '1 minute' WHERE key LIKE 'external_sign_in_site:%'`,
    );
    const before = await limited.sql('SELECT name FROM helper_session_entries');
    const refused = await expectNothingStored(limited, () => beginFrom('2001:db8:1:2:ffff::9'));
    expect(refused.location).toMatch(
      new RegExp(`^${limited.portalUrl}/signin\\?error=RATE_LIMITED&id=[\\w-]{36}&redirect=%2Fmembers$`),
    );
    expect(await limited.sql('SELECT name FROM helper_session_entries')).toEqual(before);
    expect((await beginFrom('2001:db8:1:3::1')).location).toContain(provider.issuer);
  });

  // Contract: accounts#begin-of-an-attempt — GET /auth/google: browser navigation, only by GET
  it.each([
    ['HEAD', '/auth/google'],
    ['HEAD', '/auth/google/prepare-link'],
    ['POST', '/auth/google'],
    ['PUT', '/auth/google'],
    ['OPTIONS', '/auth/google'],
  ])('is not possible by %s %s', async (method, path) => {
    const entries = await service.sql('SELECT name FROM helper_session_entries');
    const answer = await fetch(`${service.url}${path}`, { method, redirect: 'manual' });
    expect(answer.status).toBe(404);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await service.sql('SELECT name FROM helper_session_entries')).toEqual(entries);
  });
});

describe('The callback', () => {
  const provider = fixture(startIssuerOfPeople);
  const service = serviceFixture(() => provider.environment());

  const start = (query = ''): string => `${service.portalUrl}/auth/google${query}`;
  const comeBack = (query = '', changes = {}, browser = new ProviderBrowser()): Promise<PageAnswer> =>
    provider.comeBack(browser, start(query), provider.newPerson(changes));
  const signInPage = (query: string): string => `${service.portalUrl}/signin?${query}`;
  const withRedirect = (path: string): string => `?redirect=${encodeURIComponent(path)}`;

  // Contract: accounts#callback-of-the-provider — Callback: sets auth_exchange, redirects to the sign-in route with
  //   oauth_exchange=1; no secret in the URL
  it('leads to the sign-in page with the marker, and the secret only in a cookie', async () => {
    const browser = new ProviderBrowser();
    const answer = await comeBack('', {}, browser);
    expect({ status: answer.status, location: answer.location, text: answer.text }).toEqual({
      status: 302,
      location: signInPage('oauth_exchange=1'),
      text: '',
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(browser.valueOf('auth_exchange')).toMatch(/^\S{43,}$/);
    for (const name of ['auth_exchange', 'exchange_marker'])
      expect(cookieIn(answer, name)).toEqual(['HttpOnly', 'Max-Age=120', 'Path=/', 'SameSite=Lax']);
    expect(answer.setCookies).toHaveLength(2);
  });

  // Contract: accounts#callback-of-the-provider — Callback: no credential rows are inserted, nothing of the person is
  //   created
  it('creates no person, organization, session or identity, and sends no mail', async () => {
    const email = newAddress();
    const people = ['users', 'organizations', 'organization_members', 'credentials', 'external_identities'];
    const count = async (): Promise<unknown> =>
      service.sql(
        people.map((table) => `SELECT '${table}' AS t, count(*)::integer AS n FROM ${table}`).join(' UNION '),
      );
    const before = await count();
    await comeBack('', { email });
    expect(await count()).toEqual(before);
    expect(await service.mailsTo(email)).toEqual([]);
  });

  // Contract: accounts#redirect-parameters — oauth_post_auth_redirect: an optional validated internal redirect
  it.each(internal)('leads to %s when requested', async (path) => {
    const browser = new ProviderBrowser();
    const begun = await browser.get(start(withRedirect(path)));
    expect(cookieIn(begun, 'oauth_post_auth_redirect')).toEqual([
      'HttpOnly',
      'Max-Age=600',
      'Path=/auth/google',
      'SameSite=Lax',
    ]);
    const answer = await provider.comeBack(browser, begun.location ?? 'none:', provider.newPerson());
    expect(answer.location).toBe(signInPage(`oauth_exchange=1&redirect=${encodeURIComponent(path)}`));
    expect(isCleared(answer, 'oauth_post_auth_redirect')).toBe(true);
  });

  it('leads to a path with non-ASCII letters in their encoding', async () => {
    const { location } = await comeBack(withRedirect('/café?q=a b'));
    expect(queryOf(location).get('redirect')).toBe('/caf%C3%A9?q=a%20b');
  });

  // Contract: accounts#redirect-parameters — Every other redirect parameter is dropped
  it.each([...hostile.map(withRedirect), '?redirect=/a&redirect=/b', '?redirect', '?Redirect=/a'])(
    'leads to no other page after %j',
    async (query) => {
      const browser = new ProviderBrowser();
      const begun = await browser.get(start(query));
      expect(cookieIn(begun, 'oauth_post_auth_redirect')).toBeNull();
      const answer = await provider.comeBack(browser, begun.location ?? 'none:', provider.newPerson());
      expect(answer.location).toBe(signInPage('oauth_exchange=1'));
    },
  );

  // Contract: accounts#redirect-parameters — oauth_post_auth_redirect is signed
  it.each<[string, (value: string) => string]>([
    ['of another path under the same signature', (value) => forgedRedirect(value)],
    ['without a signature', (value) => value.split('~').at(-1)?.split('.')[0] ?? ''],
    ['with empty content', () => ''],
    ['of the previous attempt', () => 'old'],
  ])('ignores a redirect cookie %s', async (_title, forge) => {
    const browser = new ProviderBrowser();
    await browser.get(start(withRedirect('/old')));
    const old = browser.valueOf('oauth_post_auth_redirect') ?? '';
    const callback = await provider.signIn(browser, start(withRedirect('/members')), provider.newPerson());
    const forged = forge(browser.valueOf('oauth_post_auth_redirect') ?? '');
    browser.replace('oauth_post_auth_redirect', forged === 'old' ? old : forged);
    expect((await browser.get(callback)).location).toBe(signInPage('oauth_exchange=1'));
  });

  // Contract: accounts#begin-of-an-attempt — Several tabs of one browser
  it('in two tabs completes in each, with its own redirect', async () => {
    for (const order of ['first tab first', 'second tab first']) {
      const browser = new ProviderBrowser();
      const first = await provider.signIn(browser, start(withRedirect('/first')), provider.newPerson());
      const second = await provider.signIn(browser, start(withRedirect('/second')), provider.newPerson());
      const tabs: [string, string][] = [
        [first, signInPage(`oauth_exchange=1&redirect=${encodeURIComponent('/first')}`)],
        [second, signInPage(`oauth_exchange=1&redirect=${encodeURIComponent('/second')}`)],
      ];
      if (order !== 'first tab first') tabs.reverse();
      for (const [callback, location] of tabs) expect((await browser.get(callback)).location).toBe(location);
      expect(browser.valueOf('oauth_post_auth_redirect')).toBeUndefined();
    }
  });

  it('in more tabs than a cookie can hold redirects for keeps those of the last ones', async () => {
    const browser = new ProviderBrowser();
    const tabs: [string, string][] = [];
    for (const tab of ['1', '2', '3', '4']) {
      const path = `/${tab}${randomBytes(450).toString('base64url')}`;
      tabs.push([await provider.signIn(browser, start(withRedirect(path)), provider.newPerson()), path]);
      expect((browser.valueOf('oauth_post_auth_redirect') ?? '').length).toBeLessThan(1600);
    }
    const ways: boolean[] = [];
    for (const [callback, path] of tabs) {
      const answer = await browser.get(callback);
      expect(queryOf(answer.location).get('oauth_exchange')).toBe('1');
      ways.push(queryOf(answer.location).get('redirect') === path);
    }
    expect(ways).toEqual([false, false, true, true]);
  });

  // Contract: accounts#refused-browser-routes — On provider error or refusal: 302 to /signin?error=CODE
  it('after a cancellation at the provider reports it, and keeps the requested page', async () => {
    const browser = new ProviderBrowser();
    const callback = await provider.cancel(browser, start(withRedirect('/members')));
    const expected = { codes: ['PROVIDER_CANCELLED'], secrets: () => [] } as const;
    const query = await expectExternalRefusal(service, expected, () => browser.get(callback));
    expect(query.get('redirect')).toBe('/members');
    await expectExternalRefusal(service, { ...expected, codes: ['ATTEMPT_OVER'] }, () => browser.get(callback));
  });

  // Contract: accounts#account-of-an-identity — Callback: an identity without an address, or with an unverified one
  it.each<[string, Json, 'EMAIL_MISSING' | 'EMAIL_UNVERIFIED']>([
    ['without an address', { email: undefined, email_verified: undefined }, 'EMAIL_MISSING'],
    ['with an unverified address', { email_verified: false }, 'EMAIL_UNVERIFIED'],
    ['without email_verified', { email_verified: undefined }, 'EMAIL_UNVERIFIED'],
  ])('of an identity %s is refused before an exchange is opened', async (_title, changes, code) => {
    const browser = new ProviderBrowser();
    const callback = await provider.signIn(browser, start(), provider.newPerson(changes));
    await expectExternalRefusal(service, { codes: [code], secrets: () => [] }, () => browser.get(callback));
    expect(browser.valueOf('auth_exchange')).toBeUndefined();
  });
});

/** The value with another path in it. */
const forgedRedirect = (value: string): string => {
  const [, signature = ''] = (value.split('~').at(-1) ?? '').split('.');
  return `${Buffer.from(JSON.stringify({ redirect: '/evil' })).toString('base64url')}.${signature}`;
};

describe('Without a provider', () => {
  const service = serviceFixture();

  // Contract: accounts#identity-provider — Only when the external provider is configured: 404 without
  it.each(['/auth/google', '/auth/google/callback?state=x&code=y', '/auth/google/prepare-link'])(
    '%s is 404 in JSON',
    async (path) => {
      const answer = await fetch(`${service.url}${path}`, { headers: { accept: 'text/html' }, redirect: 'manual' });
      expect(answer.status).toBe(404);
      expect(await answer.json()).toEqual({
        error: { code: 'NOT_FOUND', message: 'There is nothing at this address.' },
      });
      expect(answer.headers.getSetCookie()).toEqual([]);
    },
  );
});

// Contract: accounts#callback-of-the-provider — Callback: {frontend_url}/auth/google/callback, cookies httpOnly,
//   Secure, of their domains
it('Over https, cookies are secure and have their domains, and the redirect URI is at the frontend', async () => {
  const issuer = await testFixture(startHostileIssuer());
  const service = await testFixture(
    startService({
      ...issuer.environment(),
      BASE_URL: 'https://api.example.com',
      FRONTEND_URL: 'https://app.example.com',
      AUTH_COOKIE_DOMAIN: 'example.com',
      SESSION_COOKIE_DOMAIN: '.example.com',
    }),
  );
  const local = `http://127.0.0.1:${service.config.port}`;
  const browser = new ProviderBrowser();
  const begun = await browser.get(`${local}/auth/google?redirect=/members`);
  const redirectUri = 'https://app.example.com/auth/google/callback';
  expect(queryOf(begun.location).get('redirect_uri')).toBe(redirectUri);
  const helper = ['Domain=.example.com', 'HttpOnly', 'SameSite=Lax', 'Secure'];
  expect(cookieIn(begun, 'helper_session')).toEqual([...helper, 'Max-Age=2592000', 'Path=/'].sort());
  const redirect = [...helper, 'Max-Age=600', 'Path=/auth/google'].sort();
  expect(cookieIn(begun, 'oauth_post_auth_redirect')).toEqual(redirect);
  const sentBack = (await browser.get(begun.location ?? '')).location ?? '';
  const answer = await browser.get(sentBack.replace('https://app.example.com', local));
  expect(answer.location).toBe('https://app.example.com/signin?oauth_exchange=1&redirect=%2Fmembers');
  for (const name of ['auth_exchange', 'exchange_marker'])
    expect(cookieIn(answer, name)).toEqual(
      ['Domain=example.com', 'HttpOnly', 'Max-Age=120', 'Path=/', 'SameSite=Lax', 'Secure'].sort(),
    );
  expect(issuer.redirectUris).toEqual([redirectUri]);
});

describe('An internal failure', () => {
  const service = serviceFixture();

  const provider: IdentityProvider = {
    displayName: 'Stub',
    authorizationUrl: async ({ state }) => `https://provider.example/?state=${state}`,
    identify: () => Promise.reject(new Error('not reached')),
  };

  /** Runs the routes over a database where every call fails with this error. */
  const askOver = async (error: Error, path: string): Promise<{ answer: Response; lines: readonly string[] }> => {
    const fail = () => Promise.reject(error);
    const calls = { many: fail, maybeOne: fail, one: fail, execute: fail, transaction: fail };
    const database: Database = { ...service.database, ...calls };
    const lines: string[] = [];
    const destination = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        lines.push(chunk.toString());
        done();
      },
    });
    const logger = createLogger('info', destination);
    const keyring = new Keyring(service.config.secrets);
    const app = fastify({ genReqId: () => crypto.randomUUID() });
    mountFailures(app);
    await app.register(cookie);
    await mountExternal(app, {
      application: defaultApplication,
      bodies: new BodyBudget(),
      database,
      helperSessions: createDatabaseHelperSessions(database, keyring),
      keyring,
      logger,
      limits: limitsOn(service, database),
      signIns: new SignInHistory(database, logger, 30),
      authenticator: new Authenticator(database, defaultApplication, { superAdminsNeedSecondFactor: false }),
      lastSeen: new LastSeenRecorder(database, logger),
      tokenNetworks: { note: () => undefined },
      mail: { enqueue: fail },
      provider,
      settings: portalAlone(service.config),
    });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const id = 'x'.repeat(43);
    const headers = { cookie: `helper_session=${id}.${keyring.mac('helper session cookie', id)}` };
    try {
      return { answer: await fetch(`${url}${path}`, { headers, redirect: 'manual' }), lines };
    } finally {
      await app.close();
    }
  };

  it.each(['/auth/google', '/auth/google/callback?state=x&code=y'])(
    'of the database is reported on the sign-in page, at %s',
    async (path) => {
      const { answer, lines } = await askOver(new DatabaseUnavailable('out of reach'), path);
      const query = queryOf(answer.headers.get('location'));
      expect({ status: answer.status, error: query.get('error') }).toEqual({ status: 302, error: 'UNAVAILABLE' });
      expect(lines).toHaveLength(1);
      expect(JSON.parse(lines[0] ?? '')).toMatchObject({
        event: 'auth.external_refused',
        code: 'UNAVAILABLE',
        correlationId: query.get('id'),
      });
    },
  );

  it.each(['/auth/google', '/auth/google/callback?state=x&code=y'])(
    'of our own at %s is answered as on any route, without its reason',
    async (path) => {
      const { answer } = await askOver(new Error('a defect with a telltale'), path);
      const text = await answer.text();
      const body: unknown = JSON.parse(text);
      expect(body).toMatchObject({ error: { code: 'INTERNAL' } });
      expect(answer.status).toBe(500);
      expect(text).not.toContain('telltale');
    },
  );
});
