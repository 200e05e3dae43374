/** Routes of the embedding application: what they receive, that they cannot change it, and the shutdown. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { mountAddedRoutes } from '../../src/app/added-routes.ts';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { isRefusal } from '../../src/embed.ts';
import type { AddedRoutes, Identity } from '../../src/gatehouse.d.ts';
import { portalAlone } from '../../src/http-kit/origins.ts';
import { BodyBudget } from '../../src/http-kit/request-bodies.ts';
import { DatabaseUnavailable } from '../../src/platform/database/database.ts';
import { credentialsOf } from '../support/actors/credentials.ts';
import { newOwner } from '../support/actors/tenants.ts';
import {
  entryPointsOf,
  exampleRoutes,
  type HeaderLines,
  openElsewhere,
  type Reply,
  sendLines,
} from '../support/clients/entry-points.ts';
import { lendDatabase } from '../support/database/database-pool.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture, startService } from '../support/gatehouse/gatehouse.ts';
import { environmentFor } from '../support/gatehouse/gatehouse-process.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';
import { listen } from '../support/servers/listen.ts';

const portalOrigin = 'https://app.example.com';

const someText: unknown = expect.any(String);
const someInstant: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
const withDelete: unknown = expect.stringContaining('DELETE');

const answer = (response: ServerResponse, body: object): void => {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
};

/** Listeners for cases outside the example: each kind of failure, a raw body, a late answer. */
const odd = (identity: Identity) => async (request: IncomingMessage, response: ServerResponse) => {
  const what = request.url?.split('/').at(-1);
  if (what === 'who') return answer(response, await identity.resolveActor(request));
  if (what === 'body') return answer(response, { bytes: (await buffer(request)).length });
  if (what === 'half') response.writeHead(200).write('half');
  if (what === 'own') return response.setHeader('cache-control', 'max-age=60').end('own');
  throw new Error('canary of a failure');
};

const given = Promise.withResolvers<Identity>();

