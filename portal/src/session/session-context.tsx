/** The session in React, and the query cache that is cleared when the person or the active organization changes. */
import type { QueryClient } from '@tanstack/react-query';
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

/**
 * A person who leaves takes their data along, and the page is decided anew. After a switch, here or in another tab,
 * every view forgets what it showed of the other organization and asks again.
 */
export const followSession = (session: Session, queries: QueryClient, onLeft: () => void): void => {
  let before = subjectOf(session.state());
  session.subscribe(() => {
    const last = before;
    before = subjectOf(session.state());
    if (last === undefined) return;
    if (before?.person !== last.person) {
      queries.clear();
      onLeft();
    } else if (before.organization !== last.organization) void queries.resetQueries();
  });
};

/** Whose data the pages show, and of which organization. */
const subjectOf = (state: SessionState) =>
  state.kind === 'in'
    ? { person: state.person.id, organization: state.person.currentMembership?.organization.id }
    : undefined;
