/** `gatehouse doctor` on a running, healthy service as its clients see it, through a misconfigured proxy. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createSuperAdminAccount } from '../support/actors/super-admins.ts';
import { type ProxyBehaviour, startProxy } from '../support/clients/http-proxy.ts';
import { fixture, testFixture } from '../support/fixture.ts';
import { type Service, serviceFixture, startService } from '../support/gatehouse/gatehouse.ts';
import type { Environment } from '../support/gatehouse/gatehouse-process.ts';
import { diagnose, environmentOf, expectFault, faults, theFault } from './run-doctor.ts';

const says = (pattern: RegExp): unknown => expect.stringMatching(pattern);

/** The page of a web server for a path that it serves itself. */
const page =
  (path: RegExp, status = 200) =>
  (incoming: IncomingMessage, response: ServerResponse): boolean => {
    if (!path.test(incoming.url ?? '')) return false;
    response
      .writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
      .end('<!doctype html><title>Portal</title>');
    return true;
  };

const ownAddress = ({ config }: Service): string => `http://127.0.0.1:${config.port}`;

const proxy = fixture(startProxy);
const service = serviceFixture(() => ({ BASE_URL: proxy.url, FRONTEND_URL: proxy.url }), 'one origin');
beforeAll(async () => {
  await createSuperAdminAccount(service);
});
afterEach(() => proxy.pass(ownAddress(service)));

const diagnoseThrough = (behaviour: ProxyBehaviour, more: Environment = {}) => {
  proxy.pass(ownAddress(service), behaviour);
  return diagnose(environmentOf(service, more));
};

describe('A healthy service', () => {
  it('has no fault from the view of its clients', async () => {
    const { code, findings } = await diagnoseThrough({});
    expect(findings.filter(({ level }) => level !== 'ok')).toEqual([]);
    expect(code).toBe(0);
    const subjects = new Set(findings.map(({ check }) => check));
    for (const subject of ['service', 'portal', 'mcp']) expect(subjects).toContain(subject);
  });

  it('has none on two origins', async () => {
    const two = await testFixture(startService({}, 'two origins'));
    await createSuperAdminAccount(two);
    const { findings } = await diagnose(environmentOf(two));
    expect(findings.filter(({ level }) => level !== 'ok')).toEqual([]);
    expect(findings).toContainEqual(expect.objectContaining({ says: says(/may call \/graphql from its own origin/) }));
  });

  it('is reported without Platform MCP when that is disabled', async () => {
    const { findings } = await diagnoseThrough({}, { MCP_ENABLED: 'false' });
    expect(findings.filter(({ check }) => check === 'mcp')).toMatchObject([{ level: 'ok', says: says(/MCP_ENABLED/) }]);
  });
});

