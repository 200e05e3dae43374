/**
 * `resolveActor` and what follows from an actor, over a real service. added-routes/ of the server has the large table.
 */
import { createServer, type IncomingMessage } from 'node:http';
import { createIdentity, type IncomingRequest, isRefusal, type Refusal } from '@gatehouse/node';
import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { expire } from '../../../server/test/support/actors/credentials.ts';
import { newMember, newOwner, setActive, type Tenant } from '../../../server/test/support/actors/tenants.ts';
import { sendLines } from '../../../server/test/support/clients/entry-points.ts';
import { fixture, testFixture } from '../../../server/test/support/fixture.ts';
import { serviceFixture } from '../../../server/test/support/gatehouse/gatehouse.ts';
import { freePort, listen } from '../../../server/test/support/servers/listen.ts';
import { application, appOrigin, portalOrigin } from './application.ts';

const service = serviceFixture({ FRONTEND_URL: portalOrigin }, 'none', { application });
const owner = fixture(() => newOwner(service));
const identity = fixture(() => createIdentity({ baseUrl: service.url, frontends: [portalOrigin, appOrigin] }));

const bearerOf = ({ tokens }: Pick<Tenant, 'tokens'>): string => `Bearer ${tokens.accessToken}`;
const cookieOf = ({ tokens }: Pick<Tenant, 'tokens'>): string => `a=b; auth_access=${tokens.accessToken}; c=d`;

const someInstant: unknown = expect.any(Date);
const someText: unknown = expect.any(String);
const theirScopes: unknown = expect.arrayContaining(['MEMBERS_VIEW', 'notes:read', 'notes:write']);

const refusalOf = async (work: () => unknown): Promise<Refusal> => {
  try {
    await work();
  } catch (error) {
    if (isRefusal(error)) return error;
    throw error;
  }
  throw new Error('It was not refused');
};

/** The same request, as each framework hands it over. */
const shapesOf = (method: string, headers: Record<string, string>): readonly (readonly [string, IncomingRequest])[] => {
  const fetched = new Request(`${appOrigin}/notes`, { method, headers });
  const plain = { method, url: '/notes', headers };
  return [
    ['Fetch', fetched],
    ['Hono’s context', { req: { raw: fetched } }],
    ['Hono’s request', { raw: fetched }],
    ['Node', plain],
    ['Fastify', { raw: plain }],
    ['a server component', { method, headers: new Headers(headers) }],
  ];
};

