/** Error pages: a page that could not be loaded or rendered, and an unknown address. */
import { Link, useRouter } from '@tanstack/react-router';
import { Suspense, useCallback, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button, buttonClass } from '../components/button.tsx';
import { lazyPart, PartMissing } from '../components/lazy-component.tsx';
import { Reference, useRefusalWords } from '../components/notice.tsx';
import { PageHeading, Waiting } from '../components/page.tsx';
import { Entrance } from '../layout/public-layout.tsx';
import { isPassing, Refusal } from '../session/refusal.ts';
import { useSession, useSessionState } from '../session/session-context.tsx';

export const FailurePage = ({ error }: { readonly error: unknown }) => {
  const t = useTranslations();
  const { title, text, reference } = useRefusalWords()(error);
  const { isTrying, tryAgain } = useTryAgain(error);
  return (
    <Entrance>
      <div className="space-y-6">
        <PageHeading title={title} />
        <p role="alert" className="leading-relaxed text-soft">
          {text} {isPassing(error) && t('failures.stillSignedIn')}
        </p>
        {reference !== undefined && <Reference id={reference} />}
        <Button busy={isTrying} onClick={tryAgain}>
          {t('common.tryAgain')}
        </Button>
      </div>
    </Entrance>
  );
};

const useTryAgain = (error: unknown) => {
  const router = useRouter();
  const [isTrying, setTrying] = useState(false);
  const ask = useCallback(async () => {
    setTrying(true);
    if (error instanceof PartMissing) await error.fetchAgain();
    await router.invalidate();
    setTrying(false);
  }, [error, router]);
  // Anything but a refused request is a defect: start afresh.
  const tryAgain = () => (error instanceof Refusal ? void ask() : window.location.reload());
  useEffect(() => {
    const onOnline = () => void ask();
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, [ask]);
  return { isTrying, tryAgain };
};

const SignedInLayout = lazyPart(async () => (await import('../layout/signed-in-layout.tsx')).SignedInLayout);

export const NotFoundPage = () => {
  const session = useSession();
  const state = useSessionState();
  useEffect(() => void session.open(), [session]);
  if (state.kind === 'unknown' && state.problem === undefined) return <Waiting />;
  if (state.kind !== 'in') {
    return (
      <Entrance>
        <NothingHere />
      </Entrance>
    );
  }
  return (
    <Suspense fallback={<Waiting />}>
      <SignedInLayout>
        <NothingHere />
      </SignedInLayout>
    </Suspense>
  );
};

const NothingHere = () => {
  const t = useTranslations();
  return (
    <div className="space-y-6">
      <PageHeading title={t('failures.notFound.title')} />
      <p className="leading-relaxed text-soft">{t('failures.notFound.text')}</p>
      <Link to="/" className={buttonClass('primary')}>
        {t('common.toStart')}
      </Link>
    </div>
  );
};
