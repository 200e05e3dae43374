/** Pages restored from the browser's back/forward cache (bfcache): they keep the state in which they were left. */
import { useEffect } from 'react';

/** Calls `restored` each time the browser shows this document from the bfcache. @returns removes the listener */
export const onPageRestore = (restored: () => void): (() => void) => {
  const onShow = ({ persisted }: PageTransitionEvent) => persisted && restored();
  window.addEventListener('pageshow', onShow);
  return () => window.removeEventListener('pageshow', onShow);
};

/** @param reset clears the pending state of the control that left the page; must be stable between renderings */
export const usePageRestore = (reset: () => void): void => useEffect(() => onPageRestore(reset), [reset]);
