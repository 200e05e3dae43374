/** /admin/super: what happened in the last hours or days as plots, and what waits or fails now. */
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { PageHead } from '../../../components/page.tsx';
import { QueryState } from '../../../components/query-state.tsx';
import {
  FetchOverviewDocument,
  type FetchOverviewQuery,
  FetchToolActivityDocument,
  type OverviewPeriod,
} from '../../../generated/graphql.ts';
import { withRefreshOnForbidden } from '../../../session/refresh-on-forbidden.ts';
import type { Session } from '../../../session/session.ts';
import { useSession } from '../../../session/session-context.tsx';
import { useConsolePermission } from '../permissions.ts';
import { ConsoleQueryProblem, ScopeGate } from '../scope-gate.tsx';
import { type Bar, BarPlot } from './bar-plot.tsx';

const route = getRouteApi('/signed-in/admin/super/');

type Overview = FetchOverviewQuery['platformOverview'];

const overviewQuery = (session: Session, period: OverviewPeriod) =>
  queryOptions({
    queryKey: ['console', 'overview', period],
    queryFn: () =>
      withRefreshOnForbidden(
        session,
        async () => (await session.request(FetchOverviewDocument, { period })).platformOverview,
      ),
    placeholderData: keepPreviousData,
  });

const toolActivityQuery = (session: Session, range: { readonly from: string; readonly to: string }) =>
  queryOptions({
    queryKey: ['console', 'overview', 'calls', range],
    queryFn: () =>
      withRefreshOnForbidden(
        session,
        async () => (await session.request(FetchToolActivityDocument, range)).mcpToolOutcomes,
      ),
  });

export const OverviewPage = (): ReactNode => {
  const t = useTranslations('overview');
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')} />
      <ScopeGate requires="sessions">
        <Contents />
      </ScopeGate>
    </>
  );
};

const Contents = () => {
  const { period = 'HOURS_24' } = route.useSearch();
  const found = useQuery(overviewQuery(useSession(), period));
  return (
    <>
      <Periods shown={period} />
      <QueryState query={found} problem={ConsoleQueryProblem} />
      {found.data !== undefined && (
        <div aria-busy={found.isPlaceholderData} className="space-y-6">
          <State found={found.data} />
          <Plots found={found.data} period={period} />
        </div>
      )}
    </>
  );
};

const periodClass =
  'flex min-h-11 items-center rounded-control px-4 text-[0.9375rem] font-medium text-soft hover:text-ink data-[shown=true]:bg-tint data-[shown=true]:text-accent';

const Periods = ({ shown }: { readonly shown: OverviewPeriod }) => {
  const t = useTranslations('overview');
  return (
    <nav aria-label={t('period')} className="flex flex-wrap gap-1">
      {(['HOURS_24', 'DAYS_30'] as const).map((period) => (
        <Link
          key={period}
          to="/admin/super"
          search={period === 'DAYS_30' ? { period } : {}}
          replace
          resetScroll={false}
          aria-current={period === shown ? 'true' : undefined}
          data-shown={period === shown}
          className={periodClass}
        >
          {t(`periods.${period}`)}
        </Link>
      ))}
    </nav>
  );
};

/** The present state. */
const State = ({ found }: { readonly found: Overview }) => {
  const t = useTranslations('overview');
  const format = useFormatter();
  const { activeSessions, activeSessionsAreCapped, waitingMails, oldestMailSeconds: seconds, failingJobs } = found;
  return (
    <dl className="grid gap-4 sm:grid-cols-3">
      <Tile name={t('active')}>
        {activeSessionsAreCapped ? t('moreThan', { count: activeSessions }) : format.number(activeSessions)}
      </Tile>
      <Tile name={t('mails')} more={seconds === null ? undefined : t('oldest', { seconds })}>
        {format.number(waitingMails)}
      </Tile>
      <Tile name={t('jobs')} isBad={failingJobs.length > 0}>
        {failingJobs.length === 0
          ? t('jobsWork')
          : t('jobsFail', { count: failingJobs.length, names: format.list([...failingJobs]) })}
      </Tile>
    </dl>
  );
};

interface TileProps {
  readonly name: string;
  readonly more?: string | undefined;
  readonly isBad?: boolean;
  readonly children: ReactNode;
}

