/** The portal's start: builds its parts, connects them, and shows the page. */
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { IntlProvider } from 'use-intl';
import { MailboxProvider } from './components/mailbox-link.tsx';
import type { ConsentParts } from './consent/consent.ts';
import { readHandoff } from './handoff-address.ts';
import { messages } from './messages/index.ts';
import { readPageSettings } from './page-settings.ts';
import { createPortalRouter } from './router.tsx';
import { openSessionChannel } from './session/channel.ts';
import { exclusivelyAcrossTabs, exclusivelyInThisTab } from './session/exclusive.ts';
import { followSession } from './session/follow-session.ts';
import { isPassing, Refusal } from './session/refusal.ts';
import { createSession, type Session } from './session/session.ts';
import { SessionProvider } from './session/session-context.tsx';
import { createTransport } from './session/transport.ts';
import './styles.css';

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
  window.addEventListener('pageshow', ({ persisted }) => persisted && recheck());
};

/** A refused request has its own page; only what nobody expected belongs in the console. */
const reportDefect = (error: unknown): void => {
  if (!(error instanceof Refusal)) reportError(error);
};

/** The question about analytics arrives with code of its own once the first page stands. It may as well not arrive. */
const askBelow = (router: ReturnType<typeof createPortalRouter>, session: Session, line: ConsentParts): void => {
  const stop = router.subscribe('onRendered', () => {
    stop();
    void import('./consent/show-consent.tsx').then(
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
