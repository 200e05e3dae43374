/** tools/list and tools/call: the visible and callable tools of an actor, and the audit row of a call. */
import { describe, expect, it } from 'vitest';
import { platformScopes } from '../../src/domain/scopes/scopes.ts';
import { newId } from '../../src/kernel/ids.ts';
import { credentialIdOf } from '../support/actors/credentials.ts';
import { newSuperAdmin, runAs } from '../support/actors/tenants.ts';
import { expectSoundChain } from '../support/actors/tool-calls.ts';
import { inParallel, range, tally } from '../support/checks/concurrency.ts';
import { operations } from '../support/clients/clients.ts';
import {
  auditRows,
  authorization,
  callTool,
  clientName,
  correlationIdOf,
  errorCodeOf,
  jsonHeaders,
  listedNames,
  type McpAnswer,
  type McpClient,
  newMcpClient,
  postBody,
  rowsOf,
  send,
  type Version,
  versions,
} from '../support/clients/mcp.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();
const client = fixture(() => newMcpClient(service));

const idForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const telltale = 'quite-unmistakable';

interface ToolResult {
  readonly isError?: boolean;
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly content: readonly { readonly type: string; readonly text: string }[];
}

/** The result of a call. Throws when there is none. */
const resultOf = ({ body, text }: McpAnswer): ToolResult => {
  const { result } = body as { result?: ToolResult };
  if (result === undefined) throw new Error(`No result in ${text}`);
  return result;
};

/** An answer without the parts that differ between calls. */
const withoutIds = ({ text }: McpAnswer): string => text.replaceAll(/[0-9a-f-]{36}/g, 'an id');

const list = (who: McpClient, version?: Version) => send(service, who, { id: 1, method: 'tools/list' }, version);

const setScopes = (who: McpClient, scopes: readonly string[]) =>
  service.sql('UPDATE users SET platform_scopes = $2 WHERE id = $1', [who.person.userId, scopes]);

describe('tools/list', () => {
  // Contract: platform-mcp#listed-tools — platformMcpCatalog: the tools as clients receive them
  it('names every tool to an actor who was granted and holds every scope, as platformMcpCatalog does', async () => {
    const { data } = await runAs(service, client.person, operations.platformMcpCatalog);
    const catalogue = (
      data as {
        platformMcpCatalog: {
          name: string;
          title: string;
          description: string;
          inputSchema: string;
          readOnly: boolean;
          destructive: boolean;
        }[];
      }
    ).platformMcpCatalog;
    for (const version of versions) {
      const { body, text } = await list(client, version);
      expect(Buffer.byteLength(text)).toBeLessThan(24_000);
      const { tools } = body['result'] as { tools: Record<string, unknown>[] };
      expect(tools).toHaveLength(catalogue.length);
      for (const [index, tool] of tools.entries()) {
        const entry = catalogue[index];
        expect(tool).toMatchObject({ name: entry?.name, title: entry?.title, description: entry?.description });
        expect(JSON.stringify(tool['inputSchema'])).toBe(entry?.inputSchema);
        expect(tool['inputSchema']).toMatchObject({ type: 'object', additionalProperties: false });
        expect(tool['outputSchema']).toMatchObject({ type: 'object' });
        expect(tool['annotations']).toEqual({
          readOnlyHint: entry?.readOnly,
          openWorldHint: false,
          ...(entry?.readOnly === true
            ? {}
            : { destructiveHint: entry?.destructive, idempotentHint: /_revoke|^user_/.test(entry?.name ?? '') }),
        });
      }
    }
  });

  // Contract: platform-mcp#listed-tools — tools/list returns only tools whose scopes the actor holds
  it('omits tools of scopes that were not granted or have been withdrawn', async () => {
    const narrow = await newMcpClient(service, ['mcp:whoami', 'sessions:view', 'mcp:audit:view']);
    expect(listedNames(await list(narrow))).toEqual(['mcp_whoami', 'sessions_list', 'sign_ins_list']);
    await setScopes(narrow, ['sessions:view', 'sessions:revoke']);
    expect(listedNames(await list(narrow))).toEqual(['sessions_list', 'sign_ins_list']);
    await setScopes(narrow, []);
    expect(listedNames(await list(narrow))).toEqual([]);
  });

  it('is not a tool call, so it is not recorded', async () => {
    const { rows } = await rowsOf(service, () => list(client));
    expect(rows).toEqual([]);
  });
});

