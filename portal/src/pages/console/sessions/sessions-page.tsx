/** /admin/super/sessions: every active session, filtered and sorted by the URL, ended one by one or many at once. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useCallback, useMemo, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../components/button.tsx';
import { EmptyList, ListSummary, QueryState } from '../../../components/list.tsx';
import { PageHeading } from '../../../components/page.tsx';
import type { SessionFilter } from '../../../generated/graphql.ts';
import { uniqueBy } from '../../../session/paged-query.ts';
import { useSession } from '../../../session/session-context.tsx';
import { EverywhereDialog, EverywhereReceipt, useEverywhere } from '../everywhere.tsx';
import { useConsolePermission } from '../permissions.ts';
import { CannotRevokeNotice } from '../revocation.tsx';
import { ConsoleQueryProblem, ScopeGate } from '../scope-gate.tsx';
import { type Choice, useChoice } from './choice.ts';
import { type Ending, useEnding } from './ending.ts';
import { EndingDialog, EndingReceipt } from './ending-dialog.tsx';
import { SessionFilters, WrongFilters } from './session-filters.tsx';
import { SessionTable } from './session-table.tsx';
import {
  allSessions,
  isFiltered,
  isMachine,
  readSessionView,
  type SessionRow,
  type SessionView,
  sessionsQuery,
  toSessionFilter,
  wrongFilters,
} from './sessions.ts';

const route = getRouteApi('/signed-in/admin/super/sessions');

export const SessionsPage = (): ReactNode => {
  const t = useTranslations('sessions');
  const view = readSessionView(route.useSearch());
  const { sort: _, direction: __, ...filter } = view;
  return (
    <>
      <div className="space-y-2">
        <PageHeading title={t('title')} />
        <p className="text-soft">{t('lead')}</p>
      </div>
      <ScopeGate requires="sessions">
        <CannotRevoke />
        {/* Another filter begins with no session chosen. */}
        <Sessions key={JSON.stringify(filter)} view={view} />
      </ScopeGate>
    </>
  );
};

const CannotRevoke = () => {
  const t = useTranslations('sessions.cannotRevoke');
  const permission = useConsolePermission('revoke');
  if (permission === undefined || permission.granted) return null;
  return <CannotRevokeNotice title={t('title')} why={t('why')} reasons={permission.reasons} />;
};