describe('resolveActor', () => {
  it('is the actor of gatehouse.d.ts, for a request of every framework', async () => {
    const { userId, email, memberId, organizationId } = owner;
    for (const [, request] of shapesOf('GET', { cookie: cookieOf(owner) })) {
      expect(await identity.resolveActor(request)).toEqual({
        id: userId,
        email,
        emailValidatedAt: someInstant,
        name: 'Test Person',
        isSuperAdmin: false,
        currentMembership: {
          id: memberId,
          role: 'OWNER',
          organization: { id: organizationId, name: someText },
        },
        scopes: theirScopes,
        kind: 'PERSON',
        actor: { kind: 'PERSON', id: userId, name: 'Test Person', email },
      });
    }
  });

  it.each<readonly [title: string, method: string, headers: () => Record<string, string>, code: string]>([
    ['a Bearer', 'POST', () => ({ authorization: bearerOf(owner), origin: 'https://evil.example' }), 'passes'],
    ['the cookie from the portal', 'POST', () => ({ cookie: cookieOf(owner), origin: portalOrigin }), 'passes'],
    [
      'the cookie with a Referer of the portal',
      'DELETE',
      () => ({ cookie: cookieOf(owner), referer: `${portalOrigin}/x` }),
      'passes',
    ],
    ['the cookie alone, reading', 'HEAD', () => ({ cookie: cookieOf(owner) }), 'passes'],
    ['the cookie alone, changing', 'POST', () => ({ cookie: cookieOf(owner) }), 'ORIGIN_REFUSED'],
    ['the cookie alone, of a method unknown', 'PURGE', () => ({ cookie: cookieOf(owner) }), 'ORIGIN_REFUSED'],
    [
      'the cookie from a foreign page',
      'POST',
      () => ({ cookie: cookieOf(owner), origin: 'https://evil.example', referer: `${portalOrigin}/` }),
      'ORIGIN_REFUSED',
    ],
    ['the cookie and an upgrade', 'GET', () => ({ cookie: cookieOf(owner), upgrade: 'websocket' }), 'ORIGIN_REFUSED'],
    ['nothing', 'GET', () => ({}), 'UNAUTHENTICATED'],
    ['two cookies', 'GET', () => ({ cookie: `${cookieOf(owner)}; ${cookieOf(owner)}` }), 'UNAUTHENTICATED'],
    [
      'a malformed Bearer and a good cookie',
      'GET',
      () => ({ authorization: 'Bearer x', cookie: cookieOf(owner) }),
      'UNAUTHENTICATED',
    ],
    [
      'an empty Authorization and a good cookie',
      'GET',
      () => ({ authorization: '', cookie: cookieOf(owner) }),
      'UNAUTHENTICATED',
    ],
  ])('decides on %s alike for every framework', async (_title, method, headers, code) => {
    for (const [shape, request] of shapesOf(method, headers())) {
      const decision = await identity.resolveActor(request).then(
        () => 'passes',
        (error: unknown) => (isRefusal(error) ? error.code : String(error)),
      );
      expect([shape, decision]).toEqual([shape, code]);
    }
  });

  it('treats a request without a method as one that changes something', async () => {
    const headers = new Headers({ cookie: cookieOf(owner) });
    expect(await refusalOf(() => identity.resolveActor({ headers }))).toMatchObject({ code: 'ORIGIN_REFUSED' });
    expect(await identity.resolveActor({ method: 'GET', headers })).toMatchObject({ id: owner.userId });
  });

  it('takes the request of a Fastify server', async () => {
    const server = fastify();
    server.get('/notes', async (request) => (await identity.resolveActor(request)).id);
    const { body } = await server.inject({ url: '/notes', headers: { cookie: cookieOf(owner) } });
    await server.close();
    expect(body).toBe(owner.userId);
  });

  it('is refused with the status, code, words and challenge of the service', async () => {
    const person = await newOwner(service);
    await expire(service, person.tokens.accessToken);
    const request = new Request(appOrigin, { headers: { authorization: bearerOf(person) } });
    const refusal = await refusalOf(() => identity.resolveActor(request));
    expect(refusal).toMatchObject({ code: 'ACCESS_EXPIRED', status: 401, headers: { 'www-authenticate': 'Bearer' } });
    expect(refusal.body).toEqual({ error: { code: 'ACCESS_EXPIRED', message: refusal.message } });
  });
});

