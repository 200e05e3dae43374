/** Routes of the portal: path, search parameters, component, and who may open it. */
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  notFound,
  redirect,
} from '@tanstack/react-router';
import { lazyComponent } from './components/lazy-component.tsx';
import { PageLoading } from './components/page.tsx';
import { PublicLayout } from './layout/public-layout.tsx';
import type { SessionView } from './pages/console/sessions/sessions.ts';
import type { SignInsView } from './pages/console/sign-ins/sign-ins.ts';
import { FailurePage, NotFoundPage } from './pages/error-pages.tsx';
import { deliberateEndOf } from './session/ends.ts';
import { handoffProblem, type Session } from './session/session.ts';
import {
  extractToken,
  readAccountSearch,
  readCheckoutSearch,
  readListSearch,
  readMemberSearch,
  readPeriodSearch,
  readReauthenticateSearch,
  readRedirectSearch,
  readSignInSearch,
} from './url-parameters.ts';

interface RouterContext {
  readonly session: Session;
  readonly queries: QueryClient;
  readonly apiOrigin: string;
  /** Whether billing is configured. */
  readonly hasBilling: boolean;
  /** URL of Platform MCP, if it is enabled. */
  readonly mcpUrl: string | undefined;
  /** Whether people can sign in with passkeys. */
  readonly hasPasskeys: boolean;
  /** Whether the installation asks for analytics consent. */
  readonly asksConsent: boolean;
  /** Name of the external identity provider, if there is one. */
  readonly providerName: string | undefined;
}

/** Public pages wait this long for the session, then render without it. */
const sessionTimeoutMilliseconds = 400;

const openSessionBriefly = async ({ context }: { readonly context: RouterContext }): Promise<void> => {
  // A failed exchange is retried only on request.
  if (handoffProblem(context.session) !== undefined) return;
  const timeout = new Promise((resolve) => setTimeout(resolve, sessionTimeoutMilliseconds));
  await Promise.race([context.session.open(), timeout]);
};

const rootRoute = createRootRouteWithContext<RouterContext>()({ notFoundComponent: NotFoundPage });

const publicRoute = createRoute({ getParentRoute: () => rootRoute, id: 'public', component: PublicLayout });

const signInRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/signin',
  validateSearch: readSignInSearch,
  beforeLoad: openSessionBriefly,
  component: lazyComponent(async () => (await import('./pages/sign-in/sign-in-page.tsx')).SignInPage),
});

const signUpRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/signup',
  validateSearch: readRedirectSearch,
  beforeLoad: openSessionBriefly,
  component: lazyComponent(async () => (await import('./pages/sign-up/sign-up-page.tsx')).SignUpPage),
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
  component: lazyComponent(async () => (await import('./pages/sign-up/verify-page.tsx')).VerifyPage),
});

const rejectRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/verify/$token/reject',
  params: tokenParams,
  component: lazyComponent(async () => (await import('./pages/sign-up/reject-page.tsx')).RejectPage),
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
  component: lazyComponent(async () => (await import('./pages/invitation/invitation-page.tsx')).InvitationPage),
});

const confirmEmailRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/account/email/$token',
  params: tokenParams,
  beforeLoad: openSessionBriefly,
  component: lazyComponent(async () => (await import('./pages/account/email/confirm-email-page.tsx')).ConfirmEmailPage),
});

const undoEmailRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/account/email/undo/$token',
  params: tokenParams,
  component: lazyComponent(async () => (await import('./pages/account/email/undo-email-page.tsx')).UndoEmailPage),
});

const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  component: lazyComponent(async () => (await import('./layout/signed-in-layout.tsx')).SignedInLayout),
  beforeLoad: async ({ context, location }) => {
    const state = await context.session.open();
    if (state.status === 'loading') throw state.error ?? new Error('The session is not settled.');
    if (state.status === 'signedIn') return;
    // After a deliberate sign-out there is no redirect back.
    const isDeliberate = deliberateEndOf(state) !== undefined;
    throw redirect({ to: '/signin', search: isDeliberate ? {} : { redirect: location.href }, replace: true });
  },
});

const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  component: lazyComponent(async () => (await import('./pages/account/home-page.tsx')).HomePage),
});

const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account',
  validateSearch: readAccountSearch,
  component: lazyComponent(async () => (await import('./pages/account/account-page.tsx')).AccountPage),
});

const securityRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/security',
  validateSearch: readRedirectSearch,
  component: lazyComponent(async () => (await import('./pages/account/security-page.tsx')).SecurityPage),
});

const dataRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/data',
  component: lazyComponent(async () => (await import('./pages/account/data-page.tsx')).DataPage),
});

const reauthenticateRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/reauthenticate',
  validateSearch: readReauthenticateSearch,
  component: lazyComponent(async () => (await import('./step-up/reauthenticate-page.tsx')).ReauthenticatePage),
});

const membersRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/members',
  validateSearch: readMemberSearch,
  component: lazyComponent(async () => (await import('./pages/members/members-page.tsx')).MembersPage),
});

const newOrganizationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/organizations/new',
  component: lazyComponent(
    async () => (await import('./pages/organization/new-organization-page.tsx')).NewOrganizationPage,
  ),
});

const deleteOrganizationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/organization/delete',
  component: lazyComponent(
    async () => (await import('./pages/organization/delete-organization-page.tsx')).DeleteOrganizationPage,
  ),
});

const organizationSecurityRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/organization/security',
  component: lazyComponent(
    async () => (await import('./pages/organization/organization-security-page.tsx')).OrganizationSecurityPage,
  ),
});

const planRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/plan',
  validateSearch: readCheckoutSearch,
  component: lazyComponent(async () => (await import('./pages/plan/plan-page.tsx')).PlanPage),
});

const consoleRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/admin/super',
  component: lazyComponent(async () => (await import('./pages/console/console-layout.tsx')).ConsoleLayout),
});

const overviewRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/',
  validateSearch: readPeriodSearch,
  component: lazyComponent(async () => (await import('./pages/console/overview/overview-page.tsx')).OverviewPage),
});

const signInsRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: 'sign-ins',
  // Parsed by the page: see pages/console/sign-ins/sign-ins.ts.
  validateSearch: (search: Record<string, unknown>): SignInsView => Object.fromEntries(textEntries(search)),
  component: lazyComponent(async () => (await import('./pages/console/sign-ins/sign-ins-page.tsx')).SignInsPage),
});

const directoryPages = async () => (await import('./pages/console/directory-pages.tsx')).directoryPages;

const peopleRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: 'people',
  validateSearch: readListSearch,
  component: lazyComponent(async () => (await directoryPages()).PeoplePage),
});

const personRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: 'people/$userId',
  component: lazyComponent(async () => (await directoryPages()).PersonPage),
});

const organizationsRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: 'organizations',
  validateSearch: readListSearch,
  component: lazyComponent(async () => (await directoryPages()).OrganizationsPage),
});

const organizationRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: 'organizations/$organizationId',
  component: lazyComponent(async () => (await directoryPages()).OrganizationPage),
});

const sessionsRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: 'sessions',
  // Parsed by the page: see pages/console/sessions/sessions.ts.
  validateSearch: (search: Record<string, unknown>): SessionView => Object.fromEntries(textEntries(search)),
  component: lazyComponent(async () => (await import('./pages/console/sessions/sessions-page.tsx')).SessionsPage),
});

const mcpRoute = createRoute({
  getParentRoute: () => consoleRoute,
  path: 'mcp',
  // Parsed by the page: see pages/mcp/view.ts.
  validateSearch: (search: Record<string, unknown>): Record<string, string> => Object.fromEntries(textEntries(search)),
  component: lazyComponent(async () => (await import('./pages/mcp/mcp-page.tsx')).McpPage),
});

const routeTree = rootRoute.addChildren([
  publicRoute.addChildren([
    signInRoute,
    signUpRoute,
    verifyRoute,
    rejectRoute,
    rejectRedirectRoute,
    invitationRoute,
    confirmEmailRoute,
    undoEmailRoute,
  ]),
  signedInRoute.addChildren([
    homeRoute,
    accountRoute,
    securityRoute,
    dataRoute,
    reauthenticateRoute,
    membersRoute,
    newOrganizationRoute,
    deleteOrganizationRoute,
    organizationSecurityRoute,
    planRoute,
    consoleRoute.addChildren([
      overviewRoute,
      signInsRoute,
      peopleRoute,
      personRoute,
      organizationsRoute,
      organizationRoute,
      sessionsRoute,
      mcpRoute,
    ]),
  ]),
]);

export const createPortalRouter = (context: RouterContext) =>
  createRouter({
    routeTree,
    context,
    defaultPreload: 'intent',
    defaultPendingComponent: PageLoading,
    defaultPendingMs: 300,
    defaultErrorComponent: ({ error }: ErrorComponentProps) => <FailurePage error={error} />,
    // Plain strings: the router's default would parse `?redirect=12` as a number.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const text = new URLSearchParams(textEntries(search)).toString();
      return text === '' ? '' : `?${text}`;
    },
  });

const textEntries = (search: Record<string, unknown>): [string, string][] =>
  Object.entries(search).filter((entry): entry is [string, string] => typeof entry[1] === 'string');

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPortalRouter>;
  }

  /** State of a history entry, kept over a reload and never part of the URL. */
  interface HistoryState {
    /** On /signup: the submitted request, shown on the page after the form. */
    readonly requested?: { readonly email: string; readonly verificationRequired: boolean };
    /** On /signin: the e-mail address confirmed just before. */
    readonly confirmedEmail?: string;
  }
}
