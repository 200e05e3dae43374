/**
 * Front ends of the application on origins of their own: what their pages may do. What the portal's alone may is in
 * `oauth/consent.engine.test.ts` and `external/prepare-link.engine.test.ts` too.
 */
import { describe, expect, it } from 'vitest';
import { seedSession } from '../support/actors/seeding.ts';
import { newSuperAdmin } from '../support/actors/tenants.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { Browser, bearer, goodPassword, operations, post, register } from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const app = 'https://app.acme.example';
const foreign = 'https://app.acme.example.evil.com';
const service = serviceFixture({}, 'none', {
  application: { origins: [app] },
  routes: {
    '/api': (http, identity) => {
      http.get('/who', async (request) => {
        const { isSuperAdmin, scopes } = await identity.resolveActor(request);
        return { isSuperAdmin, scopes };
      });
    },
  },
});

const signedIn = async (): Promise<Browser> => {
  const browser = new Browser(service);
  const input = { email: await register(service), password: goodPassword };
  const answer = await browser.run(operations.signIn, { input }, { origin: app });
  expect(answer.code).toBeNull();
  return browser;
};

const cookieOf = ({ cookies }: Browser): string => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

describe('A front end of the application', () => {
  // Contract: application#front-ends-of-the-application — Each origin gets CORS with credentials at /graphql and added
  //   routes
  it.each(['/graphql', '/api/who'])(
    'may read the answers of %s with credentials, and a foreign origin may not',
    async (path) => {
      const preflight = (origin: string) =>
        fetch(`${service.url}${path}`, {
          method: 'OPTIONS',
          headers: {
            origin,
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'content-type',
          },
        });
      const allowed = await preflight(app);
      expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([204, app]);
      expect(allowed.headers.get('access-control-allow-credentials')).toBe('true');
      expect(allowed.headers.get('vary')).toContain('Origin');
      const answer = (origin: string) => fetch(`${service.url}${path}`, { headers: { origin } });
      expect((await answer(app)).headers.get('access-control-allow-origin')).toBe(app);
      expect((await answer(app)).headers.get('access-control-allow-credentials')).toBe('true');
      for (const origin of [foreign, `${app}:8443`, 'http://app.acme.example', 'null']) {
        expect((await preflight(origin)).headers.get('access-control-allow-origin')).toBeNull();
        expect((await answer(origin)).headers.get('access-control-allow-origin')).toBeNull();
      }
    },
  );

  // Contract: application#front-ends-of-the-application — Each origin counts as the portal's for delivery and CSRF
  it('gets the tokens in cookies, and may change state with them; a foreign origin may not', async () => {
    const browser = await signedIn();
    expect([...browser.cookies.keys()]).toContain('auth_access');
    const renamed = await browser.run('mutation { renameOrganization(name: "Acme") { name } }', {}, { origin: app });
    expect(renamed.data).toEqual({ renameOrganization: { name: 'Acme' } });
    const headers = { cookie: cookieOf(browser), origin: foreign };
    await expectRefusal(service, 'ORIGIN_REFUSED', () =>
      post(service.url, 'mutation { signOut { success } }', {}, headers),
    );
    const signedOut = await browser.run('mutation { signOut { success } }', {}, { origin: app });
    expect(signedOut.code).toBeNull();
  });

  // Contract: application#super-admins-at-front-ends — By cookie from one of origins no request has a super admin's
  //   authority, queries too
  it('has no authority of a super admin by cookie, in queries, mutations and added routes', async () => {
    const admin = await newSuperAdmin(service);
    const { accessToken } = await seedSession(service.database, admin.userId);
    const cookie = `auth_access=${accessToken}`;
    const query = '{ me { isSuperAdmin } activeSessions { totalCount } }';
    const revoke = 'mutation ($id: ID!) { revokeUserSessions(userId: $id) { revokedCredentials } }';
    const atApp = { cookie, origin: app };
    await expectRefusal(service, 'FORBIDDEN', () => post(service.url, query, {}, atApp));
    await expectRefusal(service, 'FORBIDDEN', () => post(service.url, query, {}, { cookie, referer: `${app}/page` }));
    await expectRefusal(service, 'FORBIDDEN', () => post(service.url, revoke, { id: admin.userId }, atApp));
    // A page can leave out both headers, or have an opaque origin.
    await expectRefusal(service, 'FORBIDDEN', () => post(service.url, query, {}, { cookie }));
    await expectRefusal(service, 'FORBIDDEN', () => post(service.url, query, {}, { cookie, origin: 'null' }));
    const bare = await fetch(`${service.url}/auth/identity?method=GET`, { headers: { cookie } });
    expect(await bare.json()).toMatchObject({
      user: { isSuperAdmin: false },
      scopes: expect.not.arrayContaining(['users:view']) as unknown,
    });
    const me = await post(service.url, '{ me { isSuperAdmin } }', {}, atApp);
    expect(me.data).toEqual({ me: { isSuperAdmin: false } });
    const who = await fetch(`${service.url}/api/who`, { headers: atApp });
    expect(await who.json()).toMatchObject({ isSuperAdmin: false });
    // The portal's own pages, and a Bearer from anywhere.
    expect((await post(service.url, query, {}, { cookie, origin: service.url })).code).toBeNull();
    expect((await post(service.url, query, {}, { ...bearer(admin.tokens), origin: app })).code).toBeNull();
  });

  // Contract: application#super-admins-at-front-ends — The answer of a sign-in shows the authority that the next
  //   request has
  it('is shown no super admin by a sign-in or a refresh in cookies, as by me', async () => {
    const email = await register(service);
    await service.sql('UPDATE users SET is_super_admin = true, platform_scopes = $2 WHERE email = $1', [email, []]);
    const signIn = `mutation ($input: SignInWithPasswordInput!) {
      signInWithPassword(input: $input) { user { email isSuperAdmin } } }`;
    const input = { email, password: goodPassword };
    const me = '{ me { email isSuperAdmin } }';
    const refresh = 'mutation { refreshAccessToken { user { email isSuperAdmin } } }';
    const answersAt = async (headers: Record<string, string>) => {
      const browser = new Browser(service);
      const documents = [[signIn, { input }], [me], [refresh]] as const;
      const shown = [];
      for (const [text, variables = {}] of documents) {
        const { data } = await browser.run(text, variables, headers);
        shown.push(/"isSuperAdmin":(true|false)/.exec(JSON.stringify(data))?.[1]);
      }
      return shown;
    };
    expect(await answersAt({ origin: app })).toEqual(['false', 'false', 'false']);
    expect(await answersAt({ origin: service.url })).toEqual(['true', 'true', 'true']);
    const atApp = { origin: app, 'x-auth-delivery': 'bearer' };
    const bearing = await post(service.url, signIn, { input }, atApp);
    expect(bearing.data).toMatchObject({ signInWithPassword: { user: { email, isSuperAdmin: true } } });
  });

  it('does not complete a sign-in with the identity provider, which began at the portal', async () => {
    const exchange = 'mutation { exchangeAuthTokens { accessToken } }';
    const headers = { cookie: `auth_exchange=${'x'.repeat(43)}`, 'x-auth-delivery': 'bearer' };
    await expectRefusal(service, 'ORIGIN_REFUSED', () => post(service.url, exchange, {}, { ...headers, origin: app }));
    const atPortal = await post(service.url, exchange, {}, { ...headers, origin: service.url });
    expect(atPortal.code).toBe('EXCHANGE_REFUSED');
  });
});