const useViewChanges = () => {
  const navigate = route.useNavigate();
  const go = useCallback(
    (next: (latest: SessionView) => SessionView): void =>
      // Computed from the latest URL: a debounced search must not undo another filter.
      void navigate({
        search: (latest) => readSessionView(next(readSessionView(latest))),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  return useMemo(
    () => ({
      change: (changed: SessionView): void => go((latest) => ({ ...latest, ...changed })),
      sort: ({ sort = '', direction = '' }: SessionView): void => go((latest) => ({ ...latest, sort, direction })),
      clear: (): void => go(() => ({})),
    }),
    [go],
  );
};

const Sessions = ({ view }: { readonly view: SessionView }) => {
  const t = useTranslations('sessions');
  const list = useInfiniteQuery(sessionsQuery(useSession(), view));
  const wrong = wrongFilters(view, list.error);
  const searchField = useRef<HTMLInputElement>(null);
  const { change, sort, clear } = useViewChanges();
  const canRevoke = useConsolePermission('revoke')?.granted === true;
  const choice = useChoice();
  const ending = useEnding(choice.clear);
  const everywhere = useEverywhere(allSessions);
  const pages = wrong.length > 0 ? undefined : list.data?.pages;
  const last = pages?.at(-1);
  const rows = useMemo(
    () => uniqueBy(pages?.flatMap(({ nodes }) => nodes) ?? [], ({ sessionFamilyId }) => sessionFamilyId),
    [pages],
  );
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const filter = useMemo(() => (isFiltered(view) ? toSessionFilter(view) : null), [view]);
  const areTokens = areTokensAlone(rows, choice);
  const starts = useEndingStarts(ending, choice, areTokens, canRevoke ? filter : null);
  const { onEndOne, onEndChosen, onEndAll } = starts;
  return (
    <div className="rounded-card border border-line bg-surface">
      <SessionFilters view={view} example={rows[0]} searchField={searchField} onChange={change} onSort={sort} />
      <EndingReceipt ending={ending} />
      <EverywhereReceipt revocation={everywhere} />
      {wrong.length > 0 && <WrongFilters wrong={wrong} onClear={clear} onNewest={() => sort({})} />}
      {wrong.length === 0 && <QueryState query={list} problem={ConsoleQueryProblem} />}
      {last !== undefined && (
        <>
          <ListSummary
            text={t(last.totalCountIsCapped ? 'moreThan' : 'total', { total: last.totalCount })}
            list={list}
          />
          {rows.length === 0 ? (
            <EmptyList text={t('none')} clear={isFiltered(view) ? { onClear: clear } : undefined} />
          ) : (
            <>
              {canRevoke && (
                <BulkActions
                  choice={choice}
                  areTokens={areTokens}
                  hasFilter={filter !== null}
                  onEndChosen={onEndChosen}
                  onEndAll={onEndAll}
                />
              )}
              <SessionTable
                rows={rows}
                total={last.totalCount}
                busy={list.isPlaceholderData}
                view={view}
                canRevoke={canRevoke}
                choice={choice}
                searchField={searchField}
                onSort={sort}
                onEnd={onEnd}
                onFilter={change}
                onEndOne={onEndOne}
                onEverywhere={everywhere.start}
                onEndChosen={onEndChosen}
                onEndAll={onEndAll}
              />
              <p role="status" className={isFetchingNextPage ? 'px-6 py-4 text-soft' : 'sr-only'}>
                {isFetchingNextPage && t('loading')}
              </p>
            </>
          )}
        </>
      )}
      <EndingDialog ending={ending} />
      <EverywhereDialog revocation={everywhere} />
    </div>
  );
};

/** Whether all that are chosen are tokens of machines. */
const areTokensAlone = (rows: readonly SessionRow[], { chosen }: Choice): boolean => {
  const found = rows.filter(({ sessionFamilyId }) => chosen.has(sessionFamilyId));
  return found.length === chosen.size && found.every(isMachine);
};

/**
 * @param areTokens whether all that are chosen are tokens of machines
 * @param filter of all that match; null without one, or when the person may not end sessions
 */
const useEndingStarts = ({ start }: Ending, { chosen }: Choice, areTokens: boolean, filter: SessionFilter | null) => ({
  onEndOne: useCallback(
    (row: SessionRow) => start({ kind: 'chosen', sessionFamilyIds: [row.sessionFamilyId], areTokens: isMachine(row) }),
    [start],
  ),
  onEndChosen: useCallback(
    () => start({ kind: 'chosen', sessionFamilyIds: [...chosen], areTokens }),
    [start, chosen, areTokens],
  ),
  onEndAll: useCallback(() => {
    if (filter !== null) start({ kind: 'filter', filter });
  }, [start, filter]),
});

interface BulkActionsProps {
  readonly choice: Choice;
  readonly areTokens: boolean;
  readonly hasFilter: boolean;
  readonly onEndChosen: () => void;
  readonly onEndAll: () => void;
}

/** The bar that ends the chosen sessions, or all that a filter leaves. It stays in sight while the list scrolls. */
const BulkActions = ({ choice, areTokens, hasFilter, onEndChosen, onEndAll }: BulkActionsProps) => {
  const t = useTranslations('sessions');
  const ofTokens = useTranslations('sessions.ofTokens');
  const count = choice.chosen.size;
  return (
    <div className="sticky top-0 z-10 flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-surface px-5 py-2.5 sm:px-6">
      {count === 0 ? (
        <p className="me-auto hidden text-sm text-soft lg:block">{t('keys')}</p>
      ) : (
        <>
          <p role="status" className="me-auto basis-full text-sm font-medium tabular-nums sm:basis-auto">
            {areTokens ? ofTokens('chosen', { count }) : t('chosen', { count })}
          </p>
          <Button variant="secondary" onClick={choice.clear}>
            {t('clearChoice')}
          </Button>
          <Button variant="danger" onClick={onEndChosen}>
            {areTokens ? ofTokens('end', { count }) : t('endChosen', { count })}
          </Button>
        </>
      )}
      {count === 0 && hasFilter && (
        <Button variant="danger-secondary" onClick={onEndAll}>
          {t('endAll')}
        </Button>
      )}
    </div>
  );
};
