/** The language of a React tree: its messages, the form of its dates and numbers, and the direction of its text. */
import { DirectionProvider } from '@base-ui/react/direction-provider';
import { type ReactNode, useSyncExternalStore } from 'react';
import { IntlProvider } from 'use-intl';
import { catalogue } from './catalogue.ts';
import { traitsOf } from './languages.ts';
import type { Shown } from './loaded-messages.ts';

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

export const useShownLanguage = (): Shown => useSyncExternalStore(catalogue().subscribe, catalogue().shown);

export const LanguageProvider = ({ children }: { readonly children: ReactNode }) => {
  const { language, locale, messages } = useShownLanguage();
  return (
    <IntlProvider locale={locale} messages={messages} timeZone={timeZone}>
      <DirectionProvider direction={traitsOf(language).direction}>{children}</DirectionProvider>
    </IntlProvider>
  );
};
