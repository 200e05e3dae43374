/** Headers of every HTTP answer, and the routing of every path. */
import { describe, expect, it } from 'vitest';
import { requireListed } from '../../src/app/routes.ts';
import { createSuperAdminAccount } from '../support/actors/super-admins.ts';
import { range, until } from '../support/checks/concurrency.ts';
import { bearer, goodPassword, operations, post, register, tokensOf } from '../support/clients/clients.ts';
import { RawConnection } from '../support/clients/raw-http.ts';
import { serviceFixture, testLogo } from '../support/gatehouse/gatehouse.ts';

const api = 'https://id.example.com';
const portal = 'https://app.example.com';

const service = serviceFixture({}, 'one origin');
const behindProxy = serviceFixture(
  {
    BASE_URL: api,
    FRONTEND_URL: portal,
    TRUST_PROXY: '1',
    STRIPE_SECRET_KEY: 'sk_test',
    MAX_CONNECTIONS: '40',
  },
  'one origin',
);
const twoOrigins = {
  service: behindProxy,
  /** The host of its BASE_URL is unreachable. */
  get url() {
    return `http://127.0.0.1:${behindProxy.config.port}`;
  },
};
const branded = serviceFixture({ BASE_URL: api, FRONTEND_URL: portal, HSTS_INCLUDE_SUBDOMAINS: 'true' }, 'one origin', {
  application: { brand: { logo: './logo.svg', color: '#5b2ee5' } },
});

const request = (path: string, options: RequestInit = {}): Promise<Response> =>
  fetch(`${service.url}${path}`, { redirect: 'manual', ...options });

const graphql = (body: string, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json', ...headers },
  body,
});

/** Every kind of answer: [what, path, options, status]. */
const answers: readonly (readonly [string, string, RequestInit, number])[] = [
  ['page', '/', {}, 200],
  ['page without its body', '/', { method: 'HEAD' }, 200],
  ['page of a link', `/verify/${'a'.repeat(64)}`, {}, 200],
  ['liveness', '/healthz', {}, 200],
  ['readiness', '/readyz', {}, 200],
  ['mailbox', '/dev/mailbox', {}, 200],
  ['mailbox as JSON', '/dev/mailbox.json', {}, 200],
  ['mailbox emptied', '/dev/mailbox', { method: 'DELETE' }, 204],
  ['unknown mail', '/dev/mailbox/none', {}, 404],
  ['query', '/graphql', graphql('{"query":"{ __typename }"}'), 200],
  ['query by GET', '/graphql?query=%7B__typename%7D', {}, 200],
  ['refused query', '/graphql', graphql('{"query":"{ me { id } }"}'), 401],
  ['malformed query', '/graphql', graphql('{"query":"{"}'), 400],
  ['malformed body', '/graphql', graphql('{'), 400],
  ['method that is not allowed', '/graphql', { method: 'PUT' }, 405],
  ['body that is too large', '/graphql', graphql(' '.repeat(200_000)), 413],
  ['unknown media type', '/graphql', { method: 'POST', body: 'x' }, 415],
  ['unknown path', '/auth/none', {}, 404],
  ['missing file', '/assets/none.js', {}, 404],
  ['page with POST', '/signin', { method: 'POST' }, 404],
  ['body for a page', '/signin', graphql('{'), 404],
];

/** Answers before routing: the headers of every answer, and nothing of the request. */
const expectBareRefusal = (answer: string): void => {
  expect(answer).toMatch(/^content-security-policy: default-src 'none'/im);
  expect(answer).toMatch(/^x-content-type-options: nosniff\r$/im);
  expect(answer).toMatch(/^cache-control: no-store\r$/im);
  expect(answer).toMatch(/^content-type: application\/json/im);
  expect(answer).not.toContain('canary');
};

