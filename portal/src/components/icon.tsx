/**
 * Icons on a 20-unit grid, decorative and hidden from assistive technology. Icons of the signed-in part alone are in
 * signed-in-icon.tsx, so that the first page does not load them.
 */
import type { ReactNode } from 'react';

const shapes = {
  check: <path d="m4.5 10.5 3.6 3.6 7.4-8" />,
  cross: <path d="m5.5 5.5 9 9m0-9-9 9" />,
  circle: <circle cx="10" cy="10" r="2.6" />,
  alert: (
    <>
      <path d="M10 3.2 2.8 15.8h14.4Z" />
      <path d="M10 8.4v3.4M10 13.7v.1" />
    </>
  ),
  info: (
    <>
      <circle cx="10" cy="10" r="7.2" />
      <path d="M10 9.2v4.2M10 6.5v.1" />
    </>
  ),
  eye: (
    <>
      <path d="M2 10s2.9-5 8-5 8 5 8 5-2.9 5-8 5-8-5-8-5Z" />
      <circle cx="10" cy="10" r="2.3" />
    </>
  ),
  'eye-off': (
    <>
      <path d="M8.2 5.2A8 8 0 0 1 10 5c5.1 0 8 5 8 5a13 13 0 0 1-2.3 2.8M5.3 6.6A12.5 12.5 0 0 0 2 10s2.9 5 8 5a8 8 0 0 0 3.6-.9" />
      <path d="M8.3 8.4a2.3 2.3 0 0 0 3.2 3.3M3.5 3.5l13 13" />
    </>
  ),
  key: (
    <>
      <circle cx="6.8" cy="10" r="3.6" />
      <path d="M10.4 10h7.2v3M14 10v2.4" />
    </>
  ),
  globe: (
    <>
      <circle cx="10" cy="10" r="7.2" />
      <path d="M2.8 10h14.4M10 2.8c-4.4 4.6-4.4 9.8 0 14.4M10 2.8c4.4 4.6 4.4 9.8 0 14.4" />
    </>
  ),
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof shapes;

interface IconProps {
  readonly name: IconName;
  readonly className?: string | undefined;
}

export const Icon = ({ name, className }: IconProps) => <SvgIcon className={className}>{shapes[name]}</SvgIcon>;

interface SvgIconProps {
  readonly className: string | undefined;
  readonly children: ReactNode;
}

/** The SVG element and stroke shared by all icons. */
export const SvgIcon = ({ className = 'size-5', children }: SvgIconProps) => (
  <svg
    aria-hidden="true"
    className={`shrink-0 ${className}`}
    viewBox="0 0 20 20"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.6"
    strokeLinecap="round"
    strokeLinejoin="round"
  >
    {children}
  </svg>
);
