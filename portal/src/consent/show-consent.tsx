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
import type { ConsentParts } from './consent.ts';
import { ConsentCorner } from './consent-corner.tsx';
import { consentOfThisTab } from './use-consent.ts';

export const showConsent = (session: Session, parts: ConsentParts): void => {
  const place = document.getElementById('consent');
  if (place === null) return;
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
