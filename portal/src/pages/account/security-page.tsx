/** /account/security: passkeys, one-time codes, and how this session proved who is signed in. */
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { formatDate, Instant } from '../../components/dates.tsx';
import { lazyComponent } from '../../components/lazy-component.tsx';
import { QueryState } from '../../components/list.tsx';
import { Section } from '../../components/section.tsx';
import { useSession } from '../../session/session-context.tsx';
import { proofsQuery } from '../../step-up/proofs-query.ts';
import { AccountFrame } from './account-pages.tsx';
import { OneTimeCodes } from './one-time-codes/one-time-codes.tsx';

const Passkeys = lazyComponent(async () => (await import('../../passkeys/passkey-list.tsx')).Passkeys);

export const SecurityPage = () => {
  const t = useTranslations('accountPages');
  const { hasPasskeys } = useRouter().options.context;
  return (
    <AccountFrame title={t('securityTitle')}>
      {hasPasskeys && (
        <Suspense fallback={null}>
          <Passkeys />
        </Suspense>
      )}
      <OneTimeCodes />
      <ThisSession />
    </AccountFrame>
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
