/** A page's heading. It names the document and, after a navigation, takes the focus so that reading starts there. */
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';

// The first page of a visit leaves the focus where the browser put it.
let hasArrived = false;

interface PageHeadingProps {
  /** Names the document; also the heading unless other words are given for it. */
  readonly title: string;
  readonly children?: ReactNode;
}

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
      {children ?? title}
    </h1>
  );
};
