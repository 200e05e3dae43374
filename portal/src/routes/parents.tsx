/**
 * The routes that all others are below: the root, the public layout and the signed-in part; and what every route is
 * given.
 */
import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router';
import { lazyComponent } from '../components/lazy-component.tsx';
import { PageOutlet } from '../layout/page-outlet.tsx';
import { PublicLayout } from '../layout/public-layout.tsx';
import { NotFoundPage } from '../pages/error-pages.tsx';
import { handoffProblem, type Session } from '../session/session.ts';
import { deliberateEndOf } from '../session/sign-out.ts';

export interface RouterContext {
  readonly session: Session;
  readonly queries: QueryClient;
  readonly apiOrigin: string;
  /** Whether billing is configured. */
  readonly hasBilling: boolean;
  /** URL of Platform MCP, if it is enabled. */
  readonly mcpUrl: string | undefined;
  /** Whether people can sign in with passkeys. */
  readonly hasPasskeys: boolean;
  /** Whether there are personal tokens and service accounts. */
  readonly hasMachineTokens: boolean;
  /** Whether MCP clients can connect to an organization. */
  readonly hasOrganizationMcp: boolean;
  /** Whether the installation asks for analytics consent. */
  readonly asksConsent: boolean;
  /** Name of the external identity provider, if there is one. */
  readonly providerName: string | undefined;
}

/** Public pages wait this long for the session, then render without it. */
const sessionTimeoutMilliseconds = 400;

interface Arrival {
  readonly context: RouterContext;
  /** The cause for which the router loads the page: `stay` where only its search parameters change. */
  readonly cause: 'enter' | 'stay' | 'preload';
}

export const openSessionBriefly = async ({ context, cause }: Arrival): Promise<void> => {
  // A page that is shown knows the session. The refusal that an exchange puts into the URL must arrive before the
  // session does: the page of a signed-in person without one is left for the home page.
  if (cause === 'stay') return;
  // A failed exchange is retried only on request.
  if (handoffProblem(context.session) !== undefined) return;
  const timeout = new Promise((resolve) => setTimeout(resolve, sessionTimeoutMilliseconds));
  await Promise.race([context.session.open(), timeout]);
};

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: PageOutlet,
  notFoundComponent: NotFoundPage,
});

export const publicRoute = createRoute({ getParentRoute: () => rootRoute, id: 'public', component: PublicLayout });

export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  component: lazyComponent(async () => (await import('../layout/signed-in-layout.tsx')).SignedInLayout),
  beforeLoad: async ({ context, location }) => {
    const state = await context.session.open();
    if (state.status === 'loading') throw state.error ?? new Error('The session is not settled.');
    if (state.status === 'signedIn') return;
    // After a deliberate sign-out there is no redirect back.
    const isDeliberate = deliberateEndOf(state) !== undefined;
    throw redirect({ to: '/signin', search: isDeliberate ? {} : { redirect: location.href }, replace: true });
  },
});
