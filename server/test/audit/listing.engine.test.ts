/** Queries mcpToolAudits and mcpToolOutcomes: super admins read the record of tool calls. */
import { describe, expect, it } from 'vitest';
import { ToolAudits } from '../../src/domain/audit/tool-audits.ts';
import type { ToolAuditEntry } from '../../src/domain/audit/tool-audits-store.ts';
import { newId } from '../../src/kernel/ids.ts';
import { newOwner, newSuperAdmin, runAs } from '../support/actors/tenants.ts';
import { newCall, withoutAppendOnly } from '../support/actors/tool-calls.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { operations } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();
const root = fixture(() => newSuperAdmin(service, ['mcp:audit:view']));

interface Row {
  readonly id: string;
  readonly tool: string;
  readonly correlationId: string;
  readonly createdAt: string;
}
interface Page {
  readonly nodes: readonly Row[];
  readonly totalCount: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

const list = async (filter: object | null = null, page: object = {}): Promise<Page> => {
  const answer = await runAs(service, root, operations.mcpToolAudits, { filter, ...page });
  if (answer.code !== null) throw new Error(answer.text);
  return (JSON.parse(answer.text) as { data: { mcpToolAudits: Page } }).data.mcpToolAudits;
};

/** Records calls one after the other, at these instants if given. */
const record = async (calls: readonly ToolAuditEntry[], instants: readonly string[] = []): Promise<void> => {
  const audits = new ToolAudits(service.database);
  for (const [index, call] of calls.entries()) {
    await audits.append(call);
    const instant = instants[index];
    if (instant !== undefined)
      await withoutAppendOnly(
        service.sql,
        `UPDATE mcp_tool_audits SET created_at = '${instant}' WHERE correlation_id = '${call.correlationId}'`,
      );
  }
};

const targetsOf = ({ tool, actorUserId, clientId, correlationId }: ToolAuditEntry) => ({
  tool,
  actorUserId,
  clientId,
  correlationId,
});

describe('mcpToolAudits', () => {
  it('shows every fact of a call, with the address of the person and the name of the client', async () => {
    const clientId = newId();
    await service.sql(`INSERT INTO oauth_clients (id, name, redirect_uris) VALUES ($1, 'Some client', '{}')`, [
      clientId,
    ]);
    const call = newCall({ actorUserId: root.userId, clientId, outcome: 'error', tool: 'user_get' });
    await record([call]);
    const { nodes, totalCount } = await list({ correlationId: call.correlationId });
    const [stored] = await service.sql<{ at: Date; id: string }>(
      'SELECT created_at AS at, id FROM mcp_tool_audits WHERE correlation_id = $1',
      [call.correlationId],
    );
    expect(totalCount).toBe(1);
    expect(nodes).toEqual([
      {
        ...call,
        id: stored?.id,
        actorEmail: root.email,
        clientName: 'Some client',
        createdAt: stored?.at.toISOString(),
      },
    ]);
  });

  it('shows a call whose person and client were deleted', async () => {
    const call = newCall();
    await record([call]);
    expect((await list({ correlationId: call.correlationId })).nodes).toMatchObject([
      { actorEmail: '', clientName: null },
    ]);
  });

  // Contract: incidents#readers-of-the-record — mcpToolAudits: audit rows, newest first
  it('pages through all calls, newest first, also while new ones are recorded', async () => {
    const actorUserId = newId();
    const calls = Array.from({ length: 5 }, () => newCall({ actorUserId }));
    await record(calls);
    expect(await list({ actorUserId }, { first: 2 })).toMatchObject({ totalCount: 5 });
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page = await list({ actorUserId }, { first: 2, after });
      seen.push(...page.nodes.map(({ correlationId }) => correlationId));
      await record([newCall({ actorUserId })]);
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after !== null);
    expect(seen).toEqual(calls.map(({ correlationId }) => correlationId).reverse());
  });

  it.each([
    ['tool', 'only_here', 'tool'],
    ['clientId', newId(), 'clientId'],
    ['actorUserId', newId(), 'actorUserId'],
    ['correlationId', newId(), 'correlationId'],
  ] as const)('filters by %s', async (field, value, fact) => {
    const call = newCall({ [fact]: value });
    await record([call, newCall()]);
    const { nodes, totalCount } = await list({ [field]: field === 'tool' ? value : value.toUpperCase() });
    expect({ found: nodes.map(({ correlationId }) => correlationId), totalCount }).toEqual({
      found: [call.correlationId],
      totalCount: 1,
    });
  });

  it('filters by outcome, by several fields at once, and by a half-open range of instants', async () => {
    const actorUserId = newId();
    const calls = [newCall({ actorUserId, outcome: 'deny' }), newCall({ actorUserId }), newCall({ actorUserId })];
    const [first = '', second = '', third = ''] = calls.map(({ correlationId }) => correlationId);
    await record(calls, ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z']);
    const found = async (filter: object): Promise<readonly string[]> =>
      (await list({ actorUserId, ...filter })).nodes.map(({ correlationId }) => correlationId);
    expect(await found({ outcome: 'deny' })).toEqual([first]);
    expect(await found({ outcome: 'deny', tool: 'user_get' })).toEqual([]);
    expect(await found({ from: '2026-01-02T00:00:00Z' })).toEqual([third, second]);
    expect(await found({ to: '2026-01-02T00:00:00Z' })).toEqual([first]);
    expect(await found({ from: '2026-01-01T00:00:00Z', to: '2026-01-03T00:00:00Z' })).toEqual([second, first]);
    expect(await found({ from: '2026-01-02T00:00:00Z', to: '2026-01-02T00:00:00Z' })).toEqual([]);
  });

  // Contract: incidents#empty-answer — An empty answer always means that nothing matches
  it.each([
    ['filter', 'tool', 'a\u0000b'],
    ['filter', 'tool', 'mcp_%'],
    ['filter', 'tool', ''],
    ['actorUserId', 'actorUserId', newId()],
    ['clientId', 'clientId', newId()],
    ['correlationId', 'correlationId', newId()],
  ])('refuses, by the name %s, an unknown %s, %j, also as a file', async (named, field, value) => {
    await record([newCall()]);
    for (const operation of [operations.mcpToolAudits, operations.mcpToolAuditsCsv]) {
      const { extensions } = await expectRefusal(service, 'BAD_USER_INPUT', () =>
        runAs(service, root, operation, { filter: { [field]: value, to: new Date().toISOString() } }),
      );
      expect(Object.keys(extensions['fields'] ?? {})).toEqual([named]);
    }
  });

  it('finds nothing for targets that exist, or did when a call was recorded, and have no call together', async () => {
    const gone = newCall({ tool: 'of_an_older_release' });
    const other = newCall({ tool: '(unreadable)' });
    await record([gone, other]);
    const empty = { nodes: [], totalCount: 0 };
    expect(await list({ ...targetsOf(gone), tool: other.tool })).toMatchObject(empty);
    expect(await list({ ...targetsOf(other), actorUserId: gone.actorUserId })).toMatchObject(empty);
    expect(await list({ ...targetsOf(other), clientId: gone.clientId })).toMatchObject(empty);
    expect(await list({ actorUserId: (await newOwner(service)).userId })).toMatchObject(empty);
    // Of the catalogue, and never called by this client.
    expect(await list({ clientId: gone.clientId, tool: 'clients_list' })).toMatchObject(empty);
  });

  it.each([
    [
      'a range that ends before it begins',
      { filter: { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' } },
      'from',
    ],
    ['an invalid person id', { filter: { actorUserId: 'none' } }, 'actorUserId'],
    ['an invalid client id', { filter: { clientId: `${newId()}0` } }, 'clientId'],
    ['an invalid call id', { filter: { correlationId: "' OR true --" } }, 'correlationId'],
    ['an id with a zero byte', { filter: { correlationId: `${newId()}\u0000` } }, 'correlationId'],
    ['an empty id', { filter: { actorUserId: '' } }, 'actorUserId'],
    ['zero rows', { first: 0 }, 'first'],
    ['too many rows', { first: 101 }, 'first'],
    ['an invalid cursor', { after: 'x' }, 'after'],
    ['a cursor of another list', { after: Buffer.from('["a","b"]').toString('base64url') }, 'after'],
    ['a cursor with other content', { after: Buffer.from(`["1' OR"]`).toString('base64url') }, 'after'],
  ])('refuses %s', async (_what, variables, field) => {
    const answer = await expectRefusal(service, 'BAD_USER_INPUT', () =>
      runAs(service, root, operations.mcpToolAudits, variables),
    );
    expect(Object.keys(answer.extensions['fields'] ?? {})).toEqual([field]);
  });

  // Contract: incidents#readers-of-the-record — mcpToolAudits: mcp:audit:view, super admin
  it('requires a super admin with mcp:audit:view', async () => {
    const other = await newSuperAdmin(service, ['mcp:access:view', 'mcp:catalog:view', 'mcp:whoami']);
    for (const operation of [operations.mcpToolAudits, operations.mcpToolOutcomes]) {
      await expectRefusal(service, 'FORBIDDEN', () => runAs(service, other, operation));
      const owner = await newOwner(service);
      await expectRefusal(service, 'FORBIDDEN', () => runAs(service, owner, operation));
    }
  });
});

interface Bucket {
  readonly startsAt: string;
  readonly endsAt: string;
  readonly success: number;
  readonly deny: number;
  readonly error: number;
}

const outcomes = async (from: string | null = null, to: string | null = null): Promise<readonly Bucket[]> => {
  const answer = await runAs(service, root, operations.mcpToolOutcomes, { from, to });
  if (answer.code !== null) throw new Error(answer.text);
  return (JSON.parse(answer.text) as { data: { mcpToolOutcomes: Bucket[] } }).data.mcpToolOutcomes;
};

const total = (buckets: readonly Bucket[]): number =>
  buckets.reduce((sum, { success, deny, error }) => sum + success + deny + error, 0);

describe('mcpToolOutcomes', () => {
  // Contract: incidents#readers-of-the-record — mcpToolOutcomes, for a plot of the deny rate
  it('counts each call in its hour, and lists hours without a call too', async () => {
    await record(
      [newCall(), newCall({ outcome: 'deny' }), newCall({ outcome: 'deny' }), newCall({ outcome: 'error' }), newCall()],
      [
        '2025-03-01T00:00:00Z',
        '2025-03-01T00:59:59.999999Z',
        '2025-03-01T01:00:00Z',
        '2025-03-01T03:29:59Z',
        '2025-03-01T03:30:00Z',
      ],
    );
    const hour = (begin: string, end: string, success: number, deny: number, error: number) => ({
      startsAt: `2025-03-01T${begin}:00.000Z`,
      endsAt: `2025-03-01T${end}:00.000Z`,
      success,
      deny,
      error,
    });
    expect(await outcomes('2025-03-01T00:00:00Z', '2025-03-01T03:30:00Z')).toEqual([
      hour('00:00', '01:00', 1, 1, 0),
      hour('01:00', '02:00', 0, 1, 0),
      hour('02:00', '03:00', 0, 0, 0),
      hour('03:00', '03:30', 0, 0, 1),
    ]);
  });

  it('counts by hour up to 48 hours, and by day from there to 92 days', async () => {
    expect(await outcomes('2024-01-01T00:00:00Z', '2024-01-03T00:00:00Z')).toHaveLength(48);
    const days = await outcomes('2024-01-01T00:00:00Z', '2024-01-03T00:00:01Z');
    expect(days.map(({ startsAt, endsAt }) => [startsAt, endsAt])).toEqual([
      ['2024-01-01T00:00:00.000Z', '2024-01-02T00:00:00.000Z'],
      ['2024-01-02T00:00:00.000Z', '2024-01-03T00:00:00.000Z'],
      ['2024-01-03T00:00:00.000Z', '2024-01-03T00:00:01.000Z'],
    ]);
    // Across the days on which clocks change.
    expect(await outcomes('2024-02-15T00:00:00Z', '2024-05-17T00:00:00Z')).toHaveLength(92);
    expect(await outcomes('2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z')).toEqual([]);
  });

  it('counts the last seven days by default, including a call of this moment', async () => {
    const before = total(await outcomes());
    await record([newCall()]);
    const buckets = await outcomes();
    expect(total(buckets)).toBe(before + 1);
    expect(buckets).toHaveLength(7);
    const [first, last] = [buckets[0], buckets.at(-1)];
    expect(Date.parse(last?.endsAt ?? '') - Date.parse(first?.startsAt ?? '')).toBe(7 * 86_400_000);
  });

  it.each([
    ['ends before it begins', '2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z'],
    ['begins in the future', '2999-01-01T00:00:00Z', null],
    ['is longer than 92 days', '2026-01-01T00:00:00Z', '2026-04-03T00:00:00.001Z'],
    ['has no beginning', '0001-01-01T00:00:00Z', null],
  ])('refuses a range that %s', async (_what, from, to) => {
    const answer = await expectRefusal(service, 'BAD_USER_INPUT', () =>
      runAs(service, root, operations.mcpToolOutcomes, { from, to }),
    );
    expect(Object.keys(answer.extensions['fields'] ?? {})).toEqual(['from']);
  });
});
