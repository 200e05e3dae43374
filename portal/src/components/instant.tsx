/** An instant in a sentence of its own: for machines in the markup, exactly in the title. */
import type { ReactNode } from 'react';
import { formatDate } from '../dates.ts';

interface InstantProps {
  /** As the service writes it. */
  readonly at: string;
  readonly children: ReactNode;
}

export const Instant = ({ at, children }: InstantProps) => (
  <time dateTime={at} title={formatDate(at, { dateStyle: 'long', timeStyle: 'medium' })}>
    {children}
  </time>
);
