/** Any address that the portal does not know. People who are signed in keep the frame with its navigation. */
import { Link } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { buttonClass } from '../components/button.tsx';
import { lazyPart } from '../components/lazy-part.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { Waiting } from '../components/waiting.tsx';
import { Entrance } from '../layout/entrance-layout.tsx';
import { useSession, useSessionState } from '../session/session-context.tsx';

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
