/** The portal's addresses: which page stands at each, and who may see it. */
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  notFound,
  redirect,
} from '@tanstack/react-router';
import { lazyPart } from './components/lazy-component.tsx';
import { Waiting } from './components/page.tsx';
import type { ConsentParts } from './consent/consent.ts';
import { EntranceLayout } from './layout/public-layout.tsx';
import { FailurePage, NotFoundPage } from './pages/error-pages.tsx';
import type { GovernanceFilter } from './pages/governance/active-sessions.ts';
import type { Session } from './session/session.ts';
import { unfinishedBy } from './session/session-store.ts';
import { pastedToken, readCheckout, readHome, readMemberSearch, readRedirect, readSignIn } from './url-parameters.ts';

interface RouterContext {
  readonly session: Session;
  readonly queries: QueryClient;
  readonly apiOrigin: string;
  /** Whether plans can be bought and changed here. */
  readonly hasBilling: boolean;
  /** Address of Platform MCP, where it is switched on. */
  readonly mcpUrl: string | undefined;
  /** Where visitors are asked about analytics: what their answer is sent with. */
  readonly consent: ConsentParts | undefined;
  /** The outside provider that one can sign in with, where there is one. */
  readonly providerName: string | undefined;
}

/** An entrance page waits this long for the answer to who is signed in, then shows itself without it. */
const entrancePatienceMilliseconds = 400;

const settleBriefly = async ({ context }: { readonly context: RouterContext }): Promise<void> => {
  // The person decides when that is attempted again, or enters another way.
  if (unfinishedBy(context.session.state()) !== undefined) return;
  const patience = new Promise((resolve) => setTimeout(resolve, entrancePatienceMilliseconds));
  await Promise.race([context.session.open(), patience]);
};

const rootRoute = createRootRouteWithContext<RouterContext>()({ notFoundComponent: NotFoundPage });

const entranceRoute = createRoute({ getParentRoute: () => rootRoute, id: 'entrance', component: EntranceLayout });

const signInRoute = createRoute({
  getParentRoute: () => entranceRoute,
  path: '/signin',
  validateSearch: readSignIn,
  beforeLoad: settleBriefly,
  component: lazyPart(async () => (await import('./pages/sign-in/sign-in-page.tsx')).SignInPage),
});

const signUpRoute = createRoute({
  getParentRoute: () => entranceRoute,
  path: '/signup',
  validateSearch: readRedirect,
  beforeLoad: settleBriefly,
  component: lazyPart(async () => (await import('./pages/sign-up/sign-up-page.tsx')).SignUpPage),
});

/** Path parameters of a link: its token without blanks, punctuation or codes that were pasted around it. */
const pastedParams = {
  parse: ({ token }: { readonly token: string }) => ({ token: pastedToken(token) }),
  stringify: ({ token }: { readonly token: string }) => ({ token }),
};

const verifyRoute = createRoute({
  getParentRoute: () => entranceRoute,
  path: '/verify/$token',
  params: pastedParams,
  validateSearch: readRedirect,
  component: lazyPart(async () => (await import('./pages/sign-up/verify-page.tsx')).VerifyPage),
});

const rejectRoute = createRoute({
  getParentRoute: () => entranceRoute,
  path: '/verify/$token/reject',
  params: pastedParams,
  component: lazyPart(async () => (await import('./pages/sign-up/reject-page.tsx')).RejectPage),
});

/** The same link, pasted with more behind it. */
const pastedRejectRoute = createRoute({
  getParentRoute: () => entranceRoute,
  path: '/verify/$token/reject{$rest}',
  beforeLoad: ({ params: { token, rest } }) => {
    if (/^[a-z]/i.test(rest)) throw notFound();
    throw redirect({ to: '/verify/$token/reject', params: { token }, replace: true });
  },
});

const invitationRoute = createRoute({
  getParentRoute: () => entranceRoute,
  path: '/invitation/$token',
  params: pastedParams,
  beforeLoad: settleBriefly,
  component: lazyPart(async () => (await import('./pages/invitation/invitation-page.tsx')).InvitationPage),
});

const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  component: lazyPart(async () => (await import('./layout/signed-in-layout.tsx')).SignedInLayout),
  beforeLoad: async ({ context, location }) => {
    const state = await context.session.open();
    if (state.kind === 'unknown') throw state.problem ?? new Error('The session is not settled.');
    if (state.kind === 'in') return;
    // Who left on purpose is not led back to where they were.
    const leftOnPurpose = state.ending !== undefined && state.ending !== 'ended';
    throw redirect({ to: '/signin', search: leftOnPurpose ? {} : { redirect: location.href }, replace: true });
  },
});

const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  validateSearch: readHome,
  component: lazyPart(async () => (await import('./pages/account/home-page.tsx')).HomePage),
});

const membersRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/members',
  validateSearch: readMemberSearch,
  component: lazyPart(async () => (await import('./pages/members/members-page.tsx')).MembersPage),
});

const newOrganizationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/organizations/new',
  component: lazyPart(async () => (await import('./pages/organization/new-organization-page.tsx')).NewOrganizationPage),
});

const planRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/plan',
  validateSearch: readCheckout,
  component: lazyPart(async () => (await import('./pages/plan/plan-page.tsx')).PlanPage),
});

const governanceRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/admin/super/sessions',
  // The page itself reads what the texts mean: see pages/governance/governance-filter.ts.
  validateSearch: (search: Record<string, unknown>): GovernanceFilter => Object.fromEntries(textEntries(search)),
  component: lazyPart(async () => (await import('./pages/governance/governance-page.tsx')).GovernancePage),
});

const mcpRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/admin/super/mcp',
  // The page itself reads what the texts mean: see pages/mcp/address.ts.
  validateSearch: (search: Record<string, unknown>): Record<string, string> => Object.fromEntries(textEntries(search)),
  component: lazyPart(async () => (await import('./pages/mcp/mcp-page.tsx')).McpPage),
});

const routeTree = rootRoute.addChildren([
  entranceRoute.addChildren([signInRoute, signUpRoute, verifyRoute, rejectRoute, pastedRejectRoute, invitationRoute]),
  signedInRoute.addChildren([homeRoute, membersRoute, newOrganizationRoute, planRoute, governanceRoute, mcpRoute]),
]);

export const createPortalRouter = (context: RouterContext) =>
  createRouter({
    routeTree,
    context,
    defaultPreload: 'intent',
    defaultPendingComponent: Waiting,
    defaultPendingMs: 300,
    defaultErrorComponent: ({ error }: ErrorComponentProps) => <FailurePage error={error} />,
    // Plain text parameters: the router's own way would read `?redirect=12` as a number.
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

  /** Kept by the browser for an entry of this tab's history, also over a reload; never part of an address. */
  interface HistoryState {
    /** On /signup: the account was asked for, and this is what the page then says. */
    readonly askedFor?: { readonly email: string; readonly verificationRequired: boolean };
    /** On /signin: the address that was confirmed a moment ago. */
    readonly confirmedEmail?: string;
  }
}
