/** A section of a page: heading, lead, content on a card, optional footer; and its loading state. */
import { type ReactNode, useId } from 'react';
import { useTranslations } from 'use-intl';

interface CardProps {
  readonly footer?: ReactNode;
  readonly children: ReactNode;
}

interface SectionProps extends CardProps {
  readonly title: string;
  readonly lead?: string | undefined;
}

export const Section = ({ title, lead, footer, children }: SectionProps) => {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId} className="space-y-3">
      <div className="space-y-0.5">
        <h2 id={headingId} className="text-lg font-semibold tracking-[-0.015em]">
          {title}
        </h2>
        {lead !== undefined && <p className="text-soft">{lead}</p>}
      </div>
      <Card footer={footer}>{children}</Card>
    </section>
  );
};

export const Card = ({ footer, children }: CardProps) => (
  <div className="rounded-card border border-line bg-surface">
    {children}
    {footer !== undefined && (
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 border-t border-line px-5 py-4 sm:px-6">
        {footer}
      </div>
    )}
  </div>
);

export const SectionLoading = () => {
  const t = useTranslations('common');
  return (
    <div role="status" className="late space-y-2 px-5 py-5 sm:px-6">
      <span className="sr-only">{t('loading')}</span>
      <span className="block h-3.5 w-40 max-w-full rounded bg-line" />
      <span className="block h-3 w-64 max-w-full rounded bg-line" />
    </div>
  );
};
