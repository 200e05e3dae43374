/** A part of a page: its heading, a sentence about it, what can be done with all of it, and its content on a card. */
import { type ReactNode, useId } from 'react';

interface SectionProps {
  readonly title: string;
  readonly lead?: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

export const Section = ({ title, lead, action, children }: SectionProps) => {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId} className="space-y-3">
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-3">
        <div className="space-y-0.5">
          <h2 id={headingId} className="text-lg font-semibold tracking-[-0.015em]">
            {title}
          </h2>
          {lead !== undefined && <p className="text-soft">{lead}</p>}
        </div>
        {action}
      </div>
      <div className="rounded-card border border-line bg-surface">{children}</div>
    </section>
  );
};
