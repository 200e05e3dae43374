/** The member list: filters in the URL, seats, pages, and a table of members and invitations. */
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { useKnownRoles } from '../../access/roles.ts';
import { useRoleTitle } from '../../components/application.tsx';
import { lazyComponent } from '../../components/lazy-component.tsx';
import { SectionLoading } from '../../components/section.tsx';
import { FilterBar, FilterMenu, SearchField } from '../../lists/filters.tsx';
import { ListFrame } from '../../lists/list-frame.tsx';
import { type Address, oneOf, textOf, useListView } from '../../lists/list-view.ts';
import { usePagedList } from '../../lists/paged-list.ts';
import { useSession } from '../../session/session-context.tsx';
import { ActionDialog, ActionResult, useMemberActions } from './member-action-dialog.tsx';
import { type Membership, type MemberView, memberStatuses, membersQuery, seatsQuery } from './members.ts';

const MemberTable = lazyComponent(async () => (await import('./member-table.tsx')).MemberTable);

interface MemberListProps {
  readonly membership: Membership;
  readonly onLeft: (organization: string) => void;
}

export const MemberList = ({ membership, onLeft }: MemberListProps) => {
  const t = useTranslations('members');
  const filter = useFilter();
  const list = usePagedList(membersQuery(useSession(), filter), 'id', filter.isKnown);
  const actions = useMemberActions(membership, onLeft);
  const { search, role, status, isKnown } = filter;
  const isSearch = search !== undefined && role === undefined && status === undefined && isKnown;
  return (
    <>
      <ListFrame
        title={t('list')}
        list={list}
        filters={
          <>
            <SeatsLine />
            <MemberFilters filter={filter} />
          </>
        }
        result={<ActionResult actions={actions} membership={membership} />}
        shown={(counts) => t('shownOf', counts)}
        all={(total) => t('shown', { total })}
        none={isSearch ? t('noMatches', { search }) : t('noFilterMatches')}
        onClear={filter.clear}
        clearLabel={t('clearSearch')}
      >
        {(members, isBusy) => (
          <Suspense fallback={<SectionLoading />}>
            <MemberTable members={members} membership={membership} busy={isBusy} onAction={actions.start} />
          </Suspense>
        )}
      </ListFrame>
      <ActionDialog actions={actions} membership={membership} />
    </>
  );
};

/** An unknown role or status is kept, so that it never widens the list. */
const readMemberView = ({ search, role, status }: Address): MemberView => ({
  search: textOf(search),
  role: role === '' ? undefined : role,
  status: status === '' ? undefined : status,
});

/** The filter of the URL. With a role or status that does not exist, nothing matches and nothing is asked. */
const useFilter = () => {
  const { view, change, clear } = useListView(readMemberView);
  const roles = useKnownRoles();
  const role = oneOf(roles, view.role);
  const status = oneOf(memberStatuses, view.status);
  return {
    search: view.search,
    role,
    status,
    roles,
    isKnown: role === view.role && status === view.status,
    change,
    clear,
  };
};

const MemberFilters = ({ filter }: { readonly filter: ReturnType<typeof useFilter> }) => {
  const t = useTranslations('members');
  const any = useTranslations('lists')('any');
  const titleOf = useRoleTitle();
  return (
    <FilterBar
      fields={
        <SearchField
          label={t('search')}
          search={filter.search ?? ''}
          onSearch={(search) => filter.change({ search })}
        />
      }
    >
      <FilterMenu
        label={t('role')}
        any={any}
        value={filter.role}
        choices={filter.roles.map((role) => ({ value: role, name: titleOf(role) }))}
        onChoose={(role) => filter.change({ role })}
      />
      <FilterMenu
        label={t('status')}
        any={any}
        value={filter.status}
        choices={memberStatuses.map((status) => ({ value: status, name: t(`statuses.${status}`) }))}
        onChoose={(status) => filter.change({ status })}
      />
    </FilterBar>
  );
};

/** Left out while it is not known: it never stands in the way of the list. */
const SeatsLine = () => {
  const t = useTranslations('members');
  const seats = useQuery(seatsQuery(useSession())).data;
  if (seats === undefined) return null;
  const { limit, members, openInvitations: open } = seats;
  return (
    <p className="border-b border-line px-5 py-3 text-soft tabular-nums sm:px-6">
      {limit === null ? t('seats', { members, open }) : t('seatsOf', { taken: members + open, limit, members, open })}
    </p>
  );
};
