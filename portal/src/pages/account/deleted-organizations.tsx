/** Section of the home page: organizations of the person that were deleted, which an owner can restore. */
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { formatDate, Instant } from '../../components/dates.tsx';
import { RefusalNotice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import { RestoreOrganizationDocument } from '../../generated/graphql.ts';
import type { Person } from '../../session/session.ts';
import { usePerson, useSession } from '../../session/session-context.tsx';

type DeletedMembership = Person['memberships'][number];

export const DeletedOrganizations = () => {
  const t = useTranslations('deletedOrganizations');
  const deleted = usePerson().memberships.filter(({ organization }) => organization.deletesAt !== null);
  if (deleted.length === 0) return null;
  return (
    <Section title={t('title')}>
      <ul className="divide-y divide-line">
        {deleted.map((membership) => (
          <DeletedOrganization key={membership.id} membership={membership} />
        ))}
      </ul>
    </Section>
  );
};

const DeletedOrganization = ({ membership }: { readonly membership: DeletedMembership }) => {
  const t = useTranslations('deletedOrganizations');
  const session = useSession();
  const { role, organization } = membership;
  const restoration = useMutation({
    mutationFn: () => session.request(RestoreOrganizationDocument, { organizationId: organization.id }),
    onSettled: () => session.refetchEverywhere(),
  });
  const { name, deletesAt } = organization;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 px-5 py-4 sm:px-6">
      <div className="min-w-0 space-y-0.5">
        <p className="font-medium wrap-anywhere">{name}</p>
        {deletesAt !== null && (
          <p className="text-sm text-soft">
            <Instant at={deletesAt}>{t('until', { date: formatDate(deletesAt, { dateStyle: 'medium' }) })}</Instant>
          </p>
        )}
        {role !== 'OWNER' && <p className="text-sm text-soft">{t('askOwner')}</p>}
      </div>
      {role === 'OWNER' && (
        <Button
          variant="secondary"
          busy={restoration.isPending}
          aria-label={t('restoreOne', { name })}
          onClick={() => restoration.mutate()}
        >
          {t('restore')}
        </Button>
      )}
      {restoration.isError && (
        <div className="w-full">
          <RefusalNotice error={restoration.error} />
        </div>
      )}
    </li>
  );
};
