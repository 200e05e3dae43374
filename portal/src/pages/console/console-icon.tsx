/** Icons of the console, loaded with it. */
import type { ReactNode } from 'react';
import { SvgIcon } from '../../components/icon.tsx';

const shapes = {
  search: (
    <>
      <circle cx="9" cy="9" r="5" />
      <path d="m12.8 12.8 3.7 3.7" />
    </>
  ),
  chart: <path d="M3.5 16.5h13M5.5 16.5v-5M10 16.5v-11M14.5 16.5v-8" />,
  door: (
    <>
      <path d="M9 3.5h6.5v13H9" />
      <path d="M3.5 10h8M8.8 7.2 11.6 10l-2.8 2.8" />
    </>
  ),
  person: (
    <>
      <circle cx="10" cy="6.8" r="3" />
      <path d="M4 16.5c.6-3.2 3-5 6-5s5.4 1.8 6 5" />
    </>
  ),
  building: (
    <>
      <path d="M4.5 16.5v-12h7v12M11.5 9h4v7.5M2.8 16.5h14.4" />
      <path d="M7 7.5h2M7 10.5h2M7 13.5h2" />
    </>
  ),
  devices: (
    <>
      <rect x="2.8" y="4" width="11" height="8" rx="1.3" />
      <rect x="12.5" y="8.5" width="4.7" height="8" rx="1.2" />
      <path d="M5.5 15.5h4" />
    </>
  ),
  plug: <path d="M7.2 3v4M12.8 3v4M5.3 7h9.4v2.5a4.7 4.7 0 0 1-9.4 0ZM10 14.2V17" />,
} satisfies Record<string, ReactNode>;

export type ConsoleIconName = keyof typeof shapes;

interface ConsoleIconProps {
  readonly name: ConsoleIconName;
  readonly className?: string;
}

export const ConsoleIcon = ({ name, className }: ConsoleIconProps) => (
  <SvgIcon className={className}>{shapes[name]}</SvgIcon>
);
