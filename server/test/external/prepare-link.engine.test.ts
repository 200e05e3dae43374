/** `/auth/google/prepare-link`: who may link, in which browser, and that a foreign page never causes it. */
import { describe, expect, it } from 'vitest';
import { signValue } from '../../src/http/external-sign-in/attempt-cookies.ts';
import { Keyring } from '../../src/kernel/secrets.ts';
import { credentialIdOf, expire, familyOf } from '../support/actors/credentials.ts';
import { newOwner, type Tenant } from '../support/actors/tenants.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import { operations, post, type Tokens } from '../support/clients/clients.ts';
import type { PageAnswer } from '../support/clients/cookie-jar.ts';
import { newMcpClient } from '../support/clients/mcp.ts';
import { ProviderBrowser } from '../support/clients/provider-browser.ts';
import { fixture, testFixture } from '../support/fixture.ts';
import { serviceFixture, startService } from '../support/gatehouse/gatehouse.ts';
import { identitiesOf } from '../support/servers/external.ts';
import { expectExternalRefusal } from '../support/servers/external-refusals.ts';
import { startIssuerOfPeople } from '../support/servers/issuer-with-accounts.ts';

type Headers_ = Readonly<Record<string, string>>;

const path = '/auth/google/prepare-link';
const html = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const json = { accept: 'application/json' };

const provider = fixture(startIssuerOfPeople);
const originOfApplication = 'https://app.acme.example';
const withOrigin = { application: { origins: [originOfApplication] } };
const service = serviceFixture(() => provider.environment(), 'none', withOrigin);

const bearerOf = ({ accessToken }: Pick<Tokens, 'accessToken'>): Headers_ => ({
  authorization: `Bearer ${accessToken}`,
});
const cookieOf = ({ accessToken }: Pick<Tokens, 'accessToken'>): Headers_ => ({ cookie: `auth_access=${accessToken}` });

const prepare = (headers: Headers_, query = '', at = service.url): Promise<PageAnswer> =>
  new ProviderBrowser().get(`${at}${path}${query}`, headers);

const cookieLine = ({ setCookies }: PageAnswer, name: string): string | undefined =>
  setCookies.find((line) => line.startsWith(`${name}=`));

/** A refusal prepares nothing. */
const expectUnprepared = async (act: () => Promise<PageAnswer>): Promise<PageAnswer> => {
  const answer = await expectNothingStored(service, act);
  expect(answer.setCookies).toEqual([]);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  return answer;
};

const expectRefused = async (status: number, code: string, headers: Headers_): Promise<void> => {
  const answer = await expectUnprepared(() => prepare(headers));
  const body: unknown = JSON.parse(answer.text);
  expect(body).toMatchObject({ error: { code } });
  expect(answer.status).toBe(status);
};

const expectDetour = async (headers: Headers_, wish?: string): Promise<void> => {
  const query = wish === undefined ? '' : `?redirect=${encodeURIComponent(wish)}`;
  const answer = await expectUnprepared(() => prepare(headers, query));
  expect({ status: answer.status, location: answer.location }).toEqual({
    status: 302,
    location: `${service.portalUrl}/signin?redirect=${encodeURIComponent(wish ?? '/')}`,
  });
};

