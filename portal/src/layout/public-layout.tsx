/** The layout of the pages outside the signed-in part: brand, a narrow column, and a drawing on wide screens. */
import { Link, Outlet } from '@tanstack/react-router';
import { createContext, type ReactNode, use } from 'react';
import mark from '../assets/gatehouse.svg';
import { ApplicationLinks, useApplication } from '../components/application.tsx';

/** Renders only the page when a layout around it exists already. */
export const PublicPage = ({ children }: { readonly children: ReactNode }) =>
  useHasLayout() ? (
    children
  ) : (
    <HasLayoutProvider value={true}>
      <PublicFrame>{children}</PublicFrame>
    </HasLayoutProvider>
  );

const PublicFrame = ({ children }: { readonly children: ReactNode }) => (
  <div className="grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,44%)]">
    <div className="flex min-w-0 flex-col px-5 sm:px-10">
      <header className="py-6 sm:py-8">
        <Link to="/" className="block w-fit rounded-lg">
          <Brand />
        </Link>
      </header>
      <main className="mx-auto flex w-full max-w-[25rem] flex-1 flex-col pt-4 pb-16 sm:justify-center sm:pt-0 sm:pb-28">
        {children}
      </main>
      <ApplicationLinks className="mx-auto w-full max-w-[25rem] pb-6" />
    </div>
    <div className="relative hidden overflow-hidden bg-gate lg:block">
      <GateIllustration />
    </div>
  </div>
);

export const PublicLayout = () => (
  <PublicPage>
    <Outlet />
  </PublicPage>
);

/**
 * The logo alone, or a mark and the name.
 *
 * @param isShort whether there is little room: the name is hidden on a narrow screen, and cut off on others
 */
export const Brand = ({ isShort = false }: { readonly isShort?: boolean }) => {
  const { name, isDefault, logo } = useApplication();
  if (logo !== undefined) {
    return (
      <img
        src={logo}
        alt={name}
        className={`h-8 w-auto object-contain object-left ${isShort ? 'max-w-36' : 'max-w-64'}`}
      />
    );
  }
  return (
    <span className="flex w-fit min-w-0 items-center gap-2.5">
      {isDefault ? <img src={mark} alt="" width="28" height="28" /> : <Initial name={name} />}
      <span
        className={`min-w-0 text-[1.0625rem] leading-snug font-semibold tracking-[-0.015em] ${isShort ? 'max-sm:sr-only sm:max-w-48 sm:truncate' : 'wrap-anywhere'}`}
      >
        {name}
      </span>
    </span>
  );
};

const Initial = ({ name }: { readonly name: string }) => (
  <span
    aria-hidden="true"
    className="grid size-7 shrink-0 place-items-center rounded-[0.4375rem] bg-accent font-semibold text-on-accent"
  >
    {[...name][0]?.toUpperCase()}
  </span>
);

/** Whether a layout with a header surrounds the page, so that an error page needs none of its own. */
const HasLayout = createContext(false);

export const HasLayoutProvider = HasLayout.Provider;

const useHasLayout = (): boolean => use(HasLayout);

// The illustration: a gate of nested arches, decorative.
const centre = 300;
const spring = 430;
const ground = 900;
const opening = 84;
const courses = [
  { inner: 84, outer: 124, stones: 13 },
  { inner: 124, outer: 172, stones: 15 },
  { inner: 172, outer: 230, stones: 17 },
  { inner: 230, outer: 300, stones: 19 },
  { inner: 300, outer: 384, stones: 21 },
];

const number = (value: number): string => value.toFixed(1);

const arch = (radius: number): string =>
  `M${centre - radius} ${ground}V${spring}a${radius} ${radius} 0 0 1 ${radius * 2} 0V${ground}`;

/** Joints between the stones of one course: radial in the arch, horizontal at the sides. */
const joints = ({ inner, outer, stones }: (typeof courses)[number]): string => {
  const overArch = Array.from({ length: stones + 1 }, (_, index) => {
    const angle = Math.PI + (Math.PI * index) / stones;
    const [x, y] = [Math.cos(angle), Math.sin(angle)];
    return `M${number(centre + x * inner)} ${number(spring + y * inner)}L${number(centre + x * outer)} ${number(spring + y * outer)}`;
  });
  const height = (outer - inner) * 1.15;
  const rows = Math.floor((ground - spring) / height);
  const downSides = Array.from({ length: rows }, (_, index) => {
    const y = number(spring + height * (index + 1));
    return `M${centre - outer} ${y}H${centre - inner}M${centre + inner} ${y}H${centre + outer}`;
  });
  return [...overArch, ...downSides].join('');
};

const GateIllustration = () => (
  <svg
    aria-hidden="true"
    className="absolute inset-0 size-full text-gate-light"
    viewBox="0 0 600 900"
    preserveAspectRatio="xMidYMax slice"
    fill="none"
    stroke="currentColor"
  >
    <defs>
      <linearGradient id="gate-light" x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" className="[stop-color:var(--gate-bright)]" stopOpacity="0.95" />
        <stop offset="0.55" className="[stop-color:var(--gate-light)]" stopOpacity="0.55" />
        <stop offset="1" className="[stop-color:var(--gate-light)]" stopOpacity="0.12" />
      </linearGradient>
      <radialGradient id="gate-glow" cx="0.5" cy="0.5" r="0.5">
        <stop offset="0" className="[stop-color:var(--gate-glow)]" stopOpacity="0.34" />
        <stop offset="1" className="[stop-color:var(--gate-glow)]" stopOpacity="0" />
      </radialGradient>
    </defs>
    <circle cx={centre} cy={spring + 40} r="430" fill="url(#gate-glow)" stroke="none" />
    {courses.map((course, index) => (
      <g key={course.outer} opacity={0.5 - index * 0.085} strokeWidth="1">
        <path d={arch(course.outer)} />
        <path d={joints(course)} opacity="0.7" />
      </g>
    ))}
    <path d={`${arch(opening)}Z`} fill="url(#gate-light)" strokeWidth="1.2" />
  </svg>
);
