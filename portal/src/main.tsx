/** Starts the portal: reads the settings that the server put into the page, builds the parts, and renders. */
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { IntlProvider } from 'use-intl';
import { MailboxProvider } from './components/mailbox-link.tsx';
import type { ConsentParts } from './consent/consent.ts';
import { messages } from './messages/index.ts';
import { onPageRestore } from './page-restore.ts';
import { createPortalRouter } from './router.tsx';
import { readHandoff } from './session/handoff.ts';
import { isPassing, Refusal } from './session/refusal.ts';
import { createSession, type Session } from './session/session.ts';
import { followSession, SessionProvider } from './session/session-context.tsx';
import { exclusivelyAcrossTabs, exclusivelyInThisTab, openSessionChannel } from './session/tabs.ts';
import { createTransport } from './session/transport.ts';
import './styles.css';

interface PageSettings {
  /** The API's origin, empty when it is the portal's own. */
  readonly apiOrigin: string;
  /** Address of the development mailbox, where there is one. */
  readonly mailbox: string | undefined;
  /** Whether plans can be bought and changed: the server has a key of the payment provider. */
  readonly hasBilling: boolean;
  /** Address of Platform MCP, where it is switched on. */
  readonly mcpUrl: string | undefined;
  /** Whether visitors are asked about analytics. */
  readonly asksConsent: boolean;
  /** The outside provider that one can sign in with, where there is one. */
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
    asksConsent: content(page, 'gatehouse-consent') === 'ask',
    providerName: content(page, 'gatehouse-provider') || undefined,
  };
};

const content = (page: Document, name: string): string =>
  page.querySelector(`meta[name="${name}"]`)?.getAttribute('content')?.trim() ?? '';

const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** How requests are sent, and the lock for those that replace the cookies. */
const openLine = (apiOrigin: string): ConsentParts => ({
  send: createTransport({ endpoint: `${apiOrigin}/graphql`, fetch: window.fetch.bind(window) }),
  exclusively: window.isSecureContext ? exclusivelyAcrossTabs(navigator.locks) : exclusivelyInThisTab(() => wait(300)),
});

const createQueries = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // A request without a connection fails and says so, instead of waiting in silence for the connection.
        networkMode: 'always',
        refetchOnReconnect: true,
        retry: (failures, error) => failures < 2 && isPassing(error),
      },
      mutations: { networkMode: 'always' },
    },
  });

/** A tab that comes back to the front asks whether its session still stands. */
const recheckInFront = (session: Session): void => {
  const recheck = () => {
    if (document.visibilityState === 'visible' && session.state().kind === 'in') void session.recheck();
  };
  document.addEventListener('visibilitychange', recheck);
  // A page that the browser kept whole and shows again has missed what other tabs said meanwhile.
  onPageRestore(recheck);
};

/** A refused request has its own page; only what nobody expected belongs in the console. */
const reportDefect = (error: unknown): void => {
  if (!(error instanceof Refusal)) reportError(error);
};

/** The question about analytics arrives with code of its own once the first page stands. It may as well not arrive. */
const askBelow = (router: ReturnType<typeof createPortalRouter>, session: Session, line: ConsentParts): void => {
  const stop = router.subscribe('onRendered', () => {
    stop();
    void import('./consent/consent-banner.tsx').then(
      ({ showConsent }) => showConsent(session, line),
      () => undefined,
    );
  });
};

/** Replaces the static shell after the first route, or its error page, has rendered. */
const createDetachedRoot = (shell: HTMLElement, router: ReturnType<typeof createPortalRouter>): HTMLElement => {
  const root = document.createElement('div');
  root.id = shell.id;
  const stop = router.subscribe('onRendered', () => {
    stop();
    shell.replaceWith(root);
  });
  return root;
};

const start = (shell: HTMLElement): void => {
  const { mailbox, asksConsent, ...settings } = readPageSettings(document);
  const line = openLine(settings.apiOrigin);
  const session = createSession({ ...line, channel: openSessionChannel(), wait, handoff: readHandoff(window) });
  const queries = createQueries();
  const router = createPortalRouter({ session, queries, consent: asksConsent ? line : undefined, ...settings });
  if (asksConsent) askBelow(router, session, line);
  followSession(session, queries, () => void router.invalidate());
  recheckInFront(session);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const locale = navigator.languages.find((language) => language.startsWith('en')) ?? 'en';
  createRoot(createDetachedRoot(shell, router), { onCaughtError: reportDefect }).render(
    <StrictMode>
      <IntlProvider locale={locale} messages={messages} timeZone={timeZone}>
        <CSPProvider disableStyleElements>
          <QueryClientProvider client={queries}>
            <SessionProvider value={session}>
              <MailboxProvider value={mailbox}>
                <RouterProvider router={router} />
              </MailboxProvider>
            </SessionProvider>
          </QueryClientProvider>
        </CSPProvider>
      </IntlProvider>
    </StrictMode>,
  );
};

const shell = document.getElementById('portal');
if (shell !== null) start(shell);
