/**
 * Which address `@gatehouse/node` names as that of the client, and what the service decides by it for tokens of
 * machines.
 */
import { createServer, type RequestListener } from 'node:http';
import { createIdentity, type IncomingRequest, isRefusal } from '@gatehouse/node';
import express from 'express';
import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { newPersonalToken } from '../../../server/test/support/actors/machines/machines.ts';
import { newOwner } from '../../../server/test/support/actors/tenants.ts';
import { fixture, testFixture } from '../../../server/test/support/fixture.ts';
import { serviceFixture } from '../../../server/test/support/gatehouse/gatehouse.ts';
import { listen } from '../../../server/test/support/servers/listen.ts';
import { application, appOrigin, resourceSecret, resourceUrl } from './application.ts';

const resource = { name: 'notes', secret: resourceSecret };
const notes = { url: resourceUrl, scopes: ['notes:read', 'notes:write'], machineTokens: true };
const service = serviceFixture({ RESOURCE_SECRET_NOTES: resourceSecret, TRUST_PROXY: '127.0.0.1' }, 'none', {
  application: { ...application, resources: { notes } },
});
const identity = fixture(() => createIdentity({ baseUrl: service.url, resource }));
const owner = fixture(async () => {
  const made = await newOwner(service);
  await service.sql("UPDATE organizations SET token_networks = '{192.0.2.0/24}' WHERE id = $1", [made.organizationId]);
  return made;
});
const machine = fixture(() => newPersonalToken(service, owner, { scopes: ['notes:read'] }));

const forwarded = { 'x-forwarded-for': '192.0.2.7' };
const peer = { remoteAddress: '198.51.100.7' };

describe('The address of the client', () => {
  /** What a question about a request names. */
  const namedFor = async (request: IncomingRequest, options?: { readonly clientIp?: string }): Promise<string[]> => {
    const asked: string[] = [];
    const server = createServer(({ url = '' }, response) => {
      asked.push(url);
      response.writeHead(503, { 'content-type': 'application/json' }).end('{}');
    });
    const { url: baseUrl } = await testFixture(listen(server));
    const own = createIdentity({ baseUrl });
    await expect(own.resolveActor(request, options)).rejects.toSatisfy(isRefusal);
    return asked.flatMap((url) => new URL(url, baseUrl).searchParams.getAll('client_ip'));
  };

  it.each<readonly [title: string, request: IncomingRequest, named: string]>([
    ['the peer of a Node request', { headers: {}, socket: peer }, '198.51.100.7'],
    ['none where a proxy forwarded it', { headers: forwarded, socket: peer }, 'unknown'],
    ['none where a proxy says so by RFC 7239', { headers: { forwarded: 'for=192.0.2.7' }, socket: peer }, 'unknown'],
    ['that of Express', { headers: forwarded, socket: peer, ip: '192.0.2.7' }, '192.0.2.7'],
    ['that of Fastify', { ip: '192.0.2.7', raw: { headers: forwarded, socket: peer } }, '192.0.2.7'],
    ['none where Express trusts no proxy', { headers: forwarded, socket: peer, ip: '198.51.100.7' }, 'unknown'],
    ['none of a Fetch request', new Request(appOrigin, { headers: forwarded }), 'unknown'],
    ['none of Hono’s context', { req: { raw: new Request(appOrigin, { headers: forwarded }) } }, 'unknown'],
    ['none of a socket that is closed', { headers: {}, socket: {} }, 'unknown'],
  ])('is %s', async (_title, request, named) => {
    expect(await namedFor(request)).toEqual([named]);
  });

  it('is the one that the caller gives, before all others', async () => {
    const request = { headers: forwarded, socket: peer, ip: '198.51.100.7' };
    expect(await namedFor(request, { clientIp: '2001:db8::1' })).toEqual(['2001:db8::1']);
  });
});

describe('A token of a machine whose organization has networks', () => {
  const bearer = (): Record<string, string> => ({ authorization: `Bearer ${machine.token}` });
  const decisionOn = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'passes',
      (error: unknown) => (isRefusal(error) ? error.code : String(error)),
    );

  /** What a server of one's own decides of a request that a proxy forwards for a client. */
  const decisionAt = async (listener: RequestListener, client: string): Promise<string> => {
    const { url, close } = await listen(createServer(listener));
    const reply = await fetch(url, { headers: { ...bearer(), 'x-forwarded-for': client } });
    await close();
    return reply.text();
  };

  it('is accepted from these at a back end that says who its client is, and refused otherwise', async () => {
    const ask = (options: { readonly clientIp?: string }): Promise<string> =>
      decisionOn(identity.resolveActor(new Request(appOrigin, { headers: bearer() }), { machines: true, ...options }));
    expect(await ask({ clientIp: '192.0.2.7' })).toBe('passes');
    expect(await ask({ clientIp: '198.51.100.7' })).toBe('FORBIDDEN');
    expect(await ask({})).toBe('FORBIDDEN');
  });

  it('is judged by the proxies that Express and Fastify trust', async () => {
    const onExpress = (trusted: boolean) =>
      express()
        .set('trust proxy', trusted)
        .get('/', async (request, response) => {
          response.send(await decisionOn(identity.resolveActor(request, { machines: true })));
        });
    const onFastify = async (trustProxy: boolean) => {
      const app = fastify({ trustProxy });
      app.get('/', (request) => decisionOn(identity.resolveActor(request, { machines: true })));
      await app.ready();
      const listener: RequestListener = (request, response) => app.routing(request, response);
      return listener;
    };
    for (const server of [onExpress, onFastify]) {
      const [trusting, other] = [await server(true), await server(false)];
      expect(await decisionAt(trusting, '192.0.2.7')).toBe('passes');
      expect(await decisionAt(trusting, '198.51.100.7')).toBe('FORBIDDEN');
      expect(await decisionAt(other, '192.0.2.7')).toBe('FORBIDDEN');
    }
  });

  it('is active for a client in these alone, as introspect and protectMcp are told', async () => {
    const active = { active: true, sub: owner.userId };
    expect(await identity.introspect(machine.token, { clientIp: '192.0.2.7' })).toMatchObject(active);
    expect(await identity.introspect([machine.token], { clientIp: '192.0.2.7' })).toMatchObject([active]);
    for (const options of [{ clientIp: '198.51.100.7' }, {}, undefined]) {
      expect(await identity.introspect(machine.token, options)).toEqual({ active: false });
      expect(await identity.introspect([machine.token], options)).toEqual([{ active: false }]);
    }
    const { authenticate } = identity.protectMcp({ resource: resourceUrl, scopes: ['notes:read'] });
    const from = (remoteAddress: string) => ({ headers: bearer(), socket: { remoteAddress } });
    expect(await authenticate(from('192.0.2.7'))).toMatchObject({ scopes: ['notes:read'] });
    expect(await authenticate({ headers: bearer() }, { clientIp: '192.0.2.7' })).toMatchObject({
      token: machine.token,
    });
    for (const request of [from('198.51.100.7'), { headers: bearer() }])
      await expect(authenticate(request)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});
