/**
 * /members: the members and invitations of the active organization, its name, and what the page shows without the
 * scope.
 */
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { lazyComponent } from '../../components/lazy-component.tsx';
import { NoOrganization } from '../../components/no-organization.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHeading } from '../../components/page.tsx';
import { SectionLoading } from '../../components/section.tsx';
import { useHasDraft } from '../../session/drafts.ts';
import { usePerson } from '../../session/session-context.tsx';
import { MemberList } from './member-list.tsx';
import type { Membership } from './members.ts';

export const MembersPage = () => {
  const t = useTranslations('members');
  const { currentMembership } = usePerson();
  // Kept above the list, so that it is still shown after the switch to another organization.
  const [leftOrganization, setLeftOrganization] = useState<string>();
  return (
    <>
      <div className="space-y-2">
        <PageHeading title={t('title')} />
        {currentMembership !== null && (
          <p className="text-soft wrap-anywhere">{t('lead', { organization: currentMembership.organization.name })}</p>
        )}
      </div>
      {leftOrganization !== undefined && (
        <Notice tone="info">
          <p>{t('left', { organization: leftOrganization })}</p>
        </Notice>
      )}
      {currentMembership === null ? (
        <NoOrganization />
      ) : (
        // The key resets all state when the active organization changes.
        <MemberSections
          key={currentMembership.organization.id}
          membership={currentMembership}
          onLeft={setLeftOrganization}
        />
      )}
    </>
  );
};

interface MemberSectionsProps {
  readonly membership: Membership;
  readonly onLeft: (organization: string) => void;
}

const MemberSections = ({ membership, onLeft }: MemberSectionsProps) => {
  const hasScope = (scope: string): boolean => membership.scopes.includes(scope);
  return (
    <>
      {hasScope('MEMBERS_INVITE') && <MemberInvite membership={membership} />}
      {hasScope('MEMBERS_VIEW') ? (
        <MemberList membership={membership} onLeft={onLeft} />
      ) : (
        <Suspense fallback={<SectionLoading />}>
          <MembersForbidden membership={membership} onLeft={onLeft} />
        </Suspense>
      )}
      <Suspense fallback={<SectionLoading />}>
        <OrganizationSettings membership={membership} />
      </Suspense>
    </>
  );
};

const MembersForbidden = lazyComponent(async () => (await import('./members-forbidden.tsx')).MembersForbidden);

const OrganizationSettings = lazyComponent(
  async () => (await import('../organization/organization-settings.tsx')).OrganizationSettings,
);

const InviteSection = lazyComponent(async () => (await import('./invite-section.tsx')).InviteSection);

/** Opens the invitation form, whose chunk with its dependencies is most of the page. */
const MemberInvite = ({ membership }: { readonly membership: Membership }) => {
  const t = useTranslations('invite');
  const hasDraft = [useHasDraft('invite'), useHasDraft('inviteMany')].includes(true);
  const [isOpen, setOpen] = useState(hasDraft);
  if (!isOpen) return <Button onClick={() => setOpen(true)}>{t('open')}</Button>;
  return (
    <Suspense fallback={<SectionLoading />}>
      <InviteSection membership={membership} onClose={() => setOpen(false)} />
    </Suspense>
  );
};
