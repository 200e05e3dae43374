/** Where a person goes who has signed in, or who opens an entrance page while signed in. */
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { internalPath, isServerPath } from '../internal-path.ts';
import { useSessionState } from '../session/session-context.tsx';

/**
 * Leaves for `redirect`, where it is an internal path, as soon as somebody is signed in, here or in another tab.
 * @returns whether that is under way, so that the page can stay empty
 */
export const useArrival = (redirect: string | undefined): boolean => {
  const router = useRouter();
  const isIn = useSessionState().kind === 'in';
  const { apiOrigin } = router.options.context;
  useEffect(() => {
    if (!isIn) return;
    const target = internalPath(redirect) ?? '/';
    if (isServerPath(target)) window.location.assign(`${apiOrigin}${target}`);
    else router.history.replace(target);
  }, [isIn, redirect, router, apiOrigin]);
  return isIn;
};
