/** Empty state of a page that needs an active organization: switch to one, or create one. */
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useMemberships, useSession } from '../session/session-context.tsx';
import { Button, buttonClass } from './button.tsx';
import { RefusalNotice } from './notice.tsx';
import { Section } from './section.tsx';

export const NoOrganization = () => {
  const t = useTranslations('noOrganization');
  const memberships = useMemberships();
  const hasChoice = memberships.length > 0;
  return (
    <Section title={t('title')}>
      <div className="space-y-4 px-5 py-5 sm:px-6">
        <p className="text-soft">{hasChoice ? t('choose') : t('none')}</p>
        {hasChoice && <Choices />}
        <Link to="/organizations/new" className={buttonClass(hasChoice ? 'secondary' : 'primary')}>
          {t('create')}
        </Link>
      </div>
    </Section>
  );
};

const Choices = () => {
  const t = useTranslations('noOrganization');
  const session = useSession();
  const memberships = useMemberships();
  const switching = useMutation({ mutationFn: session.switchOrganization });
  return (
    <>
      {switching.isError && <RefusalNotice error={switching.error} />}
      <ul className="flex flex-wrap gap-3">
        {memberships.map(({ id, organization }) => (
          <li key={id} className="min-w-0">
            <Button
              variant="primary"
              className="max-w-full"
              busy={switching.isPending && switching.variables === organization.id}
              onClick={() => switching.mutate(organization.id)}
            >
              {t('open', { name: organization.name })}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
};
