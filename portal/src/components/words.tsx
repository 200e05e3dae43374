/** The words of a page, in addition to those that every page has. They arrive with it, not with everybody's first page. */
import type { ReactNode } from 'react';
import { IntlProvider, useLocale } from 'use-intl';
import { messages } from '../messages/index.ts';

type Words = NonNullable<Parameters<typeof IntlProvider>[0]['messages']>;

/**
 * What {@link PageWords} takes.
 * @param own the page's words by their group
 */
export const withOwnWords = (own: Words): Words => ({ ...messages, ...own });

interface PageWordsProps {
  /** Made once, outside of the component: other words each time would be read anew each time. */
  readonly words: Words;
  readonly children: ReactNode;
}

export const PageWords = ({ words, children }: PageWordsProps) => (
  <IntlProvider locale={useLocale()} messages={words}>
    {children}
  </IntlProvider>
);
