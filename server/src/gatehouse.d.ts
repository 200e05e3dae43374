/**
 * The public types of the package for a program that runs Gatehouse in its own process (docs/added-routes.md). Types
 * only, without imports from this source: an adopter's compiler reads no other file of it. Like the GraphQL contract,
 * it only grows.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Starts the service in this process as `gatehouse serve` does, configured by environment variables, with the added
 * routes. Resolves once it listens. Handling signals is left to the caller.
 * @throws Error with a message for the operator when the configuration, the database, the port or a route is unusable
 */
export declare function startGatehouse(added?: AddedRoutes): Promise<Gatehouse>;

/** Whether an error is a refusal, whose status and code may be shown to the caller. */
export declare function isRefusal(error: unknown): error is Refusal;

export interface Gatehouse {
  readonly identity: Identity;
  /** Makes readiness answer 503, completes work in flight, then closes every part, the database last. Idempotent. */
  readonly close: () => Promise<void>;
}

/**
 * Routes on the service's own origin, keyed by path prefix (`/api`). They get its security headers, its CORS for the
 * portal's origins, `Cache-Control: no-store` unless they set another value, and 404 as JSON.
 */
export interface AddedRoutes {
  /** Fastify plugins. Errors of their handlers are sent as `{ "error": { "code", "message" } }`. */
  readonly routes?: Readonly<Record<string, (http: FastifyInstance, identity: Identity) => void | Promise<void>>>;
  /** Factories of Node request listeners, such as an Express application. Listeners see the whole path. */
  readonly listeners?: Readonly<Record<string, (identity: Identity) => RequestListener>>;
}

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface Identity {
  /**
   * The actor of a request, decided exactly as for GraphQL: by `Authorization: Bearer`, else by the cookie auth_access.
   * With a cookie, any method but GET, HEAD and OPTIONS, and any upgrade, requires an Origin or Referer of the portal.
   * @param request Node's (Express's is one), or Fastify's
   * @throws Refusal UNAUTHENTICATED: when the request has no valid token
   * @throws Refusal ACCESS_EXPIRED: when the access token must be refreshed
   * @throws Refusal ORIGIN_REFUSED: when a cookie comes from another origin
   * @throws Refusal UNAVAILABLE: when the database does not answer
   */
  readonly resolveActor: (request: IncomingMessage | FastifyRequest) => Promise<Actor>;
  /**
   * The membership of the active organization, which owns the requested data.
   * @throws Refusal MEMBERSHIP_REQUIRED: when the actor has none
   */
  readonly requireMembership: (actor: Actor) => Membership;
  /**
   * Returns when the actor holds all of these scopes.
   * @throws Refusal FORBIDDEN: with `details.missingScopes`
   * @throws Refusal MEMBERSHIP_REQUIRED: when an organization scope is required and the person has no active membership
   * @throws TypeError for an unknown scope, a defect in the calling program
   */
  readonly requireScopes: (actor: Actor, scope: string, ...more: readonly string[]) => void;
}

/** The authenticated person, with the field names of GraphQL's `me`. A snapshot taken for one request. */
export interface Actor {
  readonly id: string;
  readonly email: string;
  readonly emailValidatedAt: Date | null;
  readonly name: string;
  readonly isSuperAdmin: boolean;
  /** Null when the person has no active membership. */
  readonly currentMembership: Membership | null;
  /** Every scope held now: by role and subscription in the organization, and as a super admin. */
  readonly scopes: readonly string[];
}

export interface Membership {
  readonly id: string;
  readonly role: 'OWNER' | 'ADMIN' | 'MEMBER';
  readonly organization: { readonly id: string; readonly name: string };
}

export interface Refusal extends Error {
  readonly code:
    | 'UNAUTHENTICATED'
    | 'ACCESS_EXPIRED'
    | 'ORIGIN_REFUSED'
    | 'MEMBERSHIP_REQUIRED'
    | 'FORBIDDEN'
    | 'UNAVAILABLE';
  /** The HTTP status. */
  readonly status: number;
  readonly details: { readonly missingScopes?: readonly string[] };
}
