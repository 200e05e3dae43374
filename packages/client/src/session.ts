/**
 * The session: who is signed in, requests that need it, and what their answers say about it.
 *
 * The state is loading until the service has answered. Only UNAUTHENTICATED or a refused refresh lead out, and only
 * under the lock of all tabs: without a connection, or while the service is busy or failing, the state stays.
 */
import { asRefusal, isRefusal } from './refusal.ts';
import { renew, retried } from './renewal.ts';
import { createSessionStore, type SessionStore, stateOf } from './session-store.ts';
import { shared } from './shared.ts';
import type { Channel, Wait, WithLock } from './tabs.ts';
import type { BaseUser, EndReason, Send, SessionEvent, SessionState, SignedIn, TypedDocument } from './types.ts';

interface SessionParts<U extends BaseUser> {
  readonly send: Send;
  readonly withLock: WithLock;
  readonly channel: Channel;
  readonly wait: Wait;
  /** A GraphQL fragment on User: the fields of the user. */
  readonly fragment: TypedDocument<U, unknown>;
  /** Runs before the first question, and again before the next one when it fails. Requests wait while it runs. */
  readonly prepare?: (() => Promise<void>) | undefined;
}

export interface Session<U extends BaseUser> {
  /**
   * Who is signed in. Asks the service when that is not known yet.
   * @returns null when no one is
   * @throws Refusal when the service does not say
   */
  readonly get: () => Promise<SignedIn<U> | null>;
  /** The session as this tab knows it at this moment. */
  readonly state: () => SessionState<U>;
  /** Calls the listener after each change of the state. @returns removes it */
  readonly subscribe: (listener: () => void) => () => void;
  /** @returns removes the listener */
  readonly on: (event: SessionEvent, listener: () => void) => () => void;
  /** Asks the service when the state is not known. Never rejects: see the state. */
  readonly open: () => Promise<SessionState<U>>;
  /** Asks the service again and keeps the state meanwhile. Never rejects. */
  readonly refetch: () => Promise<SessionState<U>>;
  /** As `refetch`, in every tab of this origin: after a change to the user, such as another name. */
  readonly refetchEverywhere: () => Promise<SessionState<U>>;
  /**
   * Runs an operation that signs a person in. No tab refreshes meanwhile, which would overwrite the new cookies.
   * @param userOf the user in its answer, or nothing when it began no session
   */
  readonly begin: <Answer>(
    operation: (send: Send) => Promise<Answer>,
    userOf: (answer: Answer) => U | null | undefined,
  ) => Promise<Answer>;
  /** Runs an operation that ends the session; done, too, when the session had ended before it. */
  readonly end: (operation: () => Promise<unknown>, reason: EndReason) => Promise<void>;
}

interface SessionWithRequests<U extends BaseUser> extends Session<U> {
  /** Sends an operation of the signed-in person, after a refresh where one is needed. */
  readonly request: Send;
  /**
   * After an answer ACCESS_EXPIRED or UNAUTHENTICATED: refreshes the pair, unless another tab has; once for all
   * callers.
   * @returns the user, when another tab has
   * @param hasExpired whether the answer was ACCESS_EXPIRED
   * @throws Refusal UNAUTHENTICATED, REFRESH_REFUSED, ACCOUNT_SUSPENDED: no one is signed in, and the state says so
   * @throws Refusal of any other code: nothing is known, and the state stays
   */
  readonly recover: (hasExpired: boolean) => Promise<U | undefined>;
  readonly switchOrganization: (organizationId: string) => Promise<void>;
}

/** The codes by which a session has ended, or never was. */
export const endCodes = ['UNAUTHENTICATED', 'REFRESH_REFUSED', 'ACCOUNT_SUSPENDED'] as const;

export const createSession = <U extends BaseUser>(parts: SessionParts<U>): SessionWithRequests<U> => {
  const { send, withLock, channel, wait } = parts;
  const store = createSessionStore<U>();
  const documents = documentsOf(parts.fragment);
  const ending = createEnding(store, channel);
  const prepare = shared(parts.prepare ?? (() => Promise.resolve()));
  const ask = async () => (await send(documents.fetchMe)).me;
  const { recover, renewPair } = createRecover({ send, wait, ask, withLock, ending, store });
  const refetch = createRefetch({ store, prepare, ask, recover });
  const refetchEverywhere = () => {
    store.change(store.state());
    channel.post('changed');
    return refetch();
  };
  const begin = (user: U, message: 'signedIn' | 'changed'): void => {
    store.change(stateOf(user));
    channel.post(message);
  };
  const open = async () => (store.state().status === 'loading' ? refetch() : store.state());
  channel.listen((message) => {
    const isEnd = message === 'signedOut' || message === 'expired';
    // An end is announced also while the state is loading: the answer on its way may be from before.
    if (isEnd ? store.state().status === 'signedOut' : message !== 'signedIn' && message !== 'changed') return;
    if (isEnd) ending.expect(message === 'signedOut' ? 'signedOutElsewhere' : message);
    // Hides the person at an end, which the service is to confirm.
    store.change(isEnd ? { status: 'loading' } : store.state());
    void refetch();
  });

  return {
    get: async () => {
      const state = await open();
      if (state.status === 'loading') throw asRefusal(state.error);
      return state.status === 'signedIn' ? state : null;
    },
    state: store.state,
    subscribe: store.subscribe,
    on: store.on,
    open,
    refetch,
    refetchEverywhere,
    begin: (operation, userOf) =>
      withLock(async () => {
        const answer = await operation(send);
        const user = userOf(answer);
        if (user) begin(user, 'signedIn');
        return answer;
      }),
    end: async (operation, reason) => {
      try {
        await operation();
      } catch (error) {
        if (store.state().status !== 'signedOut') throw error;
      }
      ending.end(reason);
    },
    recover,
    request: async (document, ...variables) => {
      await prepare.settled();
      return retried(() => send(document, ...variables), recover);
    },
    switchOrganization: async (organizationId) => {
      const attempt = () => send(documents.switchOrganization, { organizationId });
      try {
        await withLock(async () => begin((await retried(attempt, renewPair)).switchOrganization.user, 'changed'));
      } catch (error) {
        // The state may be stale. After a lost answer the cookies may be for either organization, and no request may
        // act for the wrong one.
        await refetchEverywhere();
        throw error;
      }
    },
  };
};

