/** The member list: search, pages, and one row per member or invitation. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type Ref, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { SearchField } from '../../components/filters.tsx';
import { RetryNotice } from '../../components/notice.tsx';
import { Section, SectionWaiting } from '../../components/section.tsx';
import { useSession } from '../../session/session-context.tsx';
import { DeedDialog, DeedNews, useDeeds } from './member-action-dialog.tsx';
import { MemberRow } from './member-row.tsx';
import { type Deed, type Member, type Membership, membersQuery } from './members.ts';

const route = getRouteApi('/signed-in/members');

interface MemberListProps {
  readonly membership: Membership;
  readonly onLeft: (organization: string) => void;
}

export const MemberList = ({ membership, onLeft }: MemberListProps) => {
  const t = useTranslations('members');
  const session = useSession();
  const { search = '' } = route.useSearch();
  const list = useInfiniteQuery(membersQuery(session, search));
  const searchField = useRef<HTMLInputElement>(null);
  const deeds = useDeeds(membership, onLeft);
  const people = list.data?.pages.flatMap(({ nodes }) => nodes);
  const total = list.data?.pages.at(-1)?.totalCount ?? 0;
  return (
    <Section
      title={t('list')}
      foot={
        people === undefined || people.length === 0 ? undefined : (
          <Foot
            shown={people.length}
            total={total}
            hasMore={list.hasNextPage}
            busy={list.isFetchingNextPage}
            onMore={() => void list.fetchNextPage()}
          />
        )
      }
    >
      <div className="border-b border-line px-5 py-4 sm:px-6">
        <MemberSearch search={search} field={searchField} />
      </div>
      <DeedNews deeds={deeds} membership={membership} />
      {list.isError && (
        <div className="p-3">
          <RetryNotice error={list.error} onRetry={() => void list.refetch()} />
        </div>
      )}
      {list.isPending && <SectionWaiting />}
      {people?.length === 0 && <Nobody search={search} onCleared={() => searchField.current?.focus()} />}
      {people !== undefined && people.length > 0 && (
        <Rows people={people} busy={list.isPlaceholderData} membership={membership} onDeed={deeds.begin} />
      )}
      <DeedDialog deeds={deeds} membership={membership} />
    </Section>
  );
};

interface RowsProps {
  readonly people: readonly Member[];
  readonly busy: boolean;
  readonly membership: Membership;
  readonly onDeed: (deed: Deed) => void;
}

const Rows = ({ people, busy, membership, onDeed }: RowsProps) => (
  <ul aria-busy={busy} className="divide-y divide-line">
    {onePerMember(people).map((member) => (
      <MemberRow key={member.id} member={member} membership={membership} onDeed={onDeed} />
    ))}
  </ul>
);

/** Pages are fetched one after the other; somebody who moved meanwhile may stand in two of them. */
const onePerMember = (people: readonly Member[]): Member[] => [
  ...new Map(people.map((member) => [member.id, member])).values(),
];

interface FootProps {
  readonly shown: number;
  readonly total: number;
  readonly hasMore: boolean;
  readonly busy: boolean;
  readonly onMore: () => void;
}

const Foot = ({ shown, total, hasMore, busy, onMore }: FootProps) => {
  const t = useTranslations('members');
  return (
    <>
      <p role="status" className="text-soft">
        {hasMore ? t('shownOf', { shown, total }) : t('shown', { total })}
      </p>
      {hasMore && (
        <Button look="quiet" busy={busy} onClick={onMore}>
          {t('showMore')}
        </Button>
      )}
    </>
  );
};

interface NobodyProps {
  readonly search: string;
  /** The button that had the focus goes with what it cleared. */
  readonly onCleared: () => void;
}

const Nobody = ({ search, onCleared }: NobodyProps) => {
  const t = useTranslations('members');
  const navigate = route.useNavigate();
  const clear = () => {
    void navigate({ search: {}, replace: true });
    onCleared();
  };
  return (
    <div className="space-y-3 px-5 py-8 text-center sm:px-6">
      <p className="break-words text-soft">{t('nobody', { search })}</p>
      <Button look="quiet" onClick={clear}>
        {t('clearSearch')}
      </Button>
    </div>
  );
};

interface MemberSearchProps {
  readonly search: string;
  readonly field: Ref<HTMLInputElement>;
}

const MemberSearch = ({ search, field }: MemberSearchProps) => {
  const t = useTranslations('members');
  const navigate = route.useNavigate();
  return (
    <SearchField
      label={t('search')}
      search={search}
      field={field}
      onSearch={(wanted) =>
        void navigate({ search: wanted === '' ? {} : { search: wanted }, replace: true, resetScroll: false })
      }
    />
  );
};
