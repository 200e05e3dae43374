/** `GET /auth/mcp/authorize`: error pages, errors sent to the client, and the redirect to the consent page. */
import { beforeAll, describe, expect, it } from 'vitest';
import { ProtectedResources } from '../../src/domain/oauth/resources.ts';
import { defaultApplication } from '../../src/domain/scopes/application-definition.ts';
import { Refusal } from '../../src/kernel/errors.ts';
import { newId } from '../../src/kernel/ids.ts';
import { sha256 } from '../../src/kernel/secrets.ts';
import { type RateLimit, rateLimits } from '../../src/platform/rate-limit/rate-limit-table.ts';
import { expire } from '../support/actors/credentials.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import {
  answerIn,
  authorizationQuery,
  beginAuthorization,
  PageBrowser,
  type Query,
  redirectUri,
  registerClient,
} from '../support/clients/authorization.ts';
import { newAddress, register } from '../support/clients/clients.ts';
import type { PageAnswer } from '../support/clients/cookie-jar.ts';
import { testFixture } from '../support/fixture.ts';
import { serviceFixture, startService } from '../support/gatehouse/gatehouse.ts';
import { takePermits } from '../support/gatehouse/rate-limits.ts';

const privateUri = 'cursor://anysphere.cursor-mcp/oauth/callback';
const withQuery = 'http://127.0.0.1/callback?tenant=7';

