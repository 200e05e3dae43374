/** Connection attempts of clients: how each ended, and its steps with the rule that refused it and the fix. */
import { useFormatter, useTranslations } from 'use-intl';
import { Badge } from '../../components/badge.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Detail, DetailList, RelativeTime } from '../../components/detail-list.tsx';
import { Icon, type IconName } from '../../components/icon.tsx';
import { FilterBar, FilterMenu } from '../../lists/filters.tsx';
import { oneOf } from '../../lists/list-view.ts';
import { usePagedList } from '../../lists/paged-list.ts';
import { useSession } from '../../session/session-context.tsx';
import { ScopeGate } from '../console/scope-gate.tsx';
import { McpFilterChips, McpList, McpSearch } from './list.tsx';
import { connectionsQuery, type McpConnection } from './queries.ts';
import { ClientLink, formatExactly } from './rows.tsx';
import { connectionStatuses, useMcpView } from './view.ts';

export const McpConnections = () => (
  <ScopeGate requires="access">
    <Connections />
  </ScopeGate>
);

const Connections = () => {
  const t = useTranslations('mcp.connections');
  const list = usePagedList(connectionsQuery(useSession(), useMcpView().view), 'id');
  return (
    <McpList
      title={t('title')}
      lead={t('lead')}
      list={list}
      total={(total) => t('total', { total })}
      none={t('none')}
      filters={<Filters client={list.rows[0]?.clientName ?? undefined} />}
    >
      {(connections, isBusy) => (
        <ul aria-busy={isBusy} className="divide-y divide-line">
          {connections.map((connection) => (
            <McpConnectionRow key={connection.id} connection={connection} />
          ))}
        </ul>
      )}
    </McpList>
  );
};

/** @param client name of the filtered client, if a row has it */
const Filters = ({ client }: { readonly client: string | undefined }) => {
  const t = useTranslations('mcp.connections');
  const any = useTranslations('lists')('any');
  const { view, change } = useMcpView();
  return (
    <FilterBar fields={<McpSearch label={t('search')} />}>
      <FilterMenu
        label={t('status')}
        any={any}
        value={view.status}
        choices={connectionStatuses.map((value) => ({ value, name: t(`statuses.${value}`) }))}
        onChoose={(status) => change({ status: oneOf(connectionStatuses, status) })}
      />
      <McpFilterChips client={client} />
    </FilterBar>
  );
};

const statusLooks: Readonly<
  Record<McpConnection['status'], { readonly variant: 'accent' | 'caution' | 'plain'; readonly icon: IconName }>
> = {
  CONNECTED: { variant: 'accent', icon: 'check' },
  REFUSED: { variant: 'caution', icon: 'alert' },
  UNFINISHED: { variant: 'plain', icon: 'circle' },
};

const McpConnectionRow = ({ connection }: { readonly connection: McpConnection }) => {
  const t = useTranslations('mcp.connections');
  const { status, steps, ip, clientName } = connection;
  const hasFix = steps.some(({ fix }) => fix !== null);
  const { variant, icon } = statusLooks[status];
  return (
    <li className="space-y-2 px-5 py-4 sm:px-6">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
        <span className="min-w-0 wrap-anywhere">
          {clientName === null ? t('unnamed') : <ClientLink name={clientName} />}
        </span>
        <span className="font-normal text-soft tabular-nums">{t('from', { address: ip })}</span>
        <Badge variant={variant}>
          <Icon name={icon} className="size-3.5" />
          {t(`statuses.${status}`)}
        </Badge>
      </p>
      {connection.firstRefusal !== null && <p className="leading-relaxed">{connection.firstRefusal.explanation}</p>}
      <DetailList>
        <Detail name={t('began')}>
          <RelativeTime at={connection.beganAt} />
        </Detail>
        <Detail name={t('last')}>
          <RelativeTime at={connection.lastStepAt} />
        </Detail>
        <Detail name={t('userAgent')}>{connection.userAgent ?? t('noUserAgent')}</Detail>
      </DetailList>
      <details>
        <summary className="w-fit rounded text-sm text-soft hover:text-ink">
          {t(hasFix ? 'stepsAndFix' : 'steps', { count: steps.length })}
        </summary>
        <ol className="mt-3 space-y-4">
          {steps.map((step) => (
            <Step key={`${step.step} ${step.rule ?? ''} ${step.detail ?? ''} ${step.at}`} step={step} />
          ))}
        </ol>
      </details>
    </li>
  );
};

type ConnectionStep = McpConnection['steps'][number];

const Step = ({ step }: { readonly step: ConnectionStep }) => {
  const t = useTranslations('mcp.connections');
  const format = useFormatter();
  const isRefused = step.rule !== null;
  const first = formatExactly(step.at);
  const last = formatExactly(step.lastAt);
  return (
    <li className="flex gap-3">
      <Icon
        name={isRefused ? 'alert' : 'check'}
        className={`mt-0.5 size-5 ${isRefused ? 'text-caution' : 'text-accent'}`}
      />
      <div className="min-w-0 flex-1 space-y-1">
        <p className="font-medium">
          {format.list([t(`stepNames.${step.step}`), t(isRefused ? 'refused' : 'passed')], { type: 'unit' })}
        </p>
        <p className="text-sm text-soft tabular-nums">
          {format.list([t('times', { count: step.count }), first === last ? first : t('until', { first, last })], {
            type: 'unit',
          })}
        </p>
        {isRefused && <Refused step={step} />}
      </div>
    </li>
  );
};

const Refused = ({ step: { explanation, fix, detail } }: { readonly step: ConnectionStep }) => {
  const t = useTranslations('mcp.connections');
  return (
    <div className="space-y-2 text-[0.9375rem] leading-relaxed wrap-anywhere">
      {explanation !== null && <p>{explanation}</p>}
      {detail !== null && (
        <p className="flex flex-wrap items-center gap-2">
          <span className="text-soft">{t('detail')}</span>
          <code className="min-w-0 rounded-md bg-canvas px-1.5 py-0.5 font-mono text-sm wrap-anywhere select-all">
            {detail}
          </code>
          <CopyButton text={detail} label={t('copyDetail', { detail })} />
        </p>
      )}
      {fix !== null && (
        <p>
          <span className="font-semibold">{t('fix')}</span> <TextWithCode text={fix} />
        </p>
      )}
    </div>
  );
};

/** Renders text between backticks as code. */
const TextWithCode = ({ text }: { readonly text: string }) =>
  text.split('`').map((part, position) =>
    position % 2 === 0 ? (
      part
    ) : (
      <code key={part} className="rounded-md bg-canvas px-1.5 py-0.5 font-mono text-sm wrap-anywhere">
        {part}
      </code>
    ),
  );
