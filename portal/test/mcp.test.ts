/** The cockpit of Platform MCP: what its address says, what clients are told, what is plotted, and local times. */
import { describe, expect, it } from 'vitest';
import { fromLocalTime, toLocalTime } from '../src/pages/mcp/audit-filters.tsx';
import { guidesFor } from '../src/pages/mcp/connect.tsx';
import { type OutcomeBucket, plotOf, totalsOf, unitOf } from '../src/pages/mcp/outcomes.ts';
import { gatherParts } from '../src/pages/mcp/queries.ts';
import {
  isNarrowed,
  type McpView,
  plottedRange,
  readMcpView,
  toAddress,
  toAuditFilter,
  toConnectionFilter,
} from '../src/pages/mcp/view.ts';

const someId = '0190f0a0-0000-7000-8000-000000000001';

describe('the address of the cockpit', () => {
  const everything = {
    section: 'audits',
    search: 'claude',
    client: someId,
    status: 'REFUSED',
    tool: 'mcp_whoami',
    outcome: 'deny',
    user: someId,
    correlation: someId,
    from: '2026-01-01T00:00:00.000Z',
    to: '2026-01-02T00:00:00.000Z',
  };

  it('says what is shown, and comes back as it was', () => {
    const view = readMcpView(everything);
    expect(view).toEqual(everything);
    expect(toAddress(view)).toEqual(everything);
    expect(isNarrowed(view)).toBe(true);
  });

  it('says nothing by what cannot be meant', () => {
    const view = readMcpView({
      section: 'secrets',
      search: ' ',
      client: 'x',
      status: 'refused',
      tool: '',
      outcome: 'DENY',
      user: '1',
      correlation: `${someId}1`,
      from: 'yesterday',
      to: '',
    });
    expect(toAddress(view)).toEqual({ section: 'connect' });
    expect(isNarrowed(view)).toBe(false);
  });

  it('takes a correlation id as people paste it', () => {
    expect(readMcpView({ correlation: ` ${someId.toUpperCase()} ` }).correlation).toBe(someId);
  });

  it('asks for nothing longer than there can be', () => {
    expect(readMcpView({ search: 'a'.repeat(300) }).search).toHaveLength(254);
  });

  it('becomes the filters of the server', () => {
    const view = readMcpView(everything);
    expect(toAuditFilter(view)).toEqual({
      tool: 'mcp_whoami',
      outcome: 'deny',
      actorUserId: someId,
      clientId: someId,
      correlationId: someId,
      from: everything.from,
      to: everything.to,
    });
    expect(toConnectionFilter(view)).toEqual({ clientId: someId, status: 'REFUSED', search: 'claude' });
    expect(Object.values(toAuditFilter({ section: 'audits' })).every((value) => value === null)).toBe(true);
  });
});

describe('the plotted range', () => {
  const now = new Date('2026-03-10T09:20:00.000Z');
  const view = (more: Partial<McpView>): McpView => ({ section: 'audits', ...more });
  const hours = ({ from, to }: { from: string; to: string }) => (Date.parse(to) - Date.parse(from)) / 3_600_000;

  it('is this day and the six before it, up to the coming hour', () => {
    const range = plottedRange(view({}), now);
    expect(range.to).toBe('2026-03-10T10:00:00.000Z');
    expect(new Date(range.from).getHours()).toBe(0);
    expect(hours(range)).toBeGreaterThan(6 * 24 - 2);
    expect(hours(range)).toBeLessThanOrEqual(7 * 24 + 1);
    expect(plottedRange(view({}), new Date(now.getTime() + 60_000))).toEqual(range);
  });

  it('is what the filters say, as far as the server counts', () => {
    const from = '2026-03-01T00:00:00.000Z';
    const to = '2026-03-02T00:00:00.000Z';
    expect(plottedRange(view({ from, to }), now)).toEqual({ from, to });
    expect(hours(plottedRange(view({ from: '2020-01-01T00:00:00.000Z' }), now))).toBe(92 * 24);
    expect(hours(plottedRange(view({ from: to, to: from }), now))).toBe(1);
  });
});