describe('Authorization request', () => {
  let clientId: string;
  const service = serviceFixture();
  beforeAll(async () => {
    clientId = await registerClient(service, 'Test Client', [
      redirectUri,
      privateUri,
      withQuery,
      'http://localhost/cb',
    ]);
  });

  const ask = (changes: Query = {}, browser = new PageBrowser(service)): Promise<PageAnswer> =>
    browser.get(`/auth/mcp/authorize?${authorizationQuery(clientId, changes)}`);

  const askRaw = (query: string): Promise<PageAnswer> => new PageBrowser(service).get(`/auth/mcp/authorize?${query}`);

  const expectPage = async (act: () => Promise<PageAnswer>, title: string): Promise<PageAnswer> => {
    const answer = await expectNothingStored(service, act);
    expect({ status: answer.status, location: answer.location, cookies: answer.setCookies }).toEqual({
      status: 400,
      location: null,
      cookies: [],
    });
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.text).toContain(`<h1>${title}</h1>`);
    return answer;
  };

  const expectReturned = async (error: string, changes: Query, act = () => ask(changes)): Promise<PageAnswer> => {
    const answer = await expectNothingStored(service, act);
    expect({ status: answer.status, cookies: answer.setCookies }).toEqual({ status: 302, cookies: [] });
    const { error: reported, error_description: description, iss } = answerIn(answer.location);
    expect({ reported, iss }).toEqual({ reported: error, iss: service.config.baseUrl });
    // RFC 6749, section 4.1.2.1.
    expect(description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
    return answer;
  };

  describe('Answered with a page, never with a redirect', () => {
    // Contract: platform-mcp#errors-of-an-authorization-request — Unknown client or redirect URI: an error page, never
    //   a redirect
    it.each([
      ['is missing', null, 'This request cannot be understood'],
      ['is empty', '', 'This request cannot be understood'],
      ['is unknown', newId(), 'This client is not registered here'],
      ['is not an id', "'; DROP TABLE users; --", 'This client is not registered here'],
      ['holds NUL', '\u0000', 'This client is not registered here'],
    ])('when client_id %s', async (_, client_id, title) => {
      const { text } = await expectPage(() => ask({ client_id }), title);
      expect(text).not.toContain('DROP TABLE');
    });

    it('when client_id is repeated, even with the same value', async () => {
      await expectPage(() => ask({ client_id: [clientId, clientId] }), 'This request cannot be understood');
    });

    // Contract: platform-mcp#errors-of-an-authorization-request — A revoked client: an error page, never a redirect
    it('when the client was revoked', async () => {
      const revoked = await registerClient(service);
      await service.sql('UPDATE oauth_clients SET revoked_at = now() WHERE id = $1', [revoked]);
      await expectPage(() => ask({ client_id: revoked }), 'This client may not connect any more');
    });

    it.each([
      ['is missing', null],
      ['is empty', ''],
      ['is repeated', [redirectUri, redirectUri]],
    ])('when redirect_uri %s', async (_, redirect_uri) => {
      await expectPage(() => ask({ redirect_uri }), 'This request cannot be understood');
    });

    // Contract: platform-mcp#errors-of-an-authorization-request — A redirect URI that is not registered: an error page,
    //   never a redirect
    it.each([
      'https://evil.example/callback',
      'http://127.0.0.1:8976/other',
      'http://127.0.0.1:8976/callback/',
      'http://127.0.0.1:8976/callback?more=1',
      'http://127.0.0.1:8976/callback#fragment',
      'http://[::1]:8976/callback',
      'https://127.0.0.1:8976/callback',
      'http://127.0.0.1:8976@evil.example/callback',
      'http://person@127.0.0.1:8976/callback',
      'http://127.0.0.1:8976\\@evil.example/callback',
      'http://127.0.0.1.evil.example/callback',
      'http://127.0.0.1:8976/callback\r\nset-cookie: a=b',
      'http://127.0.0.1:8976/x/../callback',
      'http://127.1:8976/callback',
      'http://127.0.0.1:99999/callback',
      'cursor://anysphere.cursor-mcp/oauth/callback/',
      'CURSOR://anysphere.cursor-mcp/oauth/callback',
      'javascript:alert(1)',
      'http://localhost:1/callback',
    ])('when redirect_uri is not registered: %j', async (redirect_uri) => {
      const { text } = await expectPage(() => ask({ redirect_uri }), 'This client cannot be answered');
      expect(text).toContain('For its developer: register exactly this redirect URI.');
      expect(text).not.toContain('evil');
    });

    it('when redirect_uri is not text', async () => {
      const query = `${authorizationQuery(clientId, { redirect_uri: null })}&redirect_uri=http://127.0.0.1/%FF`;
      await expectPage(() => askRaw(query), 'This request cannot be understood');
    });

    it('when client or redirect URI and other parameters are wrong', async () => {
      await expectPage(() => ask({ client_id: newId(), response_type: 'token' }), 'This client is not registered here');
      await expectPage(
        () => ask({ redirect_uri: 'https://evil.example/', response_type: null, scope: 'nothing' }),
        'This client cannot be answered',
      );
    });

    it('with headers that prevent framing, caching and scripts', async () => {
      const { headers } = await ask({ client_id: null });
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
      );
    });
  });

  describe('Sent back to the client at once, with state and iss', () => {
    // Contract: platform-mcp#errors-of-an-authorization-request — Known client and registered redirect URI: authorize
    //   errors go back at once, before sign-in, with state and iss (RFC 9207)
    it.each([
      ['response_type is missing', 'invalid_request', { response_type: null }],
      ['response_type is empty', 'invalid_request', { response_type: '' }],
      ['response_type is token', 'unsupported_response_type', { response_type: 'token' }],
      ['response_type is code and token', 'unsupported_response_type', { response_type: 'code token' }],
      ['response_type is repeated', 'invalid_request', { response_type: ['code', 'code'] }],
      ['code_challenge is missing', 'invalid_request', { code_challenge: null }],
      ['code_challenge is too short', 'invalid_request', { code_challenge: 'a'.repeat(42) }],
      ['code_challenge is too long', 'invalid_request', { code_challenge: 'a'.repeat(44) }],
      ['code_challenge is padded', 'invalid_request', { code_challenge: `${'a'.repeat(42)}=` }],
      ['code_challenge is not base64url', 'invalid_request', { code_challenge: `${'a'.repeat(42)}+` }],
      ['code_challenge is repeated', 'invalid_request', { code_challenge: ['a'.repeat(43), 'a'.repeat(43)] }],
      ['code_challenge_method is missing', 'invalid_request', { code_challenge_method: null }],
      ['code_challenge_method is plain', 'invalid_request', { code_challenge_method: 'plain' }],
      ['code_challenge_method is s256', 'invalid_request', { code_challenge_method: 's256' }],
      ['code_challenge_method is repeated', 'invalid_request', { code_challenge_method: ['S256', 'S256'] }],
      ['resource is another server', 'invalid_target', { resource: 'https://other.example/mcp' }],
      ['one resource of two is another server', 'invalid_target', { resource: ['', 'https://other.example'] }],
      ['resource is another path', 'invalid_target', { resource: '/mcp' }],
      ['scope has only scopes of organizations', 'invalid_scope', { scope: 'MEMBERS_INVITE' }],
      ['scope is repeated', 'invalid_request', { scope: ['mcp:whoami', 'mcp:whoami'] }],
    ])('when %s: %s', async (_, error, changes) => {
      const { location } = await expectReturned(error, changes);
      expect(location?.startsWith(`${redirectUri}?error=`)).toBe(true);
      expect(answerIn(location)['state']).toBe('the state of the client');
    });

    it('when state is too long to be returned: invalid_request, without the state', async () => {
      for (const state of ['é'.repeat(400), '~'.repeat(2000), "!'()".repeat(250), 's'.repeat(8000)]) {
        const { location } = await expectReturned('invalid_request', { state });
        expect(answerIn(location)).not.toHaveProperty('state');
      }
    });

    it('when state is too long, or contains NUL: invalid_request, with the state', async () => {
      for (const state of ['s'.repeat(2001), 'a\u0000b']) {
        const { location } = await expectReturned('invalid_request', { state });
        expect(answerIn(location)['state']).toBe(state);
      }
    });

    it('without a state when none was sent, or when it is ambiguous', async () => {
      for (const state of [null, '', ['a', 'b']]) {
        const { location } = await expectReturned('invalid_request', { state, code_challenge: null });
        expect(answerIn(location)).not.toHaveProperty('state');
      }
      const query = `${authorizationQuery(clientId, { state: null })}&state=%FF`;
      const { location } = await expectReturned('invalid_request', {}, () => askRaw(query));
      expect(answerIn(location)).not.toHaveProperty('state');
    });

    it('to a private scheme, and after the registered query', async () => {
      const broken = { response_type: 'token' };
      const app = await expectReturned('unsupported_response_type', {}, () =>
        ask({ ...broken, redirect_uri: privateUri }),
      );
      expect(app.location?.startsWith(`${privateUri}?error=unsupported_response_type&`)).toBe(true);
      const own = await expectReturned('unsupported_response_type', {}, () =>
        ask({ ...broken, redirect_uri: withQuery }),
      );
      expect(own.location?.startsWith(`${withQuery}&error=unsupported_response_type&`)).toBe(true);
    });

    it('to another port of a loopback address', async () => {
      const other = 'http://localhost:51234/cb';
      const { location } = await expectReturned('invalid_request', {}, () =>
        ask({ redirect_uri: other, code_challenge: '' }),
      );
      expect(location?.startsWith(`${other}?error=invalid_request&`)).toBe(true);
    });
  });

  describe('A pending request', () => {
    interface Stored {
      readonly redirect: string;
      readonly state: string | null;
      readonly scopes: readonly string[] | null;
      readonly life: number;
      readonly hash: Buffer;
    }

    const storedOf = async (path: string): Promise<Stored | undefined> => {
      const [row] = await service.sql<Stored>(
        `SELECT redirect_uri AS redirect, state, scopes, browser_hash AS hash,
           extract(epoch FROM expires_at - created_at)::integer AS life
         FROM oauth_requests WHERE id = $1`,
        [path.split('/').at(-1) ?? ''],
      );
      return row;
    };

    const begin = async (changes: Query = {}): Promise<Stored | undefined> =>
      storedOf(await beginAuthorization(new PageBrowser(service), clientId, changes));

    // Contract: platform-mcp#resource-parameter — resource absent, BASE_URL, BASE_URL/, BASE_URL/mcp, BASE_URL/mcp/
    //   mean this server
    it.each([
      ['absent', null],
      ['the issuer', ''],
      ['the issuer with a slash', '/'],
      ['the endpoint', '/mcp'],
      ['the endpoint with a slash', '/mcp/'],
    ])('accepts a resource that is this server: %s', async (_, path) => {
      expect(await begin({ resource: path === null ? null : `${service.config.baseUrl}${path}` })).toBeDefined();
    });

    // Contract: platform-mcp#resource-parameter — resource: scheme and host in any case
    it('accepts a resource whose scheme and host are in any case, with an exact path', async () => {
      expect(await begin({ resource: `${service.config.baseUrl.replace('http', 'HTTP')}/mcp/` })).toBeDefined();
      const baseUrl = 'https://id.example.com';
      const own = ['HTTPS://ID.Example.com', 'https://ID.EXAMPLE.COM/', 'HttpS://id.example.com/mcp'];
      const resources = new ProtectedResources({ baseUrl, application: defaultApplication, forOrganizations: true });
      expect(resources.named(own)).toBe(resources.platform);
      for (const foreign of [
        'https://id.example.com/MCP',
        'HTTPS://ID.example.com.evil',
        'https://ID.example.com/Mcp/',
      ])
        expect(() => resources.named([foreign])).toThrow(Refusal);
    });

    it('accepts several resources that are this server', async () => {
      const { baseUrl } = service.config;
      expect(await begin({ resource: [baseUrl, `${baseUrl}/mcp`] })).toBeDefined();
    });

    // Contract: platform-mcp#requested-and-granted-scopes — No scope requests all; unknown ones are dropped
    it.each([
      ['absent', null, null],
      ['empty', '', null],
      ['blank', '  ', null],
      ['known', 'mcp:whoami users:view', ['mcp:whoami', 'users:view']],
      ['only unknown', 'openid offline_access', null],
      ['partly unknown and repeated', 'openid mcp:whoami mcp:whoami', ['mcp:whoami']],
    ])('accepts a scope that is %s', async (_, scope, scopes) => {
      expect((await begin({ scope }))?.scopes ?? null).toEqual(scopes);
    });

    it('keeps the state exactly, up to 2,000 characters', async () => {
      for (const state of ['s'.repeat(2000), '{"a":"b&c=d"} +%2B é 🙂', null]) {
        expect((await begin({ state }))?.state ?? null).toBe(state);
      }
    });

    // Contract: platform-mcp#request-of-one-browser — The request id is bound to the browser, lives 10 minutes
    it('expires after ten minutes, bound to this browser by its own cookie', async () => {
      const browser = new PageBrowser(service);
      const answer = await ask({}, browser);
      const path = new URL(answer.location ?? '').searchParams.get('redirect') ?? '';
      const [cookie, ...others] = answer.setCookies;
      expect(others).toEqual([]);
      expect(cookie).toMatch(/^mcp_request=[A-Za-z0-9_-]{43}; /);
      expect(cookie?.split('; ').slice(1).sort()).toEqual(['HttpOnly', 'Max-Age=600', `Path=${path}`, 'SameSite=Lax']);
      const stored = await storedOf(path);
      expect(stored?.life).toBe(600);
      expect(stored?.hash.equals(sha256(browser.valueOf('mcp_request') ?? ''))).toBe(true);
    });

    // Contract: platform-mcp#signed-out-browser — Authorize while signed out: 302 to
    //   /signin?redirect=/auth/mcp/continue/:requestId
    it('sends a signed-out person to sign in first, and back by a full page load', async () => {
      const { status, location } = await ask();
      expect(status).toBe(302);
      const expected = `${service.config.frontendUrl}/signin?redirect=/auth/mcp/continue/`;
      expect(location?.slice(0, expected.length)).toBe(expected);
    });

    it('sends a signed-in person straight to the consent page', async () => {
      const browser = new PageBrowser(service);
      await browser.signIn(service, await register(service));
      const { status, location } = await ask({}, browser);
      expect(status).toBe(302);
      expect(location).toMatch(new RegExp(`^${service.config.baseUrl}/auth/mcp/continue/[0-9a-f-]{36}$`));
    });

    // Contract: platform-mcp#signed-out-browser — Authorize uses the portal cookies; a Bearer does not count
    it('treats an expired access token, a token in a header, and no token as signed out', async () => {
      const email = await register(service);
      const browser = new PageBrowser(service);
      await browser.signIn(service, email);
      const token = browser.valueOf('auth_access') ?? '';
      const isDetour = ({ location }: PageAnswer): boolean => location?.includes('/signin?redirect=') ?? false;
      const url = `/auth/mcp/authorize?${authorizationQuery(clientId)}`;
      expect(isDetour(await browser.get(url))).toBe(false);
      expect(isDetour(await new PageBrowser(service).get(url, { authorization: `Bearer ${token}` }))).toBe(true);
      expect(isDetour(await new PageBrowser(service).get(url, { cookie: 'auth_access=gate_a_nonsense' }))).toBe(true);
      await expire(service, token);
      expect(isDetour(await browser.get(url))).toBe(true);
    });

    it('is created only by GET', async () => {
      const url = `${service.url}/auth/mcp/authorize?${authorizationQuery(clientId)}`;
      const statuses = await expectNothingStored(service, () =>
        Promise.all(['HEAD', 'POST', 'OPTIONS'].map(async (method) => (await fetch(url, { method })).status)),
      );
      expect(statuses).toEqual([404, 404, 404]);
    });

    it('sends no CORS headers', async () => {
      const { headers } = await new PageBrowser(service).get(`/auth/mcp/authorize?${authorizationQuery(clientId)}`, {
        origin: 'https://evil.example',
      });
      expect(headers.get('access-control-allow-origin')).toBeNull();
    });
  });

  it('logs nothing of the query', async () => {
    const state = newAddress();
    await ask({ state });
    await ask({ state, response_type: null });
    await ask({ state, redirect_uri: `https://${state}/` });
    expect(service.logs.filter((line) => line.includes(state))).toEqual([]);
  });
});

