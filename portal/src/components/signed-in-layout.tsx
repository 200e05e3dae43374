/** The frame of the signed-in part: who may be here, and the way out at the top. */
import { useMutation } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { PersonProvider, useSession, useSessionState } from '../session/session-context.tsx';
import { Brand } from './brand.tsx';
import { Button } from './button.tsx';
import { RefusalNotice } from './refusal-notice.tsx';
import { Waiting } from './waiting.tsx';

export const SignedInLayout = () => {
  const state = useSessionState();
  // Between the end of a session and the way to the sign-in page, nothing of the person's stays on the screen.
  if (state.kind !== 'in') return <Waiting />;
  return (
    <PersonProvider value={state.person}>
      <SignedInFrame />
    </PersonProvider>
  );
};

const SignedInFrame = () => {
  const t = useTranslations();
  const session = useSession();
  const signOut = useMutation({ mutationFn: session.signOut });
  return (
    <div className="min-h-dvh">
      <header className="border-b border-line bg-surface">
        <div className="mx-auto flex max-w-3xl items-center justify-between gap-4 px-5 py-3 sm:px-8">
          <Link to="/" className="block rounded-lg">
            <Brand />
          </Link>
          <Button look="quiet" busy={signOut.isPending} onClick={() => signOut.mutate()}>
            {t('home.signOut')}
          </Button>
        </div>
      </header>
      <main className="mx-auto max-w-3xl space-y-8 px-5 pt-8 pb-20 sm:px-8 sm:pt-12">
        {signOut.isError && <RefusalNotice error={signOut.error} />}
        <Outlet />
      </main>
    </div>
  );
};