const added: AddedRoutes = {
  routes: {
    ...exampleRoutes.routes,
    '/fast': (http, identity) => {
      given.resolve(identity);
      http.get('/who', (request) => identity.resolveActor(request));
      http.get('/raw', (request) => identity.resolveActor(request.raw));
      http.get('/fail', async () => {
        throw new Error('canary of a failure');
      });
      http.get('/scope/:scope', async (request) => {
        const { scope } = request.params as { readonly scope: string };
        identity.requireScopes(await identity.resolveActor(request), scope);
        return { granted: scope };
      });
      http.get('/forge', async (request) => {
        const actor = await identity.resolveActor(request);
        Object.assign(actor, { isSuperAdmin: true, scopes: ['users:view'] });
        Object.assign(identity.requireMembership(actor), { role: 'MEMBER' });
        Object.assign(identity.requireMembership(actor).organization, { id: 'forged', name: 'forged' });
        return actor;
      });
    },
    '/signed': (http) => {
      const types = ['application/json', 'text/plain'];
      http.addContentTypeParser(types, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
      http.post('/events', async ({ body }) => ({ hex: Buffer.isBuffer(body) ? body.toString('hex') : null }));
    },
  },
  listeners: {
    ...exampleRoutes.listeners,
    '/odd': odd,
    '/sync': () => () => {
      throw new Error('canary of a failure');
    },
  },
};

const service = serviceFixture({ FRONTEND_URL: portalOrigin, TRUST_PROXY: '1' }, 'none', added);
const person = fixture(() => newOwner(service));

const signedIn = (): HeaderLines[number] => ['authorization', `Bearer ${person.tokens.accessToken}`];
const get = (path: string, lines: HeaderLines = []): Promise<Reply> => sendLines(`${service.url}${path}`, 'GET', lines);
const read = ({ body }: Reply): unknown => JSON.parse(body);

describe('An actor', () => {
  // Contract: requests#identity-of-an-added-route — Added route: the same decisions on Fastify and on Express
  it('is the same for a Fastify request and a Node request', async () => {
    const { userId, email, organizationId, memberId } = person;
    const [first, ...others] = (
      await Promise.all(['/fast/who', '/fast/raw', '/odd/who'].map((path) => get(path, [signedIn()])))
    ).map(read);
    expect(first).toEqual({
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
      scopes: [
        'MEMBERS_VIEW',
        'MEMBERS_INVITE',
        'MEMBERS_UPDATE',
        'MEMBERS_REMOVE',
        'ORGANIZATION_UPDATE',
        'BILLING_MANAGE',
        'TOKENS_MANAGE',
        'MCP_MANAGE',
        'AUDIT_VIEW',
      ],
      kind: 'PERSON',
      actor: { kind: 'PERSON', id: userId, name: 'Test Person', email },
    });
    expect(others).toEqual([first, first]);
  });

  it('is a copy: changes by a route reach no other request', async () => {
    const before = read(await get('/fast/who', [signedIn()]));
    expect(read(await get('/fast/forge', [signedIn()]))).toMatchObject({ isSuperAdmin: true });
    expect(read(await get('/fast/who', [signedIn()]))).toEqual(before);
  });

  it('is recorded as seen, with the address that a trusted proxy names', async () => {
    const visitor = await newOwner(service);
    const lines: HeaderLines = [
      ['authorization', `Bearer ${visitor.tokens.accessToken}`],
      ['x-forwarded-for', '203.0.113.9, 192.0.2.7'],
    ];
    expect((await get('/classic/notes', lines)).status).toBe(200);
    await service.flush();
    const [access] = await credentialsOf(service, visitor.email);
    expect(access?.seenIp).toBe('192.0.2.7');
  });

  it('requires the Origin of the portal for a WebSocket by cookie, which begins as a GET', async () => {
    const upgrade: HeaderLines = [
      ['connection', 'Upgrade'],
      ['upgrade', 'websocket'],
      ['cookie', `auth_access=${person.tokens.accessToken}`],
    ];
    for (const path of ['/fast/who', '/odd/who']) {
      expect((await get(path, upgrade)).status).toBe(403);
      expect((await get(path, [...upgrade, ['origin', 'https://evil.example']])).status).toBe(403);
      expect((await get(path, [...upgrade, ['origin', portalOrigin]])).status).toBe(200);
    }
  });
});

it('A server of the embedding application in the same process authenticates Node requests with the same identity', async () => {
  const listener = odd(await given.promise);
  const own = createServer((request, response) => {
    listener(request, response).catch((error: unknown) => {
      answer(response, { isRefusal: isRefusal(error), code: isRefusal(error) ? error.code : null });
    });
  });
  const { url, close } = await listen(own);
  const ask = (lines: HeaderLines): Promise<Reply> => sendLines(`${url}/who`, 'GET', lines);
  const byCookie: HeaderLines = [['cookie', `auth_access=${person.tokens.accessToken}`]];
  expect(read(await ask([signedIn()]))).toMatchObject({ id: person.userId });
  expect(read(await ask(byCookie))).toMatchObject({ id: person.userId });
  expect(read(await ask([['authorization', 'Bearer x'], ...byCookie]))).toEqual({
    isRefusal: true,
    code: 'UNAUTHENTICATED',
  });
  await close();
});

describe('A scope', () => {
  it('admits its holder, and names the missing scope to others', async () => {
    expect(read(await get('/fast/scope/MEMBERS_INVITE', [signedIn()]))).toEqual({ granted: 'MEMBERS_INVITE' });
    const refused = await get('/fast/scope/users:view', [signedIn()]);
    expect(refused.status).toBe(403);
    expect(read(refused)).toEqual({
      error: { code: 'FORBIDDEN', message: someText, missingScopes: ['users:view'] },
    });
  });

  it('that does not exist is an internal error of the route, and authenticates no request', async () => {
    const failed = await get('/fast/scope/MEMBER_INVITE', [signedIn()]);
    expect([failed.status, read(failed)]).toMatchObject([500, { error: { code: 'INTERNAL' } }]);
    expect(service.logs.join('')).toContain('MEMBER_INVITE');
  });
});

describe('An answer', () => {
  it.each(['/fast/who', '/api/none', '/classic/notes', '/classic/none', '/odd/who', '/sync/x'])(
    'of %s has the headers of the service, with every outcome',
    async (path) => {
      const { headers } = await get(path);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
        'cache-control': 'no-store',
      });
      expect(headers['x-powered-by']).toBeUndefined();
    },
  );

  it('may be cached when its route sets cache-control', async () => {
    expect((await get('/odd/own')).headers['cache-control']).toBe('max-age=60');
  });

  it.each(['/api/none', '/api', '/fast/none/deeper'])('at the unknown path %s is 404 as JSON', async (path) => {
    const none = await get(path);
    expect([none.status, read(none)]).toMatchObject([404, { error: { code: 'NOT_FOUND' } }]);
  });

  it.each(['/fast/who', '/odd/who', '/odd/body', '/classic/notes'])(
    'of %s is readable only by the portal',
    async (path) => {
      const preflight = (origin: string): Promise<Reply> =>
        sendLines(`${service.url}${path}`, 'OPTIONS', [
          ['origin', origin],
          ['access-control-request-method', 'DELETE'],
        ]);
      for (const origin of [portalOrigin, service.url]) {
        expect((await preflight(origin)).headers).toMatchObject({
          'access-control-allow-origin': origin,
          'access-control-allow-credentials': 'true',
          'access-control-allow-methods': withDelete,
        });
        expect((await get(path, [['origin', origin]])).headers['access-control-allow-origin']).toBe(origin);
      }
      expect((await preflight('https://evil.example')).headers['access-control-allow-origin']).toBeUndefined();
      const { headers } = await get(path, [['origin', 'https://evil.example']]);
      expect(headers['access-control-allow-origin']).toBeUndefined();
    },
  );

  it('is the refusal when a listener rethrows it', async () => {
    const refused = await get('/odd/who');
    expect([refused.status, read(refused)]).toMatchObject([401, { error: { code: 'UNAUTHENTICATED' } }]);
  });

  it.each(['/fast/fail', '/odd/fail', '/sync/fail'])('of %s hides a failure, which is logged', async (path) => {
    const failed = await get(path);
    expect([failed.status, read(failed)]).toMatchObject([500, { error: { code: 'INTERNAL' } }]);
    expect(failed.body).not.toContain('canary');
    const { error } = read(failed) as { readonly error: { readonly correlationId: string } };
    const line = service.logs.find((each) => each.includes(error.correlationId) && each.includes('request.failed'));
    expect(line).toContain('canary of a failure');
  });

  it('that fails half-way is cut, and the service keeps running', async () => {
    await expect(get('/odd/half')).rejects.toThrow(/aborted|socket hang up/);
    expect(service.logs.findLast((line) => line.includes('request.failed'))).toContain('canary of a failure');
    expect((await get('/fast/who', [signedIn()])).status).toBe(200);
  });
});