describe('Preparing a link', () => {
  // Contract: accounts#prepared-link — GET /auth/google/prepare-link: Bearer or access cookie required
  it.each<[string, (tokens: Tokens) => Headers_]>([
    ['a Bearer', bearerOf],
    ['the cookie of the portal', cookieOf],
    ['a Bearer, whatever the cookie is', (tokens) => ({ ...bearerOf(tokens), cookie: 'auth_access=nothing' })],
  ])('by %s redirects to the provider, or returns the URL', async (_title, present) => {
    const { tokens } = await newOwner(service);
    const navigation = await prepare({ ...present(tokens), ...html });
    expect({ status: navigation.status, location: navigation.location }).toEqual({
      status: 302,
      location: '/auth/google',
    });
    const reported = await prepare({ ...present(tokens), ...json });
    expect({ status: reported.status, text: reported.text }).toEqual({ status: 200, text: '{"url":"/auth/google"}' });
    for (const answer of [navigation, reported]) {
      expect(cookieLine(answer, 'oauth_link')?.split('; ').slice(1).sort()).toEqual(
        ['HttpOnly', 'Max-Age=120', 'Path=/auth/google', 'SameSite=Lax'].sort(),
      );
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.setCookies.filter((line) => line.startsWith('auth_'))).toEqual([]);
      expect(answer.setCookies.join()).not.toContain(tokens.accessToken);
    }
  });

  it('updates the last use of the session, like any other request', async () => {
    const { tokens } = await newOwner(service);
    await prepare({ ...bearerOf(tokens), ...json });
    const id = await credentialIdOf(service, tokens.accessToken);
    await service.flush();
    expect(await service.sql('SELECT last_seen_ip AS ip FROM credentials WHERE id = $1', [id])).toEqual([
      { ip: '127.0.0.1' },
    ]);
  });

  it('without parameters sends a person to the sign-in page, not back here, and answers a program with an error', async () => {
    await expectDetour(html);
    await expectDetour(html, '/account?external=linked');
    for (const headers of [json, { accept: '*/*' }]) await expectRefused(401, 'UNAUTHENTICATED', headers);
  });

  it('drops a redirect that is not a path of the portal on the way to the sign-in', async () => {
    for (const hostile of ['//evil.example', '/%2F/evil.example', 'https://evil.example']) {
      const answer = await expectUnprepared(() => prepare(html, `?redirect=${encodeURIComponent(hostile)}`));
      expect(answer.location).toBe(`${service.portalUrl}/signin?redirect=%2F`);
    }
  });

  it('with an expired cookie has the portal renew it for a person, and answers ACCESS_EXPIRED to a program', async () => {
    const { tokens } = await newOwner(service);
    await expire(service, tokens.accessToken);
    await expectDetour({ ...html, ...cookieOf(tokens) });
    await expectRefused(401, 'ACCESS_EXPIRED', { ...json, ...cookieOf(tokens) });
    await expectRefused(401, 'ACCESS_EXPIRED', { ...html, ...bearerOf(tokens) });
  });

  it('with the cookie of a session that ended leads a person to the sign-in', async () => {
    const { tokens } = await newOwner(service);
    await post(service.url, operations.signOut, {}, bearerOf(tokens));
    await expectDetour({ ...html, ...cookieOf(tokens) });
    await expectRefused(401, 'UNAUTHENTICATED', { ...json, ...cookieOf(tokens) });
  });

  // Contract: accounts#prepared-link — prepare-link: as in GraphQL, an invalid Bearer never falls back
  it('by an invalid Bearer never falls back to the cookie', async () => {
    const { tokens } = await newOwner(service);
    for (const authorization of ['Bearer', 'Bearer nothing', 'Basic dTpw', `Token ${tokens.accessToken}`]) {
      await expectRefused(401, 'UNAUTHENTICATED', { ...html, ...cookieOf(tokens), authorization });
    }
  });

  it('by a refresh token, or by a token for Platform MCP, is refused like without one', async () => {
    const { tokens } = await newOwner(service);
    const mcp = await newMcpClient(service);
    for (const accessToken of [tokens.refreshToken, mcp.tokens.accessToken]) {
      await expectRefused(401, 'UNAUTHENTICATED', { ...html, ...bearerOf({ accessToken }) });
      await expectRefused(401, 'UNAUTHENTICATED', { ...json, ...cookieOf({ accessToken }) });
      await expectDetour({ ...html, ...cookieOf({ accessToken }) });
    }
  });
});

