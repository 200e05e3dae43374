/** The members page without MEMBERS_VIEW: the reasons, and the button to leave the organization. */
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { MissingScope } from '../../access/missing-scope.tsx';
import { Button, buttonClass } from '../../components/button.tsx';
import { Section } from '../../components/section.tsx';
import { usePerson } from '../../session/session-context.tsx';
import { ActionDialog, ActionResult, useMemberActions } from './member-action-dialog.tsx';
import type { Member, Membership } from './members.ts';

interface MembersForbiddenProps {
  readonly membership: Membership;
  readonly onLeft: (organization: string) => void;
}

export const MembersForbidden = ({ membership, onLeft }: MembersForbiddenProps) => {
  const t = useTranslations('membersForbidden');
  const actionLabels = useTranslations('memberActions');
  const ownMember = useOwnMember(membership);
  const actions = useMemberActions(membership, onLeft);
  return (
    <Section
      title={t('title')}
      footer={
        <>
          {!membership.needsSecondFactor && (
            <Link to="/plan" className={buttonClass('primary')}>
              {t('plan')}
            </Link>
          )}
          <Button variant="danger-secondary" onClick={() => actions.start({ kind: 'leave', member: ownMember })}>
            {actionLabels('leave')}
          </Button>
        </>
      }
    >
      <ActionResult actions={actions} membership={membership} />
      <div className="space-y-3 px-5 py-5 sm:px-6">
        <p>{t('text', { organization: membership.organization.name })}</p>
        <MissingScope scope="MEMBERS_VIEW" why={t('why')} />
      </div>
      <ActionDialog actions={actions} membership={membership} />
    </Section>
  );
};

/** The person's own membership as a list row, with what leaving needs. */
const useOwnMember = ({ id, role }: Membership): Member => {
  const { id: userId, email, name } = usePerson();
  return { id, userId, email, name, role, joinedAt: null, invitation: null };
};
