/** The mark and the name, as they stand at the top of every page. */
import { useTranslations } from 'use-intl';
import mark from '../assets/gatehouse.svg';

export const Brand = () => {
  const t = useTranslations();
  return (
    <span className="flex w-fit items-center gap-2.5">
      <img src={mark} alt="" width="28" height="28" />
      <span className="text-[1.0625rem] font-semibold tracking-[-0.015em]">{t('brand')}</span>
    </span>
  );
};
