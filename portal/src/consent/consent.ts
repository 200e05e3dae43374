/**
 * The analytics consent of this browser: fetched from the service, recorded there, and kept in sync between tabs.
 * Independent of the session, and no other request waits for it.
 */
import { type Channel, openChannel, type Send } from '@gatehouse/client';
import { useState, useSyncExternalStore } from 'react';
import { type DecisionFragment, FetchVisitorDocument, RecordConsentDocument } from '../generated/graphql.ts';
import type { Session } from '../session/session.ts';
import { inTurn } from './in-turn.ts';

/** The part of the session that consent needs: how to send, and the lock of requests that replace the cookies. */
type ConsentParts = Pick<Session, 'request' | 'withLock'>;

export interface ConsentState {
  /** The last answer of the service; undefined before the first. */
  readonly decision: DecisionFragment | undefined;
  /** The answer being recorded. */
  readonly recording: boolean | undefined;
  /** Error of the last fetch. */
  readonly fetchProblem: unknown;
}

/** The effect of an answer. `withdrawn`: there was an anonymous id, and it has been deleted. */
type ConsentChange = 'allowed' | 'declined' | 'withdrawn';

export interface Consent {
  readonly state: () => ConsentState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Fetches the consent, once for all callers. Never rejects: see {@link ConsentState.fetchProblem}. */
  readonly open: () => Promise<void>;
  /** Fetches the consent again. Never rejects. */
  readonly refetch: () => Promise<void>;
  /** Records an answer. @throws Refusal when the service does not confirm it; the previous decision remains */
  readonly record: (analytics: boolean) => Promise<ConsentChange>;
}

/** @internal A test runs it alone. */
export const createConsent = (parts: ConsentParts & { readonly channel: Channel }): Consent => {
  const { channel } = parts;
  const { state, subscribe, change } = createState();
  const send = createSendAfterSignIn(parts);
  // Serialized: each change is computed from the decision before it.
  const serialize = inTurn();
  const refetch = () =>
    serialize(async () => {
      try {
        const { visitor } = await send(FetchVisitorDocument, {});
        change({ decision: visitor, fetchProblem: undefined });
      } catch (fetchProblem) {
        change({ fetchProblem });
      }
    });
  const record = (analytics: boolean) => {
    change({ recording: analytics });
    return serialize(async () => {
      const { decision: before } = state();
      try {
        const { recordConsent } = await send(RecordConsentDocument, { analytics });
        change({ decision: recordConsent });
        channel.post('changed');
        return changeOf(before, analytics);
      } finally {
        change({ recording: undefined });
      }
    });
  };
  let opening: Promise<void> | undefined;
  // An event of another tab triggers a fetch; its content is never trusted.
  channel.listen(() => void refetch());
  return { state, subscribe, refetch, record, open: () => (opening ??= refetch()) };
};

const changeOf = (before: DecisionFragment | undefined, analytics: boolean): ConsentChange => {
  if (analytics) return 'allowed';
  return before?.analyticsConsent === true ? 'withdrawn' : 'declined';
};

const createState = () => {
  let state: ConsentState = { decision: undefined, recording: undefined, fetchProblem: undefined };
  const listeners = new Set<() => void>();
  return {
    state: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    change: (patch: Partial<ConsentState>) => {
      state = { ...state, ...patch };
      for (const listener of listeners) listener();
    },
  };
};

/**
 * Waits for a running sign-in or rotation of any tab, then sends without the lock: a sign-in must never wait for a
 * consent request.
 */
const createSendAfterSignIn =
  ({ request, withLock }: ConsentParts): Send =>
  async (document, ...variables) => {
    await withLock(() => Promise.resolve());
    return request(document, ...variables);
  };

let consent: Consent | undefined;

export const sharedConsent = (parts: ConsentParts): Consent => {
  consent ??= createConsent({ ...parts, channel: openChannel('gatehouse-consent') });
  return consent;
};

export const useConsentState = ({ subscribe, state }: Consent): ConsentState => useSyncExternalStore(subscribe, state);

interface Outcome {
  readonly change?: ConsentChange;
  readonly problem?: unknown;
}

export interface ConsentAnswer extends Outcome {
  /** Records an answer, unless one is being recorded. */
  readonly answer: (analytics: boolean) => void;
  /** Clears the outcome of the last answer. */
  readonly reset: () => void;
}

/** Answering from one component, with the outcome of the last answer. */
export const useConsentAnswer = (consent: Consent, onRecorded?: () => void): ConsentAnswer => {
  const [outcome, setOutcome] = useState<Outcome>({});
  const reset = () => setOutcome({});
  const record = async (analytics: boolean) => {
    try {
      setOutcome({ change: await consent.record(analytics) });
      onRecorded?.();
    } catch (problem) {
      setOutcome({ problem });
    }
  };
  const answer = (analytics: boolean) => {
    if (consent.state().recording !== undefined) return;
    reset();
    void record(analytics);
  };
  return { ...outcome, answer, reset };
};
