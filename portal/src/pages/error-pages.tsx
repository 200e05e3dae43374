/** Error pages: a page that could not be loaded or rendered, and an unknown address. */
import { useRouter } from '@tanstack/react-router';
import { Suspense, useCallback, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../components/button.tsx';
import { ChunkLoadError, lazyComponent } from '../components/lazy-component.tsx';
import { Reference, useRefusalMessage } from '../components/notice.tsx';
import { DeadEnd, PageHeading, PageLoading } from '../components/page.tsx';
import { PublicPage } from '../layout/public-layout.tsx';
import { isTransient, Refusal } from '../session/refusal.ts';
import { useSession, useSessionState } from '../session/session-context.tsx';

export const FailurePage = ({ error }: { readonly error: unknown }) => {
  const t = useTranslations('failures');
  const common = useTranslations('common');
  const { title, text, reference } = useRefusalMessage()(error);
  const { isRetrying, retry } = useRetry(error);
  return (
    <PublicPage>
      <div className="space-y-6">
        <PageHeading title={title} />
        <p role="alert" className="leading-relaxed text-soft">
          {text} {isTransient(error) && t('stillSignedIn')}
        </p>
        {reference !== undefined && <Reference id={reference} />}
        <Button busy={isRetrying} onClick={retry}>
          {common('tryAgain')}
        </Button>
      </div>
    </PublicPage>
  );
};

const useRetry = (error: unknown) => {
  const router = useRouter();
  const [isRetrying, setRetrying] = useState(false);
  const ask = useCallback(async () => {
    setRetrying(true);
    if (error instanceof ChunkLoadError) await error.retry();
    await router.invalidate();
    setRetrying(false);
  }, [error, router]);
  // Any other error is a defect: reload the page.
  const retry = () => (error instanceof Refusal ? void ask() : window.location.reload());
  useEffect(() => {
    const onOnline = () => void ask();
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, [ask]);
  return { isRetrying, retry };
};

const SignedInLayout = lazyComponent(async () => (await import('../layout/signed-in-layout.tsx')).SignedInLayout);

export const NotFoundPage = () => {
  const session = useSession();
  const state = useSessionState();
  useEffect(() => void session.open(), [session]);
  if (state.status === 'loading' && state.error === undefined) return <PageLoading />;
  if (state.status !== 'signedIn') {
    return (
      <PublicPage>
        <NotFound />
      </PublicPage>
    );
  }
  return (
    <Suspense fallback={<PageLoading />}>
      <SignedInLayout>
        <NotFound />
      </SignedInLayout>
    </Suspense>
  );
};

const NotFound = () => {
  const t = useTranslations('failures.notFound');
  return <DeadEnd title={t('title')} text={t('text')} />;
};