describe('Authorization request, with other settings', () => {
  describe('with limits', () => {
    let path: string;
    const service = serviceFixture({ RATE_LIMITS_ENABLED: 'true', TRUST_PROXY: '1' });
    beforeAll(async () => {
      path = `/auth/mcp/authorize?${authorizationQuery(await registerClient(service))}`;
    });

    const askFrom = (ip: string, browser = new PageBrowser(service)): Promise<PageAnswer> =>
      browser.get(path, { 'x-forwarded-for': ip });
    const useUp = (limit: RateLimit): Promise<unknown> => takePermits(service, limit, limit.burst);

    // Contract: platform-mcp#limits-for-strangers — 120 signed-out authorization requests an hour
    it('is refused with a page after 120 within an hour, and stores nothing then', async () => {
      const first = await askFrom('192.0.2.1');
      expect(first.headers.get('ratelimit-policy')).toBe('"oauth_authorization";q=120;w=3600');
      expect(first.headers.get('ratelimit')).toMatch(/^"oauth_authorization";r=119;t=\d+$/);
      await takePermits(service, rateLimits.oauthAuthorization, 119);
      expect((await askFrom('192.0.2.1')).status).toBe(302);
      const answer = await expectNothingStored(service, () => askFrom('192.0.2.1'));
      expect({ status: answer.status, location: answer.location }).toEqual({ status: 429, location: null });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(answer.text).toContain('<h1>Too many requests</h1>');
      expect(answer.text).toMatch(/Wait \d+ minutes?, then go back to your client/);
    });

    // Contract: platform-mcp#limits-for-strangers — Signed-out authorization requests are counted for a /64 and a /48
    it('is counted by network, 64 bits of IPv6 as one, and by site', async () => {
      expect((await askFrom('2001:db8:1:2::1')).status).toBe(302);
      await useUp(rateLimits.oauthAuthorization);
      expect((await askFrom('2001:db8:1:2:ffff::9')).status).toBe(429);
      expect((await askFrom('2001:db8:1:3::1')).status).toBe(302);
      await useUp(rateLimits.oauthAuthorizationOfSite);
      const refused = await expectNothingStored(service, () => askFrom('2001:db8:1:4::1'));
      expect(refused.status).toBe(429);
      expect((await askFrom('2001:db8:2:4::1')).status).toBe(302);
    });

    // Contract: platform-mcp#limits-for-strangers — Signed-out clients do not affect signed-in users
    it('is counted separately for a signed-in user, not with other clients of the network', async () => {
      expect((await askFrom('198.51.100.1')).status).toBe(302);
      await useUp(rateLimits.oauthAuthorization);
      expect((await askFrom('198.51.100.1')).status).toBe(429);
      const browser = new PageBrowser(service);
      await browser.signIn(service, await register(service));
      const answer = await askFrom('198.51.100.1', browser);
      expect(answer.status).toBe(302);
      expect(answer.headers.get('ratelimit')).toMatch(/^"oauth_authorization_user";r=119;/);
      await service.sql(
        `UPDATE rate_limits SET due_at = now() + interval '2 hours' WHERE key LIKE 'oauth_authorization_user:%'`,
      );
      expect((await expectNothingStored(service, () => askFrom('198.51.100.2', browser))).status).toBe(429);
    });
  });

  it('marks the cookie Secure on https, and refuses a redirect URI that is no longer listed', async () => {
    const service = await testFixture(
      startService({
        BASE_URL: 'https://gate.example.com',
        FRONTEND_URL: 'https://gate.example.com',
      }),
    );
    const local = { url: `http://127.0.0.1:${service.config.port}` };
    const clientId = await registerClient(local, 'Test Client', [redirectUri]);
    const browser = new PageBrowser(local);
    const answer = await browser.get(`/auth/mcp/authorize?${authorizationQuery(clientId)}`);
    expect(answer.setCookies.join()).toContain('; Secure');
    const other = 'https://once-allowed.example/callback';
    await service.sql('UPDATE oauth_clients SET redirect_uris = redirect_uris || $2::text WHERE id = $1', [
      clientId,
      other,
    ]);
    const refused = await browser.get(`/auth/mcp/authorize?${authorizationQuery(clientId, { redirect_uri: other })}`);
    expect({ status: refused.status, location: refused.location }).toEqual({ status: 400, location: null });
  });

  it('does not exist while MCP is switched off', async () => {
    const service = await testFixture(startService({ MCP_ENABLED: 'false' }));
    const paths = ['authorize', `continue/${newId()}`, 'pages.css'].map((path) => `/auth/mcp/${path}`);
    const answers = await Promise.all(paths.map((path) => new PageBrowser(service).get(path)));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(answers.map(({ headers }) => headers.get('content-type'))).toEqual(
      Array(3).fill('application/json; charset=utf-8'),
    );
  });
});
