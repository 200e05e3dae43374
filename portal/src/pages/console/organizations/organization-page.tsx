/** /admin/super/organizations/:id: one organization with its plan, members and invitations. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Badge } from '../../../components/badge.tsx';
import { formatDate, Instant } from '../../../components/dates.tsx';
import { PageHeading } from '../../../components/page.tsx';
import { QueryState } from '../../../components/query-state.tsx';
import { Section } from '../../../components/section.tsx';
import { DataTable } from '../../../lists/data-table.tsx';
import { hasCode } from '../../../session/refusal.ts';
import { useSession } from '../../../session/session-context.tsx';
import { BackLink, IdProperty, NotFound, Property, PropertyList } from '../details.tsx';
import { ConsoleQueryProblem, ScopeGate } from '../scope-gate.tsx';
import { EndSessions } from './end-sessions.tsx';
import { useMemberColumns } from './member-columns.tsx';
import { OrganizationInvitations } from './organization-invitations.tsx';
import { type OrganizationDetails, organizationQuery, usePlanWords } from './organizations.ts';

const route = getRouteApi('/signed-in/admin/super/organizations/$organizationId');

export const OrganizationPage = () => (
  <ScopeGate requires="organizations">
    <Organization />
  </ScopeGate>
);

const Organization = () => {
  const t = useTranslations('console.organization');
  const { organizationId } = route.useParams();
  const organization = useQuery(organizationQuery(useSession(), organizationId));
  return (
    <>
      <BackLink to="/admin/super/organizations">{t('back')}</BackLink>
      {hasCode(organization.error, 'NOT_FOUND') ? (
        <NotFound title={t('notFound.title')} text={t('notFound.text')} />
      ) : (
        <QueryState query={organization} problem={ConsoleQueryProblem} />
      )}
      {organization.data !== undefined && <Details details={organization.data} />}
    </>
  );
};

const Details = ({ details }: { readonly details: OrganizationDetails }) => (
  <>
    <PageHeading title={details.organization.name} />
    <OrganizationProperties details={details} />
    <EndSessions organizationId={details.organization.id} />
    <Members details={details} />
    <OrganizationInvitations details={details} />
  </>
);

const OrganizationProperties = ({ details: { organization } }: { readonly details: OrganizationDetails }) => {
  const t = useTranslations('console.organization');
  const list = useTranslations('console.organizations');
  const person = useTranslations('console.person');
  const planWords = usePlanWords();
  const { id, name, createdAt, subscription, unreadSubscription } = organization;
  const { currentPeriodEndsAt: paidUntil } = subscription;
  const date = (at: string) => formatDate(at, { dateStyle: 'medium' });
  return (
    <Section title={t('facts')}>
      <PropertyList>
        <IdProperty name={person('id')} id={id} copyLabel={person('copyId', { name })} />
        <Property name={person('created')}>
          <Instant at={createdAt}>{date(createdAt)}</Instant>
        </Property>
        <Property name={t('plan')}>
          {planWords(subscription)}
          {paidUntil !== null && (
            <span className="block text-soft">
              <Instant at={paidUntil}>{t('periodEnd', { date: date(paidUntil) })}</Instant>
            </span>
          )}
          {unreadSubscription !== null && (
            <span className="mt-2 block space-y-1">
              <Badge variant="caution">{list('unread')}</Badge>
              <span className="block text-soft">{t('unread', { id: unreadSubscription })}</span>
            </span>
          )}
        </Property>
        <Property name={person('access')}>
          <Link to="/admin/super/sessions" search={{ organization: id }} className="text-link">
            {t('sessionsLink')}
          </Link>
        </Property>
      </PropertyList>
    </Section>
  );
};

const Members = ({ details: { members, organization } }: { readonly details: OrganizationDetails }) => {
  const t = useTranslations('console.organization');
  const firstHundred = useTranslations('console.person')('firstHundred');
  const columns = useMemberColumns();
  const lead = t('membersLead', { count: organization.memberCount });
  return (
    <Section title={t('members')} lead={members.length < organization.memberCount ? `${lead} ${firstHundred}` : lead}>
      <DataTable label={t('members')} rows={members} keyOf={({ id }) => id} columns={columns} />
    </Section>
  );
};