describe('What is handed on', () => {
  interface Asked {
    readonly url: string | undefined;
    readonly headers: IncomingMessage['headers'];
  }

  /** A service that answers as told, and the requests that it got. */
  const standIn = async (status: number, body: string, type: string) => {
    const asked: Asked[] = [];
    const server = createServer(({ url, headers }, response) => {
      asked.push({ url, headers });
      response.writeHead(status, { 'content-type': type, location: '/elsewhere' }).end(body);
    });
    const { url: baseUrl } = await testFixture(listen(server));
    return { asked, identity: createIdentity({ baseUrl, timeoutMilliseconds: 2000 }) };
  };

  const json = 'application/json';
  const anonymous = '{"error":{"code":"UNAUTHENTICATED","message":"You are not signed in."}}';
  const headers = {
    cookie: 'auth_refresh=r; auth_access=a; helper_session=h',
    origin: appOrigin,
    referer: `${appOrigin}/page`,
    'user-agent': 'a browser',
    'x-forwarded-for': '192.0.2.1',
    'x-forwarded-method': 'GET',
    'x-auth-user-id': 'forged',
    'accept-language': 'de',
  };

  it('is Authorization, or else the cookie auth_access with Origin and Referer, and the method', async () => {
    const { asked, identity: own } = await standIn(401, anonymous, json);
    await refusalOf(() => own.resolveActor({ method: 'PATCH', headers }));
    await refusalOf(() =>
      own.resolveActor({ method: 'PATCH', headers: { ...headers, authorization: 'Bearer b' } }, { machines: true }),
    );
    const handedOn = asked.map(({ headers: { cookie, authorization, origin, referer, ...others } }) => ({
      cookie,
      authorization,
      origin,
      referer,
      others: Object.keys(others).filter(
        (name) => Object.hasOwn(headers, name) && name !== 'user-agent' && name !== 'accept-language',
      ),
    }));
    expect(handedOn).toEqual([
      { cookie: 'auth_access=a', origin: appOrigin, referer: `${appOrigin}/page`, others: [] },
      { authorization: 'Bearer b', others: [] },
    ]);
    expect(JSON.stringify(asked)).not.toMatch(/a browser|192\.0\.2\.1|forged|"de"|auth_refresh|helper_session/);
    expect(asked.map(({ url }) => url)).toEqual([
      '/auth/identity?method=PATCH&client_ip=unknown',
      '/auth/identity?method=PATCH&client_ip=unknown&machine=allowed',
    ]);
  });

  it.each<readonly [title: string, status: number, body: string, type: string]>([
    ['a 503', 503, '{"error":{"code":"UNAVAILABLE","message":"Try again."}}', json],
    ['a 500', 500, '{"error":{"code":"INTERNAL","message":"x"}}', json],
    ['a 401 of another server', 401, '<h1>Unauthorized</h1>', 'text/html'],
    ['a 401 in other JSON', 401, '{"error":"unauthorized"}', json],
    ['a refusal with another status', 200, anonymous, json],
    ['a redirect', 302, '', json],
    ['a page', 200, '<h1>Welcome</h1>', 'text/html'],
    ['other JSON', 200, '{}', json],
    ['half an actor', 200, '{"actor":{"id":"x"},"user":null,"membership":null,"scopes":[]}', json],
    ['a 404', 404, '{"error":{"code":"NOT_FOUND","message":"x"}}', json],
  ])('%s is UNAVAILABLE, and never UNAUTHENTICATED', async (_title, status, body, type) => {
    const { identity: own } = await standIn(status, body, type);
    expect(await refusalOf(() => own.resolveActor({ method: 'GET', headers }))).toMatchObject({
      code: 'UNAVAILABLE',
      status: 503,
    });
  });

  it('is UNAVAILABLE where nothing listens, and where nothing answers in time', async () => {
    const nowhere = createIdentity({ baseUrl: `http://127.0.0.1:${await freePort()}` });
    expect(await refusalOf(() => nowhere.resolveActor({ method: 'GET', headers }))).toMatchObject({ status: 503 });
    const { url: baseUrl } = await testFixture(listen(createServer(() => undefined)));
    const slow = createIdentity({ baseUrl, timeoutMilliseconds: 50 });
    expect(await refusalOf(() => slow.resolveActor({ method: 'GET', headers }))).toMatchObject({ status: 503 });
  });
});

describe('requireScopes and requireMembership', () => {
  it('pass by the scopes held now, and name those that are missing', async () => {
    const member = await newMember(service, owner.organizationId, 'MEMBER');
    const actor = await identity.resolveActor(new Request(appOrigin, { headers: { authorization: bearerOf(member) } }));
    identity.requireScopes(actor, 'notes:read', 'MEMBERS_VIEW');
    expect(identity.requireMembership(actor)).toMatchObject({ id: member.memberId, role: 'MEMBER' });
    const refusal = await refusalOf(() => identity.requireScopes(actor, 'notes:read', 'notes:write', 'notes:wirte'));
    expect(refusal).toMatchObject({ code: 'FORBIDDEN', status: 403 });
    expect(refusal.body.error.missingScopes).toEqual(['notes:write', 'notes:wirte']);
  });

  it('refuse without a membership, as the service does', async () => {
    const person = await newOwner(service);
    await setActive(service, person.userId, null);
    const actor = await identity.resolveActor(new Request(appOrigin, { headers: { authorization: bearerOf(person) } }));
    const required = { code: 'MEMBERSHIP_REQUIRED', status: 403 };
    expect(await refusalOf(() => identity.requireMembership(actor))).toMatchObject(required);
    expect(await refusalOf(() => identity.requireScopes(actor, 'notes:read'))).toMatchObject(required);
    expect(await refusalOf(() => identity.requireScopes(actor, 'users:view'))).toMatchObject({
      code: 'FORBIDDEN',
      details: { missingScopes: ['users:view'] },
    });
  });
});

