/** The audit log of tool calls: denied calls over time, and a table of calls; cards on a narrow screen. */
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Badge } from '../../components/badge.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Instant } from '../../components/dates.tsx';
import { Icon, type IconName } from '../../components/icon.tsx';
import { ExportMcpToolAuditsDocument, type McpToolOutcome } from '../../generated/graphql.ts';
import { CsvExport } from '../../lists/csv-export.tsx';
import { DataTable } from '../../lists/data-table.tsx';
import { usePagedList } from '../../lists/paged-list.ts';
import { useSession } from '../../session/session-context.tsx';
import { ScopeGate } from '../console/scope-gate.tsx';
import { McpAuditFilters } from './audit-filters.tsx';
import { McpList } from './list.tsx';
import { McpOutcomes } from './outcomes-plot.tsx';
import { auditsQuery, type ToolAudit } from './queries.ts';
import { ClientLink, formatExactly, ViewLink } from './rows.tsx';
import { toAuditFilter, useMcpView } from './view.ts';

/** One call that was looked up stands alone: a plot of all calls above it would push the answer out of sight. */
export const McpAudits = () => {
  const { correlation } = useMcpView().view;
  return (
    <ScopeGate requires="audit">
      {correlation === undefined && <McpOutcomes />}
      <Audits />
    </ScopeGate>
  );
};

const Audits = () => {
  const t = useTranslations('mcp.audits');
  const list = usePagedList(auditsQuery(useSession(), useMcpView().view), 'id');
  return (
    <McpList
      title={t('title')}
      lead={t('lead')}
      list={list}
      total={(total) => t('total', { total })}
      none={t('none')}
      filters={<McpAuditFilters audits={list.rows} />}
      result={list.rows.length > 0 && <AuditExport />}
    >
      {(nodes, isBusy) => <McpAuditTable audits={nodes} busy={isBusy} />}
    </McpList>
  );
};

const AuditExport = () => {
  const t = useTranslations('mcp.audits');
  const session = useSession();
  const { view } = useMcpView();
  return (
    <CsvExport
      name="tool-calls"
      label={t('export')}
      exported={({ rows, isCut }) => t(isCut ? 'exportCut' : 'exported', { rows })}
      fetchFile={async () =>
        (await session.request(ExportMcpToolAuditsDocument, { filter: toAuditFilter(view) })).mcpToolAuditsCsv
      }
    />
  );
};

interface McpAuditTableProps {
  readonly audits: readonly ToolAudit[];
  readonly busy: boolean;
}

const McpAuditTable = ({ audits, busy }: McpAuditTableProps) => {
  const t = useTranslations('mcp.audits');
  return (
    <DataTable
      label={t('title')}
      rows={audits}
      keyOf={({ id }) => id}
      busy={busy}
      columns={[
        {
          key: 'when',
          heading: t('columns.when'),
          width: 'sm:w-[19%]',
          cell: ({ createdAt }) => (
            <span className="text-sm text-soft tabular-nums">
              <Instant at={createdAt}>{formatExactly(createdAt)}</Instant>
            </span>
          ),
        },
        { key: 'who', heading: t('columns.who'), width: 'sm:w-[27%]', cell: (audit) => <Caller audit={audit} /> },
        { key: 'call', heading: t('columns.call'), width: 'sm:w-[29%]', cell: (audit) => <Call audit={audit} /> },
        {
          key: 'correlation',
          heading: t('columns.correlation'),
          width: 'sm:w-[25%]',
          cell: (audit) => <Correlation audit={audit} />,
        },
      ]}
    />
  );
};

interface AuditProps {
  readonly audit: ToolAudit;
}

const Call = ({ audit: { tool, outcome } }: AuditProps) => (
  <>
    <code className="block font-mono text-[0.8125rem]">{tool}</code>
    <Outcome outcome={outcome} />
  </>
);

const Correlation = ({ audit: { correlationId, argumentDigest } }: AuditProps) => {
  const t = useTranslations('mcp.audits');
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <code title={`${t('digest')}: ${argumentDigest}`} className="font-mono text-xs select-all">
        {correlationId}
      </code>
      <CopyButton isSmall text={correlationId} label={t('copyCorrelation', { id: correlationId })} />
    </span>
  );
};

/** The caller, with links to the client and the sessions, where each can be revoked. */
const Caller = ({ audit: { actorUserId, actorEmail, clientName } }: AuditProps) => {
  const t = useTranslations('mcp.audits');
  const list = useTranslations('mcp.list');
  const { view } = useMcpView();
  return (
    <div className="text-sm">
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
    </div>
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
