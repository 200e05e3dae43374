/** The view of the cockpit: section and filters, kept in the URL so that a reload and a link show the same. */
import { getRouteApi } from '@tanstack/react-router';
import { type RefObject, useRef } from 'react';
import type {
  McpConnectionFilter,
  McpConnectionStatus,
  McpToolAuditFilter,
  McpToolOutcome,
} from '../../generated/graphql.ts';

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

/** Reads the URL; invalid values are dropped. */
export const readMcpView = (address: Readonly<Record<string, string>>): McpView => ({
  section: mcpSections.find((section) => section === address['section']) ?? 'connect',
  search: text(address['search']),
  client: id(address['client']),
  status: connectionStatuses.find((status) => status === address['status']),
  tool: text(address['tool']),
  outcome: toolOutcomes.find((outcome) => outcome === address['outcome']),
  user: id(address['user']),
  correlation: id(address['correlation']?.trim().toLowerCase()),
  from: instant(address['from']),
  to: instant(address['to']),
});

/** The search parameters of a view, without empty filters. */
export const toSearchParams = (view: McpView): Record<string, string> =>
  Object.fromEntries(
    Object.entries(view).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''),
  );

export const isFiltered = ({ section: _, ...filters }: McpView): boolean =>
  Object.values(filters).some((value) => value !== undefined);

/** Maximum length that the server accepts. */
const maxTextLength = 254;

const text = (candidate: string | undefined): string | undefined =>
  candidate === undefined || candidate.trim() === '' ? undefined : candidate.slice(0, maxTextLength);

const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const isId = (candidate: string): boolean => idPattern.test(candidate);

const id = (candidate: string | undefined): string | undefined =>
  candidate !== undefined && isId(candidate) ? candidate : undefined;

const instant = (candidate: string | undefined): string | undefined => {
  const moment = new Date(candidate ?? '');
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
};

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

export const useMcpView = (): McpView => readMcpView(route.useSearch());

/** URL of Platform MCP; undefined when it is disabled. */
export const useMcpUrl = (): string | undefined => route.useRouteContext().mcpUrl;

interface ViewChanges {
  readonly change: (changed: Partial<McpView>) => void;
  /** Clears all filters of the section. */
  readonly clear: () => void;
}

export const useViewChanges = (): ViewChanges => {
  const navigate = route.useNavigate();
  const go = (next: (latest: McpView) => McpView): void =>
    // Computed from the latest URL: a debounced search must not undo another filter.
    void navigate({ search: (latest) => toSearchParams(next(readMcpView(latest))), replace: true, resetScroll: false });
  return {
    change: (changed) => go((latest) => ({ ...latest, ...changed })),
    clear: () => go(({ section }) => ({ section })),
  };
};

interface ClearFilters {
  /** The first field of the filters. */
  readonly field: RefObject<HTMLInputElement | null>;
  /** Clears the filters; undefined when none is set. */
  readonly onClear: (() => void) | undefined;
}

export const useClearFilters = (): ClearFilters => {
  const view = useMcpView();
  const { clear } = useViewChanges();
  const field = useRef<HTMLInputElement>(null);
  const clearAll = () => {
    clear();
    // The focused button is unmounted.
    field.current?.focus();
  };
  return { field, onClear: isFiltered(view) ? clearAll : undefined };
};
