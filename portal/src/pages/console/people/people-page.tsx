/** /admin/super/people: every account of the service, searched by name or address. */
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Badge } from '../../../components/badge.tsx';
import { formatDate, Instant } from '../../../components/dates.tsx';
import { PageHead } from '../../../components/page.tsx';
import { DataTable } from '../../../lists/data-table.tsx';
import { useSearchView } from '../../../lists/list-view.ts';
import { usePagedList } from '../../../lists/paged-list.ts';
import { useSession } from '../../../session/session-context.tsx';
import { SearchableList } from '../console-list.tsx';
import { ScopeGate } from '../scope-gate.tsx';
import { type ConsolePerson, peopleQuery, useSignInMethods } from './people.ts';

export const PeoplePage = () => {
  const t = useTranslations('console.people');
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')} />
      <ScopeGate requires="users">
        <People />
      </ScopeGate>
    </>
  );
};

const People = () => {
  const t = useTranslations('console.people');
  const { search = '' } = useSearchView().view;
  const list = usePagedList(peopleQuery(useSession(), search), 'id');
  return (
    <SearchableList
      label={t('search')}
      list={list}
      total={(total, isCapped) => t(isCapped ? 'moreThan' : 'total', { total })}
    >
      {(people, isBusy) => <PeopleTable people={people} busy={isBusy} />}
    </SearchableList>
  );
};

const PeopleTable = ({ people, busy }: { readonly people: readonly ConsolePerson[]; readonly busy: boolean }) => {
  const t = useTranslations('console.people');
  const waysIn = useSignInMethods();
  return (
    <DataTable
      label={t('title')}
      rows={people}
      keyOf={({ id }) => id}
      busy={busy}
      columns={[
        { key: 'person', heading: t('columns.person'), width: 'sm:w-1/2', cell: (row) => <PersonName person={row} /> },
        {
          key: 'ways',
          heading: t('columns.ways'),
          cell: (row) => <span className="text-soft">{waysIn(row)}</span>,
        },
        {
          key: 'created',
          heading: t('columns.created'),
          cell: ({ createdAt }) => (
            <span className="text-soft tabular-nums">
              <Instant at={createdAt}>{formatDate(createdAt, { dateStyle: 'medium' })}</Instant>
            </span>
          ),
        },
      ]}
    />
  );
};

const PersonName = ({ person: { id, email, name, ...person } }: { readonly person: ConsolePerson }) => {
  const t = useTranslations('console.people');
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link
          to="/admin/super/people/$userId"
          params={{ userId: id }}
          search={{}}
          className="text-link min-w-0 wrap-anywhere"
        >
          {email}
        </Link>
        <PersonBadges person={person} />
      </span>
      <span className="block text-soft">{name ?? t('noName')}</span>
    </>
  );
};

interface PersonBadgesProps {
  readonly person: Pick<ConsolePerson, 'isSuperAdmin' | 'emailValidatedAt' | 'suspendedAt'>;
}

export const PersonBadges = ({ person: { isSuperAdmin, emailValidatedAt, suspendedAt } }: PersonBadgesProps) => {
  const t = useTranslations('console.people');
  return (
    <>
      {suspendedAt !== null && <Badge variant="caution">{t('suspended')}</Badge>}
      {isSuperAdmin && <Badge variant="accent">{t('superAdmin')}</Badge>}
      {emailValidatedAt === null && <Badge variant="caution">{t('unverified')}</Badge>}
    </>
  );
};
