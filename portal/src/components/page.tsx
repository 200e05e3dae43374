/** Parts of every page: its heading, its loading state, and the messages that are loaded with it. */
import { type ReactNode, useEffect, useRef } from 'react';
import { IntlProvider, useLocale, useTranslations } from 'use-intl';
import { messages } from '../messages/index.ts';

// The first page of a visit leaves the focus where the browser put it.
let hasArrived = false;

interface PageHeadingProps {
  /** Names the document; also the heading unless other words are given for it. */
  readonly title: string;
  readonly children?: ReactNode;
}

/** A line never ends inside "e-mail": browsers break after its hyphen. */
const unbroken = (title: string): ReactNode[] =>
  title.split(/(\S+-\S+)/).map((part, position) =>
    position % 2 === 0 ? (
      part
    ) : (
      <span key={part} className="whitespace-nowrap">
        {part}
      </span>
    ),
  );

export const PageHeading = ({ title, children }: PageHeadingProps) => {
  const t = useTranslations();
  const brand = t('brand');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${brand}`;
    if (hasArrived) heading.current?.focus();
    hasArrived = true;
  }, [title, brand]);
  return (
    <h1
      ref={heading}
      tabIndex={-1}
      className="text-[1.75rem] leading-tight font-semibold tracking-[-0.025em] text-balance break-words outline-none"
    >
      {children ?? unbroken(title)}
    </h1>
  );
};

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
