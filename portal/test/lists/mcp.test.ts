/** The cockpit of Platform MCP: URL, plot and setup guides. */
import { describe, expect, it } from 'vitest';
import { isFiltered, toSearchParams } from '../../src/lists/list-view.ts';
import { guidesFor } from '../../src/pages/mcp/connect.tsx';
import { type OutcomeBucket, plotOf, totalsOf, unitOf } from '../../src/pages/mcp/outcomes.ts';
import { type McpView, plotRange, readMcpView, toAuditFilter, toConnectionFilter } from '../../src/pages/mcp/view.ts';

const someId = '0190f0a0-0000-7000-8000-000000000001';

describe('the URL of the cockpit', () => {
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

  it('holds the view, and is restored from it', () => {
    const view = readMcpView(everything);
    expect(view).toEqual(everything);
    expect(toSearchParams(view)).toEqual(everything);
    expect(isFiltered(view)).toBe(true);
  });

  it('drops invalid values', () => {
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
    expect(toSearchParams(view)).toEqual({ section: 'connect' });
    expect(isFiltered(view)).toBe(false);
  });

  it('normalizes a pasted correlation id', () => {
    expect(readMcpView({ correlation: ` ${someId.toUpperCase()} ` }).correlation).toBe(someId);
  });

  it('truncates a search to the maximum length', () => {
    expect(readMcpView({ search: 'a'.repeat(300) }).search).toHaveLength(254);
  });

  it('is converted to the filters of the API', () => {
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
    const range = plotRange(view({}), now);
    expect(range.to).toBe('2026-03-10T10:00:00.000Z');
    expect(new Date(range.from).getHours()).toBe(0);
    expect(hours(range)).toBeGreaterThan(6 * 24 - 2);
    expect(hours(range)).toBeLessThanOrEqual(7 * 24 + 1);
    expect(plotRange(view({}), new Date(now.getTime() + 60_000))).toEqual(range);
  });

  it('follows the time filters within the maximum of the server', () => {
    const from = '2026-03-01T00:00:00.000Z';
    const to = '2026-03-02T00:00:00.000Z';
    expect(plotRange(view({ from, to }), now)).toEqual({ from, to });
    expect(hours(plotRange(view({ from: '2020-01-01T00:00:00.000Z' }), now))).toBe(92 * 24);
    expect(hours(plotRange(view({ from: to, to: from }), now))).toBe(1);
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

  it('has a dot for each bucket with calls, and breaks its line at the others', () => {
    const { dots, line, bars, maxCalls } = plotOf([bucket(1, 3, 1), bucket(2, 0, 2), bucket(3, 0, 0), bucket(4, 1, 0)]);
    expect(dots.map(({ x, y }) => [x, y])).toEqual([
      [125, 75],
      [375, 0],
      [875, 100],
    ]);
    expect(line).toBe('M125 75L375 0M875 100');
    expect(bars.map(({ height }) => height)).toEqual([100, 50, 25]);
    expect(maxCalls).toBe(4);
  });

  it('stays empty without buckets and without calls', () => {
    expect(plotOf([])).toEqual({ dots: [], line: '', bars: [], maxCalls: 0 });
    expect(plotOf([bucket(1, 0, 0)])).toEqual({ dots: [], line: '', bars: [], maxCalls: 0 });
  });

  it('counts failed calls in the total, and never as denied', () => {
    expect(totalsOf([bucket(1, 1, 1, 2), bucket(2, 0, 0)])).toEqual({ calls: 4, denied: 1, failed: 2, denyRate: 0.25 });
    expect(totalsOf([]).denyRate).toBe(0);
  });

  it('derives the unit from the first bucket, because the last may be cut off', () => {
    const hour = { ...bucket(1, 1, 0), endsAt: '2026-01-01T01:00:00.000Z' };
    expect(unitOf([hour])).toBe('hour');
    expect(unitOf([bucket(1, 1, 0), { ...hour, startsAt: '2026-01-01T00:30:00.000Z' }])).toBe('day');
  });
});

describe('the guides', () => {
  const snippet = (url: string) => new Map(guidesFor(url).map(({ client, steps }) => [client, steps]));

  it('contain the real URL, and never a token', () => {
    for (const { steps } of guidesFor('https://id.example.com/mcp')) {
      const texts = steps.map((step) => step.snippet).join('\n');
      expect(texts).toContain('https://id.example.com/mcp');
      expect(texts.toLowerCase()).not.toMatch(/bearer|authorization|token/);
    }
  });

  it('contain complete JSON files, and an equivalent deep link', () => {
    const [file, link] = snippet('https://id.example.com/mcp').get('cursor') ?? [];
    expect(JSON.parse(file?.snippet ?? '')).toEqual({
      mcpServers: { gatehouse: { url: 'https://id.example.com/mcp' } },
    });
    const config = new URL(link?.snippet ?? '').searchParams.get('config') ?? '';
    expect(JSON.parse(atob(config))).toEqual({ url: 'https://id.example.com/mcp' });
  });

  it('allow mcp-remote plain HTTP only to a machine that is neither this one nor behind TLS', () => {
    const argumentsFor = (url: string) => snippet(url).get('remote')?.[0]?.snippet ?? '';
    expect(argumentsFor('http://10.0.0.5:4000/mcp')).toContain('--allow-http');
    expect(argumentsFor('http://localhost:4000/mcp')).not.toContain('--allow-http');
    expect(argumentsFor('https://id.example.com/mcp')).not.toContain('--allow-http');
  });
});