describe('A successful call', () => {
  it.each(versions)('returns facts, the same as text, and the id of its row in version %s', async (version) => {
    const { result, rows } = await rowsOf(service, () => callTool(service, client, 'mcp_whoami', {}, version));
    const { structuredContent, content, isError } = resultOf(result);
    expect(isError).toBeUndefined();
    expect(structuredContent).toMatchObject({ user: { email: client.person.email } });
    const sentence = `You act for “Test Person” (${client.person.email}), through “${clientName}”, with ${platformScopes.length} scopes.`;
    expect(content).toEqual([{ type: 'text', text: `${sentence}\n${JSON.stringify(structuredContent)}` }]);
    expect(correlationIdOf(result)).toMatch(idForm);
    expect(rows).toEqual([
      {
        actor: client.person.userId,
        credential: await credentialIdOf(service, client.tokens.accessToken),
        client: client.clientId,
        tool: 'mcp_whoami',
        outcome: 'success',
        correlation: correlationIdOf(result),
        digest: expect.stringMatching(/^[\w-]{43}$/) as unknown,
      },
    ]);
  });

  it('records its client', async () => {
    expect(resultOf(await callTool(service, client, 'mcp_whoami')).content[0]?.text).toContain(clientName);
  });

  // Contract: platform-mcp#correlation-and-audit-row — tools/call answers with a correlation id; the same in log,
  //   counter and record
  it('is in the log and in the counter under the same id', async () => {
    const metrics = async (): Promise<number> => {
      const text = await (await fetch(`${service.url}/metrics`)).text();
      const labels = ['tool="users_search"', 'outcome="success"', 'server="platform"'];
      const line = text
        .split('\n')
        .find((one) => one.startsWith('mcp_tools_call') && labels.every((label) => one.includes(label)));
      return Number(line?.split(' ').at(-1) ?? 0);
    };
    const before = await metrics();
    const id = correlationIdOf(await callTool(service, client, 'users_search', { query: telltale }));
    expect(await metrics()).toBe(before + 1);
    const lines = service.logs.filter((line) => line.includes(String(id)) && !line.includes('"event":"request"'));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      event: 'mcp.tool_called',
      msg: 'A Platform MCP tool was called',
      tool: 'users_search',
      outcome: 'success',
      correlationId: id,
      userId: client.person.userId,
      clientId: client.clientId,
    });
    const rows = await service.sql<{ position: number; hash: string }>(
      `SELECT position::integer, encode(hash, 'hex') AS hash FROM mcp_tool_audits WHERE correlation_id = $1`,
      [String(id)],
    );
    expect(JSON.parse(lines[0] ?? '')).toMatchObject(rows[0] ?? { hash: null });
    const stored = JSON.stringify(await auditRows(service));
    expect([service.logs.join(''), stored].filter((text) => text.includes(telltale))).toEqual([]);
    expect(service.logs.join('')).not.toContain(client.tokens.accessToken);
  });

  // Contract: platform-mcp#correlation-and-audit-row — I3 A change and its audit row are one
  it('changes something and is recorded in one transaction', async () => {
    const other = await newSuperAdmin(service);
    const { result, rows } = await rowsOf(service, () =>
      callTool(service, client, 'sessions_revoke_user', { userId: other.userId }),
    );
    expect(resultOf(result).structuredContent).toMatchObject({ dryRun: false });
    expect(rows).toMatchObject([{ outcome: 'success', correlation: correlationIdOf(result) }]);
    const [shared] = await service.sql<{ same: boolean }>(
      `SELECT (SELECT xmin FROM mcp_tool_audits ORDER BY position DESC LIMIT 1) = (SELECT xmin FROM users WHERE id = $1) AS same`,
      [other.userId],
    );
    expect(shared).toEqual({ same: true });
  });

  it('records a dry run too, which changes nothing', async () => {
    const other = await newSuperAdmin(service);
    const { result, rows } = await rowsOf(service, () =>
      callTool(service, client, 'sessions_revoke_user', { userId: other.userId, dryRun: true }),
    );
    expect(resultOf(result).structuredContent).toMatchObject({ dryRun: true });
    expect(rows).toMatchObject([{ outcome: 'success', correlation: correlationIdOf(result) }]);
    expect((await runAs(service, other, operations.me)).code).toBeNull();
  });

  it('that ends its own session is answered and recorded, and later ones are refused', async () => {
    const own = await newMcpClient(service);
    const credentialId = await credentialIdOf(service, own.tokens.accessToken);
    const { result, rows } = await rowsOf(service, () => callTool(service, own, 'sessions_revoke', { credentialId }));
    expect(resultOf(result).structuredContent).toMatchObject({ endsOwnSession: true });
    expect(rows).toMatchObject([{ outcome: 'success' }]);
    expect((await callTool(service, own, 'mcp_whoami')).status).toBe(401);
  });
});

