/** Notices: messages about a result, failed requests with their reference id, and failed queries with a retry button. */
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { isPassing, Refusal } from '../session/refusal.ts';
import { useSessionState } from '../session/session-context.tsx';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';

export type Tone = 'news' | 'done' | 'caution' | 'problem';

const tones: Readonly<Record<Tone, { readonly look: string; readonly icon: IconName }>> = {
  news: { look: 'bg-tint text-ink [&>svg]:text-accent', icon: 'info' },
  done: { look: 'bg-tint text-ink [&>svg]:text-accent', icon: 'check' },
  caution: { look: 'bg-caution-tint text-ink [&>svg]:text-caution', icon: 'alert' },
  problem: { look: 'bg-danger-tint text-ink [&>svg]:text-danger', icon: 'alert' },
};

const roles: Readonly<Record<Tone, string | undefined>> = {
  news: 'status',
  done: undefined,
  caution: 'alert',
  problem: 'alert',
};

interface NoticeProps {
  readonly tone: Tone;
  readonly title?: string;
  readonly children: ReactNode;
}

export const Notice = ({ tone, title, children }: NoticeProps) => {
  const { look, icon } = tones[tone];
  return (
    <div
      role={roles[tone]}
      className={`settle flex gap-3 rounded-control px-4 py-3 text-[0.9375rem] leading-relaxed ${look}`}
    >
      <Icon name={icon} className="mt-0.5 size-5" />
      <div className="min-w-0 flex-1 space-y-2 break-words">
        {title !== undefined && <p className="font-semibold">{title}</p>}
        {children}
      </div>
    </div>
  );
};

interface RefusalWords {
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

interface RetryNoticeProps {
  readonly error: unknown;
  readonly busy?: boolean;
  readonly onRetry: () => void;
}

export const RetryNotice = ({ error, busy = false, onRetry }: RetryNoticeProps) => {
  const t = useTranslations('common');
  return (
    <div className="space-y-3">
      <RefusalNotice error={error} />
      <Button look="quiet" busy={busy} onClick={onRetry}>
        {t('tryAgain')}
      </Button>
    </div>
  );
};
