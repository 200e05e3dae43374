/** Redirect after signing in, and away from public pages for people who are signed in. */
import { type RegisteredRouter, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useSessionState } from '../session/session-context.tsx';
import { isRedirectLoop } from './redirect-loop.ts';
import { redirectTarget } from './redirect-target.ts';

/**
 * Replaces the page with the redirect, or with the home page. A path that is no page of the portal, such as an added
 * route, is loaded from the server. The home page ends a loop of redirects.
 */
export const followRedirect = (router: RegisteredRouter, redirect: string | undefined): void => {
  const target = redirectTarget(redirect);
  if (isPage(router, target)) router.history.replace(target);
  else if (isRedirectLoop(target)) router.history.replace('/');
  else window.location.replace(new URL(target, router.options.context.apiOrigin || window.location.origin));
};

const isPage = (router: RegisteredRouter, target: string): boolean => {
  const [, , route] = router.getMatchedRoutes(target.replace(/[?#].*/, ''));
  return target.startsWith('/') && route !== undefined;
};

/**
 * Follows `redirect` once a person is signed in here or in another tab.
 * @param isPaused whether the page has to show a message first
 * @returns whether the redirect is running, so that the page can render nothing
 */
export const useRedirectAfterSignIn = (redirect: string | undefined, isPaused = false): boolean => {
  const router = useRouter();
  const isRedirecting = useSessionState().status === 'signedIn' && !isPaused;
  useEffect(() => {
    if (isRedirecting) followRedirect(router, redirect);
  }, [isRedirecting, redirect, router]);
  return isRedirecting;
};
