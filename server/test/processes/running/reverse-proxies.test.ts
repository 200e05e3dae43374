/** The configurations in examples/nginx and examples/caddy, run by the real proxies, with what clients may forge. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import { newOwner, setActive, type Tenant } from '../../support/actors/tenants.ts';
import { goodPassword, newAddress, operations, post } from '../../support/clients/clients.ts';
import { type HeaderLines, type Reply, sendLines } from '../../support/clients/entry-points.ts';
import { fixture, testFixture } from '../../support/fixture.ts';
import { startService } from '../../support/gatehouse/gatehouse.ts';
import { freePort, listen } from '../../support/servers/listen.ts';
import { nginxWithDefaults, reverseProxies, startReverseProxy } from '../../support/servers/reverse-proxies.ts';

const portalOrigin = 'https://id.acme.example';

describe.each(reverseProxies)('$name', (proxy) => {
  describe.skipIf(proxy.path === null)('with the example’s configuration', () => {
    const places = fixture(async () => ({ port: await freePort() }));
    const origin = (): string => `http://127.0.0.1:${places.port}`;
    const service = fixture(() =>
      startService({ FRONTEND_URL: portalOrigin, TRUST_PROXY: '1' }, 'none', {
        application: { origins: [origin()] },
      }),
    );
    const received: { method: string | undefined; url: string | undefined; headers: IncomingHttpHeaders }[] = [];
    const application = fixture(() =>
      listen(
        createServer(({ method, url, headers }, response) => {
          received.push({ method, url, headers });
          response.end('the application');
        }),
      ),
    );
    const hostOf = ({ url }: { readonly url: string }): string => new URL(url).host;
    fixture(() =>
      startReverseProxy(proxy, { ...places, gatehouse: hostOf(service), application: hostOf(application) }),
    );
    const owner = fixture(() => newOwner(service));

    const ask = async (method: string, lines: HeaderLines, path = '/notes?a=1&b=2'): Promise<Reply> => {
      received.length = 0;
      return sendLines(`${origin()}${path}`, method, lines);
    };
    const bearerOf = ({ tokens }: Tenant): HeaderLines[number] => ['authorization', `Bearer ${tokens.accessToken}`];
    const cookieOf = ({ tokens }: Tenant): HeaderLines[number] => ['cookie', `auth_access=${tokens.accessToken}`];
    const forgedMethods: HeaderLines = [
      ['X-Forwarded-Method', 'GET'],
      ['X-Original-Method', 'GET'],
    ];
    const forgedIdentity: HeaderLines = [
      ['X-Auth-User-Id', 'forged'],
      ['X-Auth-Actor-Id', 'forged'],
      ['X-Auth-Actor-Kind', 'forged'],
      ['X-Auth-Organization-Id', 'forged'],
      ['x-auth-role', 'forged'],
      ['X-AUTH-SCOPES', 'forged'],
      ['X_Auth_User_Id', 'forged'],
      ['x_auth_role', 'forged'],
      ['X-Auth_Scopes', 'forged'],
    ];

    // Contract: application#proxies-in-front-of-a-back-end — nginx and Caddy hand the identity on, and nothing that a
    //   client forged
    it('hands the identity on, and nothing that the client sent in its place', async () => {
      expect((await ask('GET', [bearerOf(owner), ...forgedIdentity])).body).toBe('the application');
      const [{ method, url, headers } = { method: '', url: '', headers: {} }] = received;
      expect([method, url]).toEqual(['GET', '/notes?a=1&b=2']);
      expect(headers).toMatchObject({
        'x-auth-user-id': owner.userId,
        'x-auth-actor-kind': 'PERSON',
        'x-auth-actor-id': owner.userId,
        'x-auth-organization-id': owner.organizationId,
        'x-auth-role': 'OWNER',
        'x-auth-scopes':
          'MEMBERS_VIEW MEMBERS_INVITE MEMBERS_UPDATE MEMBERS_REMOVE ORGANIZATION_UPDATE BILLING_MANAGE TOKENS_MANAGE MCP_MANAGE AUDIT_VIEW',
      });
      expect(JSON.stringify(headers)).not.toContain('forged');
    });

    it('hands on no organization that the client sent, where there is none', async () => {
      const person = await newOwner(service);
      await setActive(service, person.userId, null);
      expect((await ask('GET', [bearerOf(person), ...forgedIdentity])).status).toBe(200);
      expect(received[0]?.headers['x-auth-user-id']).toBe(person.userId);
      expect(received[0]?.headers['x-auth-role'] ?? '').toBe('');
      expect(JSON.stringify(received)).not.toContain('forged');
    });

    it('refuses a request without a session with a 401 as JSON, and forwards nothing', async () => {
      const reply = await ask('GET', [...forgedIdentity, ['accept', 'application/json']]);
      expect([reply.status, reply.headers['www-authenticate']]).toEqual([401, 'Bearer']);
      expect(JSON.parse(reply.body)).toMatchObject({ error: { code: 'UNAUTHENTICATED' } });
      expect(received).toEqual([]);
    });

    it('sends a browser that navigates to the sign-in page, which leads back', async () => {
      const reply = await ask('GET', [['accept', 'text/html']]);
      const back = encodeURIComponent(`${origin()}/notes?a=1&b=2`);
      expect([reply.status, reply.headers.location]).toEqual([302, `${portalOrigin}/signin?redirect=${back}`]);
      const forged = await ask('GET', [
        ['accept', 'text/html'],
        ['X-Forwarded-Host', 'evil.example'],
        ['X-Forwarded-Uri', '/evil'],
      ]);
      expect([forged.status, forged.headers.location]).toEqual([302, reply.headers.location]);
      expect((await ask('POST', [['accept', 'text/html']])).status).toBe(401);
      expect(received).toEqual([]);
    });

    // Contract: application#method-of-the-original-request — A forged X-Forwarded-Method does not make a change a read
    it.each(['POST', 'DELETE', 'PROPFIND'])(
      'refuses a %s by cookie of no front end, whatever its client says of its method',
      async (method) => {
        for (const lines of [[], forgedMethods, [['origin', 'https://evil.example']]] as HeaderLines[]) {
          expect((await ask(method, [cookieOf(owner), ...lines])).status).toBe(403);
          expect(received).toEqual([]);
        }
        expect((await ask(method, [cookieOf(owner), ...forgedMethods, ['origin', portalOrigin]])).status).toBe(200);
        expect(received).toMatchObject([{ method, headers: { 'x-auth-user-id': owner.userId } }]);
        expect(received[0]?.headers).not.toHaveProperty('x-forwarded-method');
        expect(received[0]?.headers).not.toHaveProperty('x-original-method');
      },
    );

    it('forwards a reading request by cookie, and none that upgrades', async () => {
      expect((await ask('GET', [cookieOf(owner), ['X-Forwarded-Method', 'POST']])).status).toBe(200);
      expect((await ask('HEAD', [cookieOf(owner)])).status).toBe(200);
      const upgrade: HeaderLines = [
        ['connection', 'upgrade'],
        ['upgrade', 'websocket'],
      ];
      expect((await ask('GET', [cookieOf(owner), ...upgrade])).status).toBe(403);
      expect(received).toEqual([]);
    });

    // Contract: application#proxies-in-front-of-a-back-end — nginx and Caddy hand on no token of the portal, and every
    //   other cookie
    it.each([
      ['auth_access=$', ''],
      ['auth_access=$; theme=dark', 'theme=dark'],
      ['auth_exchange=secret; theme=dark; auth_access=$; size=2; auth_refresh=secret', 'theme=dark; size=2'],
      ['theme=dark; auth_access=$; auth_refresh=secret; size=2', 'theme=dark; size=2'],
      ['auth_refresh=secret; a=auth_access=1; auth_access=$;b=2', 'a=auth_access=1;b=2'],
      ['my_auth_access=1; auth_access=$; auth_accessory=2', 'my_auth_access=1; auth_accessory=2'],
    ])('hands %s on without the tokens, as "%s"', async (cookie, others) => {
      const sent = cookie.replace('$', owner.tokens.accessToken);
      expect((await ask('GET', [['cookie', sent]])).status).toBe(200);
      expect(received[0]?.headers).toMatchObject({ 'x-auth-user-id': owner.userId });
      expect(received[0]?.headers.cookie ?? '').toBe(others);
    });

    it('hands no copy of a token on, by whatever form of its name and however many', async () => {
      const forms = ['auth_access', '__Host-auth_access', '__Secure-auth_refresh', ' auth_refresh '];
      const copies = (times: number) => forms.flatMap((name) => Array<string>(times).fill(`${name}=secret; a=1`));
      for (const lines of [[copies(1).join('; ')], copies(1), [copies(9).join(';')]]) {
        const cookies = lines.map((line): HeaderLines[number] => ['cookie', line]);
        expect((await ask('GET', [bearerOf(owner), ...cookies])).status).toBe(200);
        expect(received).toHaveLength(1);
        expect(JSON.stringify(received[0]?.headers.cookie ?? '')).not.toMatch(/secret|auth_/);
      }
    });

    it('answers a 5xx where Gatehouse does not answer, and forwards nothing', async () => {
      const port = await freePort();
      await testFixture(
        startReverseProxy(proxy, {
          port,
          gatehouse: `127.0.0.1:${await freePort()}`,
          application: hostOf(application),
        }),
      );
      received.length = 0;
      const reply = await sendLines(`http://127.0.0.1:${port}/notes`, 'GET', [bearerOf(owner), ...forgedIdentity]);
      expect(reply.status).toBeGreaterThanOrEqual(502);
      expect(received).toEqual([]);
    });
  });
});

describe.skipIf(nginxWithDefaults.path === null)('nginx with its defaults', () => {
  const host = `${'some-department.'.repeat(8)}id.example.com`;
  const places = fixture(async () => ({ port: await freePort() }));
  const service = fixture(() =>
    startService(
      { BASE_URL: `https://${host}`, FRONTEND_URL: `https://${host}`, EMAIL_VERIFICATION_ENABLED: 'false' },
      'none',
    ),
  );
  fixture(() => {
    const gatehouse = `127.0.0.1:${service.config.port}`;
    return startReverseProxy(nginxWithDefaults, { ...places, gatehouse, application: gatehouse });
  });

  it('passes the answer to a sign-in on, whatever cookies the browser kept', async () => {
    const url = `http://127.0.0.1:${places.port}`;
    const input = { email: newAddress(), password: goodPassword };
    await post(`http://127.0.0.1:${service.config.port}`, operations.signUp, { input: { ...input, name: 'A Person' } });
    const planted = ['auth_access', 'auth_refresh', 'auth_exchange', 'oauth_link', 'helper_session'];
    const cookie = [...planted, ...planted].map((name) => `${name}=${'x'.repeat(100)}`).join('; ');
    const body = JSON.stringify({ query: operations.signIn, variables: { input } });
    const lines: HeaderLines = [
      ['origin', `https://${host}`],
      ['content-type', 'application/json'],
      ['cookie', cookie],
    ];
    const reply = await sendLines(`${url}/graphql`, 'POST', lines, body);
    expect(reply.status).toBe(200);
    expect(String(reply.headers['set-cookie'])).toMatch(/auth_access=gate_a_/);
  });
});
