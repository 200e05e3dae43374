/** What the load generator is asked for and what it answers, as messages between processes. */
import type { JsonWebKey } from 'node:crypto';
import type { Pair, Switcher } from '../seed.ts';

export interface RequestText {
  /** Absent: POST, with the body. */
  readonly method?: 'GET';
  readonly path: string;
  readonly body: string;
  readonly token: string | null;
  /** An Authorization that is no Bearer. */
  readonly authorization?: string;
  /** The client's address, in X-Forwarded-For; absent: that of the load itself. */
  readonly from?: string;
  /** Media types that the client accepts; absent: those of GraphQL. */
  readonly accept?: string;
}

/** A person with a passkey, and the address of their client. */
export interface PasskeyHolder {
  /** base64url. */
  readonly credentialId: string;
  /** base64url. */
  readonly userHandle: string;
  readonly privateKey: JsonWebKey;
  readonly from: string;
}

/** A person with one-time codes, and the address of their client. */
export interface CodeHolder {
  readonly email: string;
  readonly password: string;
  /** base32. */
  readonly secret: string;
  readonly from: string;
}

/**
 * Requests that do not depend on answers, over and over; each connection rotating a pair of its own; each switching the
 * organization of one user after another; or one user after another signing in by two requests.
 */
export type Workload =
  | { readonly kind: 'fixed'; readonly requests: readonly RequestText[] }
  | { readonly kind: 'rotate'; readonly path: string; readonly pairs: readonly Pair[] }
  | { readonly kind: 'switch'; readonly switchers: readonly Switcher[] }
  | { readonly kind: 'passkeys'; readonly holders: readonly PasskeyHolder[] }
  | { readonly kind: 'codes'; readonly holders: readonly CodeHolder[] };

/** How many requests, one after the other, are counted and timed as one. */
export const stepsOf = ({ kind }: Workload): number => (kind === 'passkeys' || kind === 'codes' ? 2 : 1);

export interface Job {
  readonly port: number;
  readonly connections: number;
  readonly workload: Workload;
  /** Ends after the time or the count of requests, whichever is first. */
  readonly seconds: number;
  readonly count?: number;
  /** A client that gets 429 sends again at once; absent: any failure ends the job. */
  readonly acceptsRefusals?: true;
  /** Requests a second over all connections; absent: each connection sends again once it was answered. */
  readonly rate?: number;
}

export interface Outcome {
  readonly requests: number;
  readonly seconds: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
  /** CPU milliseconds of the generator itself. */
  readonly ownCpu: number;
}

export type Reply = { readonly outcome: Outcome } | { readonly error: string };
