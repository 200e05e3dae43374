/**
 * What the package offers to a program that runs Gatehouse in its own process (docs/added-routes.md). Types alone, and no
 * import of ours: an adopter's compiler reads nothing else of this source. Like the GraphQL contract, it only grows.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Starts the service in this process as `gatehouse serve` does, from the variables of the environment, with the routes
 * that are added. Resolves once it listens. Signals are the caller's to handle.
 * @throws Error with a sentence for the operator when the configuration, the database, the port or a route is unusable
 */
export declare function startGatehouse(added?: AddedRoutes): Promise<Gatehouse>;

/** Whether an error is a refusal: its status and code are what the caller may be told. */
export declare function isRefusal(error: unknown): error is Refusal;

export interface Gatehouse {
  readonly identity: Identity;
  /** Readiness answers 503 from now on; ends what is in flight, then every part, the database last. Idempotent. */
  readonly close: () => Promise<void>;
}

/**
 * Routes at the service's own address, by the path under which they stand (`/api`). They have its security headers, its
 * CORS for the portal's origins, `Cache-Control: no-store` unless they say otherwise, and 404 as JSON.
 */
export interface AddedRoutes {
  /** Fastify plugins. What their handlers throw is answered as `{ "error": { "code", "message" } }`. */
  readonly routes?: Readonly<Record<string, (http: FastifyInstance, identity: Identity) => void | Promise<void>>>;
  /** Makers of anything that takes Node's request and response, such as an Express application. They see whole paths. */
  readonly listeners?: Readonly<Record<string, (identity: Identity) => RequestListener>>;
}

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface Identity {
  /**
   * Who acts, decided exactly as for GraphQL: by `Authorization: Bearer`, else by the cookie auth_access. By cookie, any
   * method but GET, HEAD and OPTIONS, and any upgrade, needs an Origin or Referer of the portal.
   * @param request Node's (Express's is one), or Fastify's
   * @throws Refusal UNAUTHENTICATED; ACCESS_EXPIRED, when a refresh is what is missing; ORIGIN_REFUSED; UNAVAILABLE, when
   *   the database does not answer
   */
  readonly resolveActor: (request: IncomingMessage | FastifyRequest) => Promise<Actor>;
  /**
   * The membership of the active organization, to which what the request asks for belongs.
   * @throws Refusal MEMBERSHIP_REQUIRED
   */
  readonly requireMembership: (actor: Actor) => Membership;
  /**
   * Passes when the actor holds all of these scopes.
   * @throws Refusal FORBIDDEN with `details.missingScopes`; MEMBERSHIP_REQUIRED, when a scope of an organization is needed
   *   and the person is in none
   * @throws TypeError for a scope that is on no list: a slip in the program
   */
  readonly requireScopes: (actor: Actor, scope: string, ...more: readonly string[]) => void;
}

/** The person who acts, under the names of GraphQL's `me`. As old as the request: the next one asks again. */
export interface Actor {
  readonly id: string;
  readonly email: string;
  readonly emailValidatedAt: Date | null;
  readonly name: string;
  readonly isSuperAdmin: boolean;
  /** Null when the person has no active membership. */
  readonly currentMembership: Membership | null;
  /** Every scope that is held now: by role and subscription in the organization, and as a super admin. */
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
  /** Of the HTTP answer. */
  readonly status: number;
  readonly details: { readonly missingScopes?: readonly string[] };
}
