/** /members: who belongs to the active organization, who is invited, and what may be changed about that. */
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { NoOrganization } from '../../components/no-organization.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { usePerson } from '../../session/session-context.tsx';
import { RenameOrganization } from '../organization/rename-organization.tsx';
import { MemberInvite } from './member-invite.tsx';
import { MemberList } from './member-list.tsx';
import type { Membership } from './member-rights.ts';
import { MembersWithheld } from './members-withheld.tsx';

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
