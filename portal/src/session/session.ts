/**
 * The session: requests that need it, and what their answers say about it.
 *
 * The state is unknown until FetchMe has been answered, then in or out. Only UNAUTHENTICATED or a refused refresh lead
 * out: without a connection, or when the service is busy or failing, the state stays.
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
import type { SessionChannel, SessionEvent, WithLock } from './tabs.ts';
import type { Send } from './transport.ts';

interface SessionParts {
  readonly send: Send;
  readonly withLock: WithLock;
  readonly channel: SessionChannel;
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Marker of an external sign-in that waits to be finished. */
  readonly handoff?: HandoffMarker | undefined;
}

export interface Session {
  readonly state: () => SessionState;
  readonly subscribe: (listener: () => void) => () => void;
  /**
   * Resolves the state; pages that need it wait for it. An external sign-in is finished before the first FetchMe; after
   * a transient failure the next call retries it.
   */
  readonly open: () => Promise<SessionState>;
  /** Fetches the person again and keeps the state meanwhile: for a tab that becomes visible. */
  readonly recheck: () => Promise<SessionState>;
  /**
   * Sends an operation of the signed-in person: refreshes an expired access credential, and detects the end of the
   * session.
   */
  readonly request: Send;
  readonly signIn: (input: SignInWithPasswordInput) => Promise<void>;
  /** Confirms a sign-up by its password, and signs in on the status VERIFIED. */
  readonly confirmSignUp: (input: ConfirmSignUpInput) => Promise<EmailValidationStatus>;
  /** Creates the account of an invited person, accepts the invitation, and signs in. */
  readonly completeInvitedProfile: (input: CompleteInvitedProfileInput) => Promise<void>;
  readonly signOut: () => Promise<void>;
  readonly signOutEverywhere: () => Promise<void>;
  /** Runs an operation that ends the person's own session but is not a sign-out, such as a revocation. */
  readonly endSessionBy: (operation: () => Promise<unknown>, ending: Ending) => Promise<void>;
  /** Switches the active organization. The answer replaces the cookies. */
  readonly switchOrganization: (organizationId: string) => Promise<void>;
  /** After a change to the person: fetches again, here and in the other tabs. */
  readonly refreshAfterChange: () => Promise<SessionState>;
  /** After leaving an organization: the session may have ended with it, which is expected. */
  readonly refreshAfterLeaving: () => Promise<SessionState>;
}

export const createSession = (parts: SessionParts): Session => {
  const store = createSessionStore(parts.channel, parts.handoff !== undefined);
  const handoff = createHandoff({ ...parts, marker: parts.handoff }, store);
  const request = createRequest(parts, store, handoff);
  const refetch = createSharedFetch(() => resolveState(request, store, handoff), store);
  const refetchInAllTabs = () => {
    store.invalidateAllTabs();
    return refetch();
  };
  parts.channel.listen((event) => onSessionEvent(event, store, refetch));
  return {
    state: store.state,
    subscribe: store.subscribe,
    open: async () => (store.state().kind === 'unknown' ? refetch() : store.state()),
    recheck: refetch,
    request,
    // Locked, so that no earlier rotation finishes after it and overwrites the cookies.
    signIn: (input) =>
      parts.withLock(async () => {
        const { signInWithPassword } = await parts.send(SignInDocument, { input });
        store.begin(signInWithPassword.user);
      }),
    confirmSignUp: (input) =>
      parts.withLock(async () => {
        const { status, auth } = (await parts.send(ConfirmSignUpDocument, { input })).confirmSignUp;
        if (auth !== null) store.begin(auth.user);
        return status;
      }),
    completeInvitedProfile: (input) =>
      parts.withLock(async () => {
        const { completeInvitedProfile } = await parts.send(CompleteInvitedProfileDocument, { input });
        store.begin(completeInvitedProfile.user);
      }),
    signOut: () => endSession(store, () => request(SignOutDocument, {}), 'signed-out'),
    signOutEverywhere: () => endSession(store, () => request(SignOutEverywhereDocument, {}), 'signed-out-everywhere'),
    endSessionBy: (operation, ending) => endSession(store, operation, ending),
    switchOrganization: (organizationId) => switchTo(organizationId, parts, store, refetchInAllTabs),
    refreshAfterChange: refetchInAllTabs,
    refreshAfterLeaving: async () => {
      const state = await refetchInAllTabs();
      if (state.kind === 'out') store.end('left-organization');
      return store.state();
    },
  };
};

const createRequest = ({ send, withLock, wait }: SessionParts, store: SessionStore, handoff: Handoff): Send => {
  const request: Send = async (operation, variables) => {
    const attempt = () => send(operation, variables);
    await handoff.settled();
    try {
      return await attempt();
    } catch (error) {
      if (!hasCode(error, 'ACCESS_EXPIRED') && !hasCode(error, 'UNAUTHENTICATED')) throw error;
    }
    // UNAUTHENTICATED is trusted only inside the lock: outside, the request may have carried a pair that another tab
    // was rotating.
    return withLock(async () => {
      try {
        return await retryAfterRefresh({ send, wait }, attempt);
      } catch (error) {
        detectSessionEnd(error, store);
        throw error;
      }
    });
  };
  return request;
};

