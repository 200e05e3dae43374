/** The audit log of tool calls: denied calls over time, and a table of calls; cards on a narrow screen. */
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Instant } from '../../components/dates.tsx';
import { downloadText } from '../../components/download.ts';
import { Icon, type IconName } from '../../components/icon.tsx';
import { RefusalNotice } from '../../components/notice.tsx';
import { ExportMcpToolAuditsDocument, type McpToolOutcome } from '../../generated/graphql.ts';
import { useSession } from '../../session/session-context.tsx';
import { ScopeGate } from '../console/scope-gate.tsx';
import { McpAuditFilters } from './audit-filters.tsx';
import { McpList } from './list.tsx';
import { McpOutcomes } from './outcomes-plot.tsx';
import { auditsQuery, type ToolAudit } from './queries.ts';
import { ClientLink, formatExactly, ViewLink } from './rows.tsx';
import { toAuditFilter, useClearFilters, useMcpView } from './view.ts';

/** One call that was looked up stands alone: a plot of all calls above it would push the answer out of sight. */
export const McpAudits = () => {
  const { correlation } = useMcpView();
  return (
    <ScopeGate requires="audit">
      {correlation === undefined && <McpOutcomes />}
      <Audits />
    </ScopeGate>
  );
};

const Audits = () => {
  const t = useTranslations('mcp.audits');
  const view = useMcpView();
  const list = useInfiniteQuery(auditsQuery(useSession(), view));
  const { field, onClear } = useClearFilters();
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
      result={audits.length > 0 && <AuditExport />}
    >
      {(nodes, isBusy) => <McpAuditTable audits={nodes} busy={isBusy} />}
    </McpList>
  );
};

/** The calls that the filters show, as a file. */
const AuditExport = () => {
  const t = useTranslations('mcp.audits');
  const session = useSession();
  const view = useMcpView();
  const download = useMutation({
    mutationFn: async () => {
      const { mcpToolAuditsCsv } = await session.request(ExportMcpToolAuditsDocument, { filter: toAuditFilter(view) });
      downloadText(`tool-calls-${new Date().toISOString().slice(0, 10)}.csv`, 'text/csv', mcpToolAuditsCsv.csv);
      return mcpToolAuditsCsv;
    },
  });
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-5 py-3 sm:px-6">
      <Button variant="secondary" busy={download.isPending} onClick={() => download.mutate()}>
        {t('export')}
      </Button>
      <p role="status" className="text-sm text-soft">
        {download.data !== undefined && t(download.data.isCut ? 'exportCut' : 'exported', { rows: download.data.rows })}
      </p>
      {download.isError && <RefusalNotice error={download.error} />}
    </div>
  );
};

/** Columns and their widths. */
const columns = [
  ['when', 'w-[19%]'],
  ['who', 'w-[27%]'],
  ['call', 'w-[29%]'],
  ['correlation', 'w-[25%]'],
] as const;

interface McpAuditTableProps {
  readonly audits: readonly ToolAudit[];
  readonly busy: boolean;
}

const McpAuditTable = ({ audits, busy }: McpAuditTableProps) => {
  const t = useTranslations('mcp.audits');
  return (
    <table aria-label={t('title')} aria-busy={busy} className="block w-full table-fixed text-start sm:table">
      <thead className="sr-only sm:not-sr-only">
        <tr className="border-b border-line text-sm text-soft">
          {columns.map(([column, width]) => (
            <th key={column} scope="col" className={`text-start font-medium ${width} ${cellClass}`}>
              {t(`columns.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="block divide-y divide-line sm:table-row-group">
        {audits.map((audit) => (
          <AuditRow key={audit.id} audit={audit} />
        ))}
      </tbody>
    </table>
  );
};

const cellClass = 'block py-1 align-top sm:table-cell sm:px-3 sm:py-3 sm:first:ps-6 sm:last:pe-6';

const AuditRow = ({ audit }: { readonly audit: ToolAudit }) => {
  const t = useTranslations('mcp.audits');
  const { correlationId, argumentDigest } = audit;
  return (
    <tr className="block px-5 py-3 sm:table-row">
      <td className={`text-sm text-soft tabular-nums ${cellClass}`}>
        <Instant at={audit.createdAt}>{formatExactly(audit.createdAt)}</Instant>
      </td>
      <td className={`text-sm wrap-anywhere ${cellClass}`}>
        <Caller audit={audit} />
      </td>
      <td className={cellClass}>
        <code className="block font-mono text-[0.8125rem] wrap-anywhere">{audit.tool}</code>
        <Outcome outcome={audit.outcome} />
      </td>
      <td className={cellClass}>
        <span className="flex flex-wrap items-center gap-x-2">
          <code title={`${t('digest')}: ${argumentDigest}`} className="font-mono text-xs wrap-anywhere select-all">
            {correlationId}
          </code>
          <CopyButton isSmall text={correlationId} label={t('copyCorrelation', { id: correlationId })} />
        </span>
      </td>
    </tr>
  );
};

/** The caller, with links to the client and the sessions, where each can be revoked. */
const Caller = ({ audit: { actorUserId, actorEmail, clientName } }: { readonly audit: ToolAudit }) => {
  const t = useTranslations('mcp.audits');
  const list = useTranslations('mcp.list');
  const view = useMcpView();
  return (
    <>
      <ViewLink view={{ ...view, user: actorUserId }} label={list('onlyPerson', { email: actorEmail })}>
        {actorEmail}
      </ViewLink>
      <span className="block text-soft">
        {clientName === null ? t('unknownClient') : t.rich('by', { client: () => <ClientLink name={clientName} /> })}
      </span>
      <Link
        to="/admin/super/sessions"
        search={{ user: actorUserId, audience: 'mcp' }}
        aria-label={t('sessionsOf', { email: actorEmail })}
        className="text-link mt-1 inline-block"
      >
        {t('sessions')}
      </Link>
    </>
  );
};

const outcomeLooks: Readonly<
  Record<McpToolOutcome, { readonly variant: 'accent' | 'caution' | 'plain'; readonly icon: IconName }>
> = {
  success: { variant: 'accent', icon: 'check' },
  deny: { variant: 'caution', icon: 'cross' },
  error: { variant: 'plain', icon: 'alert' },
};

const Outcome = ({ outcome }: { readonly outcome: McpToolOutcome }) => {
  const t = useTranslations('mcp.audits.outcomes');
  const { variant, icon } = outcomeLooks[outcome];
  return (
    <Badge variant={variant}>
      <Icon name={icon} className="size-3.5" />
      {t(outcome)}
    </Badge>
  );
};
