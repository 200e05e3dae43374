/** Owns the words where a second factor is required that the session lacks, with the way to it. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { Button, buttonClass } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import { QueryState } from '../components/query-state.tsx';
import { useSession } from '../session/session-context.tsx';
import { proofsQuery } from './proofs-query.ts';

interface SecondFactorNeededProps {
  /** The name of the organization that requires it; left out for the pages of super admins. */
  readonly organization?: string;
}

export const SecondFactorNeeded = ({ organization }: SecondFactorNeededProps) => {
  const t = useTranslations('secondFactorNeeded');
  const words = organization === undefined ? 'platform' : 'organization';
  return (
    <Notice tone="warning" title={t(`${words}.title`, { organization: organization ?? '' })}>
      <p>{t(`${words}.text`)}</p>
      <Way />
    </Notice>
  );
};

/** To confirm, for a person who has a second factor; to set one up, for everyone else. */
const Way = () => {
  const t = useTranslations('secondFactorNeeded');
  const session = useSession();
  const proofs = useQuery(proofsQuery(session));
  const isThere = useRouterState({ select: ({ location }) => location.pathname === '/account/security' });
  const confirmation = useMutation({
    mutationFn: async () => {
      if (await session.stepUp.ask('second_factor')) await session.refetchEverywhere();
    },
  });
  const isUsed = proofs.data?.mySecondFactor.sessionHasSecondFactor === true;
  // Used in this tab or another one since the person was fetched.
  useEffect(() => {
    if (isUsed) void session.refetchEverywhere();
  }, [isUsed, session]);
  if (proofs.data === undefined) return <QueryState query={proofs} />;
  if (proofs.data.mySecondFactor.methods.length > 0) {
    return (
      <Button variant="secondary" busy={confirmation.isPending} onClick={() => confirmation.mutate()}>
        {t('confirm')}
      </Button>
    );
  }
  if (isThere) return <p>{t('setUpHere')}</p>;
  return (
    <Link to="/account/security" className={buttonClass('secondary')}>
      {t('setUp')}
    </Link>
  );
};
