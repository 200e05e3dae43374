/**
 * `@gatehouse/client`: the session of Gatehouse in browsers. One refresh for all tabs, requests that survive it, and no
 * token that a script can read.
 */
import { createFetch } from './credentialed-fetch.ts';
import {
  type Browser,
  browserFetch,
  createSessionClient,
  type SessionClient,
  type SessionOptions,
  withoutSlash,
} from './session-client.ts';
import type { BaseUser, TypedDocument, User } from './types.ts';

export { isRefusal, Refusal } from './refusal.ts';
export type { Session } from './session.ts';
export type { Browser, SessionClient, SessionOptions } from './session-client.ts';
export { createSessionClient } from './session-client.ts';
export { type Channel, openChannel, type WithLock } from './tabs.ts';
export type {
  BaseUser,
  CurrentMembership,
  EndReason,
  Membership,
  Organization,
  Send,
  SessionEvent,
  SessionState,
  SignedIn,
  TypedDocument,
  User,
} from './types.ts';

export interface ClientOptions<U extends BaseUser = User> extends SessionOptions<U> {
  /** URL of the portal: its FRONTEND_URL. Default: `baseUrl`. */
  readonly frontendUrl?: string;
  /** Origins of your back ends: `fetch` sends cookies there and to `baseUrl`, and nowhere else. */
  readonly origins?: readonly string[];
}

export interface SignInOptions {
  /** Where the portal leads back to: a path of this page's origin, or a URL. Default: this page. */
  readonly returnTo?: string;
}

export interface Client<U extends BaseUser = User> extends Omit<SessionClient<U>, 'recover'> {
  /**
   * As the browser's `fetch`, with the session's cookies for `baseUrl` and `origins`. After ACCESS_EXPIRED or
   * UNAUTHENTICATED it refreshes the session and sends the request once more, unless its body is a stream.
   * @throws Refusal when the session is stale and the service cannot be reached
   */
  readonly fetch: typeof globalThis.fetch;
  /** URL of the portal's sign-in page, which leads back here. */
  readonly signInUrl: (options?: SignInOptions) => string;
  /** URL of the portal's sign-up page, which leads back here. */
  readonly signUpUrl: (options?: SignInOptions) => string;
  /** Whether the person has the scope in the active organization, as far as this page knows. The service decides. */
  readonly hasScope: (scope: string) => boolean;
}

const userFragment: TypedDocument<User, unknown> = `fragment Person on User{id email name emailValidatedAt isSuperAdmin
currentMembership{id role scopes organization{id name}}
memberships{id role organization{id name}}}`;

/**
 * Creates the client; once for a page.
 * @param browser replaces parts of the browser in tests
 */
export function createClient(options: ClientOptions, browser?: Partial<Browser>): Client;
export function createClient<U extends BaseUser>(
  options: ClientOptions<U> & { readonly fragment: TypedDocument<U, unknown> },
  browser?: Partial<Browser>,
): Client<U>;
export function createClient(
  { frontendUrl, origins = [], fragment = userFragment, ...options }: ClientOptions,
  browser?: Partial<Browser>,
): Client {
  const { recover, ...client } = createSessionClient({ ...options, fragment }, browser);
  const portal = withoutSlash(frontendUrl ?? options.baseUrl);
  const pageOf =
    (path: string) =>
    ({ returnTo }: SignInOptions = {}) => {
      const redirect = redirectOf(returnTo);
      return portal + path + (redirect && `?redirect=${encodeURIComponent(redirect)}`);
    };
  return {
    ...client,
    fetch: createFetch({
      fetch: browser?.fetch ?? browserFetch,
      origins: [options.baseUrl, ...origins].map((url) => new URL(url).origin),
      recover,
    }),
    signInUrl: pageOf('/signin'),
    signUpUrl: pageOf('/signup'),
    hasScope: (scope) => {
      const state = client.session.state();
      return state.status === 'signedIn' && state.scopes.includes(scope);
    },
  };
}

/** URL of the page; undefined on a server. */
const pageUrl = (): string | undefined => globalThis.location?.href;

/** The address that the portal may accept as `redirect`: an absolute URL without user info; else nothing. */
const redirectOf = (returnTo = pageUrl() ?? ''): string => {
  if (!URL.canParse(returnTo, pageUrl())) return '';
  const { protocol, username, password, href } = new URL(returnTo, pageUrl());
  return protocol.startsWith('http') && !username && !password ? href : '';
};
