/** A page that could not be shown: no connection, a service that is not available, or a defect with its reference. */
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../components/button.tsx';
import { Entrance } from '../components/entrance-layout.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { Reference, useRefusalWords } from '../components/refusal-notice.tsx';
import { isPassing, Refusal } from '../session/refusal.ts';

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
  const tryAgain = async () => {
    // Anything but a refused request is a defect or a page file that a new release has replaced: start afresh.
    if (!(error instanceof Refusal)) return window.location.reload();
    setTrying(true);
    await router.invalidate();
    setTrying(false);
  };
  useEffect(() => {
    const onOnline = () => void router.invalidate();
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, [router]);
  return { isTrying, tryAgain };
};
