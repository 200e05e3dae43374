/** /admin/super/sessions: every active session, filtered and sorted by the URL, ended one by one or many at once. */
import { type ReactNode, useCallback, useMemo, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../components/button.tsx';
import { PageHead } from '../../../components/page.tsx';
import type { SessionFilter } from '../../../generated/graphql.ts';
import { ListFrame } from '../../../lists/list-frame.tsx';
import type { ListView } from '../../../lists/list-view.ts';
import { type PagedList, usePagedList } from '../../../lists/paged-list.ts';
import { useSession } from '../../../session/session-context.tsx';
import { useConsolePermission } from '../permissions.ts';
import { CannotRevokeNotice } from '../revocation.tsx';
import { ConsoleQueryProblem, ScopeGate } from '../scope-gate.tsx';
import { SignOutPersonDialog, SignOutPersonReceipt, useSignOutPerson } from '../sign-out-person.tsx';
import { type BulkRevocation, useBulkRevocation } from './bulk-revocation.ts';
import { BulkRevocationDialog, BulkRevocationReceipt } from './bulk-revocation-dialog.tsx';
import { type Selection, useSelection } from './selection.ts';
import { SessionFilters, WrongFilters } from './session-filters.tsx';
import { SessionTable } from './session-table.tsx';
import {
  allSessions,
  isFiltered,
  isMachine,
  type SessionRow,
  type SessionView,
  sessionsQuery,
  toSessionFilter,
  useSessionView,
  wrongFilters,
} from './sessions.ts';

export const SessionsPage = (): ReactNode => {
  const t = useTranslations('sessions');
  const filters = useSessionView();
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')} />
      <ScopeGate requires="sessions">
        <CannotRevoke />
        <Sessions filters={filters} />
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

/** What decides which sessions are listed, in whatever order. */
const criteriaOf = ({ sort: _, direction: __, ...criteria }: SessionView): string => JSON.stringify(criteria);

const Sessions = ({ filters: { view, change, clear } }: { readonly filters: ListView<SessionView> }) => {
  const t = useTranslations('sessions');
  const asked = useMemo(() => toSessionFilter(view), [view]);
  const list = usePagedList(sessionsQuery(useSession(), view), 'sessionFamilyId', asked !== null);
  const { rows, query } = list;
  const wrong = wrongFilters(view, query.error);
  const searchField = useRef<HTMLInputElement>(null);
  const sort = useCallback(
    ({ sort: column, direction }: Pick<SessionView, 'sort' | 'direction'>) => change({ sort: column, direction }),
    [change],
  );
  const canRevoke = useConsolePermission('revoke')?.granted === true;
  const choice = useSelection(criteriaOf(view));
  const ending = useBulkRevocation(choice.clear);
  const everywhere = useSignOutPerson(allSessions);
  const onEnd = useFetchMore(query);
  const filter = isFiltered(view) ? asked : null;
  const areTokens = areTokensAlone(rows, choice);
  const starts = useEndingStarts(ending, choice, areTokens, canRevoke ? filter : null);
  const { onEndOne, onEndChosen, onEndAll } = starts;
  return (
    <>
      <ListFrame
        list={list}
        filters={
          <SessionFilters view={view} example={rows[0]} searchField={searchField} onChange={change} onSort={sort} />
        }
        result={
          <>
            <BulkRevocationReceipt ending={ending} />
            <SignOutPersonReceipt revocation={everywhere} />
          </>
        }
        problem={ConsoleQueryProblem}
        instead={
          wrong.length > 0 ? <WrongFilters wrong={wrong} onClear={clear} onNewest={() => sort({})} /> : undefined
        }
        total={(total, isCapped) => t(isCapped ? 'moreThan' : 'total', { total })}
        none={t('none')}
        onClear={isFiltered(view) ? clear : undefined}
      >
        {(_rows, isBusy) => (
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
              key={criteriaOf(view)}
              rows={rows}
              total={list.total}
              busy={isBusy}
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
            <p role="status" className={query.isFetchingNextPage ? 'px-6 py-4 text-soft' : 'sr-only'}>
              {query.isFetchingNextPage && t('loading')}
            </p>
          </>
        )}
      </ListFrame>
      <BulkRevocationDialog ending={ending} />
      <SignOutPersonDialog revocation={everywhere} />
    </>
  );
};

const useFetchMore = ({ hasNextPage, isFetchingNextPage, fetchNextPage }: PagedList<unknown>['query']) =>
  useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);

/** Whether all that are chosen are tokens of machines. */
const areTokensAlone = (rows: readonly SessionRow[], { chosen }: Selection): boolean => {
  const found = rows.filter(({ sessionFamilyId }) => chosen.has(sessionFamilyId));
  return found.length === chosen.size && found.every(isMachine);
};

/**
 * @param areTokens whether all that are chosen are tokens of machines
 * @param filter of all that match; null without one, or when the person may not end sessions
 */
const useEndingStarts = (
  { start }: BulkRevocation,
  { chosen }: Selection,
  areTokens: boolean,
  filter: SessionFilter | null,
) => ({
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
  readonly choice: Selection;
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
