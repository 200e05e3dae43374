/** The session in React, and the query cache that is cleared when the person or the active organization changes. */
import type { QueryClient } from '@tanstack/react-query';
import { createContext, use, useSyncExternalStore } from 'react';
import type { Person, Session, SessionState } from './session.ts';

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

/** The signed-in person. For components inside the signed-in layout only. */
export const usePerson = (): Person => {
  const person = use(PersonContext);
  if (person === undefined) throw new Error('usePerson needs the signed-in layout above it');
  return person;
};

/** The memberships of the signed-in person in organizations that were not deleted. */
export const useMemberships = (): Person['memberships'] =>
  usePerson().memberships.filter(({ organization }) => organization.deletesAt === null);

/**
 * Clears all queries when another person or no one is signed in, and calls `onLeft`. After a switch of the
 * organization, here or in another tab, resets them, so that every view fetches again.
 */
export const clearQueriesWithSession = (session: Session, queries: QueryClient, onLeft: () => void): void => {
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

/** The person and the organization whose data the pages show. */
const subjectOf = (state: SessionState) =>
  state.status === 'signedIn'
    ? { person: state.user.id, organization: state.user.currentMembership?.organization.id }
    : undefined;
