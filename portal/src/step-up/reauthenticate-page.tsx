/** /reauthenticate: a page of the server asks for a proof, and goes on after it. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { PageHeading, PageLoading } from '../components/page.tsx';
import { followRedirect } from '../redirects/redirect-after-sign-in.ts';
import { useSession } from '../session/session-context.tsx';
import { ProofForm } from './proof-form.tsx';
import { proofsQuery } from './proofs-query.ts';

const route = getRouteApi('/signed-in/reauthenticate');

export const ReauthenticatePage = (): ReactNode => {
  const t = useTranslations('stepUp');
  const router = useRouter();
  const { redirect, secondFactor } = route.useSearch();
  const needsSecondFactor = secondFactor === 'true';
  const proven = useQuery(proofsQuery(useSession())).data?.mySecondFactor;
  // The person may have signed in just now.
  const isDone = proven?.isFresh === true && (!needsSecondFactor || proven.sessionHasSecondFactor);
  useEffect(() => {
    if (isDone) followRedirect(router, redirect);
  }, [isDone, router, redirect]);
  if (isDone) return <PageLoading />;
  return (
    <div className="mx-auto max-w-md space-y-7">
      <div className="space-y-2">
        <PageHeading title={t('title')} />
        <p className="leading-relaxed text-soft">{t(needsSecondFactor ? 'pageLeadSecondFactor' : 'pageLead')}</p>
      </div>
      <ProofForm
        need={needsSecondFactor ? 'second_factor' : 'authentication'}
        returnPath={router.state.location.href}
        onProven={() => followRedirect(router, redirect)}
      />
    </div>
  );
};