describe('A denied call', () => {
  // Contract: platform-mcp#refused-calls — MCP tool call without required scope: denied and audited; as if it did not
  //   exist
  it.each(versions)('looks the same whether the tool exists or not, in version %s', async (version) => {
    const narrow = await newMcpClient(service, ['mcp:whoami']);
    const { result: answers, rows } = await rowsOf(service, async () => [
      await callTool(service, narrow, 'users_search', { query: 'a' }, version),
      await callTool(service, narrow, 'no_such_tool', { query: 'a' }, version),
      await callTool(service, narrow, 'sessions_revoke', { credentialId: 5, wrong: true }, version),
    ]);
    expect(new Set(answers.map(withoutIds)).size).toBe(1);
    expect(answers.map(errorCodeOf)).toEqual([-32602, -32602, -32602]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(answers.map(({ headers }) => headers.get('content-length')).length).toBe(3);
    expect(rows.map(({ tool, outcome, correlation }) => [tool, outcome, correlation])).toEqual(
      ['users_search', 'no_such_tool', 'sessions_revoke'].map((tool, index) => [
        tool,
        'deny',
        answers[index] === undefined ? null : correlationIdOf(answers[index]),
      ]),
    );
  });

  // Contract: platform-mcp#authority-of-a-call — Scopes are checked at call time
  it('is the very next one after a scope was withdrawn, until it is granted again', async () => {
    const changed = await newMcpClient(service);
    const outcomes: unknown[] = [];
    for (const scopes of [platformScopes, [], platformScopes]) {
      await setScopes(changed, scopes);
      outcomes.push(errorCodeOf(await callTool(service, changed, 'users_search', { query: 'a' })));
    }
    expect(outcomes).toEqual([undefined, -32602, undefined]);
  });

  // Contract: platform-mcp#authority-of-a-call — Only human super admins
  it('is the very next one after the person lost the super admin flag', async () => {
    const former = await newMcpClient(service);
    expect(errorCodeOf(await callTool(service, former, 'mcp_whoami'))).toBeUndefined();
    await service.sql('UPDATE users SET is_super_admin = false WHERE id = $1', [former.person.userId]);
    const { result, rows } = await rowsOf(service, () => callTool(service, former, 'mcp_whoami'));
    expect(errorCodeOf(result)).toBe(-32602);
    expect(rows).toMatchObject([{ outcome: 'deny', actor: former.person.userId }]);
  });

  it('keeps a name only if it can be one of a tool', async () => {
    const names = ['gate_a_ABCDEF', `${'a'.repeat(65)}`, 'Tool', 'with space', '', 'a\u0000b', 'a.b-c_9'];
    const { rows } = await rowsOf(service, async () => {
      for (const name of names) await callTool(service, client, name);
    });
    expect(rows.map(({ tool }) => tool)).toEqual([...range(6).map(() => '(unreadable)'), 'a.b-c_9']);
    expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(new Set(['deny']));
  });
});

describe('A call with wrong arguments', () => {
  // Contract: platform-mcp#refused-calls — Wrong arguments are audited as error, each field with its reason
  it.each(versions)('names the field and the reason, without the value, in version %s', async (version) => {
    const wrong = { query: 5, first: telltale, [`${telltale}-${'x'.repeat(40)}`]: telltale, unknown: telltale };
    const { result, rows } = await rowsOf(service, () => callTool(service, client, 'users_search', wrong, version));
    expect(result.status).toBe(200);
    const { isError, content, structuredContent } = resultOf(result);
    expect([isError, structuredContent]).toEqual([true, undefined]);
    for (const field of ['query', 'first', 'unknown']) expect(content[0]?.text).toContain(`- ${field}: `);
    expect(result.text).not.toContain(telltale);
    expect(rows).toMatchObject([{ tool: 'users_search', outcome: 'error', correlation: correlationIdOf(result) }]);
  });

  // Contract: platform-mcp#refused-calls — A filter for an unknown id, a malformed or an unknown value: an error that
  //   names it, audited as error
  it.each([
    ['userId', newId()],
    ['organizationId', newId()],
    ['userId', 'no id'],
    ['audience', 'everything'],
  ])('names the invalid %s, and does not answer that there are no credentials', async (argument, value) => {
    const { result, rows } = await rowsOf(service, () =>
      callTool(service, client, 'sessions_list', { [argument]: value }),
    );
    expect(resultOf(result)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(new RegExp(`^BAD_USER_INPUT: .*\\n- ${argument}: `)) as unknown }],
    });
    expect(rows).toMatchObject([{ tool: 'sessions_list', outcome: 'error' }]);
  });

  it('is refused by the operation like by GraphQL, and the rollback keeps the row', async () => {
    const { result, rows } = await rowsOf(service, () =>
      callTool(service, client, 'sessions_revoke', { credentialId: newId() }),
    );
    expect(resultOf(result)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^NOT_FOUND: .*\n- credentialId: /) as unknown }],
    });
    expect(rows).toMatchObject([{ outcome: 'error', correlation: correlationIdOf(result) }]);
  });
});

