/** Where a person goes who has signed in, or who opens an entrance page while signed in. */
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useSessionState } from '../../session/session-context.tsx';
import { isServerPath, landingPath } from '../../url-parameters.ts';

/**
 * Leaves for `redirect`, where it is an internal path, as soon as somebody is signed in, here or in another tab. The
 * page that is left is not one to come back to.
 * @param isHeld whether the page has something to say first
 * @returns whether that is under way, so that the page can stay empty
 */
export const useArrival = (redirect: string | undefined, isHeld = false): boolean => {
  const router = useRouter();
  const isLeaving = useSessionState().kind === 'in' && !isHeld;
  const { apiOrigin } = router.options.context;
  useEffect(() => {
    if (!isLeaving) return;
    const target = landingPath(redirect);
    if (isServerPath(target)) window.location.replace(`${apiOrigin}${target}`);
    else router.history.replace(target);
  }, [isLeaving, redirect, router, apiOrigin]);
  return isLeaving;
};
