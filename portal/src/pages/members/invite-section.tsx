/** The section of the members page with the invitation form, which needs the application's roles. */
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { RetryNotice } from '../../components/notice.tsx';
import { Section, SectionLoading } from '../../components/section.tsx';
import { useSession } from '../../session/session-context.tsx';
import { InviteForm } from './invite-form.tsx';
import type { Membership } from './members.ts';
import { applicationQuery } from './roles.ts';

interface InviteSectionProps {
  readonly membership: Membership;
  readonly onClose: () => void;
}

export const InviteSection = ({ membership, onClose }: InviteSectionProps) => {
  const t = useTranslations('invite');
  const application = useQuery(applicationQuery(useSession()));
  return (
    <Section title={t('title')} lead={t('lead')}>
      {application.isPending && <SectionLoading />}
      {application.isError && (
        <div className="px-5 py-5 sm:px-6">
          <RetryNotice
            error={application.error}
            busy={application.isFetching}
            onRetry={() => void application.refetch()}
          />
        </div>
      )}
      {application.data !== undefined && (
        <InviteForm membership={membership} application={application.data} onClose={onClose} />
      )}
    </Section>
  );
};
