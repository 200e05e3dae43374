/** Checks of POST /mcp before the message: each refusal. */
import { describe, expect, it } from 'vitest';
import { platformScopes } from '../../src/domain/scopes/scopes.ts';
import { newId } from '../../src/kernel/ids.ts';
import { expire } from '../support/actors/credentials.ts';
import { newSuperAdmin, runAs } from '../support/actors/tenants.ts';
import { expectNothingStored, expectRefusal } from '../support/checks/refusals.ts';
import { operations } from '../support/clients/clients.ts';
import {
  auditRows,
  authorization,
  callTool,
  errorCodeOf,
  exchange as exchangeAt,
  jsonHeaders,
  type McpAnswer,
  newMcpClient,
  send,
} from '../support/clients/mcp.ts';
import { mcpSurfaces } from '../support/clients/mcp-surfaces.ts';
import { RawConnection } from '../support/clients/raw-http.ts';
import { fixture, testFixture } from '../support/fixture.ts';
import { serviceFixture, startService } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();
describe.each(mcpSurfaces)('$path', (surface) => {
  const client = fixture(() => surface.connect(service));

  const exchange = (to: Parameters<typeof exchangeAt>[0], asked: Parameters<typeof exchangeAt>[1]) =>
    exchangeAt(to, { path: surface.path, ...asked });

  const whoami = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: surface.whoami } });
  const ownHost = (): string => new URL(service.url).host;

  /** A request that is served except for these headers; an empty one is omitted. */
  const request = (headers: Readonly<Record<string, string>> = {}, body: string | Buffer = whoami) => {
    const all = { host: ownHost(), ...jsonHeaders, ...authorization(client), ...headers };
    return { headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')), body };
  };

  /** Refused before any message: plain JSON, the headers of every answer, and no effect. */
  const expectRefused = async (status: number, act: () => Promise<McpAnswer>): Promise<McpAnswer> => {
    const answer = await expectNothingStored(service, act);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(Object.keys(answer.body)).toEqual(['error']);
    return answer;
  };

  describe('Host and Origin', () => {
    // Contract: platform-mcp#order-of-refusals — With a loopback BASE_URL every loopback name
    it.each(['localhost', '127.0.0.1', '[::1]', 'LOCALHOST'])(
      'accept %s with the port of BASE_URL as this server',
      async (name) => {
        const answer = await exchange(service, request({ host: `${name}:${new URL(service.url).port}` }));
        expect(answer.status).toBe(200);
      },
    );

    // Contract: platform-mcp#order-of-refusals — Host must be this server's
    it.each([
      ['another name', () => `gatehouse.example:${new URL(service.url).port}`],
      ['another port', () => '127.0.0.1:1'],
      ['no port', () => '127.0.0.1'],
      ['a name that begins alike', () => `127.0.0.1.example:${new URL(service.url).port}`],
    ])('refuse %s', async (_what, host) => {
      await expectRefused(403, () => exchange(service, request({ host: host() })));
    });

    it('ignore X-Forwarded-Host without TRUST_PROXY', async () => {
      await expectRefused(403, () =>
        exchange(service, request({ host: 'evil.example', 'x-forwarded-host': ownHost() })),
      );
      const forwarded = await exchange(service, request({ 'x-forwarded-host': 'evil.example' }));
      expect(forwarded.status).toBe(200);
    });

    it('admit pages of the service and of the portal', async () => {
      for (const origin of [service.config.baseUrl, service.config.frontendUrl]) {
        expect((await exchange(service, request({ origin }))).status).toBe(200);
      }
    });

    // Contract: platform-mcp#order-of-refusals — Origin absent or the service's own
    it.each(['https://evil.example', 'null', 'http://localhost'])(
      'refuse a page of %s, with any credentials',
      async (origin) => {
        const answer = await expectRefused(403, () => exchange(service, request({ origin })));
        expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      },
    );

    // Contract: platform-mcp#order-of-refusals — Host behind TRUST_PROXY
    it('with TRUST_PROXY, are those sent to the proxy; a public name has no alias', async () => {
      const behind = await testFixture(
        startService({
          TRUST_PROXY: '1',
          BASE_URL: 'https://id.example.com',
          FRONTEND_URL: 'https://id.example.com',
        }),
      );
      const url = `http://127.0.0.1:${behind.config.port}`;
      const known = await surface.connect(behind);
      const ask = (headers: Readonly<Record<string, string>>) =>
        exchange(
          { url },
          { body: whoami, headers: { ...jsonHeaders, ...authorization(known), host: 'inside', ...headers } },
        );
      for (const host of ['id.example.com', 'id.example.com:443', 'ID.example.com']) {
        expect((await ask({ 'x-forwarded-host': host })).status).toBe(200);
      }
      for (const host of ['localhost', 'id.example.com:4000', 'example.com']) {
        expect((await ask({ 'x-forwarded-host': host })).status).toBe(403);
      }
      expect((await ask({})).status).toBe(403);
    });
  });

  describe('Bearer', () => {
    const metadata = (): string =>
      `resource_metadata="${service.url}/.well-known/oauth-protected-resource${surface.path}"`;
    const challengeOf = ({ headers }: McpAnswer): string => headers.get('www-authenticate') ?? '';

    // Contract: platform-mcp#bearer-token-of-a-call — 401 with WWW-Authenticate: Bearer resource_metadata
    it('is requested with the metadata URL, and with the scopes that tools need', async () => {
      const answer = await expectRefused(401, () => exchange(service, request({ authorization: '' })));
      expect(challengeOf(answer)).toMatch(/^Bearer resource_metadata="/);
      expect(challengeOf(answer)).toContain(metadata());
      expect(challengeOf(answer)).not.toContain('error=');
      expect(challengeOf(answer)).toMatch(new RegExp(`, scope="${surface.scopes.join(' ')}"$`));
    });

    // Contract: platform-mcp#bearer-token-of-a-call — error="invalid_token" when a token was given; portal tokens
    //   cannot call /mcp
    it.each([
      ['is malformed', () => 'Bearer gate_a_short'],
      ['is of another scheme', () => `Basic ${client.tokens.accessToken}`],
      ['is a refresh token', () => `Bearer ${client.tokens.refreshToken}`],
      ['is of the portal or the API', () => `Bearer ${client.person.tokens.accessToken}`],
      ['is empty', () => 'Bearer '],
      ['is doubled', () => `Bearer ${client.tokens.accessToken} ${client.tokens.accessToken}`],
    ])('is refused when it %s, in the same words', async (_what, header) => {
      const answer = await expectRefused(401, () => exchange(service, request({ authorization: header() })));
      const scope = `scope="${surface.scopes.join(' ')}"`;
      expect(challengeOf(answer)).toBe(`Bearer ${metadata()}, error="invalid_token", ${scope}`);
      const other = await exchange(service, request({ authorization: 'Bearer nothing' }));
      expect(answer.text).toBe(other.text);
    });

    it('is refused after its expiry, and after its revocation', async () => {
      const expired = await surface.connect(service);
      await expire(service, expired.tokens.accessToken);
      const revoked = await surface.connect(service);
      expect((await callTool(service, revoked, surface.whoami)).status).toBe(200);
      await runAs(service, revoked.person, operations.signOutEverywhere);
      for (const { tokens } of [expired, revoked]) {
        const answer = await expectRefused(401, () =>
          exchange(service, request({ authorization: `Bearer ${tokens.accessToken}` })),
        );
        expect(challengeOf(answer)).toContain('error="invalid_token"');
      }
    });

    // Contract: platform-mcp#bearer-token-of-a-call — Cookies and tokens in the URL never count
    it('is never read from a cookie or from the URL', async () => {
      const token = client.tokens.accessToken;
      const byCookie = request({ authorization: '', cookie: `auth_access=${token}` });
      await expectRefused(401, () => exchange(service, byCookie));
      await expectRefused(401, () =>
        exchange(service, { ...request({ authorization: '' }), path: `${surface.path}?access_token=${token}` }),
      );
    });

    // Contract: platform-mcp#token-endpoint — MCP token used on GraphQL
    it('is refused by GraphQL', async () => {
      await expectRefusal(service, 'UNAUTHENTICATED', () => runAs(service, client, operations.me));
    });

    // Contract: platform-mcp#bearer-token-of-a-call — A token that is revoked while the body is sent
    it('is refused when it was revoked before the whole message had arrived', async () => {
      const slow = await surface.connect(service);
      const connection = await RawConnection.open(service.url);
      const head = [
        `POST ${surface.path} HTTP/1.1`,
        `host: ${ownHost()}`,
        'content-type: application/json',
        'expect: 100-continue',
      ];
      connection.write(
        `${[...head, `authorization: Bearer ${slow.tokens.accessToken}`, `content-length: ${whoami.length}`].join('\r\n')}\r\n\r\n`,
      );
      await connection.received(/100 Continue/);
      // Its head has been admitted by now.
      expect((await callTool(service, slow, surface.whoami)).status).toBe(200);
      await runAs(service, slow.person, operations.signOutEverywhere);
      connection.write(whoami);
      expect(await connection.received(/\r\n\r\n.*\}$/s)).toMatch(/HTTP\/1\.1 401 /);
      connection.close();
    });

    it('is seen: the credential records when and from where it was last used', async () => {
      const seen = await surface.connect(service);
      await send(service, seen, { id: 1, method: 'tools/list' });
      await service.flush();
      const rows = await service.sql(
        `SELECT last_seen_ip AS ip FROM credentials WHERE client_id = $1 AND kind = 'user_session'`,
        [seen.clientId],
      );
      expect(rows).toEqual([{ ip: '127.0.0.1' }]);
    });
  });

  describe('The path', () => {
    // Contract: platform-mcp#order-of-refusals — POST /mcp/ is POST /mcp
    it('may end with a slash, and has no other form', async () => {
      const path = `${surface.path}/`;
      expect((await exchange(service, { ...request(), path })).status).toBe(200);
      await expectRefused(401, () => exchange(service, { ...request({ authorization: '' }), path }));
      await expectRefused(405, () => exchange(service, { ...request({}, ''), path, method: 'GET' }));
      for (const other of [`${surface.path}//`, `${surface.path}/x`, surface.path.toUpperCase()]) {
        const answer = await exchange(service, { ...request(), path: other });
        expect([answer.status, errorCodeOf(answer)]).toEqual([404, 'NOT_FOUND']);
      }
    });
  });

  describe('The method', () => {
    // Contract: platform-mcp#order-of-refusals — 405 with Allow: POST
    it.each(['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'TRACE'])('is not %s', async (method) => {
      const answer = await expectRefused(405, () => exchange(service, { ...request({}, ''), method }));
      expect(answer.headers.get('allow')).toBe('POST');
    });

    it('is not HEAD, which has no body', async () => {
      const answer = await exchange(service, { ...request({}, ''), method: 'HEAD' });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    });

    it.each(['GET', 'OPTIONS'])('is checked after the bearer for %s too', async (method) => {
      await expectRefused(401, () => exchange(service, { ...request({ authorization: '' }, ''), method }));
    });
  });

  describe('The media type', () => {
    // Contract: platform-mcp#order-of-refusals — 415 for any other media type, and for a compressed body
    it.each([
      ['none', { 'content-type': '' }],
      ['plain text', { 'content-type': 'text/plain' }],
      ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
      ['a type that begins like JSON', { 'content-type': 'application/jsonp' }],
      ['no type at all', { 'content-type': 'json' }],
      ['JSON of another encoding', { 'content-type': 'application/json; charset=utf-16' }],
      ['compressed JSON', { 'content-encoding': 'gzip' }],
    ])('is not %s', async (_what, headers) => {
      await expectRefused(415, () => exchange(service, request(headers)));
    });

    it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset="UTF-8"'])(
      'may be written %s',
      async (type) => {
        expect((await exchange(service, request({ 'content-type': type }))).status).toBe(200);
      },
    );

    // Contract: platform-mcp#order-of-refusals — Accept, as clients send it
    it.each(['', '*/*', 'application/*', 'application/json', 'text/html, application/json;q=0.1'])(
      'of the answer is JSON for a client that accepts “%s”',
      async (accept) => {
        const answer = await exchange(service, request({ accept }));
        expect(answer.status).toBe(200);
        expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      },
    );

    it.each(['text/event-stream', 'text/html', 'application/json;q=0, text/event-stream'])(
      'of the answer is not acceptable to “%s”',
      async (accept) => {
        await expectRefused(406, () => exchange(service, request({ accept })));
      },
    );
  });

  describe('The size', () => {
    const padded = (bytes: number): string => whoami.padEnd(bytes, ' ');

    // Contract: platform-mcp#order-of-refusals — 413 over 1 MiB
    it('is at most 1 MiB', async () => {
      expect((await exchange(service, request({}, padded(1024 * 1024)))).status).toBe(200);
      await expectRefused(413, () => exchange(service, request({}, padded(1024 * 1024 + 1))));
    });

    it('is also counted without Content-Length', async () => {
      const chunked = { 'transfer-encoding': 'chunked' };
      expect((await exchange(service, request(chunked))).status).toBe(200);
      await expectRefused(413, () => exchange(service, request(chunked, padded(1024 * 1024 + 1))));
    });
  });

  describe('Without MCP', () => {
    // Contract: platform-mcp#paths-that-are-not-mounted — MCP_ENABLED=false: /mcp is not mounted
    it('it is 404', async () => {
      const without = await testFixture(startService({ MCP_ENABLED: 'false' }));
      const answer = await exchange(without, { headers: jsonHeaders, body: whoami });
      expect([answer.status, errorCodeOf(answer)]).toEqual([404, 'NOT_FOUND']);
    });
  });
});

describe('A credential of Platform MCP', () => {
  it('of a former super admin lists nothing and may call nothing, which is recorded', async () => {
    const person = await newSuperAdmin(service);
    const former = await newMcpClient(service, platformScopes, person);
    await service.sql('UPDATE users SET is_super_admin = false, version = version + 1 WHERE id = $1', [person.userId]);
    const list = await send(service, former, { id: newId(), method: 'tools/list' });
    expect(list.body['result']).toMatchObject({ tools: [] });
    expect(errorCodeOf(await callTool(service, former, 'mcp_whoami'))).toBe(-32602);
    expect((await auditRows(service)).at(-1)).toMatchObject({ actor: person.userId, outcome: 'deny' });
  });
});
