/** What happens to the data on the screen when somebody else is signed in, or acts for another organization. */
import type { QueryClient } from '@tanstack/react-query';
import type { Session } from './session.ts';
import type { SessionState } from './session-store.ts';

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
