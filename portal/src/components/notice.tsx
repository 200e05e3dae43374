/**
 * Notices: messages about a result, failed requests with their reference id, and failed queries with a retry button.
 */
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { isTransient, isUnanswered, Refusal } from '../session/refusal.ts';
import { useSessionState } from '../session/session-context.tsx';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';

export type Tone = 'info' | 'success' | 'warning' | 'error';

const tones: Readonly<Record<Tone, { readonly variant: string; readonly icon: IconName }>> = {
  info: { variant: 'bg-tint text-ink [&>svg]:text-accent', icon: 'info' },
  success: { variant: 'bg-tint text-ink [&>svg]:text-accent', icon: 'check' },
  warning: { variant: 'bg-caution-tint text-ink [&>svg]:text-caution', icon: 'alert' },
  error: { variant: 'bg-danger-tint text-ink [&>svg]:text-danger', icon: 'alert' },
};

const roles: Readonly<Record<Tone, string | undefined>> = {
  info: 'status',
  success: undefined,
  warning: 'alert',
  error: 'alert',
};

interface NoticeProps {
  readonly tone: Tone;
  readonly title?: string;
  readonly children: ReactNode;
}

export const Notice = ({ tone, title, children }: NoticeProps) => {
  const { variant, icon } = tones[tone];
  return (
    <div
      role={roles[tone]}
      className={`settle flex gap-3 rounded-control px-4 py-3 text-[0.9375rem] leading-relaxed ${variant}`}
    >
      <Icon name={icon} className="mt-0.5 size-5" />
      <div className="min-w-0 flex-1 space-y-2 wrap-anywhere">
        {title !== undefined && <p className="font-semibold">{title}</p>}
        {children}
      </div>
    </div>
  );
};

interface RefusalMessage {
  readonly title: string;
  readonly text: string;
  readonly reference: string | undefined;
}

/** Codes of expected refusals, shown without a reference id because there is no failure to investigate. */
const expectedCodes = [
  'ACCOUNT_SUSPENDED',
  'FORBIDDEN',
  'MEMBERSHIP_REQUIRED',
  'NOT_FOUND',
  'INVITATION_NOT_OPEN',
  'LAST_OWNER',
  'SEATS_EXHAUSTED',
  'REAUTHENTICATION_REQUIRED',
  'SECOND_FACTOR_REQUIRED',
] as const;

export const useRefusalMessage = (): ((error: unknown) => RefusalMessage) => {
  const t = useTranslations('failures');
  return (error) => {
    const refusal = error instanceof Refusal ? error : undefined;
    const reference = refusal?.correlationId;
    const expected = expectedCodes.find((code) => code === refusal?.code);
    if (expected !== undefined)
      return { title: t(`${expected}.title`), text: t(`${expected}.text`), reference: undefined };
    if (isUnanswered(error)) return { title: t('noAnswer.title'), text: t('noAnswer.text'), reference };
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
  /** The current state, when the page itself does not show it. */
  readonly children?: ReactNode;
}

export const RefusalNotice = ({ error, children }: RefusalNoticeProps) => {
  const t = useTranslations('failures');
  const { title, text, reference } = useRefusalMessage()(error);
  const isSignedIn = useSessionState().status === 'signedIn';
  return (
    <Notice tone="error" title={title}>
      <p>
        {text} {isSignedIn && isTransient(error) && t('stillSignedIn')}
      </p>
      {children}
      {reference !== undefined && <Reference id={reference} />}
    </Notice>
  );
};

export interface RetryNoticeProps {
  readonly error: unknown;
  readonly busy?: boolean;
  readonly onRetry: () => void;
}

export const RetryNotice = ({ error, busy = false, onRetry }: RetryNoticeProps) => {
  const t = useTranslations('common');
  return (
    <div className="space-y-3">
      <RefusalNotice error={error} />
      <Button variant="secondary" busy={busy} onClick={onRetry}>
        {t('tryAgain')}
      </Button>
    </div>
  );
};
