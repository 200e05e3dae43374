/** Messages of one page of the signed-in part, loaded with it because they are many. */
import type { ReactNode } from 'react';
import { IntlProvider, useLocale, useMessages } from 'use-intl';

interface OwnMessagesProps {
  /** By namespace, in addition to those of the layout. */
  readonly own: Parameters<typeof IntlProvider>[0]['messages'];
  readonly children: ReactNode;
}

export const OwnMessages = ({ own, children }: OwnMessagesProps) => (
  <IntlProvider locale={useLocale()} messages={{ ...useMessages(), ...own }}>
    {children}
  </IntlProvider>
);
