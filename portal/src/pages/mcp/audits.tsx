/** The record of tool calls: how many were refused over time, and each call, narrowed by the address. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useSession } from '../../session/session-context.tsx';
import { McpAuditFilters } from './audit-filters.tsx';
import { McpAuditTable } from './audit-table.tsx';
import { McpGate } from './gate.tsx';
import { McpList } from './list.tsx';
import { McpOutcomes } from './outcomes-plot.tsx';
import { auditsQuery, type ToolAudit } from './queries.ts';
import { useClearing, useMcpView } from './view.ts';

export const McpAudits = () => (
  <McpGate takes="audit">
    <McpOutcomes />
    <Audits />
  </McpGate>
);

const Audits = () => {
  const t = useTranslations('mcp.audits');
  const view = useMcpView();
  const list = useInfiniteQuery(auditsQuery(useSession(), view));
  const { field, onClear } = useClearing();
  const audits = list.data?.pages.flatMap(({ nodes }) => nodes) ?? [];
  return (
    <McpList
      title={t('title')}
      lead={t('lead')}
      list={list}
      keyOf={({ id }: ToolAudit) => id}
      total={(total) => t('total', { total })}
      none={t('none')}
      onClear={onClear}
      filters={<McpAuditFilters field={field} audits={audits} />}
    >
      {(nodes, isBusy) => <McpAuditTable audits={nodes} busy={isBusy} />}
    </McpList>
  );
};
