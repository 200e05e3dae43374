/** The choice of the language, in the footer of both layouts. What has been typed on the page stays. */
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Icon } from '../components/icon.tsx';
import { useSession } from '../session/session-context.tsx';
import { saveToAccount } from './account-language.ts';
import { chooseFromNowOn } from './catalogue.ts';
import { useShownLanguage } from './language-provider.tsx';
import { labelOf, offeredLanguages } from './languages.ts';

/** A select of the browser: it costs the entrance pages nothing, and phones show it as people know it. */
export const LanguageSwitcher = () => {
  const t = useTranslations('common');
  const session = useSession();
  const { language } = useShownLanguage();
  const [isLoading, setLoading] = useState(false);
  const shownLanguages = offeredLanguages.includes(language) ? offeredLanguages : [...offeredLanguages, language];
  const choose = async (tag: string) => {
    setLoading(true);
    // Without a connection the page stays in its language, which the select shows.
    await chooseFromNowOn(tag).catch(() => undefined);
    // Where it cannot be saved, it holds for this browser until the person signs in again.
    await saveToAccount(session, tag).catch(() => undefined);
    setLoading(false);
  };
  return (
    <label className="relative inline-flex min-h-11 items-center text-soft focus-within:text-ink hover:text-ink">
      <Icon name="globe" className="pointer-events-none absolute start-0 size-4.5" />
      <span className="sr-only">{t('language')}</span>
      <select
        aria-busy={isLoading || undefined}
        value={language}
        onChange={(event) => void choose(event.target.value)}
        className="field-sizing-content min-h-11 max-w-full cursor-pointer appearance-none rounded bg-transparent ps-6.5 text-sm"
      >
        {shownLanguages.map((offered) => (
          <option key={offered} value={offered} lang={offered} className="bg-surface text-ink">
            {labelOf(offered)}
          </option>
        ))}
      </select>
    </label>
  );
};