describe('headers', () => {
  // Contract: requests#security-headers — Every kind of answer has the headers that keep browsers within its origin
  it.each(answers)('of a %s', async (_what, path, options, status) => {
    const response = await request(path, options);
    const body = await response.text();
    expect(response.status, body).toBe(status);
    const { headers } = response;
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('permissions-policy')).toBe('camera=(), geolocation=(), microphone=()');
    expect(headers.get('cache-control')).toBe('no-store');
    for (const name of ['strict-transport-security', 'server', 'x-powered-by']) expect(headers.has(name)).toBe(false);
    if (body !== '' && status >= 400) expect(headers.get('content-type')).toMatch(/json/);
  });

  it('of a path that no route can read, which is not quoted either', async () => {
    for (const path of ['/verify/canary%', '/%c0%ae/canary', `/dev/mailbox/${'canary'.repeat(50)}`]) {
      const connection = await RawConnection.open(service.url);
      connection.write(`GET ${path} HTTP/1.1\r\nHost: gatehouse\r\nConnection: close\r\n\r\n`);
      const answer = await connection.closed();
      expect(answer).toMatch(/^HTTP\/1\.1 4(00|14) /);
      expect(answer).toMatch(/^referrer-policy: no-referrer\r$/im);
      expectBareRefusal(answer);
    }
  });

  it.each([
    ['a request that is not HTTP', 'canary\r\n\r\n', 400],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: x\r\nCookie: auth_access=canary\r\ncanary\r\n\r\n', 400],
    ['endless headers', `GET / HTTP/1.1\r\nHost: x\r\nCookie: ${'canary'.repeat(4000)}\r\n\r\n`, 431],
  ])('of %s, which is not quoted either', async (_what, bytes, status) => {
    const connection = await RawConnection.open(service.url);
    connection.write(bytes);
    const answer = await connection.closed();
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expectBareRefusal(answer);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ error: { code: 'BAD_USER_INPUT' } });
  });

  it('let only built files be cached permanently', async () => {
    const page = await (await request('/')).text();
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? '';
    const { status, headers } = await request(script);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toMatch(/immutable/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  // Contract: requests#security-headers — HSTS where BASE_URL is https; of the hosts below where the operator says so
  it('require https for later requests where the service is reached by https', async () => {
    for (const path of ['/', '/healthz', '/auth/none', '/graphql', '/%zz']) {
      const { headers } = await fetch(`${twoOrigins.url}${path}`);
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    }
  });

  it('require it of the hosts below only where the operator says so', async () => {
    for (const path of ['/', '/auth/none', '/%zz']) {
      const { headers } = await fetch(`http://127.0.0.1:${branded.config.port}${path}`);
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
    }
  });
});

describe('addresses', () => {
  // Contract: requests#one-origin — A path that is no interface and no file answers with the portal's page
  it.each(['/', '/signin', '/signup', '/verify/x', '/verify/x?redirect=/y', '/profile', '/deep/er'])(
    '%s answers the portal page',
    async (path) => {
      const response = await request(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(await response.text()).toContain('<div id="portal">');
    },
  );

  // Contract: requests#one-origin — An unknown path of an interface is 404 as JSON, never the portal's page
  it.each([
    '/.well-known/none',
    '/.well-known/',
    '/auth',
    '/auth/none',
    '/graphql/none',
    '/%67raphql/none',
    '//graphql',
    '/auth%2fnone',
    '/.well-known%2fnone',
    '/mcp/none',
    '/webhooks',
    '/webhooks/none',
    '/dev',
    '/dev/none',
    '/assets/',
    '/assets/none.js',
    '/metrics/none',
    '/favicon.ico',
    '/robots.txt',
    '/index.html',
    '/deep/er.png',
    '/healthz/none',
    '/assets/..%2findex.html',
    '/assets/%2e%2e/%2e%2e/package.json',
  ])('%s answers 404 as JSON', async (path) => {
    const response = await request(path);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.json()).toEqual({
      error: { code: 'NOT_FOUND', message: 'There is nothing at this address.' },
    });
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s of a page answers 404 as JSON', async (method) => {
    for (const path of ['/', '/signin', '/verify/x']) {
      const response = await request(path, { method });
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    }
  });

  it('the page at two origins names the API, and may reach it', async () => {
    const response = await fetch(`${twoOrigins.url}/signin`);
    expect(await response.text()).toContain(`name="gatehouse-api" content="${api}"`);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`connect-src 'self' ${api};`);
    expect(policy).toContain("style-src 'self'; img-src 'self' data:;");
  });

  // Contract: application#logo-of-an-application — Of the API's origin, a page may load the logo and the stylesheet,
  //   and nothing else
  it('the page at two origins may load the logo and the colours from the API, and no other image or style', async () => {
    const response = await fetch(`http://127.0.0.1:${branded.config.port}/signin`);
    const page = await response.text();
    const [, theme = 'none'] = /<link rel="stylesheet" href="(https:[^"]*)"/.exec(page) ?? [];
    const logo = `${api}/brand/logo-${testLogo.fingerprint}`;
    expect(theme).toMatch(/^https:.*\/brand\/theme-[0-9a-f]+\.css$/);
    expect(page).toContain(logo);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`style-src 'self' ${theme}; img-src 'self' ${logo} data:; font-src 'self';`);
    expect(policy.split(`${api}/brand/`).join('').split(api)).toHaveLength(2);
  });

  it('the page at one origin has no other origin in its policy', async () => {
    const response = await fetch(`${service.url}/signin`);
    expect(response.headers.get('content-security-policy')).not.toMatch(/https?:/);
  });
});

