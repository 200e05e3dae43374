/** Redirect after signing in, and away from public pages for people who are signed in. */
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useSessionState } from '../../session/session-context.tsx';
import { isServerPath, redirectTarget } from '../../url-parameters.ts';

/**
 * Replaces the page with `redirect`, if that is an internal path, once a person is signed in here or in another tab.
 * @param isPaused whether the page has to show a message first
 * @returns whether the redirect is running, so that the page can render nothing
 */
export const useRedirectAfterSignIn = (redirect: string | undefined, isPaused = false): boolean => {
  const router = useRouter();
  const isRedirecting = useSessionState().kind === 'in' && !isPaused;
  const { apiOrigin } = router.options.context;
  useEffect(() => {
    if (!isRedirecting) return;
    const target = redirectTarget(redirect);
    if (isServerPath(target)) window.location.replace(`${apiOrigin}${target}`);
    else router.history.replace(target);
  }, [isRedirecting, redirect, router, apiOrigin]);
  return isRedirecting;
};
