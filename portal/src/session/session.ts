/**
 * Every request that depends on who is signed in, and what its answer says about that.
 *
 * The state is unknown until the server has answered FetchMe, then in or out. Only the server's word that nobody is
 * signed in leads out: no connection, a busy or a failing service leave the state as it is.
 */
import {
  CompleteInvitedProfileDocument,
  type CompleteInvitedProfileInput,
  ConfirmSignUpDocument,
  type ConfirmSignUpInput,
  type EmailValidationStatus,
  FetchMeDocument,
  RefreshAccessDocument,
  SignInDocument,
  type SignInWithPasswordInput,
  SignOutDocument,
  SignOutEverywhereDocument,
  SwitchOrganizationDocument,
} from '../generated/graphql.ts';
import { createHandoff, type Handoff, type HandoffMarker } from './handoff.ts';
import { asRefusal, hasCode } from './refusal.ts';
import { createSessionStore, type Ending, type SessionState, type SessionStore } from './session-store.ts';
import type { Exclusively, SessionChannel, SessionNews } from './tabs.ts';
import type { Send } from './transport.ts';

interface SessionParts {
  readonly send: Send;
  readonly exclusively: Exclusively;
  readonly channel: SessionChannel;
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Where a sign-in by the outside provider waits to be finished. */
  readonly handoff?: HandoffMarker | undefined;
}

export interface Session {
  readonly state: () => SessionState;
  readonly subscribe: (listener: () => void) => () => void;
  /**
   * Settles who is signed in; every page that needs to know waits for it. A sign-in by the outside provider that waits
   * to be finished comes before the first FetchMe; when it fails in passing, asking again attempts it again.
   */
  readonly open: () => Promise<SessionState>;
  /** Asks again without forgetting what is known: for a tab that comes back to the front. */
  readonly recheck: () => Promise<SessionState>;
  /** An operation of the person signed in: renews an expired access credential, and notices the end of the session. */
  readonly request: Send;
  readonly signIn: (input: SignInWithPasswordInput) => Promise<void>;
  /** Confirms the address of a sign-up by its password, and signs in when that succeeds: the status VERIFIED. */
  readonly confirmSignUp: (input: ConfirmSignUpInput) => Promise<EmailValidationStatus>;
  /** Gives an invited person their account, accepts the invitation, and signs them in. */
  readonly completeInvitedProfile: (input: CompleteInvitedProfileInput) => Promise<void>;
  readonly signOut: () => Promise<void>;
  readonly signOutEverywhere: () => Promise<void>;
  /** Ends the person's own session by an operation that is no sign-out, such as a revocation that hits it too. */
  readonly leaveBy: (operation: () => Promise<unknown>, ending: Ending) => Promise<void>;
  /** Makes another of the person's organizations the active one. Its answer carries new cookies. */
  readonly switchOrganization: (organizationId: string) => Promise<void>;
  /** After something about the person was changed here: asks again, and has the other tabs ask. */
  readonly noteChange: () => Promise<SessionState>;
  /** The person has left an organization. The session may have ended with it; that is nothing to be alarmed about. */
  readonly noteLeaving: () => Promise<SessionState>;
}

export const createSession = (parts: SessionParts): Session => {
  const store = createSessionStore(parts.channel, parts.handoff !== undefined);
  const handoff = createHandoff({ ...parts, marker: parts.handoff }, store);
  const request = createRequest(parts, store, handoff);
  const ask = createAsk(() => settle(request, store, handoff), store);
  const askAnew = () => {
    store.outdate();
    return ask();
  };
  parts.channel.listen((news) => heed(news, store, ask));
  return {
    state: store.state,
    subscribe: store.subscribe,
    open: async () => (store.state().kind === 'unknown' ? ask() : store.state()),
    recheck: ask,
    request,
    // Under the lock, so that no rotation of the cookies before it ends after it.
    signIn: (input) =>
      parts.exclusively(async () => {
        const { signInWithPassword } = await parts.send(SignInDocument, { input });
        store.begin(signInWithPassword.user);
      }),
    confirmSignUp: (input) =>
      parts.exclusively(async () => {
        const { status, auth } = (await parts.send(ConfirmSignUpDocument, { input })).confirmSignUp;
        if (auth !== null) store.begin(auth.user);
        return status;
      }),
    completeInvitedProfile: (input) =>
      parts.exclusively(async () => {
        const { completeInvitedProfile } = await parts.send(CompleteInvitedProfileDocument, { input });
        store.begin(completeInvitedProfile.user);
      }),
    signOut: () => leave(store, () => request(SignOutDocument, {}), 'signed-out'),
    signOutEverywhere: () => leave(store, () => request(SignOutEverywhereDocument, {}), 'signed-out-everywhere'),
    leaveBy: (operation, ending) => leave(store, operation, ending),
    switchOrganization: (organizationId) => switchTo(organizationId, parts, store, askAnew),
    noteChange: askAnew,
    noteLeaving: async () => {
      const state = await askAnew();
      if (state.kind === 'out') store.end('left-organization');
      return store.state();
    },
  };
};

