/** Session state of this tab, its listeners, and the events posted to other tabs. */
import type { PersonFragment } from '../generated/graphql.ts';
import type { Refusal } from './refusal.ts';
import type { SessionChannel } from './tabs.ts';

export type Person = PersonFragment;

/** How the session ended; undefined for a visitor without one. */
export type Ending = 'signed-out' | 'signed-out-everywhere' | 'left-organization' | 'ended';

export type SessionState =
  | {
      readonly kind: 'unknown';
      readonly problem: Refusal | undefined;
      /** An external sign-in is not finished. */
      readonly isHandoff?: boolean;
    }
  | { readonly kind: 'in'; readonly person: Person }
  | { readonly kind: 'out'; readonly ending: Ending | undefined };

/** An external sign-in is waiting or running. */
export const isCompletingHandoff = (state: SessionState): boolean =>
  state.kind === 'unknown' && state.isHandoff === true && state.problem === undefined;

/** Error of the last exchange, when a retry may succeed. */
export const handoffProblem = (state: SessionState): Refusal | undefined =>
  state.kind === 'unknown' && state.isHandoff === true ? state.problem : undefined;

export interface SessionStore {
  readonly state: () => SessionState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Version of the identity, so that an answer about the previous one is discarded. */
  readonly identity: () => number;
  /** Sets the state from an answer, unless the identity has changed since the request. */
  readonly applyAnswer: (requestedFor: number, next: SessionState) => void;
  /** A person has signed in in this tab. */
  readonly begin: (person: Person) => void;
  /** The person has switched the organization. */
  readonly update: (person: Person) => void;
  /** The session has ended. The first ending is kept, unless a deliberate sign-out follows. */
  readonly end: (ending?: Ending) => void;
  /** The state may be stale because of another tab. */
  readonly invalidate: (next?: SessionState) => void;
  /** The person was changed in this tab: the state is stale in all tabs. */
  readonly invalidateAllTabs: () => void;
}

/** @param isHandoff whether an external sign-in waits to be finished */
export const createSessionStore = (channel: SessionChannel, isHandoff: boolean): SessionStore => {
  let state: SessionState = { kind: 'unknown', problem: undefined, isHandoff };
  let identity = 0;
  // Whether there was a session whose end the person would notice, even if the state is stale by now.
  let hadPerson = false;
  const listeners = new Set<() => void>();

  const setState = (next: SessionState): void => {
    state = next;
    hadPerson = next.kind === 'in' || (hadPerson && next.kind === 'unknown');
    for (const listener of listeners) listener();
  };

  const change = (next: SessionState): void => {
    identity += 1;
    setState(next);
  };

  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    identity: () => identity,
    applyAnswer: (requestedFor, next) => {
      if (requestedFor === identity) setState(next);
    },
    begin: (person) => {
      change({ kind: 'in', person });
      channel.post('signed-in');
    },
    update: (person) => {
      change({ kind: 'in', person });
      channel.post('changed');
    },
    end: (ending) => {
      const before = state.kind;
      if (before === 'out' && (ending === undefined || ending === 'ended')) return;
      change({ kind: 'out', ending: ending ?? (hadPerson ? 'ended' : undefined) });
      // Posted only by the tab that ended the session, not by tabs that follow.
      if (before === 'in') channel.post('signed-out');
    },
    invalidate: (next = state) => change(next),
    invalidateAllTabs: () => {
      change(state);
      channel.post('changed');
    },
  };
};