// Contract: requests#memory-for-bodies — A body without a route is not read
it.each([
  ['OPTIONS /graphql', 405],
  ['OPTIONS /none', 404],
  ['OPTIONS /auth/mcp/token', 204],
  ['OPTIONS /auth/mcp/revoke', 204],
  ['OPTIONS /auth/mcp/register', 204],
  ['OPTIONS /.well-known/oauth-authorization-server', 204],
  ['DELETE /dev/mailbox/none', 404],
  ['PUT /none', 404],
] as const)('%s without a route is answered %i before its body arrives', async (request, status) => {
  const connection = await RawConnection.open(service.url);
  const host = new URL(service.url).host;
  const head = `Host: ${host}\r\nContent-Type: application/json\r\nContent-Length: 90000`;
  connection.write(`${request} HTTP/1.1\r\n${head}\r\n\r\n{`);
  // 408 would be the answer after waiting for the body.
  expect(await connection.received(/^HTTP\/1\.1 \d{3} /m)).toContain(`HTTP/1.1 ${status} `);
  connection.close();
});

describe('The page', () => {
  const factIn = async ({ url }: { readonly url: string }, name: string): Promise<string | undefined> => {
    const response = await fetch(`${url}/signin`);
    return new RegExp(`name="gatehouse-${name}" content="(.*?)"`).exec(await response.text())?.[1];
  };

  it('says whether plans can be bought here', async () => {
    expect(await factIn(service, 'billing')).toBe('');
    expect(await factIn(twoOrigins, 'billing')).toBe('stripe');
  });

  it('names the URL of MCP clients: at the origin of the API', async () => {
    expect(await factIn(twoOrigins, 'mcp')).toBe(`${api}/mcp`);
  });
});

