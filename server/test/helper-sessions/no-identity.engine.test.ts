/** A helper session authenticates no one: sent as any credential, it is answered like none or an invented value. */
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSuperAdminAccount } from '../support/actors/super-admins.ts';
import { newOwner } from '../support/actors/tenants.ts';
import { visitorOf } from '../support/actors/visitors.ts';
import {
  authorizationQuery,
  beginAuthorization,
  PageBrowser,
  registerClient,
} from '../support/clients/authorization.ts';
import { Browser, goodPassword, headersOfOneAnswer, operations, post } from '../support/clients/clients.ts';
import { postPlainly, sendPlainly } from '../support/clients/plain-http.ts';
import { ProviderBrowser, signInAtProvider } from '../support/clients/provider-browser.ts';
import { everythingStored } from '../support/database/stored-rows.ts';
import { fixture } from '../support/fixture.ts';
import { type Service, startService } from '../support/gatehouse/gatehouse.ts';
import { type MountedRoute, withRoutesOf } from '../support/gatehouse/mounted-routes.ts';
import { type AnyOperation, everyOperation } from '../support/random/any-operation.ts';
import { startIdentityProvider } from '../support/servers/identity-provider.ts';

type Headers_ = Readonly<Record<string, string>>;

/** Sends one request with these headers in addition to its own, and returns the answer. */
type Ask = (headers: Headers_) => Promise<unknown>;

const cookieNames = [
  'helper_session',
  'auth_access',
  'auth_refresh',
  'auth_exchange',
  'exchange_marker',
  'oauth_post_auth_redirect',
  'oauth_link',
  'mcp_request',
] as const;

/** HEAD is GET without the body. */
const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Places in which the value is sent. */
const guises: Readonly<Record<string, (value: string) => Headers_>> = {
  ...Object.fromEntries(
    cookieNames.map((name) => [`as the cookie ${name}`, (value: string) => ({ cookie: `${name}=${value}` })]),
  ),
  'as every cookie at once': (value) => ({ cookie: cookieNames.map((name) => `${name}=${value}`).join('; ') }),
  'as a Bearer': (value) => ({ authorization: `Bearer ${value}` }),
  'as a Bearer without its signature': (value) => ({ authorization: `Bearer ${value.split('.')[0]}` }),
  'as a Bearer with its cookie': (value) => ({ authorization: `Bearer ${value}`, cookie: `helper_session=${value}` }),
};