describe('The way to the service', () => {
  const fault = async (behaviour: ProxyBehaviour) => {
    const diagnosis = await diagnoseThrough(behaviour);
    // An unreachable service gets no further request.
    expect(faults(diagnosis, 'mcp')).toEqual([]);
    return theFault(diagnosis, 'service');
  };

  it('has a fault when the proxy does not reach it', async () => {
    proxy.pass('http://127.0.0.1:1');
    expectFault(await diagnose(environmentOf(service)), 'service', {
      level: 'error',
      says: /answers 502 .*does not reach the service/,
    });
  });

  it('has a fault when another program answers', async () => {
    expect(await fault({ answer: page(/./) })).toMatchObject({ level: 'error', says: says(/that is not Gatehouse/) });
  });

  it('has a fault when it redirects elsewhere, and hides the query of the target', async () => {
    const answer = (_incoming: IncomingMessage, response: ServerResponse): boolean => {
      response.writeHead(301, { location: 'https://id.example.com/healthz?token=Canary' }).end();
      return true;
    };
    expect(await fault({ answer })).toMatchObject({
      level: 'error',
      says: says(/301, a redirect to https:\/\/id\.example\.com\/healthz, and clients that POST do not follow it/),
    });
  });

  it('has a fault when it speaks no TLS although BASE_URL is https', async () => {
    const url = proxy.url.replace('http:', 'https:');
    const diagnosis = await diagnose(environmentOf(service, { BASE_URL: url, FRONTEND_URL: url }));
    expectFault(diagnosis, 'service', { level: 'error', says: /TLS connection to BASE_URL/ });
  });

  it('has a fault when the service is not ready, and names the failing part', async () => {
    const answer = (incoming: IncomingMessage, response: ServerResponse): boolean => {
      if (incoming.url !== '/readyz') return false;
      const body = { status: 'unavailable', checks: { database: 'unavailable', process: 'ok' } };
      response.writeHead(503, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      return true;
    };
    expectFault(await diagnoseThrough({ answer }), 'service', { says: /not ready: database\.$/ });
  });

  it('has a fault when the proxy does not pass on POST /graphql', async () => {
    const diagnosis = await diagnoseThrough({ answer: page(/^\/graphql/, 405) });
    expectFault(diagnosis, 'service', { says: /POST \/graphql .* answers 405 with a page of HTML/ });
  });

  it('has a fault when the proxy signs its answers, but is not trusted', async () => {
    const behaviour: ProxyBehaviour = {
      response: (headers) => {
        headers['server'] = 'nginx';
      },
    };
    expectFault(await diagnoseThrough(behaviour), 'proxy', { says: /The header server .* TRUST_PROXY is false/ });
    expect(faults(await diagnoseThrough(behaviour, { TRUST_PROXY: '1' }), 'proxy')).toEqual([]);
  });
});

describe('The portal', () => {
  it('has a fault when its page is not at FRONTEND_URL', async () => {
    expectFault(await diagnoseThrough({ answer: page(/^\/signin/, 404) }), 'portal', {
      level: 'warning',
      says: /answers 404 .*not the page of the portal/,
    });
  });

  it('reports an error when no server listens at FRONTEND_URL', async () => {
    const diagnosis = await diagnoseThrough({}, { FRONTEND_URL: 'http://127.0.0.1:1' });
    expect(faults(diagnosis, 'portal')).toContainEqual(
      expect.objectContaining({ level: 'warning', says: says(/not reachable from here at FRONTEND_URL/) }),
    );
  });

  it('has a fault when its page was built for another service', async () => {
    const other = await testFixture(startService({}, 'two origins'));
    const diagnosis = await diagnoseThrough({}, { FRONTEND_URL: other.config.frontendUrl });
    expect(faults(diagnosis, 'portal')).toContainEqual(
      expect.objectContaining({ level: 'error', says: says(/made for another BASE_URL/) }),
    );
  });

  it('has a fault when its origin may not call the API', async () => {
    // The service has one origin; this command is given two.
    const diagnosis = await diagnoseThrough({}, { FRONTEND_URL: ownAddress(service) });
    expect(faults(diagnosis, 'portal')).toContainEqual(
      expect.objectContaining({ level: 'error', says: says(/may not call \/graphql from FRONTEND_URL/) }),
    );
  });
});

describe('Platform MCP', () => {
  const faultsThrough = async (behaviour: ProxyBehaviour) => faults(await diagnoseThrough(behaviour), 'mcp');

  it('has a fault when the proxy removes the challenge', async () => {
    const found = await faultsThrough({
      response: (headers) => {
        delete headers['www-authenticate'];
      },
    });
    expect(found).toMatchObject([{ level: 'error', says: says(/401 without WWW-Authenticate/) }]);
  });

  it('has a fault when the proxy removes the token', async () => {
    const found = await faultsThrough({
      request: (headers) => {
        delete headers.authorization;
      },
    });
    expect(found).toMatchObject([{ level: 'error', fix: says(/Authorization header/) }]);
  });

  it('has a fault when the proxy changes the host', async () => {
    const found = await faultsThrough({
      request: (headers) => {
        headers.host = 'gatehouse.internal:4000';
      },
    });
    expect(found).toMatchObject([{ level: 'error', says: says(/answers 403/), fix: says(/Host header/) }]);
  });

  it.each([
    { what: 'a page', status: 200 },
    { what: 'a page that says not found', status: 404 },
    { what: 'a page that says not allowed', status: 405 },
  ])('has a fault when /mcp answers $what', async ({ status }) => {
    expect(await faultsThrough({ answer: page(/^\/mcp/, status) })).toMatchObject([
      { level: 'error', says: says(new RegExp(`answers ${status} with a page of HTML instead of 401`)) },
    ]);
  });

  it('has a fault for each document that is replaced by a page', async () => {
    expect(await faultsThrough({ answer: page(/^\/\.well-known/) })).toMatchObject([
      { level: 'error', says: says(/oauth-protected-resource\/mcp .* 200 with a page of HTML/) },
      { level: 'error', says: says(/oauth-authorization-server .* 200 with a page of HTML/) },
    ]);
  });

  it('has a fault for each document that no page in a browser may read', async () => {
    const found = await faultsThrough({
      response: (headers) => {
        delete headers['access-control-allow-origin'];
      },
    });
    expect(found.map(({ level }) => level)).toEqual(['warning', 'warning']);
  });

  it('has a fault for each document that does not name the origin of BASE_URL', async () => {
    const other = await testFixture(startService());
    // Documents of another service do not contain the origin.
    proxy.pass(ownAddress(other), {
      request: (headers) => {
        headers.host = new URL(other.url).host;
      },
    });
    const found = faults(await diagnose(environmentOf(service)), 'mcp').map((finding) => finding.says);
    for (const name of ['resource', 'authorization_servers', 'issuer', 'token_endpoint'])
      expect(found).toContainEqual(says(new RegExp(`^${name} in .* is ${other.url}`)));
    expect(found).toContainEqual(says(/sends clients to the metadata at/));
  });
});
