/** /admin/super/sessions: all active sessions, for super admins, filtered by the URL and revoked row by row. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type RefObject, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Button, buttonClass } from '../../components/button.tsx';
import { Notice, RetryNotice } from '../../components/notice.tsx';
import { PageHeading } from '../../components/page.tsx';
import { Section, SectionLoading } from '../../components/section.tsx';
import { usePerson, useSession } from '../../session/session-context.tsx';
import {
  activeSessionsQuery,
  invalidFilters,
  isFiltered,
  type MergedSessions,
  mergePages,
  type RevokePermission,
  readGovernanceFilter,
  rejectedFilters,
} from './active-sessions.ts';
import { ClearFilters, GovernanceFilters, InvalidFilters } from './governance-filters.tsx';
import { ActionDialog, ActionResult, type Self, type SessionAction, useSessionActions } from './session-actions.tsx';
import { SessionRow } from './session-row.tsx';

export const GovernancePage = () => {
  const t = useTranslations('governance');
  const { isSuperAdmin } = usePerson();
  if (!isSuperAdmin) return <SuperAdminsOnly />;
  return (
    <>
      <div className="space-y-2">
        <PageHeading title={t('title')} />
        <p className="text-soft">{t('lead')}</p>
      </div>
      <ActiveSessionList />
    </>
  );
};

const SuperAdminsOnly = () => {
  const t = useTranslations();
  return (
    <div className="space-y-6">
      <PageHeading title={t('governance.superAdminsOnly.title')} />
      <p className="leading-relaxed text-soft">{t('governance.superAdminsOnly.text')}</p>
      <Link to="/" className={buttonClass('primary')}>
        {t('common.toStart')}
      </Link>
    </div>
  );
};

const route = getRouteApi('/signed-in/admin/super/sessions');

const ActiveSessionList = () => {
  const t = useTranslations('governance');
  const session = useSession();
  const person = usePerson();
  const filter = readGovernanceFilter(route.useSearch());
  const list = useInfiniteQuery(activeSessionsQuery(session, filter));
  const invalid = [...invalidFilters(filter), ...rejectedFilters(list.error)];
  const merged = invalid.length > 0 ? undefined : mergePages(list.data?.pages ?? []);
  const searchField = useRef<HTMLInputElement>(null);
  const focusSearch = () => searchField.current?.focus();
  const summary = useRef<HTMLParagraphElement>(null);
  const self = { userId: person.id, family: merged?.ownFamily };
  const actions = useSessionActions(self);
  const shown = merged?.sessions.length ?? 0;
  return (
    <>
      {merged !== undefined && !merged.permission.granted && <CannotRevokeNotice permission={merged.permission} />}
      <Section
        title={t('list')}
        footer={
          merged === undefined || !list.hasNextPage ? undefined : (
            <ListFooter shown={shown} busy={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />
          )
        }
      >
        <GovernanceFilters filter={filter} example={merged?.sessions[0]} field={searchField} />
        <ActionResult actions={actions} />
        {invalid.length > 0 && <InvalidFilters invalid={invalid} onCleared={focusSearch} />}
        {invalid.length === 0 && list.isError && (
          <div className="p-3">
            <RetryNotice error={list.error} busy={list.isFetching} onRetry={() => void list.refetch()} />
          </div>
        )}
        {invalid.length === 0 && list.isPending && <SectionLoading />}
        {merged !== undefined && (
          <>
            <Summary
              shown={shown}
              hasMore={merged.hasMore}
              busy={list.isRefetching}
              textRef={summary}
              onReload={() => void list.refetch()}
            />
            {shown === 0 && <EmptyList isFilterSet={isFiltered(filter)} onCleared={focusSearch} />}
            {shown > 0 && (
              <Rows
                merged={merged}
                busy={list.isPlaceholderData}
                self={self}
                onAction={actions.start}
                onFiltered={() => summary.current?.focus()}
              />
            )}
          </>
        )}
        <ActionDialog actions={actions} self={self} />
      </Section>
    </>
  );
};

/** Explains why the person can view but not revoke. */
const CannotRevokeNotice = ({ permission }: { readonly permission: RevokePermission }) => {
  const t = useTranslations('governance.cannotRevoke');
  return (
    <Notice tone="info" title={t('title')}>
      <p>{t('why')}</p>
      <ul className="list-disc space-y-1 pl-5">
        {permission.reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </Notice>
  );
};

interface ListFooterProps {
  readonly shown: number;
  readonly busy: boolean;
  readonly onMore: () => void;
}

const ListFooter = ({ shown, busy, onMore }: ListFooterProps) => {
  const t = useTranslations('governance');
  return (
    <>
      <p role="status" className="text-soft">
        {t('shownOfMore', { shown })}
      </p>
      <Button variant="secondary" busy={busy} onClick={onMore}>
        {t('showMore')}
      </Button>
    </>
  );
};

interface SummaryProps {
  readonly shown: number;
  readonly hasMore: boolean;
  readonly busy: boolean;
  /** Receives the focus when a link in a row sets a filter. */
  readonly textRef: RefObject<HTMLParagraphElement | null>;
  readonly onReload: () => void;
}

const Summary = ({ shown, hasMore, busy, textRef, onReload }: SummaryProps) => {
  const t = useTranslations('governance');
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-5 py-3 sm:px-6">
      <p ref={textRef} tabIndex={-1} role="status" className="font-medium outline-none">
        {t(hasMore ? 'moreThan' : 'total', { shown })}
      </p>
      <Button variant="secondary" busy={busy} onClick={onReload}>
        {t('reload')}
      </Button>
    </div>
  );
};

interface RowsProps {
  readonly merged: MergedSessions;
  readonly busy: boolean;
  readonly self: Self;
  readonly onAction: (action: SessionAction) => void;
  readonly onFiltered: () => void;
}

const Rows = ({ merged, busy, self, onAction, onFiltered }: RowsProps) => (
  <ul aria-busy={busy} className="divide-y divide-line">
    {merged.sessions.map((session) => (
      <SessionRow
        key={session.sessionFamilyId}
        session={session}
        self={self}
        canRevoke={merged.permission.granted}
        onAction={onAction}
        onFiltered={onFiltered}
      />
    ))}
  </ul>
);

interface EmptyListProps {
  readonly isFilterSet: boolean;
  /** The focused button is unmounted. */
  readonly onCleared: () => void;
}

const EmptyList = ({ isFilterSet, onCleared }: EmptyListProps) => {
  const t = useTranslations('governance');
  return (
    <div className="space-y-3 px-5 py-8 text-center sm:px-6">
      <p className="text-soft">{t('none')}</p>
      {isFilterSet && <ClearFilters onCleared={onCleared} />}
    </div>
  );
};
