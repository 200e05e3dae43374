/** Words for how a person tried to sign in, and why an attempt was refused. */
import { useTranslations } from 'use-intl';
import { useProviderName } from '../../../components/links/provider-link.tsx';
import type { Messages } from '../../../languages/messages.ts';

export const success = 'success';

const methods = ['password', 'passkey', 'invitation'] as const;

export const useMethodLabel = (): ((method: string) => string) => {
  const t = useTranslations('recentSignIns');
  const provider = useProviderName();
  return (method) => {
    if (method === 'google') return provider === undefined ? t('methods.other') : t('methods.google', { provider });
    const known = methods.find((name) => name === method);
    return t(`methods.${known ?? 'other'}`);
  };
};

type Reason = keyof Messages['recentSignIns']['reasons'];

const reasons = {
  INVALID_CREDENTIALS: true,
  SECOND_FACTOR_REQUIRED: true,
  CHALLENGE_REFUSED: true,
  EXCHANGE_REFUSED: true,
  EMAIL_NOT_VERIFIED: true,
  ACCOUNT_SUSPENDED: true,
  ACCOUNT_MISMATCH: true,
  ACCOUNT_EXISTS: true,
  ACCOUNT_HAS_OTHER_IDENTITY: true,
  INVITATION_NOT_OPEN: true,
  other: true,
} as const satisfies Readonly<Record<Reason, true>>;

const isReason = (code: string): code is Reason => Object.hasOwn(reasons, code);

/** Why an attempt was refused, by the code of its outcome. */
export const useReasonLabel = (): ((code: string) => string) => {
  const t = useTranslations('recentSignIns.reasons');
  return (code) => t(isReason(code) ? code : 'other');
};
