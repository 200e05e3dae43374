/** The button that submits a form of a narrow page, with a line below it once the request takes longer than usual. */
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from './button.tsx';

const usualMilliseconds = 4000;

interface SubmitButtonProps {
  readonly busy: boolean;
  readonly children: ReactNode;
}

export const SubmitButton = ({ busy, children }: SubmitButtonProps) => {
  const t = useTranslations('common');
  const isLate = useIsLate(busy);
  return (
    <div className="space-y-2">
      <Button type="submit" className="min-h-12 w-full" busy={busy}>
        {children}
      </Button>
      <p role="status" className={isLate ? 'text-sm text-soft' : 'sr-only'}>
        {isLate && t('takesLonger')}
      </p>
    </div>
  );
};

const useIsLate = (busy: boolean): boolean => {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!busy) return;
    const timer = setTimeout(() => setLate(true), usualMilliseconds);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [busy]);
  return isLate;
};
