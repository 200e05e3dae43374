/** A short label that qualifies the text beside it. */
import type { ReactNode } from 'react';

const variants = {
  accent: 'bg-tint text-accent',
  caution: 'bg-caution-tint text-caution',
  plain: 'border border-line text-soft',
} as const;

interface BadgeProps {
  readonly variant?: keyof typeof variants;
  readonly title?: string | undefined;
  readonly children: ReactNode;
}

export const Badge = ({ variant = 'plain', title, children }: BadgeProps) => (
  <span
    title={title}
    className={`inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-xs font-semibold whitespace-nowrap ${variants[variant]}`}
  >
    {children}
  </span>
);
