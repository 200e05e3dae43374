/** The session as React components see it. */
import { createContext, use, useSyncExternalStore } from 'react';
import type { Session } from './session.ts';
import type { Person, SessionState } from './session-store.ts';

const SessionContext = createContext<Session | undefined>(undefined);
const PersonContext = createContext<Person | undefined>(undefined);

export const SessionProvider = SessionContext.Provider;
export const PersonProvider = PersonContext.Provider;

export const useSession = (): Session => {
  const session = use(SessionContext);
  if (session === undefined) throw new Error('useSession needs a SessionProvider above it');
  return session;
};

export const useSessionState = (): SessionState => {
  const session = useSession();
  return useSyncExternalStore(session.subscribe, session.state);
};

/** The person signed in. Only pages inside the signed-in layout may ask. */
export const usePerson = (): Person => {
  const person = use(PersonContext);
  if (person === undefined) throw new Error('usePerson needs the signed-in layout above it');
  return person;
};
