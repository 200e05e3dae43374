/** The member list: search, pages, and one row per member or invitation. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type Ref, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { SearchField } from '../../components/filters.tsx';
import { RetryNotice } from '../../components/notice.tsx';
import { Section, SectionLoading } from '../../components/section.tsx';
import { useSession } from '../../session/session-context.tsx';
import { ActionDialog, ActionResult, useMemberActions } from './member-action-dialog.tsx';
import { MemberRow } from './member-row.tsx';
import { type Member, type MemberAction, type Membership, membersQuery } from './members.ts';

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
  const actions = useMemberActions(membership, onLeft);
  const members = list.data?.pages.flatMap(({ nodes }) => nodes);
  const total = list.data?.pages.at(-1)?.totalCount ?? 0;
  return (
    <Section
      title={t('list')}
      footer={
        members === undefined || members.length === 0 ? undefined : (
          <ListFooter
            shown={members.length}
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
      <ActionResult actions={actions} membership={membership} />
      {list.isError && (
        <div className="p-3">
          <RetryNotice error={list.error} onRetry={() => void list.refetch()} />
        </div>
      )}
      {list.isPending && <SectionLoading />}
      {members?.length === 0 && <NoMatches search={search} onCleared={() => searchField.current?.focus()} />}
      {members !== undefined && members.length > 0 && (
        <Rows members={members} busy={list.isPlaceholderData} membership={membership} onAction={actions.start} />
      )}
      <ActionDialog actions={actions} membership={membership} />
    </Section>
  );
};

interface RowsProps {
  readonly members: readonly Member[];
  readonly busy: boolean;
  readonly membership: Membership;
  readonly onAction: (action: MemberAction) => void;
}

const Rows = ({ members, busy, membership, onAction }: RowsProps) => (
  <ul aria-busy={busy} className="divide-y divide-line">
    {uniqueMembers(members).map((member) => (
      <MemberRow key={member.id} member={member} membership={membership} onAction={onAction} />
    ))}
  </ul>
);

/** Pages are fetched one after the other, so a member may be in two of them. */
const uniqueMembers = (members: readonly Member[]): Member[] => [
  ...new Map(members.map((member) => [member.id, member])).values(),
];

interface ListFooterProps {
  readonly shown: number;
  readonly total: number;
  readonly hasMore: boolean;
  readonly busy: boolean;
  readonly onMore: () => void;
}

const ListFooter = ({ shown, total, hasMore, busy, onMore }: ListFooterProps) => {
  const t = useTranslations('members');
  return (
    <>
      <p role="status" className="text-soft">
        {hasMore ? t('shownOf', { shown, total }) : t('shown', { total })}
      </p>
      {hasMore && (
        <Button variant="secondary" busy={busy} onClick={onMore}>
          {t('showMore')}
        </Button>
      )}
    </>
  );
};

interface NoMatchesProps {
  readonly search: string;
  /** The focused button is unmounted. */
  readonly onCleared: () => void;
}

const NoMatches = ({ search, onCleared }: NoMatchesProps) => {
  const t = useTranslations('members');
  const navigate = route.useNavigate();
  const clear = () => {
    void navigate({ search: {}, replace: true });
    onCleared();
  };
  return (
    <div className="space-y-3 px-5 py-8 text-center sm:px-6">
      <p className="break-words text-soft">{t('noMatches', { search })}</p>
      <Button variant="secondary" onClick={clear}>
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
      onSearch={(next) =>
        void navigate({ search: next === '' ? {} : { search: next }, replace: true, resetScroll: false })
      }
    />
  );
};
