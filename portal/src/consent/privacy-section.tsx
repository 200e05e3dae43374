/** Section of the home page: the analytics consent of this browser, and buttons to change or withdraw it. */
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../components/button.tsx';
import { Notice, RefusalNotice, RetryNotice } from '../components/notice.tsx';
import { Section, SectionLoading } from '../components/section.tsx';
import type { DecisionFragment } from '../generated/graphql.ts';
import { type Consent, sharedConsent, useConsentAnswer, useConsentState } from './consent.ts';

/** Renders nothing where the installation does not ask for consent. */
export const PrivacySection = () => {
  const { asksConsent, session } = useRouter().options.context;
  return asksConsent ? <Privacy consent={sharedConsent(session)} /> : null;
};

const Privacy = ({ consent }: { readonly consent: Consent }) => {
  const t = useTranslations('consent');
  const { decision, fetchProblem, recording } = useConsentState(consent);
  const { change, problem, answer } = useConsentAnswer(consent);
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => void consent.open(), [consent]);
  // The focused button is unmounted with the previous decision, so the result receives the focus.
  useEffect(() => {
    if (change !== undefined) notice.current?.focus();
  }, [change]);
  // Another tab may have changed the decision since.
  const isCurrent = decision?.analyticsConsent === (change === 'allowed');
  return (
    <Section title={t('section.title')} lead={t('section.lead')}>
      {change !== undefined && isCurrent && (
        <div ref={notice} tabIndex={-1} className="p-3 pb-0 outline-none">
          <Notice tone="success">
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
      {decision !== undefined && <ConsentStatus decision={decision} recording={recording} onAnswer={answer} />}
      {decision === undefined && fetchProblem === undefined && <SectionLoading />}
      {decision === undefined && fetchProblem !== undefined && (
        <div className="p-3">
          <RetryNotice error={fetchProblem} onRetry={() => void consent.refetch()} />
        </div>
      )}
    </Section>
  );
};

interface ConsentStatusProps {
  readonly decision: DecisionFragment;
  readonly recording: boolean | undefined;
  readonly onAnswer: (analytics: boolean) => void;
}

const ConsentStatus = ({ decision: { analyticsConsent, anonymousId }, recording, onAnswer }: ConsentStatusProps) => {
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
          <Button variant="secondary" busy={recording === false} onClick={() => onAnswer(false)}>
            {t(analyticsConsent === null ? 'decline' : 'section.withdraw')}
          </Button>
        )}
        {analyticsConsent !== true && (
          <Button variant="secondary" busy={recording === true} onClick={() => onAnswer(true)}>
            {t(analyticsConsent === null ? 'allow' : 'section.allow')}
          </Button>
        )}
      </div>
    </div>
  );
};
