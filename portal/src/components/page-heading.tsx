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