interface Documents<U> {
  readonly fetchMe: TypedDocument<{ readonly me: U }, Record<string, never>>;
  readonly switchOrganization: TypedDocument<
    { readonly switchOrganization: { readonly user: U } },
    { readonly organizationId: string }
  >;
}

const documentsOf = <U>(fragment: TypedDocument<U, unknown>): Documents<U> => {
  const text = fragment.toString();
  const fields = `...${/fragment (\w+)/.exec(text)?.[1]}`;
  return {
    fetchMe: `query FetchMe{me{${fields}}}${text}`,
    switchOrganization: `mutation SwitchOrganization($organizationId:ID!){switchOrganization(organizationId:$organizationId){user{${fields}}}}${text}`,
  };
};

interface Ending {
  /** Ends the session in this tab. The first reason is kept, unless a deliberate end follows. */
  readonly end: (reason?: EndReason) => void;
  /** Keeps the reason that another tab has given, for an end that the service confirms without one. */
  readonly expect: (reason: EndReason) => void;
}

const createEnding = <U extends BaseUser>(store: SessionStore<U>, channel: Channel): Ending => {
  /** The reason of an end that the service has not given one for. */
  let likely: EndReason = 'expired';
  return {
    end: (reason) => {
      const before = store.state().status;
      const isDeliberate = (reason ?? 'expired') !== 'expired';
      if (before === 'signedOut' && !isDeliberate) return;
      store.change({
        status: 'signedOut',
        reason: reason ?? (store.lastUser() && (before === 'loading' ? likely : 'expired')),
      });
      // Not by the tabs that follow: their state is loading.
      if (isDeliberate || before === 'signedIn') channel.post(isDeliberate ? 'signedOut' : 'expired');
    },
    expect: (reason) => {
      likely = reason;
    },
  };
};

interface RecoverParts<U extends BaseUser> extends Pick<SessionParts<U>, 'send' | 'wait' | 'withLock'> {
  readonly ask: () => Promise<U>;
  readonly ending: Ending;
  readonly store: SessionStore<U>;
}

const createRecover = <U extends BaseUser>({ withLock, ending, store, ...parts }: RecoverParts<U>) => {
  let wasExpired = false;
  // When another tab has announced the end, the state is loading.
  const renewPair = () => renew(parts, wasExpired || store.state().status === 'signedIn');
  const run = shared(() =>
    withLock(async () => {
      try {
        return await renewPair();
      } catch (error) {
        if (isRefusal(error, ...endCodes))
          ending.end(error.code !== 'UNAUTHENTICATED' && !store.lastUser() ? 'expired' : undefined);
        throw error;
      } finally {
        wasExpired = false;
      }
    }),
  );
  const recover = (hasExpired: boolean) => {
    wasExpired ||= hasExpired;
    return run();
  };
  return { recover, renewPair };
};

interface RefetchParts<U extends BaseUser> {
  readonly store: SessionStore<U>;
  readonly prepare: () => Promise<void>;
  readonly ask: () => Promise<U>;
  readonly recover: (hasExpired: boolean) => Promise<U | undefined>;
}

const createRefetch = <U extends BaseUser>({ store, prepare, ask, recover }: RefetchParts<U>) => {
  const fetchUser = async (): Promise<void> => {
    const before = store.version();
    await prepare();
    // The preparation may have signed a person in.
    if (store.version() !== before && store.state().status === 'signedIn') return;
    const version = store.version();
    let found: U | undefined;
    const user = await retried(
      async () => found ?? ask(),
      async (hasExpired) => {
        found = await recover(hasExpired);
      },
    );
    store.applyAnswer(version, stateOf(user));
  };
  return shared(async () => {
    const version = store.version();
    try {
      await fetchUser();
    } catch (error) {
      if (store.state().status === 'loading') {
        store.applyAnswer(version, { status: 'loading', error: asRefusal(error) });
      }
    }
    return store.state();
  }, store.version);
};