describe('signInRedirect', () => {
  const signIn = `${portalOrigin}/signin`;
  const backTo = (url: string): string => `${signIn}?redirect=${encodeURIComponent(url)}`;
  const app = new URL(appOrigin).host;

  it.each<readonly [title: string, request: IncomingRequest, expected: string]>([
    ['a Fetch request', new Request(`${appOrigin}/notes?a=1&b=2#c`), backTo(`${appOrigin}/notes?a=1&b=2`)],
    ['a Node request', { url: '/notes?a=1', headers: { host: app } }, backTo(`${appOrigin}/notes?a=1`)],
    [
      'an Express request in a router',
      { url: '/1', originalUrl: '/notes/1', headers: { host: app } },
      backTo(`${appOrigin}/notes/1`),
    ],
    [
      'a request behind a proxy',
      { url: '/notes', headers: { host: '10.0.0.1:3000', 'x-forwarded-host': app } },
      backTo(`${appOrigin}/notes`),
    ],
    [
      'a Fetch request behind a proxy',
      new Request('http://10.0.0.1:3000/notes', { headers: { 'x-forwarded-host': app } }),
      backTo(`${appOrigin}/notes`),
    ],
    ['a foreign host', { url: '/notes', headers: { host: 'evil.example' } }, signIn],
    ['a foreign URL', new Request('https://evil.example/notes'), signIn],
    ['a path of two slashes', { url: '//evil.example', headers: { host: app } }, backTo(`${appOrigin}//evil.example`)],
    ['no path', { url: '*', headers: { host: app } }, signIn],
    ['no URL', { headers: new Headers({ host: app }) }, signIn],
    ['a URL that is too long', { url: `/${'x'.repeat(2048)}`, headers: { host: app } }, signIn],
  ])('leads back to a page of a front end: %s', (_title, request, expected) => {
    expect(identity.signInRedirect(request)).toBe(expected);
  });

  it('is at the service itself without front ends', () => {
    expect(createIdentity({ baseUrl: service.url }).signInRedirect(new Request(`${service.url}/notes`))).toBe(
      `${service.url}/signin?redirect=${encodeURIComponent(`${service.url}/notes`)}`,
    );
  });
});

describe('the portal', () => {
  const redirectWith = (options: object): string =>
    createIdentity({ baseUrl: service.url, ...options }).signInRedirect(new Request(`${appOrigin}/notes`));
  const back = `?redirect=${encodeURIComponent(`${appOrigin}/notes`)}`;

  it.each<readonly [title: string, options: object, expected: string]>([
    ['frontendUrl', { frontendUrl: portalOrigin, frontends: [appOrigin] }, `${portalOrigin}/signin${back}`],
    ['frontendUrl alone, which leads back to no other origin', { frontendUrl: portalOrigin }, `${portalOrigin}/signin`],
    ['the first of frontends without it', { frontends: [appOrigin, portalOrigin] }, `${appOrigin}/signin${back}`],
  ])('is %s', (_title, options, expected) => {
    expect(redirectWith(options)).toBe(expected);
  });

  it('is refused as a URL with a path', () => {
    expect(() => redirectWith({ frontendUrl: `${portalOrigin}/signin` })).toThrow('is no origin');
  });
});

it('createIdentity refuses a URL with a path', async () => {
  expect(() => createIdentity({ baseUrl: 'https://id.example.com/auth' })).toThrow('is no origin');
  expect(() => createIdentity({ baseUrl: 'id.example.com' })).toThrow(TypeError);
  const { status } = await sendLines(`${service.url}/auth/identity`, 'GET', [['authorization', bearerOf(owner)]]);
  expect(status).toBe(200);
});
