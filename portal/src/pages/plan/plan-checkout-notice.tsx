/** After a visit to the payment provider: what it means for the plan, which changes only once the provider says so. */
import { useTranslations } from 'use-intl';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';

interface CheckoutNoticeProps {
  readonly outcome: 'done' | 'cancelled';
  readonly busy: boolean;
  readonly onLookAgain: () => void;
}

export const CheckoutNotice = ({ outcome, busy, onLookAgain }: CheckoutNoticeProps) => {
  const t = useTranslations('plan.checkout');
  return (
    <Notice tone="news" title={t(`${outcome}.title`)}>
      <p>{t(`${outcome}.text`)}</p>
      {outcome === 'done' && (
        <Button look="quiet" busy={busy} onClick={onLookAgain}>
          {t('lookAgain')}
        </Button>
      )}
    </Notice>
  );
};
