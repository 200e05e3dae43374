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

/** Every narrowing there is; each section heeds its own. */
export interface McpView {
  readonly section: McpSection;
  /** Part of what the section's search looks through. */
  readonly search?: string | undefined;
  /** Id of the only client. */
  readonly client?: string | undefined;
  readonly status?: McpConnectionStatus | undefined;
  readonly tool?: string | undefined;
  readonly outcome?: McpToolOutcome | undefined;
  /** Id of the only person. */
  readonly user?: string | undefined;
  /** Id of the only call. */
  readonly correlation?: string | undefined;
  /** Instants, as ISO 8601 in UTC. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** What an address says, without what cannot be meant. */
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

/** The address of a view: only what narrows it. */
export const toAddress = (view: McpView): Record<string, string> =>
  Object.fromEntries(
    Object.entries(view).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''),
  );

export const isNarrowed = ({ section: _, ...narrowing }: McpView): boolean =>
  Object.values(narrowing).some((value) => value !== undefined);

/** The server looks for nothing longer. */
const longestText = 254;

const text = (candidate: string | undefined): string | undefined =>
  candidate === undefined || candidate.trim() === '' ? undefined : candidate.slice(0, longestText);

const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const isId = (candidate: string): boolean => idPattern.test(candidate);

const id = (candidate: string | undefined): string | undefined =>
  candidate !== undefined && isId(candidate) ? candidate : undefined;

const instant = (candidate: string | undefined): string | undefined => {
  const moment = new Date(candidate ?? '');
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
};

/** The same in the words of the server. */
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
const daysPlotted = 7;
/** The server counts no longer span at once. */
const mostMilliseconds = 92 * 24 * hourMilliseconds;

/**
 * From when to when the outcomes of calls are plotted: what the filters say as far as the server counts, and otherwise
 * the local days up to then. The present is rounded up to the hour, so that looking again asks for the same.
 */
export const plottedRange = ({ from, to }: McpView, now: Date): { readonly from: string; readonly to: string } => {
  const end = to === undefined ? Math.ceil(now.getTime() / hourMilliseconds) * hourMilliseconds : Date.parse(to);
  const start = from === undefined ? midnightBefore(end) : Date.parse(from);
  const counted = Math.max(Math.min(start, end - hourMilliseconds), end - mostMilliseconds);
  return { from: new Date(counted).toISOString(), to: new Date(end).toISOString() };
};

const midnightBefore = (end: number): number => {
  const day = new Date(end - 1);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysPlotted + 1).getTime();
};

const route = getRouteApi('/signed-in/admin/super/mcp');

export const useMcpView = (): McpView => readMcpView(route.useSearch());

/** Where the MCP clients of this installation connect. Undefined where Platform MCP is switched off. */
export const useMcpUrl = (): string | undefined => route.useRouteContext().mcpUrl;

interface ViewChanges {
  readonly change: (changed: Partial<McpView>) => void;
  /** Back to everything that the section has. */
  readonly clear: () => void;
}

export const useViewChanges = (): ViewChanges => {
  const navigate = route.useNavigate();
  const go = (next: (latest: McpView) => McpView): void =>
    // From what the address says by then: a search that waits for a pause in the typing must not undo another filter.
    void navigate({ search: (latest) => toAddress(next(readMcpView(latest))), replace: true, resetScroll: false });
  return {
    change: (changed) => go((latest) => ({ ...latest, ...changed })),
    clear: () => go(({ section }) => ({ section })),
  };
};

interface Clearing {
  /** The field that the section's filters begin with. */
  readonly field: RefObject<HTMLInputElement | null>;
  /** Back to everything, where filters are set. */
  readonly onClear: (() => void) | undefined;
}

export const useClearing = (): Clearing => {
  const view = useMcpView();
  const { clear } = useViewChanges();
  const field = useRef<HTMLInputElement>(null);
  const clearAll = () => {
    clear();
    // The button that had the focus goes with what it cleared.
    field.current?.focus();
  };
  return { field, onClear: isNarrowed(view) ? clearAll : undefined };
};
