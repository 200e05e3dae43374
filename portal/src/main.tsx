/** Starts the portal: reads the settings that the server put into the page, builds the parts, and renders. */
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApplicationProvider, readApplication } from './components/application.tsx';
import { MailboxProvider } from './components/links/mailbox-link.tsx';
import { followAccountLanguage } from './languages/account-language.ts';
import { catalogue } from './languages/catalogue.ts';
import { entryMessages } from './languages/entry-messages.ts';
import { LanguageProvider } from './languages/language-provider.tsx';
import { WrongAddress } from './layout/wrong-address.tsx';
import { createPortalRouter } from './router.tsx';
import { publicRoute } from './routes/parents.tsx';
import { readHandoffMarker } from './session/handoff.ts';
import { isTransient } from './session/refusal.ts';
import { createSession, type Session } from './session/session.ts';
import { clearQueriesWithSession, SessionProvider } from './session/session-context.tsx';
import { originsOfPage } from './url-parameters.ts';
import './styles.css';

interface PageSettings {
  /** Origin of the API; empty when it is the portal's own. */
  readonly apiOrigin: string;
  /** URL of the development mailbox, if there is one. */
  readonly mailbox: string | undefined;
  /** Whether billing is configured: the server has a key of the payment provider. */
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

const readPageSettings = (page: Document): PageSettings => {
  const apiOrigin = content(page, 'gatehouse-api').replace(/\/+$/, '');
  const mailbox = content(page, 'gatehouse-mailbox');
  return {
    apiOrigin,
    mailbox: mailbox === '' ? undefined : new URL(mailbox, apiOrigin || page.baseURI).href,
    hasBilling: content(page, 'gatehouse-billing') !== '',
    mcpUrl: content(page, 'gatehouse-mcp') || undefined,
    hasPasskeys: content(page, 'gatehouse-passkeys') !== '',
    hasMachineTokens: content(page, 'gatehouse-machine-tokens') !== '',
    hasOrganizationMcp: content(page, 'gatehouse-organization-mcp') !== '',
    asksConsent: content(page, 'gatehouse-consent') === 'ask',
    providerName: content(page, 'gatehouse-provider') || undefined,
  };
};

const content = (page: Document, name: string): string =>
  page.querySelector(`meta[name="${name}"]`)?.getAttribute('content')?.trim() ?? '';

const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // Offline requests fail at once with an error, instead of pausing until the connection returns.
        networkMode: 'always',
        refetchOnReconnect: true,
        retry: (failures, error) => failures < 2 && isTransient(error),
      },
      mutations: { networkMode: 'always' },
    },
  });

/** Loads the consent banner after the first page has rendered. A failed load is ignored. */
const loadConsentBanner = (router: ReturnType<typeof createPortalRouter>, session: Session): void => {
  const unsubscribe = router.subscribe('onRendered', () => {
    unsubscribe();
    void import('./consent/consent-banner.tsx').then(
      ({ showConsent }) => showConsent(session),
      () => undefined,
    );
  });
};

/** Replaces the static shell after the first route, or its error page, has rendered. */
const createDetachedRoot = (shell: HTMLElement, router: ReturnType<typeof createPortalRouter>): HTMLElement => {
  const root = document.createElement('div');
  root.id = shell.id;
  const unsubscribe = router.subscribe('onRendered', () => {
    unsubscribe();
    shell.replaceWith(root);
  });
  return root;
};

/**
 * Loads the first page at once, and again when the URL changes before the router watches it, as the end of an external
 * sign-in does (session/handoff.ts).
 *
 * @returns a function that waits until no page is loading. The router is rendered after it: Preact renders a match that
 *   waits again and again in microtasks, and one that changes before its effects have run waits for ever.
 */
const loadFirstPage = (router: ReturnType<typeof createPortalRouter>): (() => Promise<void>) => {
  const { history } = router;
  let loading = router.load();
  const unwatch = history.subscribe(() => {
    if (history.subscribers.size === 1) loading = router.load();
  });
  const unsubscribe = router.subscribe('onRendered', () => {
    unsubscribe();
    unwatch();
  });
  const settled = async (): Promise<void> => {
    const seen = loading;
    await Promise.allSettled([seen]);
    if (seen !== loading) await settled();
  };
  return settled;
};

/**
 * Loads the code of a public page while its session opens. That of a signed-in page is loaded once there is a session:
 * without one, the sign-in page is shown in its place.
 */
const loadPublicPage = (router: ReturnType<typeof createPortalRouter>): void => {
  const [matchedRoutes] = router.getMatchedRoutes(router.latestLocation.pathname);
  if (!matchedRoutes.some(({ id }) => id === publicRoute.id)) return;
  for (const route of matchedRoutes) void router.loadRouteChunk(route);
};

const start = async (shell: HTMLElement): Promise<void> => {
  const messages = entryMessages();
  const { mailbox, ...settings } = readPageSettings(document);
  const application = readApplication(content(document, 'gatehouse-application'));
  const session = createSession({
    baseUrl: settings.apiOrigin || window.location.origin,
    language: () => catalogue().shown().language,
    marker: readHandoffMarker(window),
  });
  const queries = createQueryClient();
  const router = createPortalRouter({ session, queries, ...settings });
  if (settings.asksConsent) loadConsentBanner(router, session);
  followAccountLanguage(session);
  clearQueriesWithSession(session, queries, () => void router.invalidate());
  // The first page is fetched while its messages are.
  loadPublicPage(router);
  const firstPage = loadFirstPage(router);
  await messages;
  await firstPage();
  createRoot(createDetachedRoot(shell, router)).render(
    <StrictMode>
      <LanguageProvider>
        <CSPProvider disableStyleElements>
          <QueryClientProvider client={queries}>
            <SessionProvider value={session}>
              <MailboxProvider value={mailbox}>
                <ApplicationProvider value={application}>
                  <WrongAddress portalOrigin={originsOfPage()[0] ?? ''} />
                  <RouterProvider router={router} />
                </ApplicationProvider>
              </MailboxProvider>
            </SessionProvider>
          </QueryClientProvider>
        </CSPProvider>
      </LanguageProvider>
    </StrictMode>,
  );
};

const shell = document.getElementById('portal');
if (shell !== null) void start(shell);