describe('A malformed call', () => {
  const malformed = [
    ['has no params', undefined],
    ['has no name', { arguments: { query: telltale } }],
    ['has a name that is not text', { name: 5 }],
    ['has arguments that are null', { name: 'mcp_whoami', arguments: null }],
    ['has arguments that are an array', { name: 'mcp_whoami', arguments: [telltale] }],
    ['has arguments that are a text', { name: 'mcp_whoami', arguments: telltale }],
    ['has an invalid _meta', { name: 'mcp_whoami', _meta: telltale }],
  ] as const;

  // Contract: platform-mcp#refused-calls — Calls that the protocol refuses are audited as error
  it.each(
    versions.flatMap((version) =>
      malformed
        // This version's own _meta replaces that one.
        .filter(([what]) => version !== '2026-07-28' || !what.includes('_meta'))
        .map(([what, params]) => ({ version, what, params })),
    ),
  )('is recorded when it $what, in version $version', async ({ version, params }) => {
    const message = { id: 1, method: 'tools/call', ...(params === undefined ? {} : { params }) };
    const { result, rows } = await rowsOf(service, () => send(service, client, message, version));
    expect([-32602, -32600]).toContain(errorCodeOf(result));
    expect(result.text).not.toContain(telltale);
    expect(correlationIdOf(result)).toMatch(idForm);
    expect(rows).toMatchObject([{ outcome: 'error', correlation: correlationIdOf(result) }]);
  });

  it.each([null, 1.5, { a: 1 }, 'x'.repeat(2000)])('is recorded when its id is %.20s', async (id) => {
    const { result, rows } = await rowsOf(service, () =>
      send(service, client, { id, method: 'tools/call', params: { name: 'mcp_whoami' } }),
    );
    expect([result.status, errorCodeOf(result)]).toEqual([400, -32600]);
    expect(rows).toMatchObject([{ outcome: 'error', correlation: correlationIdOf(result) }]);
  });

  it('is not recorded without an accepted credential', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"mcp_whoami"}}';
    const { rows } = await rowsOf(service, async () => {
      await postBody(service, body, jsonHeaders);
      await postBody(service, body, { ...jsonHeaders, ...authorization(client.person) });
    });
    expect(rows).toEqual([]);
  });
});

describe('The digest of the arguments', () => {
  it('is equal for equal arguments, in any order, and reveals nothing of them', async () => {
    const { rows } = await rowsOf(service, async () => {
      await callTool(service, client, 'users_search', { query: 'a', first: 2 });
      await callTool(service, client, 'users_search', { first: 2, query: 'a' });
      await callTool(service, client, 'users_search', { first: 3, query: 'a' });
    });
    const [first, second, third] = rows.map(({ digest }) => digest);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });
});

