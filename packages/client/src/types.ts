/** The shapes of the client: the user, the state of the session, its events, and GraphQL documents. */
import type { Refusal } from './refusal.ts';

export interface Organization {
  readonly id: string;
  readonly name: string;
}

export interface Membership {
  readonly id: string;
  readonly role: string;
  readonly organization: Organization;
}

/** The membership in the active organization. */
export interface CurrentMembership extends Membership {
  /** The scopes of the person in the organization, by role and plan. */
  readonly scopes: readonly string[];
}

/** The fields of a user that the client itself needs, whatever else a fragment asks for. */
export interface BaseUser {
  readonly id: string;
  readonly currentMembership?: CurrentMembership | null;
}

export interface User extends BaseUser {
  readonly email: string;
  readonly name: string;
  /** When the address was confirmed (RFC 3339); null while it is not. */
  readonly emailValidatedAt: string | null;
  readonly isSuperAdmin: boolean;
  /** Null while no organization is active. */
  readonly currentMembership: CurrentMembership | null;
  readonly memberships: readonly Membership[];
}

/**
 * Why the session ended: a sign-out in this tab or another, another end such as a revocation, or a reason given to
 * `end`.
 */
export type EndReason = 'signedOut' | 'signedOutElsewhere' | 'expired' | (string & {});

export interface SignedIn<U extends BaseUser = User> {
  readonly status: 'signedIn';
  readonly user: U;
  /** The membership in the active organization, or null. */
  readonly membership: NonNullable<U['currentMembership']> | null;
  /** Scopes in the active organization; empty without one. */
  readonly scopes: readonly string[];
}

export type SessionState<U extends BaseUser = User> =
  /** Not known: not asked yet, or the question failed for the time being. */
  | { readonly status: 'loading'; readonly error?: Refusal | undefined }
  | SignedIn<U>
  /** `reason` is absent for a visitor who had no session. */
  | { readonly status: 'signedOut'; readonly reason?: EndReason | undefined };

/**
 * `signedIn`: a person signed in, here or in another tab. `signedOut`: they signed out. `switched`: another
 * organization is active. `expired`: the session ended without a sign-out, such as by expiry or a revocation.
 */
export type SessionEvent = 'signedIn' | 'signedOut' | 'switched' | 'expired';

/** A GraphQL document as text, with types where a generator added them (`documentMode: 'string'`). */
export interface TypedDocument<Result, Variables> {
  toString(): string;
  // The optional method that generators declare to carry the types; it is never called.
  readonly __apiType?: ((variables: Variables) => Result) | undefined;
}

/** Sends one GraphQL operation once, without refreshing the session. */
export type Send = <Result, Variables>(
  document: TypedDocument<Result, Variables>,
  ...variables: VariablesOf<Variables>
) => Promise<Result>;

/** Variables may be left out where none is required. */
type VariablesOf<Variables> =
  Record<string, never> extends Variables ? [variables?: Variables] : [variables: Variables];
