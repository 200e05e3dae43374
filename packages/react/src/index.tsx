/**
 * `@gatehouse/react`: the session of `@gatehouse/client` in React. Every hook reads the client's own state by
 * useSyncExternalStore, so that no two components of one render can disagree.
 */
'use client';

import type { BaseUser, Client, SessionState, User } from '@gatehouse/client';
import {
  createContext,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useSyncExternalStore,
} from 'react';

/**
 * Where an application with a `fragment` of its own names its client, once, for the types of all hooks:
 * `declare module '@gatehouse/react' { interface Register { client: typeof gatehouse } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: an application adds `client` to it
export interface Register {}

type RegisteredUser = Register extends { readonly client: Client<infer U> } ? U : User;
type RegisteredOrganization<U extends BaseUser = RegisteredUser> = NonNullable<U['currentMembership']>['organization'];

export interface GatehouseProviderProps {
  /** The client of the page; the same object in every render. */
  readonly client: Client<RegisteredUser>;
  readonly children?: ReactNode;
}

export interface SignedProps {
  /** Shown while it is not known whether a user is signed in. Default: nothing. */
  readonly fallback?: ReactNode;
  readonly children?: ReactNode;
}

export interface RedirectToSignInProps {
  /** Where the portal leads back to: a path of this page's origin, or a URL. Default: this page. */
  readonly returnTo?: string;
}

const ClientContext = createContext<Client<RegisteredUser> | null>(null);

/** Gives the session to the hooks and components below it, and asks who is signed in. */
export const GatehouseProvider = ({ client, children }: GatehouseProviderProps): ReactElement => {
  // Idempotent: a second run, as in StrictMode, joins the question of the first.
  useEffect(() => void client.session.open(), [client]);
  return <ClientContext.Provider value={client}>{children}</ClientContext.Provider>;
};

const useClient = (): Client<RegisteredUser> => {
  const client = useContext(ClientContext);
  if (client === null) throw new Error('GatehouseProvider is missing');
  return client;
};

/** The state of a server and of the first render in the browser, which must be equal. */
const notKnown = { status: 'loading' } as const;

/** The state of the session: `loading`, where the first question may have failed, `signedIn` or `signedOut`. */
export const useSession = (): SessionState<RegisteredUser> => {
  const { session } = useClient();
  return useSyncExternalStore(session.subscribe, session.state, () => notKnown);
};

/** The signed-in person; null while no one is known to be signed in. */
export const useUser = (): RegisteredUser | null => {
  const state = useSession();
  return state.status === 'signedIn' ? state.user : null;
};

/** The active organization; null without one, and while no one is known to be signed in. */
export const useOrganization = (): RegisteredOrganization | null => {
  const state = useSession();
  return state.status === 'signedIn' ? (state.membership?.organization ?? null) : null;
};

/** Whether the person has the scope in the active organization: to show something. Your back end decides. */
export const useScope = (scope: string): boolean => {
  const { session, hasScope } = useClient();
  return useSyncExternalStore(
    session.subscribe,
    () => hasScope(scope),
    () => false,
  );
};

const useShown = (status: 'signedIn' | 'signedOut', { fallback, children }: SignedProps): ReactNode => {
  const state = useSession();
  if (state.status === 'loading') return fallback;
  return state.status === status ? children : null;
};

/** Shows its children to a signed-in person. */
export const SignedIn = (props: SignedProps): ReactNode => useShown('signedIn', props);

/** Shows its children when no one is signed in. */
export const SignedOut = (props: SignedProps): ReactNode => useShown('signedOut', props);

/** Leads to the portal's sign-in page, which leads back; place it in {@link SignedOut}. Shows nothing. */
export const RedirectToSignIn = ({ returnTo }: RedirectToSignInProps): null => {
  const client = useClient();
  const hasLeft = useRef(false);
  useEffect(() => {
    const leave = () => location.assign(client.signInUrl(returnTo === undefined ? {} : { returnTo }));
    // A page that the Back button restores from the browser's memory would stay empty.
    const leaveAgain = ({ persisted }: PageTransitionEvent) => persisted && leave();
    // Once, also in StrictMode, which runs effects twice.
    if (!hasLeft.current) leave();
    hasLeft.current = true;
    addEventListener('pageshow', leaveAgain);
    return () => removeEventListener('pageshow', leaveAgain);
  }, [client, returnTo]);
  return null;
};
