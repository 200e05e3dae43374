/** Routes of the pages outside the signed-in part. */
import { createRoute, notFound, redirect } from '@tanstack/react-router';
import { lazyComponent } from '../components/lazy-component.tsx';
import { extractToken, readRedirectSearch, readSignInSearch } from '../url-parameters.ts';
import { openSessionBriefly, publicRoute } from './parents.tsx';

const signInRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/signin',
  validateSearch: readSignInSearch,
  beforeLoad: openSessionBriefly,
  component: lazyComponent(async () => (await import('../pages/sign-in/sign-in-page.tsx')).SignInPage),
});

const signUpRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/signup',
  validateSearch: readRedirectSearch,
  beforeLoad: openSessionBriefly,
  component: lazyComponent(async () => (await import('../pages/sign-up/sign-up-page.tsx')).SignUpPage),
});

/** Path parameters of a pasted link: whitespace, punctuation and markup around the token are removed. */
const tokenParams = {
  parse: ({ token }: { readonly token: string }) => ({ token: extractToken(token) }),
  stringify: ({ token }: { readonly token: string }) => ({ token }),
};

const verifyRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/verify/$token',
  params: tokenParams,
  validateSearch: readRedirectSearch,
  component: lazyComponent(async () => (await import('../pages/sign-up/verify-page.tsx')).VerifyPage),
});

const rejectRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/verify/$token/reject',
  params: tokenParams,
  component: lazyComponent(async () => (await import('../pages/sign-up/reject-page.tsx')).RejectPage),
});

/** The same link, pasted with text after it. */
const rejectRedirectRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/verify/$token/reject{$rest}',
  beforeLoad: ({ params: { token, rest } }) => {
    if (/^[a-z]/i.test(rest)) throw notFound();
    throw redirect({ to: '/verify/$token/reject', params: { token }, replace: true });
  },
});

const invitationRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/invitation/$token',
  params: tokenParams,
  validateSearch: readRedirectSearch,
  beforeLoad: openSessionBriefly,
  component: lazyComponent(async () => (await import('../pages/invitation/invitation-page.tsx')).InvitationPage),
});

const confirmEmailRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/account/email/$token',
  params: tokenParams,
  beforeLoad: openSessionBriefly,
  component: lazyComponent(
    async () => (await import('../pages/account/email/confirm-email-page.tsx')).ConfirmEmailPage,
  ),
});

const undoEmailRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/account/email/undo/$token',
  params: tokenParams,
  component: lazyComponent(async () => (await import('../pages/account/email/undo-email-page.tsx')).UndoEmailPage),
});

export const publicRoutes = publicRoute.addChildren([
  signInRoute,
  signUpRoute,
  verifyRoute,
  rejectRoute,
  rejectRedirectRoute,
  invitationRoute,
  confirmEmailRoute,
  undoEmailRoute,
]);
