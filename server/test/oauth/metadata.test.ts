/** Metadata for clients: RFC 9728 and RFC 8414, from the configuration alone, for every origin. */
import { describe, expect, it } from 'vitest';
import { RawConnection } from '../support/clients/raw-http.ts';
import { testFixture } from '../support/fixture.ts';
import { serviceFixture, startService } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();

const resourcePaths = ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'];
const serverPath = '/.well-known/oauth-authorization-server';
const metadataPaths = [...resourcePaths, serverPath];
const endpointPaths = ['/auth/mcp/register', '/auth/mcp/token', '/auth/mcp/revoke'];

const usable = [
  'mcp:whoami',
  'sessions:view',
  'users:view',
  'organizations:view',
  'mcp:access:view',
  'sessions:revoke',
  'users:suspend',
  'invitations:manage',
];

const someText: unknown = expect.any(String);

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${service.url}${path}`, { headers });

describe('Metadata', () => {
  // Contract: platform-mcp#metadata-of-the-server — GET /.well-known/oauth-protected-resource and …/mcp, RFC 9728
  it.each(resourcePaths)('describes the protected resource at %s', async (path) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      resource: `${service.url}/mcp`,
      authorization_servers: [service.url],
      scopes_supported: usable,
      bearer_methods_supported: ['header'],
      resource_name: 'Gatehouse Platform MCP',
    });
  });

  // Contract: platform-mcp#metadata-of-the-server — GET /.well-known/oauth-authorization-server, RFC 8414
  it('describes the authorization server', async () => {
    const response = await get(serverPath);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      issuer: service.url,
      authorization_endpoint: `${service.url}/auth/mcp/authorize`,
      token_endpoint: `${service.url}/auth/mcp/token`,
      registration_endpoint: `${service.url}/auth/mcp/register`,
      revocation_endpoint: `${service.url}/auth/mcp/revoke`,
      scopes_supported: usable,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    });
  });

  // Contract: organization-mcp#announcement-of-metadata-documents — The metadata says so exactly when the list is not
  //   empty
  it('says nothing of metadata documents where the list of them is empty', async () => {
    const without = await testFixture(startService({ MCP_CLIENT_METADATA_ALLOW_LIST: '' }));
    const response = await fetch(`${without.url}${serverPath}`);
    expect(Object.keys((await response.json()) as object)).not.toContain('client_id_metadata_document_supported');
  });

  it.each(metadataPaths)('is JSON that may be cached briefly, and answers HEAD, at %s', async (path) => {
    const response = await get(path);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    expect(response.headers.getSetCookie()).toEqual([]);
    const head = await fetch(`${service.url}${path}`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  // Contract: platform-mcp#metadata-of-the-server — Metadata is built from configuration, never from the Host header
  it.each(metadataPaths)('is the same for any Host and proxy headers, at %s', async (path) => {
    const expected = await (await get(path)).text();
    const forwarded = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
    };
    expect(await (await get(path, forwarded)).text()).toBe(expected);
    const connection = await RawConnection.open(service.url);
    connection.write(`GET ${path} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`);
    const raw = await connection.closed();
    expect(raw).toContain(expected);
    expect(raw).not.toContain('evil.example');
  });

  // Contract: platform-mcp#paths-that-are-not-mounted — Unknown /.well-known/* and /auth/* paths: 404 JSON
  it.each([
    '/.well-known/openid-configuration',
    '/.well-known/openid-configuration/mcp',
    '/mcp/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server/mcp',
    '/.well-known/oauth-protected-resource/other',
    '/auth/mcp/introspect',
    '/auth/mcp/jwks',
  ])('is not at %s, where clients also look: 404 as JSON', async (path) => {
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ error: { code: 'NOT_FOUND', message: someText } });
    expect(response.headers.get('access-control-allow-origin')).toBe(path.startsWith('/.well-known/') ? '*' : null);
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  });
});

describe('CORS of the endpoints that clients call directly', () => {
  const preflight = (path: string): Promise<Response> =>
    fetch(`${service.url}${path}`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://inspector.example',
        'access-control-request-method': path.startsWith('/auth') ? 'POST' : 'GET',
        'access-control-request-headers': 'content-type, authorization, mcp-protocol-version',
      },
    });

  // Contract: platform-mcp#cross-origin-answers — Metadata, register, token and revoke answer every origin, never with
  //   credentials
  it.each([...metadataPaths, '/.well-known/openid-configuration/mcp', ...endpointPaths])(
    'allows every origin without credentials at %s',
    async (path) => {
      const response = await preflight(path);
      expect([response.status, await response.text()]).toEqual([204, '']);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-allow-credentials')).toBeNull();
      expect(response.headers.get('access-control-allow-methods')).toContain(path.startsWith('/auth') ? 'POST' : 'GET');
      const allowed = response.headers.get('access-control-allow-headers')?.split(', ');
      expect(allowed).toEqual(['content-type', 'authorization', 'mcp-protocol-version']);
    },
  );

  // Contract: platform-mcp#cross-origin-answers — The answers of metadata, register, token and revoke are for every
  //   origin, refusals included
  it('is on the answers too, including refusals', async () => {
    const init = { method: 'POST', headers: { origin: 'https://inspector.example' } };
    const answers = await Promise.all([
      ...metadataPaths.map((path) => get(path, { origin: 'https://inspector.example' })),
      ...endpointPaths.map((path) => fetch(`${service.url}${path}`, init)),
    ]);
    for (const { headers } of answers) {
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  // Contract: platform-mcp#cross-origin-answers — Authorize and continue have no CORS
  it.each(['/auth/mcp/authorize', '/auth/mcp/continue/0', '/mcp'])('is not at %s', async (path) => {
    const response = await preflight(path);
    expect(response.headers.get('access-control-allow-origin')).not.toBe('*');
    expect(
      (await get(path, { origin: 'https://inspector.example' })).headers.get('access-control-allow-origin'),
    ).not.toBe('*');
  });
});

describe('With MCP_ENABLED=false', () => {
  const without = serviceFixture({ MCP_ENABLED: 'false' });

  // Contract: platform-mcp#paths-that-are-not-mounted — MCP_ENABLED=false: not mounted
  it.each([...metadataPaths.map((path) => ['GET', path]), ...endpointPaths.map((path) => ['POST', path])])(
    '%s %s is 404',
    async (method, path) => {
      const response = await fetch(`${without.url}${path}`, { method });
      expect(response.status).toBe(404);
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
      const preflight = await fetch(`${without.url}${path}`, { method: 'OPTIONS' });
      expect(preflight.status).toBe(404);
    },
  );
});
