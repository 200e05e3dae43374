/** A failed request in the words of the page: what it means for the person, and the reference for those who help. */
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { isPassing, Refusal } from '../session/refusal.ts';
import { useSessionState } from '../session/session-context.tsx';
import { Notice } from './notice.tsx';

export interface RefusalWords {
  readonly title: string;
  readonly text: string;
  readonly reference: string | undefined;
}

/** Refusals by the rules, which the person can understand and nobody has to look into. */
const decisions = ['FORBIDDEN', 'MEMBERSHIP_REQUIRED', 'NOT_FOUND', 'INVITATION_NOT_OPEN', 'LAST_OWNER'] as const;

export const useRefusalWords = (): ((error: unknown) => RefusalWords) => {
  const t = useTranslations('failures');
  return (error) => {
    const refusal = error instanceof Refusal ? error : undefined;
    const reference = refusal?.correlationId;
    const decision = decisions.find((code) => code === refusal?.code);
    if (decision !== undefined)
      return { title: t(`${decision}.title`), text: t(`${decision}.text`), reference: undefined };
    switch (refusal?.code) {
      case 'OFFLINE':
        return { title: t('OFFLINE.title'), text: t('OFFLINE.text'), reference };
      case 'UNAVAILABLE':
      case 'REFRESH_SUPERSEDED':
        return { title: t('UNAVAILABLE.title'), text: t('UNAVAILABLE.text'), reference };
      case 'RATE_LIMITED':
        return {
          title: t('RATE_LIMITED.title'),
          text: t('RATE_LIMITED.text', { seconds: refusal?.retryAfterSeconds ?? 0 }),
          reference,
        };
      default:
        return { title: t('failed.title'), text: t('failed.text'), reference };
    }
  };
};

export const Reference = ({ id }: { readonly id: string }) => {
  const t = useTranslations('common');
  return (
    <p className="text-sm text-soft">
      {t('reference')}: <code className="font-mono text-ink select-all">{id}</code>
    </p>
  );
};

interface RefusalNoticeProps {
  readonly error: unknown;
  /** How things are now, where the page itself does not show it. */
  readonly children?: ReactNode;
}

export const RefusalNotice = ({ error, children }: RefusalNoticeProps) => {
  const t = useTranslations('failures');
  const { title, text, reference } = useRefusalWords()(error);
  const isIn = useSessionState().kind === 'in';
  return (
    <Notice tone="problem" title={title}>
      <p>
        {text} {isIn && isPassing(error) && t('stillSignedIn')}
      </p>
      {children}
      {reference !== undefined && <Reference id={reference} />}
    </Notice>
  );
};
