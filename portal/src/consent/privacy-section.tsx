/** On the start page: what this browser has decided about analytics, and the way to change or withdraw it. */
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../components/button.tsx';
import { Notice, RefusalNotice, RetryNotice } from '../components/notice.tsx';
import { Section, SectionWaiting } from '../components/section.tsx';
import type { DecisionFragment } from '../generated/graphql.ts';
import { type Consent, consentOfThisTab, useAnswering, useConsentState } from './consent.ts';

/** Shows nothing where nobody is asked about analytics. */
export const PrivacySection = () => {
  const parts = useRouter().options.context.consent;
  return parts === undefined ? null : <Privacy consent={consentOfThisTab(parts)} />;
};

const Privacy = ({ consent }: { readonly consent: Consent }) => {
  const t = useTranslations('consent');
  const { decision, askProblem, recording } = useConsentState(consent);
  const { change, problem, answer } = useAnswering(consent);
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => void consent.open(), [consent]);
  // The button that had the focus has gone with the decision before, so the news of it takes the focus over.
  useEffect(() => {
    if (change !== undefined) notice.current?.focus();
  }, [change]);
  // Another tab may have decided anew since.
  const isSo = decision?.analyticsConsent === (change === 'allowed');
  return (
    <Section title={t('section.title')} lead={t('section.lead')}>
      {change !== undefined && isSo && (
        <div ref={notice} tabIndex={-1} className="p-3 pb-0 outline-none">
          <Notice tone="done">
            <p>{t(`recorded.${change}`)}</p>
          </Notice>
        </div>
      )}
      {problem !== undefined && (
        <div className="p-3 pb-0">
          <RefusalNotice error={problem}>
            <p>{t('notRecorded')}</p>
          </RefusalNotice>
        </div>
      )}
      {decision !== undefined && <Present decision={decision} recording={recording} onAnswer={answer} />}
      {decision === undefined && askProblem === undefined && <SectionWaiting />}
      {decision === undefined && askProblem !== undefined && (
        <div className="p-3">
          <RetryNotice error={askProblem} onRetry={() => void consent.ask()} />
        </div>
      )}
    </Section>
  );
};

interface PresentProps {
  readonly decision: DecisionFragment;
  readonly recording: boolean | undefined;
  readonly onAnswer: (analytics: boolean) => void;
}

const Present = ({ decision: { analyticsConsent, anonymousId }, recording, onAnswer }: PresentProps) => {
  const t = useTranslations('consent');
  const state = analyticsConsent === null ? 'open' : analyticsConsent ? 'allowed' : 'declined';
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4 px-5 py-4 sm:px-6">
      <div className="min-w-0 flex-[1_1_20rem] space-y-1">
        <p className="font-medium">{t(`section.${state}.title`)}</p>
        <p className="text-soft">{t(`section.${state}.text`)}</p>
        {anonymousId !== null && (
          <p className="text-sm text-soft">
            {t('section.id')} <code className="font-mono break-all text-ink">{anonymousId}</code>
          </p>
        )}
      </div>
      <div className="grid auto-cols-fr grid-flow-col gap-3">
        {analyticsConsent !== false && (
          <Button look="quiet" busy={recording === false} onClick={() => onAnswer(false)}>
            {t(analyticsConsent === null ? 'decline' : 'section.withdraw')}
          </Button>
        )}
        {analyticsConsent !== true && (
          <Button look="quiet" busy={recording === true} onClick={() => onAnswer(true)}>
            {t(analyticsConsent === null ? 'allow' : 'section.allow')}
          </Button>
        )}
      </div>
    </div>
  );
};
