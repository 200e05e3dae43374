/** What this tab knows about who is signed in, and whom it tells about a change. */
import type { PersonFragment } from '../generated/graphql.ts';
import type { Refusal } from './refusal.ts';
import type { SessionChannel } from './tabs.ts';

export type Person = PersonFragment;

/** How a session that this tab has seen came to its end; a visitor who never had one has no ending. */
export type Ending = 'signed-out' | 'signed-out-everywhere' | 'left-organization' | 'ended';

export type SessionState =
  | {
      readonly kind: 'unknown';
      readonly problem: Refusal | undefined;
      /** Somebody has come back from the outside provider, and their sign-in is not finished. */
      readonly isHandoff?: boolean;
    }
  | { readonly kind: 'in'; readonly person: Person }
  | { readonly kind: 'out'; readonly ending: Ending | undefined };

/** Somebody has come back from the outside provider, and the server is asked for their session. */
export const isFinishing = (state: SessionState): boolean =>
  state.kind === 'unknown' && state.isHandoff === true && state.problem === undefined;

/** Why the last attempt at that came to nothing, where another may succeed. */
export const unfinishedBy = (state: SessionState): Refusal | undefined =>
  state.kind === 'unknown' && state.isHandoff === true ? state.problem : undefined;

export interface SessionStore {
  readonly state: () => SessionState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Counts changes of identity, so that an answer about the previous one cannot speak for the next. */
  readonly identity: () => number;
  /** What the server said about the identity that was asked about; nothing when that has changed meanwhile. */
  readonly learn: (askedAbout: number, next: SessionState) => void;
  /** Somebody has signed in here. */
  readonly begin: (person: Person) => void;
  /** The person signed in acts for another organization from now on. */
  readonly update: (person: Person) => void;
  /** Nobody is signed in. Among several endings the first one counts, unless the person's own wish follows. */
  readonly end: (ending?: Ending) => void;
  /** Another tab may have changed who is signed in: what is known is in doubt. */
  readonly doubt: (next?: SessionState) => void;
  /** Something about the person was changed here: what is known is in doubt in every tab. */
  readonly outdate: () => void;
}

/** @param isHandoff whether a sign-in by the outside provider waits to be finished */
export const createSessionStore = (channel: SessionChannel, isHandoff: boolean): SessionStore => {
  let state: SessionState = { kind: 'unknown', problem: undefined, isHandoff };
  let identity = 0;
  // Whether there was a session that a visitor can miss, although it may be in doubt by now.
  let hadPerson = false;
  const listeners = new Set<() => void>();

  const become = (next: SessionState): void => {
    state = next;
    hadPerson = next.kind === 'in' || (hadPerson && next.kind === 'unknown');
    for (const listener of listeners) listener();
  };

  const change = (next: SessionState): void => {
    identity += 1;
    become(next);
  };

  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    identity: () => identity,
    learn: (askedAbout, next) => {
      if (askedAbout === identity) become(next);
    },
    begin: (person) => {
      change({ kind: 'in', person });
      channel.tell('signed-in');
    },
    update: (person) => {
      change({ kind: 'in', person });
      channel.tell('changed');
    },
    end: (ending) => {
      const before = state.kind;
      if (before === 'out' && (ending === undefined || ending === 'ended')) return;
      change({ kind: 'out', ending: ending ?? (hadPerson ? 'ended' : undefined) });
      // Only news is told: tabs that learn of an end from each other stay silent.
      if (before === 'in') channel.tell('signed-out');
    },
    doubt: (next = state) => change(next),
    outdate: () => {
      change(state);
      channel.tell('changed');
    },
  };
};
