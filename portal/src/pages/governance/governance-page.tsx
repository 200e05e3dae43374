/** /admin/super/sessions: all active sessions, for super admins, filtered by the URL and revoked row by row. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import { EmptyList, ListFooter, ListSummary, QueryState } from '../../components/list.tsx';
import { OwnMessages } from '../../components/own-messages.tsx';
import { PageHeading } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { governance } from '../../messages/governance.ts';
import { usePerson, useSession } from '../../session/session-context.tsx';
import { CannotRevokeNotice } from '../console/revocation.tsx';
import {
  activeSessionsQuery,
  invalidFilters,
  isFiltered,
  mergePages,
  readGovernanceFilter,
  rejectedFilters,
} from './active-sessions.ts';
import { GovernanceFilters, InvalidFilters } from './governance-filters.tsx';
import { ActionDialog, ActionResult, useSessionActions } from './session-actions.tsx';
import { SessionRow } from './session-row.tsx';

const ownMessages = { governance };

export const GovernancePage = () => (
  <OwnMessages own={ownMessages}>
    <Governance />
  </OwnMessages>
);

const Governance = () => {
  const t = useTranslations('governance');
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
  const navigate = route.useNavigate();
  const clearFilters = () => {
    void navigate({ search: {}, replace: true });
    // The focused button is unmounted.
    searchField.current?.focus();
  };
  const summary = useRef<HTMLParagraphElement>(null);
  const self = { userId: person.id, family: merged?.ownFamily };
  const actions = useSessionActions(self);
  const shown = merged?.sessions.length ?? 0;
  return (
    <>
      {merged !== undefined && !merged.permission.granted && (
        <CannotRevokeNotice
          title={t('cannotRevoke.title')}
          why={t('cannotRevoke.why')}
          reasons={merged.permission.reasons}
        />
      )}
      <Section
        title={t('list')}
        footer={
          merged !== undefined && list.hasNextPage ? (
            <ListFooter text={t('shownOfMore', { shown })} list={list} />
          ) : undefined
        }
      >
        <GovernanceFilters filter={filter} example={merged?.sessions[0]} field={searchField} />
        <ActionResult actions={actions} />
        {invalid.length > 0 && <InvalidFilters invalid={invalid} onClear={clearFilters} />}
        {invalid.length === 0 && <QueryState query={list} />}
        {merged !== undefined && (
          <>
            <ListSummary text={t(merged.hasMore ? 'moreThan' : 'total', { shown })} list={list} textRef={summary} />
            {shown === 0 && (
              <EmptyList text={t('none')} clear={isFiltered(filter) ? { onClear: clearFilters } : undefined} />
            )}
            {shown > 0 && (
              <ul aria-busy={list.isPlaceholderData} className="divide-y divide-line">
                {merged.sessions.map((active) => (
                  <SessionRow
                    key={active.sessionFamilyId}
                    session={active}
                    self={self}
                    canRevoke={merged.permission.granted}
                    onAction={actions.start}
                    onFiltered={() => summary.current?.focus()}
                  />
                ))}
              </ul>
            )}
          </>
        )}
        <ActionDialog actions={actions} self={self} />
      </Section>
    </>
  );
};
