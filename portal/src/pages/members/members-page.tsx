/**
 * /members: the members and invitations of the active organization, its name, and what the page shows without the
 * scope.
 */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button, buttonClass } from '../../components/button.tsx';
import { lazyComponent } from '../../components/lazy-component.tsx';
import { Reasons } from '../../components/list.tsx';
import { NoOrganization } from '../../components/no-organization.tsx';
import { Notice, RetryNotice } from '../../components/notice.tsx';
import { PageHeading } from '../../components/page.tsx';
import { Section, SectionLoading } from '../../components/section.tsx';
import { ExplainMissingScopeDocument } from '../../generated/graphql.ts';
import { useHasDraft } from '../../session/drafts.ts';
import { usePerson, useSession } from '../../session/session-context.tsx';
import { ActionDialog, ActionResult, useMemberActions } from './member-action-dialog.tsx';
import { MemberList } from './member-list.tsx';
import type { Member, Membership } from './members.ts';
import { applicationQuery } from './roles.ts';

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
          <p className="text-soft break-words">{t('lead', { organization: currentMembership.organization.name })}</p>
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
        <MembersForbidden membership={membership} onLeft={onLeft} />
      )}
      {hasScope('ORGANIZATION_UPDATE') && <RenameOrganization organization={membership.organization} />}
      {membership.role === 'OWNER' && <DeletionLink />}
    </>
  );
};

const InviteForm = lazyComponent(async () => (await import('./invite-form.tsx')).InviteForm);

/** Opens the invitation form, whose chunk with its dependencies is most of the page. */
const MemberInvite = ({ membership }: { readonly membership: Membership }) => {
  const t = useTranslations('invite');
  const [isOpen, setOpen] = useState(useHasDraft('invite'));
  const application = useQuery(applicationQuery(useSession()));
  if (!isOpen) return <Button onClick={() => setOpen(true)}>{t('open')}</Button>;
  return (
    <Section title={t('title')} lead={t('lead')}>
      <Suspense fallback={<SectionLoading />}>
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
          <InviteForm membership={membership} application={application.data} onClose={() => setOpen(false)} />
        )}
      </Suspense>
    </Section>
  );
};

const RenameForm = lazyComponent(async () => (await import('../organization/rename-form.tsx')).RenameForm);

const RenameOrganization = ({ organization }: Pick<Membership, 'organization'>) => {
  const t = useTranslations('renameOrganization');
  const [isOpen, setOpen] = useState(useHasDraft('rename organization'));
  return (
    <Section title={t('title')} lead={t('lead')}>
      {isOpen ? (
        <Suspense fallback={<SectionLoading />}>
          <RenameForm organization={organization} onClose={() => setOpen(false)} />
        </Suspense>
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 px-5 py-4 sm:px-6">
          <p className="min-w-0 font-medium wrap-anywhere">{organization.name}</p>
          <Button variant="secondary" onClick={() => setOpen(true)}>
            {t('open')}
          </Button>
        </div>
      )}
    </Section>
  );
};

const DeletionLink = () => {
  const t = useTranslations('deletedOrganizations');
  return (
    <Link to="/organization/delete" className="inline-flex min-h-11 items-center font-medium text-danger">
      {t('open')}
    </Link>
  );
};

interface MembersForbiddenProps {
  readonly membership: Membership;
  readonly onLeft: (organization: string) => void;
}

/** Without MEMBERS_VIEW: the reasons, and the button to leave the organization. */
const MembersForbidden = ({ membership, onLeft }: MembersForbiddenProps) => {
  const t = useTranslations('membersForbidden');
  const actionLabels = useTranslations('memberActions');
  const ownMember = useOwnMember(membership);
  const actions = useMemberActions(membership, onLeft);
  return (
    <Section
      title={t('title')}
      footer={
        <>
          <Link to="/plan" className={buttonClass('primary')}>
            {t('plan')}
          </Link>
          <Button variant="danger-secondary" onClick={() => actions.start({ kind: 'leave', member: ownMember })}>
            {actionLabels('leave')}
          </Button>
        </>
      }
    >
      <ActionResult actions={actions} membership={membership} />
      <div className="space-y-3 px-5 py-5 sm:px-6">
        <p>{t('text', { organization: membership.organization.name })}</p>
        <MissingScope />
      </div>
      <ActionDialog actions={actions} membership={membership} />
    </Section>
  );
};

const MissingScope = () => {
  const t = useTranslations('membersForbidden');
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
      <Reasons reasons={explanation.data} />
    </div>
  );
};

/** The person's own membership as a list row, with what leaving needs. */
const useOwnMember = ({ id, role }: Membership): Member => {
  const { id: userId, email, name } = usePerson();
  return { id, userId, email, name, role, joinedAt: null, invitation: null };
};
