/** The member list: search, pages, and one row per member or invitation. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import { SearchField } from '../../components/filters.tsx';
import { EmptyList, ListFooter, QueryState } from '../../components/list.tsx';
import { Section } from '../../components/section.tsx';
import { uniqueBy } from '../../session/paged-query.ts';
import { useSession } from '../../session/session-context.tsx';
import { ActionDialog, ActionResult, useMemberActions } from './member-action-dialog.tsx';
import { MemberRow } from './member-row.tsx';
import { type Membership, membersQuery } from './members.ts';

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
  const navigate = route.useNavigate();
  const searchField = useRef<HTMLInputElement>(null);
  const clear = () => {
    void navigate({ search: {}, replace: true });
    // The focused button is unmounted.
    searchField.current?.focus();
  };
  const actions = useMemberActions(membership, onLeft);
  const pages = list.data?.pages;
  const members =
    pages &&
    uniqueBy(
      pages.flatMap(({ nodes }) => nodes),
      ({ id }) => id,
    );
  const total = pages?.at(-1)?.totalCount ?? 0;
  return (
    <Section
      title={t('list')}
      footer={
        members === undefined || members.length === 0 ? undefined : (
          <ListFooter
            text={list.hasNextPage ? t('shownOf', { shown: members.length, total }) : t('shown', { total })}
            list={list}
          />
        )
      }
    >
      <div className="border-b border-line px-5 py-4 sm:px-6">
        <SearchField
          label={t('search')}
          search={search}
          field={searchField}
          onSearch={(next) =>
            void navigate({ search: next === '' ? {} : { search: next }, replace: true, resetScroll: false })
          }
        />
      </div>
      <ActionResult actions={actions} membership={membership} />
      <QueryState query={list} />
      {members?.length === 0 && (
        <EmptyList text={t('noMatches', { search })} clear={{ label: t('clearSearch'), onClear: clear }} />
      )}
      {members !== undefined && members.length > 0 && (
        <ul aria-busy={list.isPlaceholderData} className="divide-y divide-line">
          {members.map((member) => (
            <MemberRow key={member.id} member={member} membership={membership} onAction={actions.start} />
          ))}
        </ul>
      )}
      <ActionDialog actions={actions} membership={membership} />
    </Section>
  );
};