const detectSessionEnd = (error: unknown, store: SessionStore): void => {
  if (hasCode(error, 'REFRESH_REFUSED')) store.end('ended');
  if (hasCode(error, 'UNAUTHENTICATED')) store.end();
};

/** Shares one request between concurrent callers about the same identity. */
const createSharedFetch = (
  resolve: () => Promise<SessionState>,
  store: SessionStore,
): (() => Promise<SessionState>) => {
  let current: { readonly identity: number; readonly answer: Promise<SessionState> } | undefined;
  return () => {
    if (current?.identity === store.identity()) return current.answer;
    const started = { identity: store.identity(), answer: resolve() };
    current = started;
    void started.answer.then(() => {
      if (current === started) current = undefined;
    });
    return started.answer;
  };
};

const resolveState = async (request: Send, store: SessionStore, handoff: Handoff): Promise<SessionState> => {
  if (!handoff.isPending()) return fetchMe(request, store);
  await handoff.attempt();
  // Only an invalid secret leaves the state open.
  return handoff.isPending() || store.state().kind === 'in' ? store.state() : fetchMe(request, store);
};

const fetchMe = async (request: Send, store: SessionStore): Promise<SessionState> => {
  const identity = store.identity();
  try {
    const { me } = await request(FetchMeDocument, {});
    store.applyAnswer(identity, { kind: 'in', person: me });
  } catch (error) {
    if (store.state().kind === 'unknown') store.applyAnswer(identity, { kind: 'unknown', problem: asRefusal(error) });
  }
  return store.state();
};

/**
 * An event of another tab triggers a fetch; its content is never trusted. On `signed-out` the person is hidden at once.
 */
const onSessionEvent = (event: SessionEvent, store: SessionStore, refetch: () => Promise<SessionState>): void => {
  if (event === 'signed-out' && store.state().kind !== 'in') return;
  store.invalidate(event === 'signed-out' ? { kind: 'unknown', problem: undefined } : undefined);
  void refetch();
};

const endSession = async (store: SessionStore, operation: () => Promise<unknown>, ending: Ending): Promise<void> => {
  try {
    await operation();
  } catch (error) {
    // The session had ended already, which is what was requested.
    if (store.state().kind !== 'out') throw error;
  }
  store.end(ending);
};

/** Locked, like every operation whose answer replaces the cookies. */
const switchTo = async (
  organizationId: string,
  parts: SessionParts,
  store: SessionStore,
  refetchInAllTabs: () => Promise<SessionState>,
): Promise<void> => {
  try {
    await parts.withLock(async () => {
      const attempt = () => parts.send(SwitchOrganizationDocument, { organizationId });
      const { switchOrganization } = await retryAfterRefresh(parts, attempt);
      store.update(switchOrganization.user);
    });
  } catch (error) {
    // A refusal means that the state is stale. After a lost answer the cookies may be for either organization, and no
    // request may act for the wrong one.
    await refetchInAllTabs();
    throw error;
  }
};

interface RefreshParts {
  readonly send: Send;
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** After a rotation outside the lock, the new cookies arrive within about one round trip. */
const settlingDelays = [150, 350, 1000];

/** Codes returned while the cookies still hold a rotated pair. */
const isStale = (error: unknown): boolean => hasCode(error, 'ACCESS_EXPIRED') || hasCode(error, 'UNAUTHENTICATED');

/**
 * Runs `attempt`, and refreshes an expired access credential.
 *
 * The first attempt runs inside the lock before any rotation: another tab may have stored a fresh pair meanwhile. That
 * makes one rotation for any number of tabs.
 */
const retryAfterRefresh = async <T>(parts: RefreshParts, attempt: () => Promise<T>): Promise<T> => {
  try {
    return await attempt();
  } catch (error) {
    if (!hasCode(error, 'ACCESS_EXPIRED')) throw error;
  }
  try {
    await rotate(parts);
  } catch (error) {
    if (!hasCode(error, 'REFRESH_SUPERSEDED')) throw error;
    return retryUntilCookiesSettle(parts, attempt);
  }
  return attempt();
};

/** The pair was rotated elsewhere and its cookies will arrive; a rotation by this tab is the last resort. */
const retryUntilCookiesSettle = async <T>(parts: RefreshParts, attempt: () => Promise<T>): Promise<T> => {
  for (const delay of settlingDelays) {
    await parts.wait(delay);
    try {
      return await attempt();
    } catch (error) {
      if (!isStale(error)) throw error;
    }
  }
  await rotate(parts);
  return attempt();
};

const rotate = ({ send }: RefreshParts): Promise<unknown> => send(RefreshAccessDocument, {});
