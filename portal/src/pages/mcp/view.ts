/** The view of the cockpit: section and filters, kept in the URL so that a reload and a link show the same. */
import { getRouteApi } from '@tanstack/react-router';
import type {
  McpConnectionFilter,
  McpConnectionStatus,
  McpToolAuditFilter,
  McpToolOutcome,
} from '../../generated/graphql.ts';
import { type Address, idOf, instantOf, type ListView, oneOf, textOf, useListView } from '../../lists/list-view.ts';

export const mcpSections = ['connect', 'connections', 'audits', 'catalogue', 'users', 'clients'] as const;
export type McpSection = (typeof mcpSections)[number];

export const toolOutcomes: readonly McpToolOutcome[] = ['success', 'deny', 'error'];

export const connectionStatuses: readonly McpConnectionStatus[] = ['CONNECTED', 'REFUSED', 'UNFINISHED'];

/** All filters; each section applies its own. */
export interface McpView {
  readonly section: McpSection;
  /** Search text of the section. */
  readonly search?: string | undefined;
  /** Id of one client. */
  readonly client?: string | undefined;
  readonly status?: McpConnectionStatus | undefined;
  readonly tool?: string | undefined;
  readonly outcome?: McpToolOutcome | undefined;
  /** Id of one person. */
  readonly user?: string | undefined;
  /** Correlation id of one call. */
  readonly correlation?: string | undefined;
  /** ISO 8601 in UTC. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * Reads the URL; invalid values are dropped.
 * @internal A test covers the cases that no request reaches.
 */
export const readMcpView = (address: Address): McpView => ({
  section: oneOf(mcpSections, address['section']) ?? 'connect',
  search: textOf(address['search']),
  client: idOf(address['client']),
  status: oneOf(connectionStatuses, address['status']),
  tool: textOf(address['tool']),
  outcome: oneOf(toolOutcomes, address['outcome']),
  user: idOf(address['user']),
  correlation: idOf(address['correlation']),
  from: instantOf(address['from']),
  to: instantOf(address['to']),
});

/** Converts it to the filter input of the API. */
export const toAuditFilter = ({ tool, outcome, user, client, correlation, from, to }: McpView): McpToolAuditFilter => ({
  tool: tool ?? null,
  outcome: outcome ?? null,
  actorUserId: user ?? null,
  clientId: client ?? null,
  correlationId: correlation ?? null,
  from: from ?? null,
  to: to ?? null,
});

export const toConnectionFilter = ({ client, status, search }: McpView): McpConnectionFilter => ({
  clientId: client ?? null,
  status: status ?? null,
  search: search ?? null,
});

const hourMilliseconds = 3_600_000;
const defaultDays = 7;
/** The longest range that the server aggregates. */
const maxRangeMilliseconds = 92 * 24 * hourMilliseconds;

/**
 * The range of the plot: the time filters within the server's maximum, else the last seven local days. The current time
 * is rounded up to the hour, so that a reload sends the same query.
 */
export const plotRange = ({ from, to }: McpView, now: Date): { readonly from: string; readonly to: string } => {
  const end = to === undefined ? Math.ceil(now.getTime() / hourMilliseconds) * hourMilliseconds : Date.parse(to);
  const start = from === undefined ? midnightBefore(end) : Date.parse(from);
  const counted = Math.max(Math.min(start, end - hourMilliseconds), end - maxRangeMilliseconds);
  return { from: new Date(counted).toISOString(), to: new Date(end).toISOString() };
};

const midnightBefore = (end: number): number => {
  const day = new Date(end - 1);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - defaultDays + 1).getTime();
};

const route = getRouteApi('/signed-in/admin/super/mcp');

/** The view in the URL of the cockpit, and what changes it. */
export const useMcpView = (): ListView<McpView> => useListView(readMcpView);

/** URL of Platform MCP; undefined when it is disabled. */
export const useMcpUrl = (): string | undefined => route.useRouteContext().mcpUrl;
