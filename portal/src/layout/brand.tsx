/** The mark and the name, as they stand at the top of every page. */
import { useTranslations } from 'use-intl';
import mark from '../assets/gatehouse.svg';

/** @param isShort whether the mark stands alone where the page is narrow */
export const Brand = ({ isShort = false }: { readonly isShort?: boolean }) => {
  const t = useTranslations();
  return (
    <span className="flex w-fit items-center gap-2.5">
      <img src={mark} alt="" width="28" height="28" />
      <span className={`text-[1.0625rem] font-semibold tracking-[-0.015em] ${isShort ? 'max-sm:sr-only' : ''}`}>
        {t('brand')}
      </span>
    </span>
  );
};
