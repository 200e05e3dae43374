/**
 * Puts the question about analytics below the page, in a React root of its own: whatever happens to it, the page stays
 * as it is. Loaded once the first page stands.
 */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { IntlProvider } from 'use-intl';
import { consent as words } from '../messages/consent.ts';
import { messages } from '../messages/index.ts';
import type { Session } from '../session/session.ts';
import { SessionProvider } from '../session/session-context.tsx';
import { isFinishing, unfinishedBy } from '../session/session-store.ts';
import type { ConsentParts } from './consent.ts';
import { ConsentCorner } from './consent-corner.tsx';
import { consentOfThisTab } from './use-consent.ts';

export const showConsent = async (session: Session, parts: ConsentParts): Promise<void> => {
  const place = document.getElementById('consent');
  if (place === null) return;
  await handoffEnded(session);
  const consent = consentOfThisTab(parts);
  void consent.open();
  // A page that the browser kept whole and shows again has missed what other tabs said meanwhile.
  window.addEventListener('pageshow', ({ persisted }) => persisted && void consent.ask());
  createRoot(place).render(
    <StrictMode>
      <IntlProvider locale="en" messages={{ ...messages, consent: words }}>
        <SessionProvider value={session}>
          <ConsentCorner consent={consent} />
        </SessionProvider>
      </IntlProvider>
    </StrictMode>,
  );
};

/** Nothing is asked while somebody who has come back from the outside provider is not signed in yet. */
const handoffEnded = (session: Session): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      if (isFinishing(session.state()) || unfinishedBy(session.state()) !== undefined) return;
      leave();
      resolve();
    };
    const leave = session.subscribe(look);
    look();
  });
