/** /admin/super/organizations: every organization of the service, searched by name. */
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
import { type ConsoleOrganization, organizationsQuery, usePlanWords } from './organizations.ts';

export const OrganizationsPage = () => {
  const t = useTranslations('console.organizations');
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')} />
      <ScopeGate requires="organizations">
        <Organizations />
      </ScopeGate>
    </>
  );
};

const Organizations = () => {
  const t = useTranslations('console.organizations');
  const { search = '' } = useSearchView().view;
  const list = usePagedList(organizationsQuery(useSession(), search), 'id');
  return (
    <SearchableList
      label={t('search')}
      list={list}
      total={(total, isCapped) => t(isCapped ? 'moreThan' : 'total', { total })}
    >
      {(organizations, isBusy) => <OrganizationTable organizations={organizations} busy={isBusy} />}
    </SearchableList>
  );
};

interface OrganizationTableProps {
  readonly organizations: readonly ConsoleOrganization[];
  readonly busy: boolean;
}

const OrganizationTable = ({ organizations, busy }: OrganizationTableProps) => {
  const t = useTranslations('console.organizations');
  const planWords = usePlanWords();
  return (
    <DataTable
      label={t('title')}
      rows={organizations}
      keyOf={({ id }) => id}
      busy={busy}
      columns={[
        {
          key: 'name',
          heading: t('columns.name'),
          width: 'sm:w-2/5',
          cell: ({ id, name }) => (
            <Link
              to="/admin/super/organizations/$organizationId"
              params={{ organizationId: id }}
              search={{}}
              className="text-link wrap-anywhere"
            >
              {name}
            </Link>
          ),
        },
        {
          key: 'plan',
          heading: t('columns.plan'),
          cell: ({ subscription, unreadSubscription }) => (
            <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
              {planWords(subscription)}
              {unreadSubscription !== null && <Badge variant="caution">{t('unread')}</Badge>}
            </span>
          ),
        },
        {
          key: 'members',
          heading: t('columns.members'),
          cell: ({ memberCount, openInvitationCount: open }) => (
            <>
              {t('members', { members: memberCount })}
              {open > 0 && <span className="block text-sm text-soft">{t('invited', { open })}</span>}
            </>
          ),
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
