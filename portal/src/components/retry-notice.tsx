/** A list or page that could not be fetched: why, and the button that asks again. */
import { useTranslations } from 'use-intl';
import { Button } from './button.tsx';
import { RefusalNotice } from './refusal-notice.tsx';

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
