/**
 * Who is signed in, as far as this tab knows, and every request that depends on it.
 *
 * The state is unknown until the server has answered FetchMe, then in or out. Only the server's word that nobody is
 * signed in leads out: no connection, a busy or a failing service leave the state as it is.
 */
import {
  FetchMeDocument,
  type PersonFragment,
  SignInDocument,
  type SignInWithPasswordInput,
  SignOutDocument,
  SignOutEverywhereDocument,
} from '../generated/graphql.ts';
import type { SessionChannel } from './channel.ts';
import type { Exclusively } from './exclusive.ts';
import { hasCode, Refusal } from './refusal.ts';
import { attemptWithRenewal } from './renewal.ts';
import type { Send } from './transport.ts';

export type Person = PersonFragment;

/** How a session that this tab has seen came to its end; a visitor who never had one has no ending. */
export type Ending = 'signed-out' | 'signed-out-everywhere' | 'ended';

export type SessionState =
  | { readonly kind: 'unknown'; readonly problem: Refusal | undefined }
  | { readonly kind: 'in'; readonly person: Person }
  | { readonly kind: 'out'; readonly ending: Ending | undefined };

interface SessionParts {
  readonly send: Send;
  readonly exclusively: Exclusively;
  readonly channel: SessionChannel;
  readonly wait: (milliseconds: number) => Promise<void>;
}

export interface Session {
  readonly state: () => SessionState;
  readonly subscribe: (listener: () => void) => () => void;
  /**
   * Settles who is signed in; every page that needs to know waits for it. This is the one place where the first
   * FetchMe is sent, so a step that has to come before it belongs in front of that call.
   */
  readonly open: () => Promise<SessionState>;
  /** Asks again without forgetting what is known: for a tab that comes back to the front. */
  readonly recheck: () => Promise<SessionState>;
  /** An operation of the person signed in: renews an expired access credential, and notices the end of the session. */
  readonly request: Send;
  readonly signIn: (input: SignInWithPasswordInput) => Promise<void>;
  readonly signOut: () => Promise<void>;
  readonly signOutEverywhere: () => Promise<void>;
}

export const createSession = ({ send, exclusively, channel, wait }: SessionParts): Session => {
  let state: SessionState = { kind: 'unknown', problem: undefined };
  // Counts changes of identity, so that an answer about the previous one cannot speak for the next.
  let identity = 0;
  let asking: { readonly identity: number; readonly answer: Promise<SessionState> } | undefined;
  const listeners = new Set<() => void>();

  const become = (next: SessionState): void => {
    state = next;
    for (const listener of listeners) listener();
  };

  const begin = (person: Person): void => {
    identity += 1;
    become({ kind: 'in', person });
    channel.tell('signed-in');
  };

  const end = (ending: Ending | undefined): void => {
    if (state.kind === 'out') return;
    const wasIn = state.kind === 'in';
    identity += 1;
    become({ kind: 'out', ending });
    if (wasIn) channel.tell('signed-out');
  };

  const request: Send = async (operation, variables) => {
    const attempt = () => send(operation, variables);
    try {
      return await attempt();
    } catch (error) {
      if (!hasCode(error, 'ACCESS_EXPIRED') && !hasCode(error, 'UNAUTHENTICATED')) throw error;
    }
    // UNAUTHENTICATED is believed only with the lock held: the request may have carried a pair that another tab was
    // rotating at that moment.
    return exclusively(async () => {
      try {
        return await attemptWithRenewal({ send, wait }, attempt);
      } catch (error) {
        if (hasCode(error, 'REFRESH_REFUSED')) end('ended');
        if (hasCode(error, 'UNAUTHENTICATED')) end(state.kind === 'in' ? 'ended' : undefined);
        throw error;
      }
    });
  };

  const askWhoIsSignedIn = async (): Promise<SessionState> => {
    const asked = identity;
    try {
      const { me } = await request(FetchMeDocument, {});
      if (identity === asked) become({ kind: 'in', person: me });
    } catch (error) {
      if (identity === asked && state.kind === 'unknown') become({ kind: 'unknown', problem: asRefusal(error) });
    }
    return state;
  };

  const ask = (): Promise<SessionState> => {
    if (asking?.identity === identity) return asking.answer;
    const mine = { identity, answer: askWhoIsSignedIn() };
    asking = mine;
    void mine.answer.then(() => {
      if (asking === mine) asking = undefined;
    });
    return mine.answer;
  };

  const leave = async (operation: () => Promise<unknown>, ending: Ending): Promise<void> => {
    try {
      await operation();
    } catch (error) {
      // The session had ended already: what the person asked for is so.
      if (state.kind !== 'out') throw error;
    }
    if (state.kind === 'out') become({ kind: 'out', ending });
    else end(ending);
  };

  channel.listen((news) => {
    if (news === 'signed-out' && state.kind !== 'in') return;
    identity += 1;
    if (news === 'signed-out') become({ kind: 'unknown', problem: undefined });
    void ask();
  });

  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    open: async () => (state.kind === 'unknown' ? ask() : state),
    recheck: ask,
    request,
    signIn: (input) =>
      exclusively(async () => {
        const { signInWithPassword } = await send(SignInDocument, { input });
        begin(signInWithPassword.user);
      }),
    signOut: () => leave(() => request(SignOutDocument, {}), 'signed-out'),
    signOutEverywhere: () => leave(() => request(SignOutEverywhereDocument, {}), 'signed-out-everywhere'),
  };
};

const asRefusal = (error: unknown): Refusal =>
  error instanceof Refusal ? error : new Refusal('UNREADABLE', 'The portal met an unexpected failure.', { cause: error });
