/** Instead of the member list, for who may not see it: why that is, and that leaving is still possible. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Button, buttonClass } from '../../components/button.tsx';
import { Section } from '../../components/section.tsx';
import { ExplainMissingScopeDocument } from '../../generated/graphql.ts';
import { usePerson, useSession } from '../../session/session-context.tsx';
import { DeedDialog, DeedNews, useDeeds } from './member-deed-dialog.tsx';
import type { Membership } from './member-rights.ts';
import type { Member } from './members-query.ts';

interface MembersWithheldProps {
  readonly membership: Membership;
  readonly onLeft: (organization: string) => void;
}

export const MembersWithheld = ({ membership, onLeft }: MembersWithheldProps) => {
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