describe('A body', () => {
  it.each(['application/json', 'application/octet-stream', 'multipart/form-data', 'nonsense'])(
    'of type %s reaches a listener unchanged, at any size',
    async (type) => {
      const body = 'x'.repeat(300_000);
      const answered = await sendLines(`${service.url}/odd/body`, 'PUT', [['content-type', type]], body);
      expect(read(answered)).toEqual({ bytes: 300_000 });
    },
  );

  it('for a route on Fastify is validated by its schema and limited to 100 KB', async () => {
    const post = (body: string): Promise<Reply> =>
      sendLines(`${service.url}/api/notes`, 'POST', [['content-type', 'application/json'], signedIn()], body);
    const [wrong, broken, large] = [await post('{"text":{}}'), await post('{'), await post(' '.repeat(103_000))];
    expect([wrong.status, broken.status, large.status]).toEqual([400, 400, 413]);
    for (const each of [wrong, broken, large]) expect(read(each)).toMatchObject({ error: { code: 'BAD_USER_INPUT' } });
  });

  it.each(['application/json', 'text/plain'])(
    'of type %s reaches a replaced parser unchanged, up to 100 KB',
    async (type) => {
      const post = (body: string): Promise<Reply> =>
        sendLines(`${service.url}/signed/events`, 'POST', [['content-type', type]], body);
      const signed = '{ "sum":1.0, "of": [ ] }\r\n';
      expect(read(await post(signed))).toEqual({ hex: Buffer.from(signed).toString('hex') });
      expect((await post(' '.repeat(103_000))).status).toBe(413);
    },
  );
});

