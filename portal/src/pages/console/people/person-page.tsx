/** /admin/super/people/:id: one account, its organizations, and what a super admin can do with it. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { formatDate, Instant } from '../../../components/dates.tsx';
import { PageHeading } from '../../../components/page.tsx';
import { QueryState } from '../../../components/query-state.tsx';
import { Section } from '../../../components/section.tsx';
import { hasCode } from '../../../session/refusal.ts';
import { useSession } from '../../../session/session-context.tsx';
import { BackLink, IdProperty, NotFound, Property, PropertyList } from '../details.tsx';
import { ConsoleQueryProblem, ScopeGate } from '../scope-gate.tsx';
import { Memberships } from './memberships.tsx';
import { type PersonDetails, personQuery, useSignInMethods } from './people.ts';
import { PersonBadges } from './people-page.tsx';
import { PersonActions } from './person-actions.tsx';
import { SignInsOfPerson } from './person-sign-ins.tsx';
import { Suspensions } from './suspension.tsx';

const route = getRouteApi('/signed-in/admin/super/people/$userId');

export const PersonPage = () => (
  <ScopeGate requires="users">
    <Person />
  </ScopeGate>
);

const Person = () => {
  const t = useTranslations('console.person');
  const { userId } = route.useParams();
  const person = useQuery(personQuery(useSession(), userId));
  return (
    <>
      <BackLink to="/admin/super/people">{t('back')}</BackLink>
      {hasCode(person.error, 'NOT_FOUND') ? (
        <NotFound title={t('notFound.title')} text={t('notFound.text')} />
      ) : (
        <QueryState query={person} problem={ConsoleQueryProblem} />
      )}
      {person.data !== undefined && <Details details={person.data} />}
    </>
  );
};

const Details = ({ details }: { readonly details: PersonDetails }) => {
  const { user } = details;
  return (
    <>
      <div className="space-y-2">
        <PageHeading title={user.email}>
          <span className="wrap-anywhere">{user.email}</span>
        </PageHeading>
        <p className="flex flex-wrap items-center gap-2 text-soft">
          {user.name !== null && (
            <span className="wrap-anywhere">
              <bdi>{user.name}</bdi>
            </span>
          )}
          <PersonBadges person={user} />
        </p>
      </div>
      <AccountProperties details={details} />
      <PersonActions details={details} />
      <Memberships details={details} />
      <SignInsOfPerson userId={user.id} />
      <Suspensions details={details} />
    </>
  );
};

const AccountProperties = ({ details: { user, activeSessions } }: { readonly details: PersonDetails }) => {
  const t = useTranslations('console.person');
  const signInMethods = useSignInMethods();
  const date = (at: string) => <Instant at={at}>{formatDate(at, { dateStyle: 'medium', timeStyle: 'short' })}</Instant>;
  return (
    <Section title={t('facts')}>
      <PropertyList>
        <IdProperty name={t('id')} id={user.id} copyLabel={t('copyId', { name: user.email })} />
        <Property name={t('created')}>{date(user.createdAt)}</Property>
        <Property name={t('verified')}>
          {user.emailValidatedAt === null ? t('notVerified') : date(user.emailValidatedAt)}
        </Property>
        <Property name={t('ways')}>{signInMethods(user)}</Property>
        <Property name={t('access')}>
          <span className="flex flex-wrap gap-x-4 gap-y-1">
            <span>{t('sessions', { count: activeSessions })}</span>
            <Link to="/admin/super/sessions" search={{ user: user.id }} className="text-link">
              {t('sessionsLink')}
            </Link>
            {user.isSuperAdmin && (
              <Link to="/admin/super/mcp" search={{ section: 'audits', user: user.id }} className="text-link">
                {t('callsLink')}
              </Link>
            )}
          </span>
        </Property>
      </PropertyList>
    </Section>
  );
};
