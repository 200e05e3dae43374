/** /account/security: passkeys, one-time codes, how this session proved who is signed in, and recent sign-ins. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { formatDate, Instant } from '../../components/dates.tsx';
import { lazyComponent } from '../../components/lazy-component.tsx';
import { Notice } from '../../components/notice.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { Section } from '../../components/section.tsx';
import { followRedirect } from '../../redirects/redirect-after-sign-in.ts';
import { useSession } from '../../session/session-context.tsx';
import { proofsQuery } from '../../step-up/proofs-query.ts';
import { AccountFrame } from './account-pages.tsx';
import { OneTimeCodes } from './one-time-codes/one-time-codes.tsx';

const Passkeys = lazyComponent(async () => (await import('../../passkeys/passkey-list.tsx')).Passkeys);

const RecentSignIns = lazyComponent(async () => (await import('./sign-ins/recent-sign-ins.tsx')).RecentSignIns);

export const SecurityPage = () => {
  const t = useTranslations('accountPages');
  const { hasPasskeys } = useRouter().options.context;
  return (
    <AccountFrame title={t('securityTitle')}>
      <GoOn />
      {hasPasskeys && (
        <Suspense fallback={null}>
          <Passkeys />
        </Suspense>
      )}
      <OneTimeCodes />
      <ThisSession />
      <Suspense fallback={null}>
        <RecentSignIns />
      </Suspense>
    </AccountFrame>
  );
};

const route = getRouteApi('/signed-in/account/security');

/** Back to what needed a second factor, once this session has used one. */
const GoOn = () => {
  const t = useTranslations('accountPages');
  const { redirect } = route.useSearch();
  const router = useRouter();
  const proofs = useQuery(proofsQuery(useSession()));
  if (redirect === undefined || proofs.data?.mySecondFactor.sessionHasSecondFactor !== true) return null;
  return (
    <Notice tone="success" title={t('goOnTitle')}>
      <Button variant="secondary" onClick={() => followRedirect(router, redirect)}>
        {t('goOn')}
      </Button>
    </Notice>
  );
};

const ThisSession = () => {
  const t = useTranslations('accountPages');
  const proofs = useQuery(proofsQuery(useSession()));
  return (
    <Section title={t('session')} lead={t('sessionLead')}>
      <QueryState query={proofs} />
      {proofs.data !== undefined && (
        <div className="space-y-1 px-5 py-4 sm:px-6">
          <p className="font-medium">
            <ProvedAt at={proofs.data.mySecondFactor.provedAt} />
          </p>
          <p className="text-soft">
            {t(proofs.data.mySecondFactor.sessionHasSecondFactor ? 'withSecondFactor' : 'withoutSecondFactor')}
          </p>
        </div>
      )}
    </Section>
  );
};

const ProvedAt = ({ at }: { readonly at: string | null }) => {
  const t = useTranslations('accountPages');
  if (at === null) return t('provedAtUnknown');
  const date = formatDate(at, { dateStyle: 'medium', timeStyle: 'short' });
  return <Instant at={at}>{t('provedAt', { date })}</Instant>;
};
