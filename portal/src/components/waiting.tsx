/** Shown while an answer is late. It appears with a delay, so that a quick answer never flickers. */
import { useTranslations } from 'use-intl';

export const Waiting = () => {
  const t = useTranslations('common');
  return (
    <div role="status" className="late grid min-h-[50dvh] place-items-center text-soft">
      <span
        className="size-6 animate-spin rounded-full border-2 border-current border-r-transparent"
        aria-hidden="true"
      />
      <span className="sr-only">{t('loading')}</span>
    </div>
  );
};
