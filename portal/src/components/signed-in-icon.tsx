/** Icons of the signed-in part, loaded with it. */
import type { ReactNode } from 'react';
import { SvgIcon } from './icon.tsx';

const shapes = {
  chevrons: <path d="m6.5 8 3.5-3.5L13.5 8M6.5 12l3.5 3.5 3.5-3.5" />,
  down: <path d="m5.5 8 4.5 4.5L14.5 8" />,
  plus: <path d="M10 4.5v11M4.5 10h11" />,
  dots: (
    <>
      <circle cx="4.5" cy="10" r="0.6" />
      <circle cx="10" cy="10" r="0.6" />
      <circle cx="15.5" cy="10" r="0.6" />
    </>
  ),
  laptop: (
    <>
      <rect x="4" y="4.5" width="12" height="8.5" rx="1.4" />
      <path d="M2.2 15.8h15.6" />
    </>
  ),
  phone: (
    <>
      <rect x="6" y="2.8" width="8" height="14.4" rx="1.8" />
      <path d="M9.2 14.6h1.6" />
    </>
  ),
  lock: (
    <>
      <rect x="4.5" y="9" width="11" height="7.8" rx="1.8" />
      <path d="M7 9V6.4a3 3 0 0 1 6 0V9" />
    </>
  ),
  terminal: (
    <>
      <rect x="2.8" y="4" width="14.4" height="12" rx="1.8" />
      <path d="m6 8 2.2 2L6 12M10.5 12.4h3.5" />
    </>
  ),
} satisfies Record<string, ReactNode>;

export type SignedInIconName = keyof typeof shapes;

interface SignedInIconProps {
  readonly name: SignedInIconName;
  readonly className?: string | undefined;
}

export const SignedInIcon = ({ name, className }: SignedInIconProps) => (
  <SvgIcon className={className}>{shapes[name]}</SvgIcon>
);