describe('Starting', () => {
  const noOneAsks = async (): Promise<never> => {
    throw new Error('not reached');
  };
  const identity = { resolveActor: noOneAsks, requireMembership: () => null as never, requireScopes: () => undefined };
  const origins = { baseUrl: portalOrigin, frontendUrl: portalOrigin };

  it.each([
    ['api', 'a path such as /api is needed'],
    ['', 'a path such as /api is needed'],
    ['/', 'a path such as /api is needed'],
    ['/api/', 'a path such as /api is needed'],
    ['/:id', 'a path such as /api is needed'],
    ['/*', 'a path such as /api is needed'],
    ['/a/../b', 'a path such as /api is needed'],
    ['/.well-known', 'a path such as /api is needed'],
    ['/graphql', 'belongs to the service'],
    ['/auth/google/mine', 'belongs to the service'],
    ['/mcp', 'belongs to the service'],
  ])('is refused with routes at "%s"', async (path, reason) => {
    for (const routes of [{ routes: { [path]: () => undefined } }, { listeners: { [path]: () => () => undefined } }]) {
      await expect(
        mountAddedRoutes(fastify(), routes, { identity, origins: portalAlone(origins), bodies: new BodyBudget() }),
      ).rejects.toThrow(reason);
    }
  });

  it('is refused with two sets of routes at one path, or with a failing set, and closes the database', async () => {
    const stored = await lendDatabase();
    const config = readConfig({ ...environmentFor(stored) }, () => '');
    const fails = (): never => {
      throw new Error('canary of a failure');
    };
    const sets: readonly (readonly [AddedRoutes, string])[] = [
      [{ routes: { '/api': () => undefined }, listeners: { '/api': () => () => undefined } }, 'at /api twice'],
      [{ routes: { '/api': fails } }, 'canary of a failure'],
      [{ listeners: { '/api': fails } }, 'canary of a failure'],
    ];
    for (const [routes, reason] of sets) {
      const database = await stored.open({ logger: silentLogger });
      await expect(
        createApp({ config, database, logger: silentLogger, portalDirectory: null, added: routes }),
      ).rejects.toThrow(reason);
      await expect(database.ping()).rejects.toThrow(DatabaseUnavailable);
    }
    await stored.drop();
  });
});

describe('The shutdown', () => {
  it('waits for a listener that is still answering', async () => {
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const late = async (_request: IncomingMessage, response: ServerResponse) => {
      reached.resolve();
      await gate.promise;
      response.end('late');
    };
    const own = await startService({}, 'none', { listeners: { '/late': () => late } });
    const asked = sendLines(`${own.url}/late`, 'GET', []);
    await reached.promise;
    const closing = own.close();
    gate.resolve();
    expect((await asked).body).toBe('late');
    await closing;
  });

  // Contract: requests#changes-and-outages-at-an-added-route — I7 for added routes: 503, never a false 401
  it('of the database is 503 at every entry point, never "signed out"', async () => {
    const own = await startService({}, 'none', exampleRoutes);
    const { tokens } = await newOwner(own);
    const elsewhere = await openElsewhere(own);
    await own.database.close();
    for (const entryPoint of [...entryPointsOf(own), elsewhere.entryPoint]) {
      for (const method of ['GET', 'DELETE'] as const) {
        const decision = await entryPoint.ask(method, [['authorization', `Bearer ${tokens.accessToken}`]]);
        expect([entryPoint.name, decision]).toEqual([entryPoint.name, { status: 503, code: 'UNAVAILABLE', who: null }]);
      }
    }
    await own.close();
    // The shutdown does not change that.
    expect(await elsewhere.entryPoint.ask('GET', [signedIn()])).toMatchObject({ status: 503, code: 'UNAVAILABLE' });
    await elsewhere.close();
  });
});