describe('A record that cannot be written', () => {
  const withoutRecord = async <T>(work: () => Promise<T>): Promise<T> => {
    await service.sql('ALTER TABLE mcp_tool_audits RENAME TO mcp_tool_audits_away');
    try {
      return await work();
    } finally {
      await service.sql('ALTER TABLE mcp_tool_audits_away RENAME TO mcp_tool_audits');
    }
  };

  const expectUnavailable = (answer: McpAnswer): void => {
    expect([answer.status, errorCodeOf(answer)]).toEqual([503, -32603]);
    expect(correlationIdOf(answer)).toMatch(idForm);
    expect(answer.text).not.toContain('@example.com');
  };

  // Contract: platform-mcp#correlation-and-audit-row — No answer without its audit row
  it('withholds the answer to a reading call', async () => {
    const { result, rows } = await rowsOf(service, () => withoutRecord(() => callTool(service, client, 'mcp_whoami')));
    expectUnavailable(result);
    expect(rows).toEqual([]);
    expect((await callTool(service, client, 'mcp_whoami')).status).toBe(200);
  });

  // Contract: platform-mcp#correlation-and-audit-row — No change without its audit row
  it('rolls back a change', async () => {
    const other = await newSuperAdmin(service);
    expectUnavailable(
      await withoutRecord(() => callTool(service, client, 'sessions_revoke_user', { userId: other.userId })),
    );
    expect((await runAs(service, other, operations.me)).code).toBeNull();
  });

  it('withholds the reason of a denial and of a malformed call', async () => {
    expectUnavailable(await withoutRecord(() => callTool(service, client, 'no_such_tool')));
    const nameless = { id: 1, method: 'tools/call', params: {} };
    expectUnavailable(await withoutRecord(() => send(service, client, nameless)));
  });
});

describe('A tool that fails unexpectedly', () => {
  it('returns only the id of its log lines, and is recorded', async () => {
    // The caller is cached then: the tool fails, not the authentication.
    await callTool(service, client, 'mcp_whoami');
    await service.sql('ALTER TABLE subscriptions RENAME TO subscriptions_away');
    try {
      const { result, rows } = await rowsOf(service, () => callTool(service, client, 'organizations_list'));
      const id = correlationIdOf(result);
      expect(resultOf(result)).toMatchObject({ isError: true });
      expect(resultOf(result).content[0]?.text).toContain(String(id));
      expect(result.text).not.toContain('subscriptions');
      expect(rows).toMatchObject([{ tool: 'organizations_list', outcome: 'error', correlation: id }]);
      const failures = service.logs.filter((line) => line.includes('request.failed') && line.includes(String(id)));
      expect(failures).toHaveLength(1);
    } finally {
      await service.sql('ALTER TABLE subscriptions_away RENAME TO subscriptions');
    }
  });
});

describe('The record of all calls', () => {
  // Contract: platform-mcp#correlation-and-audit-row — I5 One audit row for each tools/call
  it('has one row for each call of an admitted caller, under the id in its answer', async () => {
    const narrow = await newMcpClient(service, ['mcp:whoami']);
    const others = await inParallel(range(8), 4, () => newSuperAdmin(service));
    const kinds = [
      () => callTool(service, client, 'mcp_whoami'),
      () => callTool(service, client, 'users_search', { query: 'a' }, '2026-07-28'),
      () => callTool(service, narrow, 'users_search', { query: 'a' }),
      () => callTool(service, client, 'users_search', { query: 5 }),
      () => send(service, client, { id: 1, method: 'tools/call' }),
      () => callTool(service, client, 'sessions_revoke_user', { userId: others[0]?.userId, dryRun: true }),
      (index: number) => callTool(service, client, 'sessions_revoke_user', { userId: others[index % 8]?.userId }),
      () => callTool(service, client, 'invitation_cancel', { memberId: newId() }),
    ] as const;
    const { result: answers, rows } = await rowsOf(service, () =>
      inParallel(range(240), 16, (index) => kinds[index % kinds.length]?.(index) ?? list(client)),
    );
    expect(tally(answers.map(({ status }) => String(status)))).toEqual({ 200: 240 });
    expect(rows.map(({ correlation }) => String(correlation)).toSorted()).toEqual(
      answers.map((answer) => String(correlationIdOf(answer))).toSorted(),
    );
    expect(tally(rows.map(({ outcome }) => outcome))).toEqual({ success: 120, deny: 30, error: 90 });
    await expectSoundChain(service.database, (await auditRows(service)).length);
  });

  it('does not lose the call of a disconnected client', async () => {
    const { rows } = await rowsOf(service, async () => {
      await inParallel(range(20), 20, async () => {
        const leaving = new AbortController();
        const asked = fetch(`${service.url}/mcp`, {
          method: 'POST',
          signal: leaving.signal,
          headers: { ...jsonHeaders, ...authorization(client) },
          body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"mcp_whoami"}}',
        });
        setTimeout(() => leaving.abort(), Math.random() * 20);
        await asked.then((answer) => answer.text()).catch(() => '');
      });
      await callTool(service, client, 'mcp_whoami');
    });
    expect(rows.length).toBeGreaterThan(0);
    const reported = (): number => service.logs.filter((line) => line.includes('mcp.tool_called')).length;
    await expect.poll(async () => (await auditRows(service)).length - reported()).toBe(0);
  });
});