const Tile = ({ name, more, isBad = false, children }: TileProps) => (
  <div className={`rounded-card border border-line p-5 ${isBad ? 'bg-caution-tint' : 'bg-surface'}`}>
    <dt className="text-sm text-soft">{name}</dt>
    <dd className="text-xl font-semibold tracking-[-0.015em] wrap-anywhere tabular-nums">{children}</dd>
    {more !== undefined && <dd className="text-sm text-soft">{more}</dd>}
  </div>
);

interface PlotsProps {
  readonly found: Overview;
  readonly period: OverviewPeriod;
}

const Plots = ({ found: { activity, historySince }, period }: PlotsProps) => {
  const t = useTranslations('overview');
  const canSeeCalls = useConsolePermission('audit')?.granted === true;
  const barsOf = (count: (piece: Overview['activity'][number]) => number): readonly Bar[] =>
    activity.map((piece) => ({ startsAt: piece.startsAt, count: count(piece) }));
  /** Nothing is known of a piece before the first attempt that is kept. */
  const attemptsOf = (count: (piece: Overview['activity'][number]) => number): readonly Bar[] =>
    activity.map((piece) => {
      const isKnown = historySince !== null && piece.endsAt > historySince;
      return { startsAt: piece.startsAt, count: isKnown ? count(piece) : null };
    });
  const unit = period === 'HOURS_24' ? 'hour' : 'day';
  const range = { from: activity[0]?.startsAt ?? '', to: activity.at(-1)?.endsAt ?? '' };
  const links = { from: range.from };
  return (
    <div className="grid gap-4 xl:grid-cols-2">
      <PlotCard name={t('signIns')} unit={unit} bars={attemptsOf(({ signIns }) => signIns)}>
        <Link to="/admin/super/sign-ins" search={{ ...links, outcome: 'success' }} className="text-link">
          {t('seeSignIns')}
        </Link>
      </PlotCard>
      <PlotCard name={t('refused')} unit={unit} bars={attemptsOf(({ refusedSignIns }) => refusedSignIns)}>
        <Link to="/admin/super/sign-ins" search={links} className="text-link">
          {t('seeRefused')}
        </Link>
      </PlotCard>
      <PlotCard name={t('ended')} unit={unit} bars={barsOf(({ endedSessions }) => endedSessions)}>
        <Link to="/admin/super/sessions" className="text-link">
          {t('seeSessions')}
        </Link>
      </PlotCard>
      {canSeeCalls && <ToolCalls unit={unit} range={range} />}
    </div>
  );
};

interface ToolCallsProps {
  readonly unit: 'hour' | 'day';
  readonly range: { readonly from: string; readonly to: string };
}

const ToolCalls = ({ unit, range }: ToolCallsProps) => {
  const t = useTranslations('overview');
  const calls = useQuery(toolActivityQuery(useSession(), range));
  if (calls.data === undefined) return <QueryState query={calls} problem={ConsoleQueryProblem} />;
  const bars = calls.data.map(({ startsAt, success, deny, error }) => ({ startsAt, count: success + deny + error }));
  const failed = calls.data.reduce((sum, { deny, error }) => sum + deny + error, 0);
  return (
    <PlotCard name={t('calls')} unit={unit} bars={bars} more={t('denied', { count: failed })}>
      <Link to="/admin/super/mcp" search={{ section: 'audits', from: range.from }} className="text-link">
        {t('seeCalls')}
      </Link>
    </PlotCard>
  );
};

interface PlotCardProps {
  readonly name: string;
  readonly unit: 'hour' | 'day';
  readonly bars: readonly Bar[];
  readonly more?: string;
  /** Leads to what the plot counts. */
  readonly children: ReactNode;
}

const PlotCard = ({ name, unit, bars, more, children }: PlotCardProps) => {
  const format = useFormatter();
  const known = bars.flatMap(({ count }) => count ?? []);
  const sum = known.reduce((all, count) => all + count, 0);
  return (
    <section aria-label={name} className="space-y-3 rounded-card border border-line bg-surface p-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="font-semibold">{name}</h2>
        <p className="text-sm">{children}</p>
      </div>
      <p className="text-2xl font-semibold tracking-[-0.02em] tabular-nums">
        {known.length === 0 && bars.length > 0 ? '–' : format.number(sum)}
        {more !== undefined && <span className="ms-3 text-sm font-normal text-soft">{more}</span>}
      </p>
      <BarPlot name={name} unit={unit} bars={bars} />
    </section>
  );
};
