/** The section of the members page with the invitation form, which needs the application's roles. */
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { applicationQuery } from '../../access/roles.ts';
import { lazyComponent } from '../../components/lazy-component.tsx';
import { RetryNotice } from '../../components/notice.tsx';
import { Section, SectionLoading } from '../../components/section.tsx';
import { useHasDraft } from '../../session/drafts.ts';
import { useSession } from '../../session/session-context.tsx';
import { InviteForm } from './invite-form.tsx';
import type { Membership } from './members.ts';

const InviteMany = lazyComponent(async () => (await import('./bulk/invite-many.tsx')).InviteMany);

interface InviteSectionProps {
  readonly membership: Membership;
  readonly onClose: () => void;
}

export const InviteSection = ({ membership, onClose }: InviteSectionProps) => {
  const t = useTranslations('invite');
  const [isList, setList] = useState(useHasDraft('inviteMany'));
  const application = useQuery(applicationQuery(useSession()));
  return (
    <Section title={t(isList ? 'titleMany' : 'title')} lead={t(isList ? 'leadMany' : 'lead')}>
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
        <>
          <div className="border-b border-line px-5 py-3 sm:px-6">
            <button type="button" className="text-link" onClick={() => setList(!isList)}>
              {t(isList ? 'one' : 'many')}
            </button>
          </div>
          {isList ? (
            <Suspense fallback={<SectionLoading />}>
              <InviteMany membership={membership} application={application.data} onClose={onClose} />
            </Suspense>
          ) : (
            <InviteForm membership={membership} application={application.data} onClose={onClose} />
          )}
        </>
      )}
    </Section>
  );
};
