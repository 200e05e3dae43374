/**
 * The part of the client that every page needs: the session, GraphQL, sign-out and switch, over what the browser
 * offers.
 */
import { createSend } from './send.ts';
import { createSession, type Session } from './session.ts';
import { storedLocks, swapStored } from './stored-locks.ts';
import { type Channel, lockOfAllTabs, openChannel, type Wait, type WithLock } from './tabs.ts';
import type { BaseUser, Send, TypedDocument, User } from './types.ts';

export interface SessionOptions<U extends BaseUser = User> {
  /** URL of the service: its BASE_URL. */
  readonly baseUrl: string;
  /**
   * A GraphQL fragment on User: the fields of the user, with `id` and what the client needs of `currentMembership`
   * (`id`, `role`, `scopes`, `organization { id name }`). Default: all fields of {@link User}.
   */
  readonly fragment?: TypedDocument<U, unknown>;
  /** Runs before the first question to the service, and again before the next one when it fails. */
  readonly prepare?: () => Promise<void>;
  /**
   * The language that the page shows, a BCP 47 tag: requests carry it as Accept-Language, which decides the language of
   * mails to people who have chosen none. Default, also where it returns undefined or no tag: the languages of the
   * browser.
   */
  readonly language?: (() => string | undefined) | undefined;
}

/** The parts of the browser that the client uses. */
export interface Browser {
  readonly fetch: typeof globalThis.fetch;
  readonly channel: Channel;
  readonly withLock: WithLock;
  readonly wait: Wait;
}

export interface SessionClient<U extends BaseUser = User> {
  readonly session: Session<U>;
  /**
   * Sends one GraphQL operation, after a refresh where one is needed.
   * @throws Refusal with the code of the service, UNAUTHENTICATED or REFRESH_REFUSED when the session has ended; or
   *   OFFLINE, UNAVAILABLE, UNREADABLE
   */
  readonly graphql: Send;
  /** Signs out this browser. @throws Refusal when the service cannot be reached: the person is still signed in */
  readonly signOut: () => Promise<void>;
  /** Makes another organization of the person the active one, in every tab. */
  readonly switchOrganization: (organizationId: string) => Promise<void>;
  /** The lock of all tabs for requests that replace the cookies. */
  readonly withLock: WithLock;
  /** After an answer ACCESS_EXPIRED or UNAUTHENTICATED to a request of one's own: see {@link Session}. */
  readonly recover: (hasExpired: boolean) => Promise<unknown>;
}

const signOutDocument: TypedDocument<unknown, Record<string, never>> = 'mutation SignOut{signOut{success}}';

/**
 * @param browser replaces parts of the browser in tests
 */
export const createSessionClient = <U extends BaseUser>(
  { baseUrl, fragment, prepare, language }: SessionOptions<U> & { readonly fragment: TypedDocument<U, unknown> },
  browser: Partial<Browser> = {},
): SessionClient<U> => {
  const base = withoutSlash(baseUrl);
  const parts = browserOf(`gatehouse ${base}`, browser);
  const send = createSend(`${base}/graphql`, parts.fetch, language);
  const { request, recover, switchOrganization, ...session } = createSession<U>({ ...parts, send, fragment, prepare });
  recheckWhenVisible(session);
  return {
    session,
    graphql: request,
    signOut: () => session.end(() => request(signOutDocument), 'signedOut'),
    switchOrganization,
    withLock: parts.withLock,
    recover,
  };
};

export const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

/** Read at each call: a page may replace it. */
export const browserFetch: typeof globalThis.fetch = (...request) => globalThis.fetch(...request);

const browserOf = (name: string, given: Partial<Browser>): Browser => {
  const wait: Wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const channel = given.channel ?? openChannel(name);
  const locks: LockManager | undefined = globalThis.navigator?.locks;
  return {
    fetch: browserFetch,
    channel,
    wait,
    // Web Locks exist in secure contexts alone.
    withLock: lockOfAllTabs(locks ?? storedLocks(wait, swapStored(name)), name),
    ...given,
  };
};

/**
 * Asks again when the page becomes visible, has the focus, is restored from the back/forward cache, or has a network
 * again. When a page loads, the state is not known yet, and the code that needs it asks.
 */
const recheckWhenVisible = <U extends BaseUser>({ state, refetch }: Session<U>): void => {
  if (!globalThis.document) return;
  const recheck = () => {
    const current = state();
    if (!document.hidden && (current.status !== 'loading' || current.error)) void refetch();
  };
  document.addEventListener('visibilitychange', recheck);
  // A page in that cache receives no messages of other tabs.
  for (const event of ['focus', 'pageshow', 'online']) window.addEventListener(event, recheck);
};
