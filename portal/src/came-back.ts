/** Pages that a browser kept whole: who comes back to one may find it as they left it, with what led away still busy. */
import { useEffect } from 'react';

/** @param reset makes ready again what led away; stays the same between renderings */
export const useCameBack = (reset: () => void): void =>
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && reset();
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, [reset]);