const createRequest = ({ send, exclusively, wait }: SessionParts, store: SessionStore, handoff: Handoff): Send => {
  const request: Send = async (operation, variables) => {
    const attempt = () => send(operation, variables);
    await handoff.pass();
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
        noticeEnd(error, store);
        throw error;
      }
    });
  };
  return request;
};

const noticeEnd = (error: unknown, store: SessionStore): void => {
  if (hasCode(error, 'REFRESH_REFUSED')) store.end('ended');
  if (hasCode(error, 'UNAUTHENTICATED')) store.end();
};

/** Settles it once for all who ask at the same time about the same identity. */
const createAsk = (settled: () => Promise<SessionState>, store: SessionStore): (() => Promise<SessionState>) => {
  let asking: { readonly about: number; readonly answer: Promise<SessionState> } | undefined;
  return () => {
    if (asking?.about === store.identity()) return asking.answer;
    const mine = { about: store.identity(), answer: settled() };
    asking = mine;
    void mine.answer.then(() => {
      if (asking === mine) asking = undefined;
    });
    return mine.answer;
  };
};

const settle = async (request: Send, store: SessionStore, handoff: Handoff): Promise<SessionState> => {
  if (!handoff.isPending()) return fetchMe(request, store);
  await handoff.attempt();
  // Only a secret that is good for nothing leaves open who is signed in.
  return handoff.isPending() || store.state().kind === 'in' ? store.state() : fetchMe(request, store);
};

const fetchMe = async (request: Send, store: SessionStore): Promise<SessionState> => {
  const askedAbout = store.identity();
  try {
    const { me } = await request(FetchMeDocument, {});
    store.learn(askedAbout, { kind: 'in', person: me });
  } catch (error) {
    if (store.state().kind === 'unknown') store.learn(askedAbout, { kind: 'unknown', problem: asRefusal(error) });
  }
  return store.state();
};

/** Another tab's news is a reason to ask the server, never an answer. Who was signed in there is put away at once. */
const heed = (news: SessionNews, store: SessionStore, ask: () => Promise<SessionState>): void => {
  if (news === 'signed-out' && store.state().kind !== 'in') return;
  store.doubt(news === 'signed-out' ? { kind: 'unknown', problem: undefined } : undefined);
  void ask();
};

const leave = async (store: SessionStore, operation: () => Promise<unknown>, ending: Ending): Promise<void> => {
  try {
    await operation();
  } catch (error) {
    // The session had ended already: what the person asked for is so.
    if (store.state().kind !== 'out') throw error;
  }
  store.end(ending);
};

/** Under the lock, like every operation whose answer replaces the cookies. */
const switchTo = async (
  organizationId: string,
  parts: SessionParts,
  store: SessionStore,
  askAnew: () => Promise<SessionState>,
): Promise<void> => {
  try {
    await parts.exclusively(async () => {
      const attempt = () => parts.send(SwitchOrganizationDocument, { organizationId });
      const { switchOrganization } = await attemptWithRenewal(parts, attempt);
      store.update(switchOrganization.user);
    });
  } catch (error) {
    // A refusal means that what this tab knows is out of date. A lost answer leaves open which organization the cookies
    // are for, and nothing may be done in the name of the wrong one.
    await askAnew();
    throw error;
  }
};

interface RenewalParts {
  readonly send: Send;
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** A rotation by somebody outside the lock takes about one round trip to reach this browser's cookies. */
const settlingPauses = [150, 350, 1000];

/** What the server says while the cookies still hold a pair that somebody else has just rotated. */
const isStale = (error: unknown): boolean => hasCode(error, 'ACCESS_EXPIRED') || hasCode(error, 'UNAUTHENTICATED');

/**
 * Repeats `attempt` until it has an answer that is not about an expired access credential.
 *
 * It is repeated before anything is rotated: while this tab waited for the lock another one may have put a fresh pair
 * into the cookies. That makes one rotation for any number of tabs.
 */
const attemptWithRenewal = async <T>(parts: RenewalParts, attempt: () => Promise<T>): Promise<T> => {
  try {
    return await attempt();
  } catch (error) {
    if (!hasCode(error, 'ACCESS_EXPIRED')) throw error;
  }
  try {
    await rotate(parts);
  } catch (error) {
    if (!hasCode(error, 'REFRESH_SUPERSEDED')) throw error;
    return attemptWithSettledCookies(parts, attempt);
  }
  return attempt();
};

/** Somebody else rotated this pair. Their cookies arrive by themselves; a rotation of our own is the last resort. */
const attemptWithSettledCookies = async <T>(parts: RenewalParts, attempt: () => Promise<T>): Promise<T> => {
  for (const pause of settlingPauses) {
    await parts.wait(pause);
    try {
      return await attempt();
    } catch (error) {
      if (!isStale(error)) throw error;
    }
  }
  await rotate(parts);
  return attempt();
};

const rotate = ({ send }: RenewalParts): Promise<unknown> => send(RefreshAccessDocument, {});