describe('A page of another site', () => {
  it.each(['cross-site', 'same-site', 'something-new'])(
    'causes no link from %s, whatever credentials it presents',
    async (site) => {
      const { tokens } = await newOwner(service);
      for (const present of [cookieOf(tokens), bearerOf(tokens), {}]) {
        for (const form of [html, json]) {
          await expectRefused(403, 'ORIGIN_REFUSED', { ...present, ...form, 'sec-fetch-site': site });
        }
      }
      for (const origin of ['https://evil.example', originOfApplication]) {
        const foreign = { ...cookieOf(tokens), ...json, 'sec-fetch-site': site, origin };
        await expectRefused(403, 'ORIGIN_REFUSED', foreign);
      }
    },
  );

  // Contract: accounts#prepared-link — prepare-link: a foreign Origin or Referer counts wherever a browser sends one
  it.each([
    ['a foreign Origin', { origin: 'https://evil.example' }],
    ['an Origin of the application', { origin: originOfApplication }],
    ['an opaque Origin', { origin: 'null' }],
    ['a foreign Referer', { referer: 'https://evil.example/page' }],
    ['a foreign Origin that outweighs the Referer', () => ({ origin: 'https://evil.example', referer: service.url })],
  ])('is known without Fetch Metadata, and beside any, by %s', async (_title, page) => {
    const { tokens } = await newOwner(service);
    const named = typeof page === 'function' ? page() : page;
    for (const present of [cookieOf(tokens), bearerOf(tokens)]) {
      for (const site of [{}, { 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }]) {
        await expectRefused(403, 'ORIGIN_REFUSED', { ...present, ...json, ...site, ...named });
      }
    }
  });

  it('is not assumed for a page of the portal without Fetch Metadata', async () => {
    const { tokens } = await newOwner(service);
    for (const page of [{ origin: service.portalUrl }, { referer: `${service.portalUrl}/account` }]) {
      expect((await prepare({ ...cookieOf(tokens), ...html, ...page })).location).toBe('/auth/google');
    }
  });

  it.each(['same-origin', 'none'])('is not assumed for %s', async (site) => {
    const { tokens } = await newOwner(service);
    const answer = await prepare({ ...cookieOf(tokens), ...html, 'sec-fetch-site': site });
    expect(answer.location).toBe('/auth/google');
  });

  // Contract: accounts#prepared-link — prepare-link: no answer for a page of another origin
  it('reads no answer: only the two origins of the portal may, with credentials', async () => {
    const environment = { ...provider.environment(), FRONTEND_URL: 'http://127.0.0.1:4799' };
    const two = await testFixture(startService(environment, 'none', withOrigin));
    const { tokens } = await newOwner(two);
    const ask = (origin: string, headers: Headers_ = {}) =>
      prepare({ ...bearerOf(tokens), ...json, origin, ...headers }, '', two.url);
    for (const origin of [two.url, 'http://127.0.0.1:4799']) {
      const { headers, status } = await ask(origin, { 'sec-fetch-site': 'cross-site' });
      expect(status).toBe(200);
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      expect(headers.get('access-control-allow-credentials')).toBe('true');
      expect(headers.get('vary')).toContain('Origin');
      const preflight = await fetch(`${two.url}${path}`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'authorization',
        },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
      expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization');
      expect(preflight.headers.get('access-control-allow-methods')).toBe('GET');
    }
    for (const origin of [
      'https://evil.example',
      originOfApplication,
      'null',
      'http://127.0.0.1:47999',
      `${two.url}.evil.example`,
    ]) {
      const { headers } = await ask(origin);
      const preflight = await fetch(`${two.url}${path}`, { method: 'OPTIONS', headers: { origin } });
      for (const each of [headers, preflight.headers]) {
        expect([...each.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
      }
    }
    // The portal redirects here from its own origin, and its requests come from a sibling host.
    const led = await prepare({ ...cookieOf(tokens), ...html, 'sec-fetch-site': 'same-site' }, '', two.url);
    expect({ status: led.status, setCookies: led.setCookies }).toEqual({ status: 403, setCookies: [] });
  });
});

describe('A prepared link', () => {
  const person = async (): Promise<{ readonly owner: Tenant; readonly browser: ProviderBrowser }> => {
    const owner = await newOwner(service);
    const browser = new ProviderBrowser();
    browser.keep(service.url, 'auth_access', owner.tokens.accessToken);
    browser.keep(service.url, 'auth_refresh', owner.tokens.refreshToken);
    return { owner, browser };
  };

  const start = (query = ''): string => `${service.portalUrl}${path}${query}`;
  const secrets = () => [provider.clientSecret];

  /** The next attempt of a browser signs in, and links no account. */
  const expectSignIn = async (browser: ProviderBrowser): Promise<void> => {
    const callback = await provider.signIn(browser, `${service.portalUrl}/auth/google`, provider.newPerson());
    const identities = await service.sql('SELECT subject FROM external_identities');
    expect((await browser.get(callback)).location).toBe(`${service.portalUrl}/signin?oauth_exchange=1`);
    expect(await service.sql('SELECT subject FROM external_identities')).toEqual(identities);
  };

  // Contract: accounts#link-at-the-callback — Link mode: attaches the provider identity to the signed-in user
  it.each([
    ['', '/'],
    [`?redirect=${encodeURIComponent('/account?external=linked')}`, '/account?external=linked'],
    [`?redirect=${encodeURIComponent('//evil.example')}`, '/'],
    [`?redirect=${encodeURIComponent('/é')}`, '/%C3%A9'],
  ])('links the identity to its user, and redirects after %j', async (query, target) => {
    const { owner, browser } = await person();
    const subject = provider.newPerson({ email: 'work@elsewhere.example' });
    const callback = await provider.signIn(browser, start(query), subject);
    const answer = await browser.get(callback);
    expect({ status: answer.status, location: answer.location }).toEqual({
      status: 302,
      location: `${service.portalUrl}${target}`,
    });
    expect(await identitiesOf(service, owner.email)).toEqual([`${provider.issuer} ${subject} work@elsewhere.example`]);
    expect(answer.setCookies.filter((line) => line.startsWith('auth_'))).toEqual([]);
    const again = await expectNothingStored(service, () => browser.get(callback));
    expect(again.location).toBe(answer.location);
  });

  // Contract: accounts#prepared-link — The link cookie counts once
  // Contract: accounts#prepared-link — The link cookie counts once, also from a kept copy
  it('counts once: the next attempt signs in, also with a kept copy of the cookie', async () => {
    const { owner, browser } = await person();
    await browser.get(start());
    const prepared = browser.valueOf('oauth_link') ?? '';
    const begun = await browser.get(`${service.portalUrl}/auth/google`);
    expect(cookieLine(begun, 'oauth_link')).toMatch(/^oauth_link=;.*Path=\/auth\/google/);
    expect(prepared).not.toBe('');
    expect(browser.valueOf('oauth_link')).toBeUndefined();
    await expectSignIn(browser);
    browser.keep(service.url, 'oauth_link', prepared);
    await expectSignIn(browser);
    expect(await identitiesOf(service, owner.email)).toEqual([]);
  });

  // Contract: accounts#prepared-link — A link cookie counts once for concurrent attempts
  it('counts for one of two concurrent attempts: the other one signs in', async () => {
    const { owner, browser } = await person();
    await browser.get(start());
    const names = ['helper_session', 'oauth_link', 'auth_access', 'auth_refresh'];
    const ends = await Promise.all(
      [provider.newPerson(), provider.newPerson()].map(async (subject) => {
        const tab = new ProviderBrowser();
        for (const name of names) tab.keep(service.url, name, browser.valueOf(name) ?? '');
        return (await tab.get(await provider.signIn(tab, `${service.portalUrl}/auth/google`, subject))).location;
      }),
    );
    expect(new Set(ends)).toEqual(new Set([`${service.portalUrl}/`, `${service.portalUrl}/signin?oauth_exchange=1`]));
    expect(await identitiesOf(service, owner.email)).toHaveLength(1);
  });

  it('is ignored when two cookies have its name: the attempt signs in', async () => {
    const { owner, browser } = await person();
    await browser.get(start());
    const prepared = browser.valueOf('oauth_link') ?? '';
    const cookie = `helper_session=${browser.valueOf('helper_session')}; oauth_link=${prepared}; oauth_link=planted`;
    const begun = await browser.get(`${service.portalUrl}/auth/google`, { cookie });
    const callback = await provider.signIn(browser, begun.location ?? '', provider.newPerson());
    expect((await browser.get(callback)).location).toBe(`${service.portalUrl}/signin?oauth_exchange=1`);
    expect(await identitiesOf(service, owner.email)).toEqual([]);
  });

  const linkCookie = async (
    browser: ProviderBrowser,
    { owner, secret = service.config.secrets[0] ?? '', life = 60_000 }: ForgedLink,
  ): Promise<string> => {
    const [sessionId = ''] = (browser.valueOf('helper_session') ?? '').split('.');
    const signing = { keyring: new Keyring([secret]), purpose: 'external link', context: sessionId };
    const sessionFamilyId = await familyOf(service, owner.tokens.accessToken);
    const nonce = nonceIn(browser.valueOf('oauth_link') ?? '');
    const expiresAt = Date.now() + life;
    const target = { userId: owner.userId, sessionFamilyId };
    return signValue(signing, { target, nonce, redirect: null, expiresAt });
  };
  /** The content of a genuine, unused link cookie. */
  const nonceIn = (cookie: string): unknown => {
    const [body = ''] = cookie.split('.');
    return body === '' ? 'none' : (JSON.parse(Buffer.from(body, 'base64url').toString()) as { nonce: unknown }).nonce;
  };
  interface ForgedLink {
    readonly owner: Tenant;
    readonly secret?: string;
    readonly life?: number;
  }

  const forgeries: readonly (readonly [
    string,
    (browser: ProviderBrowser, owner: Tenant) => Promise<string> | string,
  ])[] = [
    ['that expired', (browser, owner) => linkCookie(browser, { owner, life: -1 })],
    ['signed with another secret', (browser, owner) => linkCookie(browser, { owner, secret: 'x'.repeat(40) })],
    ['of another browser', (_browser, owner) => linkCookie(new ProviderBrowser(), { owner })],
    ['without a signature', async (browser, owner) => (await linkCookie(browser, { owner })).split('.')[0] ?? ''],
    [
      'for another subject under the same signature',
      async (browser, owner) => {
        const [body = '', signature = ''] = (await linkCookie(browser, { owner })).split('.');
        const { userId } = await newOwner(service);
        const value = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
        return `${Buffer.from(JSON.stringify({ ...value, userId })).toString('base64url')}.${signature}`;
      },
    ],
    ['with empty content', () => ''],
    ['of four kilobytes', () => 'x'.repeat(4000)],
  ];

  // Contract: accounts#prepared-link — The link cookie: signed, bound to the user and the session family
  it.each(forgeries)('with a cookie %s is ignored: the attempt signs in', async (_title, forge) => {
    const { owner, browser } = await person();
    await browser.get(start());
    const forged = await forge(browser, owner);
    browser.replace('oauth_link', forged);
    await expectSignIn(browser);
    expect(await identitiesOf(service, owner.email)).toEqual([]);
  });

  it('with a genuine cookie made by the same helper links', async () => {
    const { owner, browser } = await person();
    await browser.get(start());
    browser.replace('oauth_link', await linkCookie(browser, { owner }));
    const callback = await provider.signIn(browser, `${service.portalUrl}/auth/google`, provider.newPerson());
    expect((await browser.get(callback)).location).toBe(`${service.portalUrl}/`);
    expect(await identitiesOf(service, owner.email)).toHaveLength(1);
  });

  // Contract: accounts#link-at-the-callback — Link mode: the session has ended
  it('is refused when its session has ended', async () => {
    const { owner, browser } = await person();
    const callback = await provider.signIn(browser, start('?redirect=/members'), provider.newPerson());
    await post(service.url, operations.signOut, {}, bearerOf(owner.tokens));
    const expected = { codes: ['LINK_SESSION_OVER'], secrets } as const;
    const query = await expectExternalRefusal(service, expected, () => browser.get(callback));
    expect(query.get('redirect')).toBe('/members');
    expect(await identitiesOf(service, owner.email)).toEqual([]);
  });

  it('is refused when another user has signed in, even with an expired token', async () => {
    for (const isExpired of [false, true]) {
      const { owner, browser } = await person();
      const callback = await provider.signIn(browser, start(), provider.newPerson());
      const other = await newOwner(service);
      browser.replace('auth_access', other.tokens.accessToken);
      browser.replace('auth_refresh', other.tokens.refreshToken);
      if (isExpired) await expire(service, other.tokens.accessToken);
      const expected = { codes: ['LINK_SESSION_OVER'], secrets } as const;
      await expectExternalRefusal(service, expected, () => browser.get(callback));
      for (const { email } of [owner, other]) expect(await identitiesOf(service, email)).toEqual([]);
    }
  });

  // Contract: accounts#link-at-the-callback — Link mode: an identity of another account
  it('does not take an identity from another account', async () => {
    const subject = provider.newPerson();
    const first = await person();
    await first.browser.get(await provider.signIn(first.browser, start(), subject));
    const second = await person();
    const callback = await provider.signIn(second.browser, start(), subject);
    const expected = { codes: ['IDENTITY_TAKEN'], secrets } as const;
    await expectExternalRefusal(service, expected, () => second.browser.get(callback));
    expect(await identitiesOf(service, first.owner.email)).toHaveLength(1);
    expect(await identitiesOf(service, second.owner.email)).toEqual([]);
  });
});
