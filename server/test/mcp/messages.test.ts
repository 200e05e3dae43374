/** Valid and invalid messages at POST /mcp, in each version of the protocol. */
import { describe, expect, it } from 'vitest';
import { expectNothingStored } from '../support/checks/refusals.ts';
import {
  authorization,
  callTool,
  correlationIdOf,
  errorCodeOf,
  jsonHeaders,
  listedNames,
  type McpAnswer,
  postBody,
  requestIn,
  send,
  versions,
} from '../support/clients/mcp.ts';
import { mcpSurfaces } from '../support/clients/mcp-surfaces.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();
describe.each(mcpSurfaces)('$path', (surface) => {
  const client = fixture(() => surface.connect(service));

  const postAs = (body: string | Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>> = {}) =>
    postBody(service, body, { ...jsonHeaders, ...authorization(client), ...headers }, surface.path);

  const rowsOf = <T>(work: () => Promise<T>) => surface.rowsOf(service, client, work);

  const handshakes = versions.filter((version) => version !== '2026-07-28');
  const telltale = 'quite-unmistakable';

  /** A JSON-RPC error in words of our own, which quotes nothing. */
  const expectError = (answer: McpAnswer, status: number, code: number): void => {
    expect([answer.status, errorCodeOf(answer)]).toEqual([status, code]);
    expect(answer.body['jsonrpc']).toBe('2.0');
    expect(answer.text).not.toContain(telltale);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  };

  describe('A body', () => {
    // Contract: platform-mcp#order-of-refusals — JSON: -32700
    it.each([
      ['is empty', ''],
      ['is truncated', '{"jsonrpc":"2.0"'],
      ['is two messages', '{"jsonrpc":"2.0","id":1,"method":"ping"}{}'],
      ['is not UTF-8', new Uint8Array([0x22, 0xff, 0xfe, 0x22])],
      ['is UTF-16', new Uint8Array(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}', 'utf16le'))],
    ])('that %s is not JSON', async (_what, body) => {
      expectError(await expectNothingStored(service, () => postAs(body)), 400, -32700);
    });

    // Contract: platform-mcp#order-of-refusals — MCP JSON-RPC batch: unsupported (array 400, -32600)
    it.each([
      ['an empty batch', '[]'],
      ['a batch of one', `[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${surface.whoami}"}}]`],
      ['a batch of notifications', '[{"jsonrpc":"2.0","method":"notifications/initialized"}]'],
      ['arrays in arrays', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
      ['null', 'null'],
      ['a string', '"tools/list"'],
      ['a number', '1'],
      ['an empty object', '{}'],
      ['a message without a JSON-RPC version', '{"id":1,"method":"ping"}'],
      ['a message of another version of JSON-RPC', '{"jsonrpc":"1.0","id":1,"method":"ping"}'],
      ['a message without a method', '{"jsonrpc":"2.0","id":1}'],
      ['a method that is not a string', '{"jsonrpc":"2.0","id":1,"method":5}'],
      ['params that are an array', '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[1]}'],
      ['depth', `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(64)}${']'.repeat(64)}}}`],
      [
        'great depth',
        `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'{"a":'.repeat(99_999)}{}${'}'.repeat(99_999)}}`,
      ],
    ])('that is %s is not a message', async (_what, body) => {
      expectError(await expectNothingStored(service, () => postAs(body)), 400, -32600);
    });

    it('may be nested more deeply than the arguments of any tool', async () => {
      const nested = `{"a":${'['.repeat(50)}${']'.repeat(50)}}`;
      expect((await postAs(`{"jsonrpc":"2.0","id":1,"method":"ping","params":${nested}}`)).status).toBe(200);
    });

    it('may have params that are null, as if there were none', async () => {
      for (const method of ['ping', 'tools/list']) {
        const answer = await postAs(`{"jsonrpc":"2.0","id":1,"method":"${method}","params":null}`);
        expect([answer.status, answer.body['error']]).toEqual([200, undefined]);
      }
      expect((await postAs('{"jsonrpc":"2.0","method":"notifications/initialized","params":null}')).status).toBe(202);
      expectError(await postAs('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":null}'), 200, -32602);
    });

    it('may begin with a byte order mark', async () => {
      expect((await postAs('\uFEFF{"jsonrpc":"2.0","id":1,"method":"ping"}')).status).toBe(200);
    });

    it('with a duplicate name has the last value, for every reader', async () => {
      const body = `{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"a","name":"${surface.whoami}"}}`;
      const { result, rows } = await rowsOf(() => postAs(body));
      expect(result.body['result']).toMatchObject({ structuredContent: surface.factsOf(client) });
      expect(rows).toMatchObject([{ tool: surface.whoami, outcome: 'success' }]);
    });

    it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
      'finds no tool by the name %s',
      async (name) => {
        const { result, rows } = await rowsOf(() => callTool(service, client, name));
        expectError(result, 200, -32602);
        expect(rows).toMatchObject([{ outcome: 'deny' }]);
      },
    );

    it.each([
      ['of the message', 400, (poison: string) => `"params":{"name":"${surface.list}"},"__proto__":${poison}`],
      ['of the params', 200, (poison: string) => `"params":{"name":"${surface.list}","__proto__":${poison}}`],
      [
        'of the arguments',
        200,
        (poison: string) => `"params":{"name":"${surface.list}","arguments":{"__proto__":${poison}}}`,
      ],
    ])('has no effect on the process with the name %s, and the call is recorded', async (_where, status, rest) => {
      const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call",${rest('{"isSuperAdmin":true,"first":7}')}}`;
      const { result, rows } = await rowsOf(() => postAs(message));
      expect(result.status).toBe(status);
      expect(Object.hasOwn(Object.prototype, 'isSuperAdmin')).toBe(false);
      expect(rows).toMatchObject([{ tool: surface.list, correlation: correlationIdOf(result) }]);
    });
  });

  describe('An id', () => {
    it.each(['"a"', '""', '0', '-7', '9007199254740991', `"${'é'.repeat(1024)}"`])(
      'may be %.20s and is echoed',
      async (id) => {
        const answer = await postAs(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
        expect([answer.status, answer.body['id']]).toEqual([200, JSON.parse(id)]);
      },
    );

    it.each(['null', '1.5', '1e300', '9007199254740993', 'true', '{"a":1}', '[1]', `"${'x'.repeat(1025)}"`])(
      'is not %.20s: the message is refused without one',
      async (id) => {
        const answer = await expectNothingStored(service, () => postAs(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`));
        expectError(answer, 400, -32600);
        expect(answer.body['id']).toBeNull();
      },
    );
  });

  describe.each(versions)('In version %s', (version) => {
    // Contract: platform-mcp#protocol-versions — Serves clients of four versions at one path, with JSON responses
    it('lists and calls a tool', async () => {
      const list = await send(service, client, { id: 1, method: 'tools/list' }, version);
      expect(listedNames(list)).toContain(surface.whoami);
      const call = await callTool(service, client, surface.whoami, {}, version);
      expect([call.status, call.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
      expect(call.body).toMatchObject({
        jsonrpc: '2.0',
        id: 1,
        result: { structuredContent: surface.factsOf(client) },
      });
      expect(call.headers.get('mcp-session-id')).toBeNull();
    });

    // Contract: platform-mcp#protocol-versions — JSON-RPC notification: HTTP 202
    it.each(['notifications/initialized', 'notifications/cancelled', 'notifications/nothing', 'tools/list'])(
      'accepts the notification %s with 202 and no answer',
      async (method) => {
        const answer = await expectNothingStored(service, () => send(service, client, { method }, version));
        expect([answer.status, answer.text]).toEqual([202, '']);
      },
    );

    // Contract: platform-mcp#protocol-versions — A notification is never executed
    it('does not execute a tool call sent as a notification, so nothing is recorded', async () => {
      const other = await surface.connect(service);
      const params = surface.change(other);
      const answer = await expectNothingStored(service, () =>
        send(service, client, { method: 'tools/call', params }, version),
      );
      expect([answer.status, answer.text]).toEqual([202, '']);
      expect((await callTool(service, other, surface.whoami)).status).toBe(200);
    });

    it('accepts an answer to an unknown request with 202', async () => {
      const { headers } = requestIn(version, { id: 1, method: 'ping' });
      for (const body of [
        '{"jsonrpc":"2.0","id":1,"result":{}}',
        '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}',
      ]) {
        const answer = await expectNothingStored(service, () => postAs(body, headers));
        expect([answer.status, answer.text]).toEqual([202, '']);
      }
    });

    it.each([
      'prompts/list',
      'resources/list',
      'completion/complete',
      'logging/setLevel',
      `no/${telltale}`,
      'constructor',
    ])('has no method %s', async (method) => {
      const answer = await expectNothingStored(service, () => send(service, client, { id: 1, method }, version));
      expectError(answer, version === '2026-07-28' ? 404 : 200, -32601);
    });

    it('never opens a stream', async () => {
      const answer = await send(
        service,
        client,
        { id: 1, method: 'subscriptions/listen', params: { notifications: {} } },
        version,
      );
      expectError(answer, 404, -32601);
    });

    it('refuses params of another method in our words', async () => {
      const params = { cursor: { [telltale]: 1 } };
      expectError(await send(service, client, { id: 1, method: 'tools/list', params }, version), 200, -32602);
    });
  });

  describe('The handshake', () => {
    const initialize = (protocolVersion: unknown) => ({
      id: 1,
      method: 'initialize',
      params: { protocolVersion, capabilities: {}, clientInfo: { name: 'tests', version: '1' } },
    });

    it.each(handshakes)('agrees to %s, and names the server', async (version) => {
      const { body } = await postAs(JSON.stringify({ jsonrpc: '2.0', ...initialize(version) }));
      expect(body['result']).toEqual({
        protocolVersion: version,
        capabilities: { tools: {} },
        serverInfo: {
          name: 'gatehouse',
          title: expect.any(String) as unknown,
          version: expect.stringMatching(/^\d+\.\d+\.\d+/) as unknown,
        },
        instructions: expect.stringContaining('dryRun') as unknown,
      });
    });

    it.each(['2024-11-05', '1999-01-01', '2026-07-28', telltale])(
      'offers the newest version for a request of %s',
      async (version) => {
        const { body } = await postAs(JSON.stringify({ jsonrpc: '2.0', ...initialize(version) }));
        expect(body['result']).toMatchObject({ protocolVersion: '2025-11-25' });
      },
    );

    it('is not bound to its header', async () => {
      const message = JSON.stringify({ jsonrpc: '2.0', ...initialize('2025-06-18') });
      expect((await postAs(message, { 'mcp-protocol-version': '2024-11-05' })).status).toBe(200);
    });

    it.each([[{ id: 1, method: 'initialize' }], [initialize(5)]])(
      'is refused when it is malformed',
      async (message) => {
        expectError(await postAs(JSON.stringify({ jsonrpc: '2.0', ...message })), 200, -32602);
      },
    );

    it('leaves no state behind: a call needs no handshake', async () => {
      expect((await callTool(service, await surface.connect(service), surface.whoami)).status).toBe(200);
    });
  });

  describe('Version 2026-07-28', () => {
    const call = { id: 1, method: 'tools/call', params: { name: surface.whoami, arguments: {} } };

    // Contract: platform-mcp#protocol-versions — cacheScope: private; server/discover names the four versions
    it('lists the versions, and forbids caching of the answers', async () => {
      const discovery = await send(service, client, { id: 1, method: 'server/discover' }, '2026-07-28');
      expect(discovery.body['result']).toMatchObject({
        supportedVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'],
        capabilities: { tools: {} },
        resultType: 'complete',
      });
      const list = await send(service, client, { id: 1, method: 'tools/list' }, '2026-07-28');
      expect(list.body['result']).toMatchObject({ cacheScope: 'private', ttlMs: 0, resultType: 'complete' });
    });

    it.each([
      ['another name', { 'mcp-name': telltale }],
      ['another method', { 'mcp-method': telltale }],
      ['another version', { 'mcp-protocol-version': '2025-11-25' }],
    ])('is refused when a header names %s than the body, and the call is recorded', async (_what, changed) => {
      const { body, headers } = requestIn('2026-07-28', call);
      const { result, rows } = await rowsOf(() => postAs(body, { ...headers, ...changed }));
      expectError(result, 400, -32020);
      expect(rows).toMatchObject([{ tool: surface.whoami, outcome: 'error', correlation: correlationIdOf(result) }]);
    });

    it.each(['mcp-protocol-version', 'mcp-method', 'mcp-name'])('is refused without the header %s', async (missing) => {
      const { body, headers } = requestIn('2026-07-28', call);
      const left = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== missing));
      const { result, rows } = await rowsOf(() => postAs(body, left));
      expectError(result, 400, -32020);
      expect(rows).toMatchObject([{ outcome: 'error', correlation: correlationIdOf(result) }]);
    });

    it('is refused without its _meta, with the missing members', async () => {
      const { headers } = requestIn('2026-07-28', call);
      const { result, rows } = await rowsOf(() => postAs(JSON.stringify({ jsonrpc: '2.0', ...call }), headers));
      expectError(result, 400, -32602);
      expect(result.text).toContain('_meta');
      expect(rows).toMatchObject([{ outcome: 'error', correlation: correlationIdOf(result) }]);
    });
  });

  describe('An unsupported version', () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: surface.whoami } };

    // Contract: platform-mcp#protocol-versions — Protocol version
    it.each(['1999-01-01', '2024-11-05', '2027-01-01', `${telltale}-and-long`])(
      'in the header is refused with the supported ones: %s',
      async (version) => {
        const { result, rows } = await rowsOf(() => postAs(JSON.stringify(call), { 'mcp-protocol-version': version }));
        expectError(result, 400, -32022);
        expect(result.body['error']).toMatchObject({
          data: { supported: expect.arrayContaining([...versions]) as unknown },
        });
        expect(rows).toMatchObject([{ tool: surface.whoami, outcome: 'error', correlation: correlationIdOf(result) }]);
      },
    );

    it('in _meta is refused too', async () => {
      const { body } = requestIn('2026-07-28', call);
      const later = body.replaceAll('2026-07-28', '2027-01-01');
      const headers = { 'mcp-protocol-version': '2027-01-01', 'mcp-method': 'tools/call', 'mcp-name': surface.whoami };
      const { result, rows } = await rowsOf(() => postAs(later, headers));
      expectError(result, 400, -32022);
      expect(rows).toMatchObject([{ outcome: 'error', correlation: correlationIdOf(result) }]);
    });

    it('is refused for notifications as well', async () => {
      const body = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
      expectError(await postAs(body, { 'mcp-protocol-version': '1999-01-01' }), 400, -32022);
    });

    it('is not the default without a header', async () => {
      expect((await postAs(JSON.stringify(call))).status).toBe(200);
    });
  });
});
