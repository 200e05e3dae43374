/** In a section whose content is late: two lines where the first row will stand. */
import { useTranslations } from 'use-intl';

export const SectionWaiting = () => {
  const t = useTranslations('common');
  return (
    <div role="status" className="late space-y-2 px-5 py-5 sm:px-6">
      <span className="sr-only">{t('loading')}</span>
      <span className="block h-3.5 w-40 max-w-full rounded bg-line" />
      <span className="block h-3 w-64 max-w-full rounded bg-line" />
    </div>
  );
};