describe('A stolen helper session', () => {
  let service: Service;
  let routes: readonly MountedRoute[];
  /** Signed in as a super admin, at a consent page, during an external sign-in, and with an MCP client waiting. */
  let victim: { readonly browser: ProviderBrowser; readonly callbackUrl: string; readonly requestPath: string };
  let clientId: string;
  let stolen: string;
  let tried: readonly AnyOperation[];

  const provider = fixture(startIdentityProvider);
  beforeAll(async () => {
    const mounted = await withRoutesOf(() =>
      startService({
        ...provider.environment(),
        STRIPE_SECRET_KEY: 'sk_test_of_the_tests',
        STRIPE_API_BASE: 'http://127.0.0.1:1',
        STRIPE_WEBHOOK_SECRET: 'whsec_of_the_tests',
      }),
    );
    service = mounted.started;
    // fetch never sends TRACE, and /graphql has a route for each method to refuse it.
    routes = mounted.routes.filter(({ method }) => methods.has(method));
    clientId = await registerClient(service);
    victim = await startVictim();
    stolen = victim.browser.valueOf('helper_session') ?? '';
    const [ids] = await service.sql<Record<string, string>>(
      `SELECT u.id AS "userId", m.id AS "memberId", m.organization_id AS "organizationId",
         c.session_family_id AS "sessionFamilyId", c.id AS "credentialId"
       FROM users u JOIN organization_members m ON m.user_id = u.id JOIN credentials c ON c.user_id = u.id
       WHERE u.is_super_admin LIMIT 1`,
    );
    tried = everyOperation({ ...ids, clientId });
  });
  afterAll(async () => {
    await service.close();
  });

  const startVictim = async () => {
    const browser = new ProviderBrowser();
    const email = await createSuperAdminAccount(service);
    const signedIn = await browser.run(service, operations.signIn, { input: { email, password: goodPassword } });
    const consented = await browser.run(service, operations.recordConsent, { analytics: true });
    expect([signedIn.code, consented.code]).toEqual([null, null]);
    const callbackUrl = await signInAtProvider(
      browser,
      `${service.url}/auth/google/prepare-link`,
      provider.newPerson(),
    );
    const pages = new PageBrowser(service);
    for (const name of ['auth_access', 'auth_refresh', 'helper_session']) {
      pages.keep({ name, value: browser.valueOf(name) ?? '', path: '/' });
    }
    return { browser, callbackUrl, requestPath: await beginAuthorization(pages, clientId) };
  };

  /** Of the same form, and not issued here. */
  const invented = (): string => [0, 1].map(() => randomBytes(32).toString('base64url')).join('.');

  /** All rows except those that every client may create: attempts, requests of clients, permits of limits. */
  const belongings = async (): Promise<readonly string[]> => {
    const lines = await everythingStored(service);
    return lines.filter((line) => !/^(helper_session_entries|oauth_requests|rate_limits) /.test(line));
  };

  /** The body or query of a route; other routes get none. */
  const requestTo = ({
    method,
    url,
  }: MountedRoute): { readonly path: string; readonly body: string | null; readonly type: string } => {
    const path = url
      .replace('/auth/mcp/continue/:requestId', victim.requestPath)
      .replace(/^\*/, '/x')
      .replaceAll(/:\w+|\*/g, 'x');
    const query: Readonly<Record<string, string>> = {
      '/graphql': `query=${encodeURIComponent('{ me { id email } visitor { __typename } }')}`,
      '/auth/mcp/authorize': authorizationQuery(clientId),
      '/auth/google/callback': `code=x&state=${'x'.repeat(43)}`,
    };
    const body: Readonly<Record<string, readonly [type: string, text: string]>> = {
      '/graphql': ['application/json', JSON.stringify({ query: '{ me { id email } }' })],
      '/mcp': ['application/json', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'],
      '/auth/mcp/continue/:requestId': ['application/x-www-form-urlencoded', 'decision=approve&csrf_token=x'],
    };
    const [type, text] = (method === 'POST' && body[url]) || ['application/json', null];
    return { path: method === 'POST' || query[url] === undefined ? path : `${path}?${query[url]}`, body: text, type };
  };

  /** Replaces random parts: ids, states, and the numbers of /metrics. */
  const blotted = (text: string): string =>
    text
      .replaceAll(/[\w-]{43,}/g, '*')
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '*')
      .replaceAll(/\d+(\.\d+)?/g, '#');

  const answerOf = async (route: MountedRoute, headers: Headers_): Promise<unknown> => {
    const { path, body, type } = requestTo(route);
    const answer = await sendPlainly(`${service.url}${path}`, {
      method: route.method,
      body,
      headers: { origin: service.url, ...(body === null ? {} : { 'content-type': type }), ...headers },
    });
    const shown = answer.headers.filter(([name]) => name !== 'etag' && !headersOfOneAnswer.has(name));
    return {
      status: answer.status,
      headers: shown.map(([name, value]) => `${name}: ${blotted(value)}`),
      text: route.url === '/metrics' ? '' : blotted(answer.text),
    };
  };

  const outcomeOf = async ({ query, variables }: AnyOperation, headers: Headers_) => {
    const answer = await postPlainly(service.url, query, variables, { origin: service.url, ...headers });
    const cookies = answer.headers.filter(([name]) => name === 'set-cookie').map(([, value]) => blotted(value));
    return { status: answer.status, text: blotted(answer.text), cookies };
  };

  /** The answer to a request without the value, sent once. */
  const anonymousAnswers = new Map<string, unknown>();

  const anonymousAnswer = async (what: string, ask: Ask): Promise<unknown> => {
    const answer = anonymousAnswers.get(what) ?? (await ask({}));
    anonymousAnswers.set(what, answer);
    return answer;
  };

  /** Most answer like to a signed-out caller. Where a value is read, an invented one is read alike. */
  const expectNothingGot = async (what: string, ask: Ask, headersOf: (value: string) => Headers_): Promise<void> => {
    const got = await ask(headersOf(stolen));
    if (isDeepStrictEqual(got, await anonymousAnswer(what, ask))) return;
    expect([what, got]).toEqual([what, await ask(headersOf(invented()))]);
  };

  const nameOf = ({ method, url }: MountedRoute): string => `${method} ${url}`;

  const isVisitors = ({ name }: AnyOperation): boolean => name === 'visitor' || name === 'recordConsent';

  it('is tested at every kind of route, and with every operation', () => {
    expect(stolen).toMatch(/^[\w-]{43}\.[\w-]{43}$/);
    const urls = new Set(routes.map(({ url }) => url));
    const known = ['/graphql', '/mcp', '/auth/google', '/auth/google/callback', '/auth/google/prepare-link'];
    const others = [
      '/auth/mcp/authorize',
      '/auth/mcp/token',
      '/auth/mcp/continue/:requestId',
      '/webhooks/stripe',
      '/readyz',
    ];
    for (const url of [...known, ...others]) expect(urls).toContain(url);
    expect(tried.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['me', 'exchangeAuthTokens', 'recordConsent']),
    );
  });

  it('would be detected at every route that authenticates: a session is', async () => {
    const differing = new Set<string>();
    const access = `auth_access=${victim.browser.valueOf('auth_access')}`;
    for (const route of routes) {
      const ask: Ask = (headers) => answerOf(route, headers);
      const got = await ask({ cookie: access });
      if (!isDeepStrictEqual(got, await anonymousAnswer(nameOf(route), ask))) differing.add(route.url);
    }
    expect([...differing].toSorted()).toEqual([
      '/auth/google/prepare-link',
      '/auth/identity',
      '/auth/mcp/authorize',
      '/graphql',
    ]);
  });

  // Contract: accounts#helper-session — Session cookie of the server-side session store: helper state, never GraphQL
  //   identity
  it.each(Object.entries(guises))('gets nothing at any route when sent %s', async (_guise, headersOf) => {
    const before = await belongings();
    for (const route of routes) {
      await expectNothingGot(nameOf(route), (headers) => answerOf(route, headers), headersOf);
    }
    expect(await belongings()).toEqual(before);
  });

  // Contract: accounts#helper-session — Session cookie of the server-side session store: no identity for any operation
  it.each(Object.entries(guises))('gets nothing from any operation when sent %s', async (_guise, headersOf) => {
    const before = await belongings();
    for (const operation of tried.filter((each) => !isVisitors(each))) {
      await expectNothingGot(operation.name, (headers) => outcomeOf(operation, headers), headersOf);
    }
    expect(await belongings()).toEqual(before);
  });

  it('does not replace the signed-in user', async () => {
    const asThief = async (helper: string): Promise<Headers_> => {
      const { tokens } = await newOwner(service);
      return {
        cookie: `auth_access=${tokens.accessToken}; auth_refresh=${tokens.refreshToken}; helper_session=${helper}`,
      };
    };
    let [thief, other] = [await asThief(stolen), await asThief(invented())];
    for (const operation of tried.filter((each) => !isVisitors(each))) {
      const [got, expected] = [await outcomeOf(operation, thief), await outcomeOf(operation, other)];
      expect([operation.name, got]).toEqual([operation.name, expected]);
      // Signed in each time: a successful mutation may end the session.
      expect(got.text).not.toContain('UNAUTHENTICATED');
      const isRefused = got.text.includes('"errors"');
      if (operation.query.startsWith('mutation') && !isRefused) {
        [thief, other] = [await asThief(stolen), await asThief(invented())];
      }
    }
    const { userId, tokens } = await newOwner(service);
    const cookie = `auth_access=${tokens.accessToken}; helper_session=${stolen}`;
    expect((await post(service.url, operations.me, {}, { cookie })).data).toMatchObject({ me: { id: userId } });
  });

  it('shows the anonymous id of the browser, but not its user', async () => {
    const browser = new Browser(service);
    browser.cookies.set('helper_session', stolen);
    const { analyticsConsent, anonymousId } = await visitorOf(browser);
    expect([analyticsConsent, typeof anonymousId]).toEqual([true, 'string']);
    expect((await belongings()).join('\n')).not.toContain(anonymousId);
    expect((await browser.run(operations.me)).code).toBe('UNAUTHENTICATED');
  });

  it('has not disturbed the pending sign-in and consent of its browser', async () => {
    const me = await victim.browser.run(service, operations.me);
    expect(me.data).toMatchObject({ me: { isSuperAdmin: true, hasExternalIdentity: false } });
    const visitor = await victim.browser.run(service, operations.visitor);
    expect(visitor.data).toMatchObject({ visitor: { analyticsConsent: true } });
    const { location } = await victim.browser.get(victim.callbackUrl);
    expect(location).toBe(`${service.portalUrl}/`);
    const linked = await victim.browser.run(service, operations.me);
    expect(linked.data).toMatchObject({ me: { isSuperAdmin: true, hasExternalIdentity: true } });
  });
});
