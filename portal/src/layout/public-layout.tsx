/** The layout of the pages outside the signed-in part: brand, a narrow column, and a drawing on wide screens. */
import { Link } from '@tanstack/react-router';
import { createContext, lazy, type ReactNode, Suspense, use } from 'react';
import mark from '../assets/gatehouse.svg';
import { useApplication } from '../components/application.tsx';
import { PageFooter } from './page-footer.tsx';
import { PageOutlet } from './page-outlet.tsx';

/** Decorative, so it comes after the page, and a failed load leaves it out. */
const GateIllustration = lazy(async () => {
  const loaded = await import('./gate-illustration.tsx').catch(() => undefined);
  return { default: loaded?.GateIllustration ?? (() => null) };
});

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
      <main className="mx-auto flex w-full max-w-[25rem] flex-1 flex-col pt-4 pb-10 sm:justify-center sm:pt-0 sm:pb-14">
        {children}
      </main>
      <PageFooter className="mx-auto w-full max-w-[25rem] pb-20" />
    </div>
    <div className="relative hidden overflow-hidden bg-gate lg:block">
      <Suspense>
        <GateIllustration />
      </Suspense>
    </div>
  </div>
);

export const PublicLayout = () => (
  <PublicPage>
    <PageOutlet />
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
        className={`h-8 w-auto object-contain object-left rtl:object-right ${isShort ? 'max-w-36' : 'max-w-64'}`}
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
