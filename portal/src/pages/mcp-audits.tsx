/** The record of tool calls: how many were refused over time, and each call, narrowed by the address. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import { useSession } from '../session/session-context.tsx';
import { isNarrowed } from './mcp-address.ts';
import { McpAuditFilters } from './mcp-audit-filters.tsx';
import { McpAuditTable } from './mcp-audit-table.tsx';
import { McpGate } from './mcp-gate.tsx';
import { McpList } from './mcp-list.tsx';
import { McpOutcomes } from './mcp-outcomes-plot.tsx';
import { auditsQuery, type ToolAudit } from './mcp-queries.ts';
import { useMcpView, useViewChanges } from './mcp-view.ts';

export const McpAudits = () => (
  <McpGate takes="audit">
    <McpOutcomes />
    <Audits />
  </McpGate>
);

const Audits = () => {
  const t = useTranslations('mcp.audits');
  const view = useMcpView();
  const { clear } = useViewChanges();
  const list = useInfiniteQuery(auditsQuery(useSession(), view));
  const field = useRef<HTMLInputElement>(null);
  const clearAll = () => {
    clear();
    // The button that had the focus goes with what it cleared.
    field.current?.focus();
  };
  const audits = list.data?.pages.flatMap(({ nodes }) => nodes) ?? [];
  return (
    <McpList
      title={t('title')}
      lead={t('lead')}
      list={list}
      keyOf={({ id }: ToolAudit) => id}
      total={(total) => t('total', { total })}
      none={t('none')}
      onClear={isNarrowed(view) ? clearAll : undefined}
      filters={<McpAuditFilters field={field} audits={audits} />}
    >
      {(nodes, isBusy) => <McpAuditTable audits={nodes} busy={isBusy} />}
    </McpList>
  );
};
