/** /: who the signed-in person is here, their devices, and privacy. */
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useRoleTitle } from '../../components/application.tsx';
import { Badge } from '../../components/badge.tsx';
import { formatDate } from '../../components/dates.tsx';
import { Icon } from '../../components/icon.tsx';
import { NoOrganization } from '../../components/no-organization.tsx';
import { PageHeading } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { PrivacySection } from '../../consent/privacy-section.tsx';
import { usePerson } from '../../session/session-context.tsx';
import { DeletedOrganizations } from './deleted-organizations.tsx';
import { Devices } from './devices/devices.tsx';

export const HomePage = () => {
  const t = useTranslations('home');
  const { name, currentMembership } = usePerson();
  return (
    <>
      <PageHeading title={t('title')}>{t('greeting', { name })}</PageHeading>
      {currentMembership === null && <NoOrganization />}
      <DeletedOrganizations />
      <Profile />
      <Devices />
      <PrivacySection />
    </>
  );
};

const Profile = () => {
  const t = useTranslations('home');
  const fields = useTranslations('fields');
  const titleOf = useRoleTitle();
  const person = usePerson();
  const membership = person.currentMembership;
  return (
    <Section title={t('profile')}>
      <dl className="divide-y divide-line px-5 sm:px-6">
        <ProfileItem name={fields('name')}>
          <bdi>{person.name}</bdi>
          {person.isSuperAdmin && <Badge variant="accent">{t('superAdmin')}</Badge>}
        </ProfileItem>
        <ProfileItem name={fields('email')}>
          <span className="min-w-0 wrap-anywhere">{person.email}</span>
          <Verification at={person.emailValidatedAt} />
        </ProfileItem>
        <ProfileItem name={t('organization')}>{membership?.organization.name ?? t('noOrganization')}</ProfileItem>
        {membership !== null && (
          <ProfileItem name={t('role')}>
            {titleOf(membership.role)}
            <Scopes scopes={membership.scopes} />
          </ProfileItem>
        )}
      </dl>
    </Section>
  );
};

const ProfileItem = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="grid gap-x-4 gap-y-0.5 py-3.5 sm:grid-cols-[9rem_minmax(0,1fr)]">
    <dt className="text-soft">{name}</dt>
    <dd className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1 font-medium wrap-anywhere">{children}</dd>
  </div>
);

const Verification = ({ at }: { readonly at: string | null }) => {
  const t = useTranslations('home');
  if (at === null) return <Badge variant="caution">{t('notVerified')}</Badge>;
  return (
    <Badge variant="accent" title={t('verifiedSince', { date: formatDate(at, { dateStyle: 'medium' }) })}>
      <Icon name="check" className="size-3.5" />
      {t('verified')}
    </Badge>
  );
};

const Scopes = ({ scopes }: { readonly scopes: readonly string[] }) => {
  const t = useTranslations('home');
  const summary = t('scopes', { count: scopes.length });
  if (scopes.length === 0) return <span className="font-normal text-soft">{summary}</span>;
  return (
    <details className="w-full font-normal">
      <summary className="w-fit rounded text-sm text-soft hover:text-ink">{summary}</summary>
      <ul className="mt-2 flex flex-wrap gap-1.5">
        {scopes.map((scope) => (
          <li key={scope} className="rounded-md bg-canvas px-1.5 py-0.5 font-mono text-xs text-soft">
            {scope}
          </li>
        ))}
      </ul>
    </details>
  );
};
