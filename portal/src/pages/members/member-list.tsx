/** The member list: filters in the URL, seats, pages, and a table of members and invitations. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type RefObject, Suspense, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { useRoleTitle } from '../../components/application.tsx';
import { FilterMenu, SearchField } from '../../components/filters.tsx';
import { lazyComponent } from '../../components/lazy-component.tsx';
import { EmptyList, ListFooter, QueryState } from '../../components/list.tsx';
import { Section, SectionLoading } from '../../components/section.tsx';
import { uniqueBy } from '../../session/paged-query.ts';
import { useSession } from '../../session/session-context.tsx';
import { ActionDialog, ActionResult, useMemberActions } from './member-action-dialog.tsx';
import { type Membership, memberStatuses, membersQuery, seatsQuery } from './members.ts';
import { useKnownRoles } from './roles.ts';

const route = getRouteApi('/signed-in/members');

const MemberTable = lazyComponent(async () => (await import('./member-table.tsx')).MemberTable);

interface MemberListProps {
  readonly membership: Membership;
  readonly onLeft: (organization: string) => void;
}

export const MemberList = ({ membership, onLeft }: MemberListProps) => {
  const t = useTranslations('members');
  const filter = useFilter();
  const list = useInfiniteQuery({ ...membersQuery(useSession(), filter), enabled: filter.isKnown });
  const searchField = useRef<HTMLInputElement>(null);
  const actions = useMemberActions(membership, onLeft);
  const pages = list.data?.pages;
  const found = uniqueBy(pages?.flatMap(({ nodes }) => nodes) ?? [], ({ id }) => id);
  const members = filter.isKnown ? found : [];
  const isListed = pages !== undefined || !filter.isKnown;
  const total = pages?.at(-1)?.totalCount ?? 0;
  return (
    <Section
      title={t('list')}
      footer={
        members.length === 0 ? undefined : (
          <ListFooter
            text={list.hasNextPage ? t('shownOf', { shown: members.length, total }) : t('shown', { total })}
            list={list}
          />
        )
      }
    >
      <SeatsLine />
      <MemberFilters filter={filter} field={searchField} />
      <ActionResult actions={actions} membership={membership} />
      {filter.isKnown && <QueryState query={list} />}
      {isListed && members.length === 0 && <NoMembers filter={filter} field={searchField} />}
      {members.length > 0 && (
        <Suspense fallback={<SectionLoading />}>
          <MemberTable
            members={members}
            membership={membership}
            busy={list.isPlaceholderData}
            onAction={actions.start}
          />
        </Suspense>
      )}
      <ActionDialog actions={actions} membership={membership} />
    </Section>
  );
};

/** The filter of the URL. With a role or status that does not exist, nothing matches and nothing is asked. */
const useFilter = () => {
  const { search, role, status } = route.useSearch();
  const roles = useKnownRoles();
  const navigate = route.useNavigate();
  const knownRole = roles.find((name) => name === role);
  const knownStatus = memberStatuses.find((name) => name === status);
  return {
    search,
    role: knownRole,
    status: knownStatus,
    roles,
    isKnown:
      (role === undefined) === (knownRole === undefined) && (status === undefined) === (knownStatus === undefined),
    change: (changed: { search?: string | undefined; role?: string | undefined; status?: string | undefined }): void =>
      void navigate({ search: (latest) => ({ ...latest, ...changed }), replace: true, resetScroll: false }),
    clear: (): void => void navigate({ search: {}, replace: true, resetScroll: false }),
  };
};

interface FilterProps {
  readonly filter: ReturnType<typeof useFilter>;
  readonly field: RefObject<HTMLInputElement | null>;
}

const MemberFilters = ({ filter, field }: FilterProps) => {
  const t = useTranslations('members');
  const any = useTranslations('lists')('any');
  const titleOf = useRoleTitle();
  return (
    <div className="space-y-4 border-b border-line px-5 py-4 sm:px-6">
      <SearchField
        label={t('search')}
        search={filter.search ?? ''}
        field={field}
        onSearch={(next) => filter.change({ search: next === '' ? undefined : next })}
      />
      <div className="flex flex-wrap gap-2">
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
      </div>
    </div>
  );
};

const NoMembers = ({ filter, field }: FilterProps) => {
  const t = useTranslations('members');
  const { search, role, status } = filter;
  const isSearch = search !== undefined && role === undefined && status === undefined && filter.isKnown;
  return (
    <EmptyList
      text={isSearch ? t('noMatches', { search }) : t('noFilterMatches')}
      clear={{
        label: t('clearSearch'),
        onClear: () => {
          filter.clear();
          // The focused button is unmounted.
          field.current?.focus();
        },
      }}
    />
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
