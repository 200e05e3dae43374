/**
 * The public types of the package for a program that runs Gatehouse in its own process (docs/added-routes.md). Types
 * only: an adopter's compiler reads the declarations beside it and no source. Like the GraphQL contract, it only grows.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor, Membership } from './actor.d.ts';
import type { ApplicationDefinition } from './application-definition.d.ts';

export type { ActingParty, Actor, ActorKind, Membership, NeedsSecondFactor } from './actor.d.ts';
export type {
  ApplicationDefinition,
  BrandDefinition,
  MessagesDefinition,
  ProductDefinition,
  ResourceDefinition,
  RoleDefinition,
} from './application-definition.d.ts';

/**
 * Starts the service in this process as `gatehouse serve` does, configured by environment variables, with the added
 * routes. Resolves once it listens. Handling signals is left to the caller.
 * @throws Error with a message for the operator when the configuration, the database, the port or a route is unusable
 */
export declare function startGatehouse(added?: AddedParts): Promise<Gatehouse>;

/**
 * The definition of your application, for the default export of APPLICATION_FILE or for `startGatehouse`. It returns
 * its argument; the service checks it when it starts (docs/application.md).
 */
export declare function defineApplication(definition: ApplicationDefinition): ApplicationDefinition;

/**
 * Defines a tool of the MCP of an organization, for `startGatehouse`. It returns its argument; the service checks it
 * when it starts (docs/organization-mcp.md).
 */
export declare function defineTool<Input extends ToolSchema, Output extends ToolSchema>(
  tool: ToolDefinition<Input, Output>,
): DefinedTool;

/** The error with which a tool answers a model in words of its own; the text of any other stays in the service. */
export declare class ToolError extends Error {
  readonly name: 'ToolError';
  /** @param message at most 2,000 characters; longer ones are cut */
  constructor(message: string, options?: ErrorOptions);
}

/** The parts that a program adds to the service that it runs. */
export interface AddedParts extends AddedRoutes {
  /** The definition of the application; not together with APPLICATION_FILE. */
  readonly application?: ApplicationDefinition;
  /** Tools of the MCP of an organization, each made by `defineTool`; served where ORGANIZATION_MCP_ENABLED is true. */
  readonly tools?: readonly DefinedTool[];
}

/** The return value of `defineTool`. */
export interface DefinedTool {
  readonly name: string;
  readonly scopes: readonly string[];
}

export interface ToolDefinition<Input extends ToolSchema, Output extends ToolSchema> {
  /** Small letters, digits, underscores and hyphens, at most 64; none of the service's own tools. */
  readonly name: string;
  /** For people, at most 100 characters. */
  readonly title: string;
  /** For the model, at most 1,000 characters: what the tool does, and when to use it. */
  readonly description: string;
  /** Scopes of an organization, all of which a call needs; never empty. */
  readonly scopes: readonly [string, ...string[]];
  /** `z.strictObject({ … })` of zod 4; the objects in it are strict too. */
  readonly input: Input;
  /** `z.object({ … })` of zod 4. Only the fields that it names leave the service. */
  readonly output: Output;
  /** Whether a call changes nothing. A tool that is not read only takes `dryRun` beside its input. */
  readonly isReadOnly: boolean;
  /** Whether a change may destroy something. */
  readonly isDestructive: boolean;
  /**
   * Runs the tool, for 30 seconds at most. The answer has 25,000 bytes at most, as text with its description.
   * @throws ToolError with words for the model; what else it throws is logged, and the client learns nothing of it
   */
  readonly run: (
    context: ToolContext,
    input: SchemaOutput<Input>,
  ) => SchemaInput<Output> | Promise<SchemaInput<Output>>;
  /** One sentence about an answer, for the person who watches the conversation. */
  readonly describe: (answer: SchemaOutput<Output>) => string;
}

/** For whom a tool runs. */
export interface ToolContext {
  /** The person; their `scopes` are those that they granted to the client and hold now. */
  readonly actor: Actor;
  /** The organization that the client is connected to; a tool reads and changes what belongs to it alone. */
  readonly organization: { readonly id: string; readonly name: string };
  /** The id of the call, in its answer, in the log and in the audit of the organization. */
  readonly correlationId: string;
  /** Aborted when the time of the call is over, or the service ends. */
  readonly signal: AbortSignal;
  /** Whether to change nothing, and answer what would change. Always false for a tool that is read only. */
  readonly dryRun: boolean;
}

/** A schema of zod 4, of any copy. */
export interface ToolSchema {
  readonly safeParse: (value: unknown) => { readonly success: boolean };
  readonly '~standard': { readonly types?: { readonly input: unknown; readonly output: unknown } | undefined };
}

/** The values that a schema takes. */
export type SchemaInput<Schema extends ToolSchema> = NonNullable<Schema['~standard']['types']>['input'];

/** The values that a schema gives. */
export type SchemaOutput<Schema extends ToolSchema> = NonNullable<Schema['~standard']['types']>['output'];

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
   * @param options `machines`: whether a machine credential is accepted too; by default it is refused with FORBIDDEN
   * @throws Refusal UNAUTHENTICATED: when the request has no valid token
   * @throws Refusal ACCESS_EXPIRED: when the access token must be refreshed
   * @throws Refusal ORIGIN_REFUSED: when a cookie comes from another origin
   * @throws Refusal UNAVAILABLE: when the database does not answer
   */
  readonly resolveActor: (
    request: IncomingMessage | FastifyRequest,
    options?: { readonly machines?: boolean },
  ) => Promise<Actor>;
  /**
   * The membership of the active organization, which owns the requested data.
   * @throws Refusal MEMBERSHIP_REQUIRED: when the actor has none
   * @throws Refusal SECOND_FACTOR_REQUIRED: when the organization requires a second factor, and the session has none
   */
  readonly requireMembership: (actor: Actor) => Membership;
  /**
   * Returns when the actor holds all of these scopes.
   * @throws Refusal FORBIDDEN: with `details.missingScopes`
   * @throws Refusal MEMBERSHIP_REQUIRED: when an organization scope is required and the person has no active membership
   * @throws Refusal SECOND_FACTOR_REQUIRED: when scopes are missing because the session has no second factor
   * @throws TypeError for an unknown scope, a defect in the calling program
   */
  readonly requireScopes: (actor: Actor, scope: string, ...more: readonly string[]) => void;
}

export interface Refusal extends Error {
  readonly code:
    | 'UNAUTHENTICATED'
    | 'ACCESS_EXPIRED'
    | 'ORIGIN_REFUSED'
    | 'MEMBERSHIP_REQUIRED'
    | 'SECOND_FACTOR_REQUIRED'
    | 'FORBIDDEN'
    | 'UNAVAILABLE';
  /** The HTTP status. */
  readonly status: number;
  readonly details: { readonly missingScopes?: readonly string[] };
}
