/** /admin/super/sessions: all active sessions, for super admins, filtered by the URL and revoked row by row. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type RefObject, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Button, buttonClass } from '../../components/button.tsx';
import { Notice, RetryNotice } from '../../components/notice.tsx';
import { PageHeading } from '../../components/page.tsx';
import { Section, SectionWaiting } from '../../components/section.tsx';
import { usePerson, useSession } from '../../session/session-context.tsx';
import {
  activeSessionsQuery,
  type Governed,
  gather,
  isFiltered,
  type RightToRevoke,
  readGovernanceFilter,
  refusedFilters,
  unreadableFilters,
} from './active-sessions.ts';
import { ClearFilters, GovernanceFilters, WrongFilters } from './governance-filters.tsx';
import { type Deed, DeedDialog, DeedReceipt, type Self, useDeeds } from './session-actions.tsx';
import { GovernanceRow } from './session-row.tsx';

export const GovernancePage = () => {
  const t = useTranslations('governance');
  const { isSuperAdmin } = usePerson();
  if (!isSuperAdmin) return <Closed />;
  return (
    <>
      <div className="space-y-2">
        <PageHeading title={t('title')} />
        <p className="text-soft">{t('lead')}</p>
      </div>
      <GovernanceList />
    </>
  );
};

const Closed = () => {
  const t = useTranslations();
  return (
    <div className="space-y-6">
      <PageHeading title={t('governance.closed.title')} />
      <p className="leading-relaxed text-soft">{t('governance.closed.text')}</p>
      <Link to="/" className={buttonClass('primary')}>
        {t('common.toStart')}
      </Link>
    </div>
  );
};

const route = getRouteApi('/signed-in/admin/super/sessions');

const GovernanceList = () => {
  const t = useTranslations('governance');
  const session = useSession();
  const person = usePerson();
  const filter = readGovernanceFilter(route.useSearch());
  const list = useInfiniteQuery(activeSessionsQuery(session, filter));
  const wrong = [...unreadableFilters(filter), ...refusedFilters(list.error)];
  const governed = wrong.length > 0 ? undefined : gather(list.data?.pages ?? []);
  const searchField = useRef<HTMLInputElement>(null);
  const focusSearch = () => searchField.current?.focus();
  const summary = useRef<HTMLParagraphElement>(null);
  const self = { userId: person.id, family: governed?.ownFamily };
  const deeds = useDeeds(self);
  const shown = governed?.sessions.length ?? 0;
  return (
    <>
      {governed !== undefined && !governed.right.granted && <MayNotRevoke right={governed.right} />}
      <Section
        title={t('list')}
        foot={
          governed === undefined || !list.hasNextPage ? undefined : (
            <More shown={shown} busy={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />
          )
        }
      >
        <GovernanceFilters filter={filter} example={governed?.sessions[0]} field={searchField} />
        <DeedReceipt deeds={deeds} />
        {wrong.length > 0 && <WrongFilters wrong={wrong} onCleared={focusSearch} />}
        {wrong.length === 0 && list.isError && (
          <div className="p-3">
            <RetryNotice error={list.error} busy={list.isFetching} onRetry={() => void list.refetch()} />
          </div>
        )}
        {wrong.length === 0 && list.isPending && <SectionWaiting />}
        {governed !== undefined && (
          <>
            <Summary
              shown={shown}
              hasMore={governed.hasMore}
              busy={list.isRefetching}
              words={summary}
              onLookAgain={() => void list.refetch()}
            />
            {shown === 0 && <Nobody isNarrowed={isFiltered(filter)} onCleared={focusSearch} />}
            {shown > 0 && (
              <Rows
                governed={governed}
                busy={list.isPlaceholderData}
                self={self}
                onDeed={deeds.begin}
                onNarrowed={() => summary.current?.focus()}
              />
            )}
          </>
        )}
        <DeedDialog deeds={deeds} self={self} />
      </Section>
    </>
  );
};

/** Who may look but not revoke is told why. */
const MayNotRevoke = ({ right }: { readonly right: RightToRevoke }) => {
  const t = useTranslations('governance.mayNotRevoke');
  return (
    <Notice tone="news" title={t('title')}>
      <p>{t('why')}</p>
      <ul className="list-disc space-y-1 pl-5">
        {right.reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </Notice>
  );
};

interface MoreProps {
  readonly shown: number;
  readonly busy: boolean;
  readonly onMore: () => void;
}

const More = ({ shown, busy, onMore }: MoreProps) => {
  const t = useTranslations('governance');
  return (
    <>
      <p role="status" className="text-soft">
        {t('shownOfMore', { shown })}
      </p>
      <Button look="quiet" busy={busy} onClick={onMore}>
        {t('showMore')}
      </Button>
    </>
  );
};

interface SummaryProps {
  readonly shown: number;
  readonly hasMore: boolean;
  readonly busy: boolean;
  /** Takes the focus when the list is narrowed from a row of it. */
  readonly words: RefObject<HTMLParagraphElement | null>;
  readonly onLookAgain: () => void;
}

const Summary = ({ shown, hasMore, busy, words, onLookAgain }: SummaryProps) => {
  const t = useTranslations('governance');
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-5 py-3 sm:px-6">
      <p ref={words} tabIndex={-1} role="status" className="font-medium outline-none">
        {t(hasMore ? 'moreThan' : 'total', { shown })}
      </p>
      <Button look="quiet" busy={busy} onClick={onLookAgain}>
        {t('lookAgain')}
      </Button>
    </div>
  );
};

interface RowsProps {
  readonly governed: Governed;
  readonly busy: boolean;
  readonly self: Self;
  readonly onDeed: (deed: Deed) => void;
  readonly onNarrowed: () => void;
}

const Rows = ({ governed, busy, self, onDeed, onNarrowed }: RowsProps) => (
  <ul aria-busy={busy} className="divide-y divide-line">
    {governed.sessions.map((session) => (
      <GovernanceRow
        key={session.sessionFamilyId}
        session={session}
        self={self}
        mayRevoke={governed.right.granted}
        onDeed={onDeed}
        onNarrowed={onNarrowed}
      />
    ))}
  </ul>
);

interface NobodyProps {
  readonly isNarrowed: boolean;
  /** The button that had the focus goes with what it cleared. */
  readonly onCleared: () => void;
}

const Nobody = ({ isNarrowed, onCleared }: NobodyProps) => {
  const t = useTranslations('governance');
  return (
    <div className="space-y-3 px-5 py-8 text-center sm:px-6">
      <p className="text-soft">{t('none')}</p>
      {isNarrowed && <ClearFilters onCleared={onCleared} />}
    </div>
  );
};
