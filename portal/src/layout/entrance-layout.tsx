/** The frame of every page outside the signed-in part: a narrow column, and the drawing where there is room. */
import { Link, Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Brand } from './brand.tsx';
import { FrameProvider, useIsFramed } from './framed.ts';
import { GateDrawing } from './gate-drawing.tsx';

/** Within a frame, the page alone. */
export const Entrance = ({ children }: { readonly children: ReactNode }) =>
  useIsFramed() ? (
    children
  ) : (
    <FrameProvider value={true}>
      <EntranceFrame>{children}</EntranceFrame>
    </FrameProvider>
  );

const EntranceFrame = ({ children }: { readonly children: ReactNode }) => (
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
    </div>
    <div className="relative hidden overflow-hidden bg-gate lg:block">
      <GateDrawing />
    </div>
  </div>
);

export const EntranceLayout = () => (
  <Entrance>
    <Outlet />
  </Entrance>
);
