/** /members: the members and invitations of the active organization, its name, and what the page shows without the scope. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button, buttonClass } from '../../components/button.tsx';
import { lazyPart } from '../../components/lazy-component.tsx';
import { NoOrganization } from '../../components/no-organization.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHeading } from '../../components/page.tsx';
import { Section, SectionWaiting } from '../../components/section.tsx';
import { ExplainMissingScopeDocument } from '../../generated/graphql.ts';
import { useHasDraft } from '../../session/drafts.ts';
import { usePerson, useSession } from '../../session/session-context.tsx';
import { DeedDialog, DeedNews, useDeeds } from './member-action-dialog.tsx';
import { MemberList } from './member-list.tsx';
import type { Member, Membership } from './members.ts';

export const MembersPage = () => {
  const t = useTranslations('members');
  const { currentMembership } = usePerson();
  // Outlives the list: who has left an organization sees this above what another one shows.
  const [left, setLeft] = useState<string>();
  return (
    <>
      <div className="space-y-2">
        <PageHeading title={t('title')} />
        {currentMembership !== null && (
          <p className="text-soft break-words">{t('lead', { organization: currentMembership.organization.name })}</p>
        )}
      </div>
      {left !== undefined && (
        <Notice tone="news">
          <p>{t('left', { organization: left })}</p>
        </Notice>
      )}
      {currentMembership === null ? (
        <NoOrganization />
      ) : (
        // Nothing that was typed or opened for one organization is carried over into another.
        <People key={currentMembership.organization.id} membership={currentMembership} onLeft={setLeft} />
      )}
    </>
  );
};

interface PeopleProps {
  readonly membership: Membership;
  readonly onLeft: (organization: string) => void;
}

const People = ({ membership, onLeft }: PeopleProps) => {
  const may = (scope: string): boolean => membership.scopes.includes(scope);
  return (
    <>
      {may('MEMBERS_INVITE') && <MemberInvite membership={membership} />}
      {may('MEMBERS_VIEW') ? (
        <MemberList membership={membership} onLeft={onLeft} />
      ) : (
        <MembersWithheld membership={membership} onLeft={onLeft} />
      )}
      {may('ORGANIZATION_UPDATE') && <RenameOrganization organization={membership.organization} />}
    </>
  );
};

const InviteForm = lazyPart(async () => (await import('./invite-form.tsx')).InviteForm);

const MemberInvite = ({ membership }: { readonly membership: Membership }) => {
  const t = useTranslations('invite');
  const [isOpen, setOpen] = useState(useHasDraft('invite'));
  if (!isOpen) return <Button onClick={() => setOpen(true)}>{t('open')}</Button>;
  return (
    <Section title={t('title')} lead={t('lead')}>
      <Suspense fallback={<SectionWaiting />}>
        <InviteForm membership={membership} onClose={() => setOpen(false)} />
      </Suspense>
    </Section>
  );
};

const RenameForm = lazyPart(async () => (await import('../organization/rename-form.tsx')).RenameForm);

const RenameOrganization = ({ organization }: Pick<Membership, 'organization'>) => {
  const t = useTranslations('renameOrganization');
  const [isOpen, setOpen] = useState(useHasDraft('rename organization'));
  return (
    <Section title={t('title')} lead={t('lead')}>
      {isOpen ? (
        <Suspense fallback={<SectionWaiting />}>
          <RenameForm organization={organization} onClose={() => setOpen(false)} />
        </Suspense>
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 px-5 py-4 sm:px-6">
          <p className="min-w-0 font-medium wrap-anywhere">{organization.name}</p>
          <Button look="quiet" onClick={() => setOpen(true)}>
            {t('open')}
          </Button>
        </div>
      )}
    </Section>
  );
};

interface MembersWithheldProps {
  readonly membership: Membership;
  readonly onLeft: (organization: string) => void;
}

const MembersWithheld = ({ membership, onLeft }: MembersWithheldProps) => {
  const t = useTranslations('membersWithheld');
  const deedWords = useTranslations('memberDeeds');
  const ownRow = useOwnRow(membership);
  const deeds = useDeeds(membership, onLeft);
  return (
    <Section
      title={t('title')}
      foot={
        <>
          <Link to="/plan" className={buttonClass('primary')}>
            {t('plan')}
          </Link>
          <Button look="danger-quiet" onClick={() => deeds.begin({ kind: 'leave', member: ownRow })}>
            {deedWords('leave')}
          </Button>
        </>
      }
    >
      <DeedNews deeds={deeds} membership={membership} />
      <div className="space-y-3 px-5 py-5 sm:px-6">
        <p>{t('text', { organization: membership.organization.name })}</p>
        <Reasons />
      </div>
      <DeedDialog deeds={deeds} membership={membership} />
    </Section>
  );
};

const Reasons = () => {
  const t = useTranslations('membersWithheld');
  const session = useSession();
  const scope = 'MEMBERS_VIEW';
  const explanation = useQuery({
    queryKey: ['scope', scope],
    queryFn: async () => (await session.request(ExplainMissingScopeDocument, { scope })).explainScope.reasons,
  });
  if (explanation.data === undefined || explanation.data.length === 0) return null;
  return (
    <div className="space-y-1 text-soft">
      <p>{t('why')}</p>
      <ul className="list-disc space-y-1 pl-5">
        {explanation.data.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </div>
  );
};

/** The person's own row as the list would show it, as far as it is needed to leave. */
const useOwnRow = ({ id, role }: Membership): Member => {
  const { id: userId, email, name } = usePerson();
  return { id, userId, email, name, role, joinedAt: null, invitation: null };
};
