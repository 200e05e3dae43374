/** Parts of every page: its heading, its loading state, and the pages that only report a failure. */
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { useApplication } from './application.tsx';
import { buttonClass } from './button.tsx';
import { RetryNotice, type RetryNoticeProps } from './notice.tsx';

// The first page of a visit leaves the focus where the browser put it.
let hasNavigated = false;

interface PageHeadingProps {
  /** Document title; also the heading unless children are given. */
  readonly title: string;
  readonly children?: ReactNode;
}

/** Browsers break lines after a hyphen; "e-mail" stays on one line. */
const withoutHyphenBreaks = (title: string): ReactNode[] =>
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
  const { name } = useApplication();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${name}`;
    if (hasNavigated) heading.current?.focus();
    hasNavigated = true;
  }, [title, name]);
  return (
    <h1
      ref={heading}
      tabIndex={-1}
      className="text-[1.75rem] leading-tight font-semibold tracking-[-0.025em] text-balance wrap-anywhere outline-none"
    >
      {children ?? withoutHyphenBreaks(title)}
    </h1>
  );
};

/** The heading of a page, and below it what the page is for. */
export const PageHead = ({ lead, ...heading }: PageHeadingProps & { readonly lead: string }) => (
  <div className="space-y-2">
    <PageHeading {...heading} />
    <p className="text-soft">{lead}</p>
  </div>
);

export const PageLoading = () => {
  const t = useTranslations('common');
  return (
    <div role="status" className="late grid min-h-[50dvh] place-items-center text-soft">
      <span
        className="size-6 animate-spin rounded-full border-2 border-current border-e-transparent"
        aria-hidden="true"
      />
      <span className="sr-only">{t('loading')}</span>
    </div>
  );
};

/** A page that leads to the start page only. */
export const DeadEnd = ({ title, text }: { readonly title: string; readonly text: string }) => {
  const t = useTranslations('common');
  return (
    <div className="space-y-6">
      <PageHeading title={title} />
      <p className="leading-relaxed text-soft">{text}</p>
      <Link to="/" className={buttonClass('primary')}>
        {t('toStart')}
      </Link>
    </div>
  );
};

/** A page whose query has failed. */
export const FailedPage = ({ title, ...retry }: RetryNoticeProps & { readonly title: string }) => (
  <div className="space-y-6">
    <PageHeading title={title} />
    <RetryNotice {...retry} />
  </div>
);
