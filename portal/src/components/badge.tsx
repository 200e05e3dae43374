/** A short label beside a thing that says something about it. */
import type { ReactNode } from 'react';

const looks = {
  accent: 'bg-tint text-accent',
  caution: 'bg-caution-tint text-caution',
  plain: 'border border-line text-soft',
} as const;

interface BadgeProps {
  readonly look?: keyof typeof looks;
  readonly title?: string | undefined;
  readonly children: ReactNode;
}

export const Badge = ({ look = 'plain', title, children }: BadgeProps) => (
  <span
    title={title}
    className={`inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-xs font-semibold whitespace-nowrap ${looks[look]}`}
  >
    {children}
  </span>
);