describe('two origins', () => {
  const send = (
    origin: string | null,
    options: RequestInit = graphql('{"query":"{ me { id } }"}'),
    path = '/graphql',
  ) =>
    fetch(`${twoOrigins.url}${path}`, {
      ...options,
      headers: { ...(options.headers as Record<string, string>), ...(origin === null ? {} : { origin }) },
    });
  const preflight = (method: string): RequestInit => ({
    method: 'OPTIONS',
    headers: {
      'access-control-request-method': method,
      'access-control-request-headers': 'content-type,authorization,x-auth-delivery',
    },
  });
  const foreignOrigins = [
    'https://evil.example',
    'null',
    'http://app.example.com',
    'https://app.example.com:8443',
    'https://example.com',
    'https://app.example.com.evil.example',
    'https://evilapp.example.com',
    'https://x.id.example.com',
    '*',
  ];

  // Contract: requests#two-origins — The two origins may read every answer of /graphql, with credentials
  it.each([api, portal])('%s may read every answer, with credentials', async (origin) => {
    const refused = [graphql('{"query":"{ me { id } }"}'), graphql('{'), { method: 'POST', body: 'x' }];
    for (const options of [...refused, { method: 'PUT' }]) {
      const { headers, status } = await send(origin, options);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      expect(headers.get('access-control-allow-credentials')).toBe('true');
      expect(headers.get('vary')).toMatch(/\borigin\b/i);
    }
  });

  it.each([api, portal])('%s may send preflights', async (origin) => {
    const { headers, status } = await send(origin, preflight('POST'));
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect(headers.get('access-control-allow-credentials')).toBe('true');
    expect(headers.get('access-control-allow-methods')).toMatch(/\bPOST\b/);
    const allowed = headers.get('access-control-allow-headers')?.toLowerCase().split(/, ?/);
    expect(allowed).toEqual(expect.arrayContaining(['content-type', 'authorization', 'x-auth-delivery']));
    expect(Number(headers.get('access-control-max-age'))).toBeGreaterThan(0);
  });

  // Contract: requests#two-origins — A page of another origin gets no CORS header
  it.each(foreignOrigins)('%s may neither read nor preflight', async (origin) => {
    for (const options of [graphql('{"query":"{ __typename }"}'), preflight('POST')]) {
      const { headers } = await send(origin, options);
      expect(headers.has('access-control-allow-origin')).toBe(false);
      expect(headers.get('vary')).toMatch(/\borigin\b/i);
    }
  });

  it('only /graphql is shared between origins', async () => {
    for (const path of ['/', '/healthz', '/dev/mailbox.json', '/auth/none']) {
      for (const options of [{}, preflight('POST')]) {
        const { headers } = await send(portal, options, path);
        expect(headers.has('access-control-allow-origin')).toBe(false);
      }
    }
  });
});

// Contract: requests#number-of-connections — Connections have a maximum
it('Connections past MAX_CONNECTIONS are closed unanswered, are logged once, and are accepted again when others end', async () => {
  const { service: full, url } = twoOrigins;
  const reported = (): string[] => full.logs.filter((line) => line.includes('"event":"http.connections_refused"'));
  const connections = await Promise.all(range(60).map(() => RawConnection.open(url)));
  for (const connection of connections) connection.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
  const answers = await Promise.all(connections.map((connection) => connection.answered()));
  const answered = answers.filter((answer) => answer.startsWith('HTTP/1.1 200 '));
  expect(answers.filter((answer) => answer === '')).toHaveLength(60 - answered.length);
  expect(answered.length).toBeGreaterThan(0);
  expect(answered.length).toBeLessThanOrEqual(40);
  expect(reported()).toHaveLength(1);
  for (const connection of connections) connection.close();
  await until('there is room again', async () => {
    const connection = await RawConnection.open(url);
    connection.write('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    return (await connection.closed()).startsWith('HTTP/1.1 200 ');
  });
});

describe('X-Forwarded-For', () => {
  const forwarded = { 'x-forwarded-for': '198.51.100.1, 203.0.113.9', 'x-forwarded-host': 'evil.example' };

  const signInFrom = async ({ url }: { readonly url: string }, email: string, password: string): Promise<unknown> => {
    const tokens = tokensOf(await post(url, operations.signIn, { input: { email, password } }, forwarded));
    const { data } = await post(url, '{ mySessions { issueIp } }', {}, bearer(tokens));
    return data?.['mySessions'];
  };

  it('does not count unless a proxy is trusted', async () => {
    const email = await register(service);
    expect(await signInFrom(service, email, goodPassword)).toEqual([{ issueIp: '127.0.0.1' }]);
  });

  it('counts by as many hops as are trusted', async () => {
    const email = await createSuperAdminAccount(twoOrigins.service);
    expect(await signInFrom(twoOrigins, email, goodPassword)).toEqual([{ issueIp: '203.0.113.9' }]);
  });
});

// Contract: requests#list-of-routes — A route that is not listed with its guard cannot be mounted
it('The list of routes refuses an unlisted route or method', () => {
  expect(() => requireListed({ method: ['GET', 'HEAD'], url: '/healthz' })).not.toThrow();
  expect(() => requireListed({ method: 'PUT', url: '/mcp' })).not.toThrow();
  expect(() => requireListed({ method: 'POST', url: '/healthz' })).toThrow('POST /healthz is not in the list');
  expect(() => requireListed({ method: 'GET', url: '/admin' })).toThrow('GET /admin is not in the list');
});
