/** State of the session in this tab, its listeners, and its events. */
import type { BaseUser, SessionEvent, SessionState } from './types.ts';

export interface SessionStore<U extends BaseUser> {
  readonly state: () => SessionState<U>;
  /** Who was signed in by the last answer, even if the state is loading since. */
  readonly lastUser: () => string | undefined;
  readonly subscribe: (listener: () => void) => () => void;
  readonly on: (event: SessionEvent, listener: () => void) => () => void;
  /** Counts changes, so that an answer to an earlier question is discarded. */
  readonly version: () => number;
  /** Sets the state from an answer, unless it has changed since the question. */
  readonly applyAnswer: (version: number, next: SessionState<U>) => void;
  /** Sets the state after a change in this tab, or a message that another tab has made one. */
  readonly change: (next: SessionState<U>) => void;
}

export const stateOf = <U extends BaseUser>(user: U): SessionState<U> => {
  const membership = user.currentMembership ?? null;
  return { status: 'signedIn', user, membership, scopes: membership?.scopes ?? [] };
};

/** Who is signed in where; empty when no one is. */
interface Subject {
  readonly user?: string;
  readonly organization?: string | undefined;
}

const subjectOf = <U extends BaseUser>(state: SessionState<U>): Subject =>
  state.status === 'signedIn' ? { user: state.user.id, organization: state.membership?.organization.id } : {};

const eventBetween = (before: Subject, now: Subject, isExpiry: boolean): SessionEvent | undefined => {
  if (before.user === now.user) return before.organization === now.organization ? undefined : 'switched';
  if (now.user) return 'signedIn';
  return isExpiry ? 'expired' : 'signedOut';
};

export const createSessionStore = <U extends BaseUser>(): SessionStore<U> => {
  let state: SessionState<U> = { status: 'loading' };
  let version = 0;
  /** The subject of the last state that was not loading; undefined before the first. */
  let known: Subject | undefined;
  const listeners = new Set<() => void>();
  const eventListeners = new Set<(event: SessionEvent) => void>();

  const set = (next: SessionState<U>, before = known): void => {
    state = next;
    const isKnown = next.status !== 'loading';
    const now = subjectOf(next);
    if (isKnown) known = now;
    call(listeners);
    const event = isKnown && before && eventBetween(before, now, 'reason' in next && next.reason === 'expired');
    if (event) call(eventListeners, event);
  };

  return {
    state: () => state,
    lastUser: () => known?.user,
    subscribe: (listener) => added(listeners, () => listener()),
    on: (event, listener) => added(eventListeners, (each) => each === event && listener()),
    version: () => version,
    applyAnswer: (asked, next) => {
      if (asked === version) set(next);
    },
    change: (next) => {
      version += 1;
      // The first thing known of a tab can be a sign-in, which is an event, unlike the first answer.
      set(next, known ?? {});
    },
  };
};

/** A listener that throws keeps no other from being called, nor the other tabs from being told. */
const call = <Args extends readonly unknown[]>(all: ReadonlySet<(...args: Args) => void>, ...args: Args): void => {
  for (const listener of all) {
    try {
      listener(...args);
    } catch (error) {
      reportError(error);
    }
  }
};

const added = <T>(set: Set<T>, item: T): (() => void) => {
  set.add(item);
  return () => {
    set.delete(item);
  };
};
