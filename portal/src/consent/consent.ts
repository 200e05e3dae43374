/**
 * The analytics consent of this browser: fetched from the service, recorded there, and kept in sync between tabs. Independent
 * of the session, and no other request waits for it.
 */
import { useState, useSyncExternalStore } from 'react';
import { type DecisionFragment, FetchVisitorDocument, RecordConsentDocument } from '../generated/graphql.ts';
import { type Exclusively, exclusivelyInThisTab, openSessionChannel, type SessionChannel } from '../session/tabs.ts';
import type { Send } from '../session/transport.ts';

export interface ConsentParts {
  readonly send: Send;
  /** The lock under which a sign-in or a rotation replaces the cookies. */
  readonly exclusively: Exclusively;
}

export interface ConsentState {
  /** What the service said last; undefined until it has said anything. */
  readonly decision: DecisionFragment | undefined;
  /** The answer that is on its way to the service. */
  readonly recording: boolean | undefined;
  /** Why the service could not be asked, the last time. */
  readonly askProblem: unknown;
}

/** What an answer has done. Withdrawn: there was an id, and it has been deleted. */
type Change = 'allowed' | 'declined' | 'withdrawn';

export interface Consent {
  readonly state: () => ConsentState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Asks the service, once for all who only want to know. Never rejects: see {@link ConsentState.askProblem}. */
  readonly open: () => Promise<void>;
  /** Asks the service again. Never rejects. */
  readonly ask: () => Promise<void>;
  /** Records an answer. @throws Refusal when the service does not say that it has it; the decision before it stands */
  readonly record: (analytics: boolean) => Promise<Change>;
}

export const createConsent = (parts: ConsentParts & { readonly channel: SessionChannel }): Consent => {
  const { channel } = parts;
  const { state, subscribe, change } = createState();
  const send = createQuietSend(parts);
  // One after the other: each answer is about what the service knew after the request before it.
  const inTurn = exclusivelyInThisTab(() => Promise.resolve());
  const ask = () =>
    inTurn(async () => {
      try {
        const { visitor } = await send(FetchVisitorDocument, {});
        change({ decision: visitor, askProblem: undefined });
      } catch (askProblem) {
        change({ askProblem });
      }
    });
  const record = (analytics: boolean) => {
    change({ recording: analytics });
    return inTurn(async () => {
      const { decision: before } = state();
      try {
        const { recordConsent } = await send(RecordConsentDocument, { analytics });
        change({ decision: recordConsent });
        channel.tell('changed');
        return changeOf(before, analytics);
      } finally {
        change({ recording: undefined });
      }
    });
  };
  let opening: Promise<void> | undefined;
  // Another tab's news is a reason to ask the service, never an answer.
  channel.listen(() => void ask());
  return { state, subscribe, ask, record, open: () => (opening ??= ask()) };
};

const changeOf = (before: DecisionFragment | undefined, analytics: boolean): Change => {
  if (analytics) return 'allowed';
  return before?.analyticsConsent === true ? 'withdrawn' : 'declined';
};

const createState = () => {
  let state: ConsentState = { decision: undefined, recording: undefined, askProblem: undefined };
  const listeners = new Set<() => void>();
  return {
    state: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    change: (news: Partial<ConsentState>) => {
      state = { ...state, ...news };
      for (const listener of listeners) listener();
    },
  };
};

/**
 * Lets a sign-in or a rotation that is under way, in any tab, come to its end first, and then sends without the lock:
 * a question of no consequence must never be what somebody's sign-in waits for.
 */
const createQuietSend =
  ({ send, exclusively }: ConsentParts): Send =>
  async (operation, variables) => {
    await exclusively(() => Promise.resolve());
    return send(operation, variables);
  };

let consent: Consent | undefined;

export const consentOfThisTab = (parts: ConsentParts): Consent => {
  consent ??= createConsent({ ...parts, channel: openSessionChannel('gatehouse-consent') });
  return consent;
};

export const useConsentState = ({ subscribe, state }: Consent): ConsentState => useSyncExternalStore(subscribe, state);

interface Outcome {
  readonly change?: Change;
  readonly problem?: unknown;
}

export interface Answering extends Outcome {
  /** Gives an answer, unless one is on its way. */
  readonly answer: (analytics: boolean) => void;
  /** Forgets how the last answer ended. */
  readonly forget: () => void;
}

/** The answers that are given in one place, and how the last of them ended. */
export const useAnswering = (consent: Consent, onRecorded?: () => void): Answering => {
  const [outcome, setOutcome] = useState<Outcome>({});
  const forget = () => setOutcome({});
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
    forget();
    void record(analytics);
  };
  return { ...outcome, answer, forget };
};
