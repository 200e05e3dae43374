/** A page that could not be shown: no connection, a service that is not available, or a defect with its reference. */
import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../components/button.tsx';
import { PartMissing } from '../components/lazy-part.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { Reference, useRefusalWords } from '../components/refusal-notice.tsx';
import { Entrance } from '../layout/entrance-layout.tsx';
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