describe('the plot', () => {
  const bucket = (day: number, success: number, deny: number, error = 0): OutcomeBucket => ({
    startsAt: `2026-01-0${day}T00:00:00.000Z`,
    endsAt: `2026-01-0${day + 1}T00:00:00.000Z`,
    success,
    deny,
    error,
  });

  it('puts a dot where calls were, and breaks its line where none were', () => {
    const { dots, line, bars, mostCalls } = plotOf([
      bucket(1, 3, 1),
      bucket(2, 0, 2),
      bucket(3, 0, 0),
      bucket(4, 1, 0),
    ]);
    expect(dots.map(({ x, y }) => [x, y])).toEqual([
      [125, 75],
      [375, 0],
      [875, 100],
    ]);
    expect(line).toBe('M125 75L375 0M875 100');
    expect(bars.map(({ height }) => height)).toEqual([100, 50, 25]);
    expect(mostCalls).toBe(4);
  });

  it('stays empty without buckets and without calls', () => {
    expect(plotOf([])).toEqual({ dots: [], line: '', bars: [], mostCalls: 0 });
    expect(plotOf([bucket(1, 0, 0)])).toEqual({ dots: [], line: '', bars: [], mostCalls: 0 });
  });

  it('counts failed calls among all, and never as refused', () => {
    expect(totalsOf([bucket(1, 1, 1, 2), bucket(2, 0, 0)])).toEqual({ calls: 4, denied: 1, failed: 2, denyRate: 0.25 });
    expect(totalsOf([]).denyRate).toBe(0);
  });

  it('knows hours and days by the first of them, as the last may be cut off', () => {
    const hour = { ...bucket(1, 1, 0), endsAt: '2026-01-01T01:00:00.000Z' };
    expect(unitOf([hour])).toBe('hour');
    expect(unitOf([bucket(1, 1, 0), { ...hour, startsAt: '2026-01-01T00:30:00.000Z' }])).toBe('day');
  });
});

describe('the guides', () => {
  const copied = (url: string) => new Map(guidesFor(url).map(({ client, steps }) => [client, steps]));

  it('hold the real address, and never a token', () => {
    for (const { steps } of guidesFor('https://id.example.com/mcp')) {
      const texts = steps.map((step) => step.copied).join('\n');
      expect(texts).toContain('https://id.example.com/mcp');
      expect(texts.toLowerCase()).not.toMatch(/bearer|authorization|token/);
    }
  });

  it('give files that are whole JSON, and a link that says the same', () => {
    const [file, link] = copied('https://id.example.com/mcp').get('cursor') ?? [];
    expect(JSON.parse(file?.copied ?? '')).toEqual({
      mcpServers: { gatehouse: { url: 'https://id.example.com/mcp' } },
    });
    const config = new URL(link?.copied ?? '').searchParams.get('config') ?? '';
    expect(JSON.parse(atob(config))).toEqual({ url: 'https://id.example.com/mcp' });
  });

  it('allow mcp-remote plain HTTP only to a machine that is neither this one nor behind TLS', () => {
    const argumentsFor = (url: string) => copied(url).get('remote')?.[0]?.copied ?? '';
    expect(argumentsFor('http://10.0.0.5:4000/mcp')).toContain('--allow-http');
    expect(argumentsFor('http://localhost:4000/mcp')).not.toContain('--allow-http');
    expect(argumentsFor('https://id.example.com/mcp')).not.toContain('--allow-http');
  });
});

describe('a local time', () => {
  it('comes back as the minute that it was', () => {
    const instant = '2026-07-01T12:34:00.000Z';
    expect(fromLocalTime(toLocalTime(instant))).toBe(instant);
  });

  it('is nothing while it is typed', () => {
    expect(toLocalTime(undefined)).toBe('');
    expect(fromLocalTime('')).toBeUndefined();
    expect(fromLocalTime('0002-01-01T00:00')).toBeUndefined();
  });
});

describe('the parts of a list', () => {
  const part = (ids: readonly string[], totalCount: number) => ({
    nodes: ids.map((id) => ({ id })),
    totalCount,
    pageInfo: { hasNextPage: false, endCursor: null },
  });

  it('show each once, and the newest count', () => {
    expect(gatherParts(undefined, () => '')).toBeUndefined();
    expect(gatherParts([part(['a', 'b'], 3), part(['b', 'c'], 4)], ({ id }) => id)).toEqual({
      nodes: [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
      total: 4,
    });
  });
});
