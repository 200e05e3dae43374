/** The address of the cockpit as its sections use it: what it says, and how a filter changes it. */
import { getRouteApi } from '@tanstack/react-router';
import { type RefObject, useRef } from 'react';
import { isNarrowed, type McpView, readMcpView, toAddress } from './address.ts';

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
