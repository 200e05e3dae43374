/** Why the payment provider could not be opened. Stands beside the button that was pressed for it. */
import { useTranslations } from 'use-intl';
import { Notice } from '../../components/notice.tsx';
import { RefusalNotice } from '../../components/refusal-notice.tsx';
import { hasCode } from '../../session/refusal.ts';

export const LeavingProblem = ({ error }: { readonly error: unknown }) => {
  const t = useTranslations('plan.change');
  // What is refused about the plan itself is no failure of the service.
  if (!hasCode(error, 'BAD_USER_INPUT') && !hasCode(error, 'NOT_FOUND')) return <RefusalNotice error={error} />;
  return (
    <Notice tone="caution">
      <p>{error.code === 'NOT_FOUND' ? t('nothingPaid') : (error.fields['product'] ?? t('notForSale'))}</p>
    </Notice>
  );
};
