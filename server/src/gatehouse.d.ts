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

/** The definition of your application. Every field is optional; docs/application.md has the rules. */
export interface ApplicationDefinition {
  /** Name of the application, as people see it. */
  readonly name?: string;
  /** Scopes of an organization, each with words for people: `{ 'notes:read': 'Read notes' }`. */
  readonly scopes?: Readonly<Record<string, string>>;
  /** Scopes of your own for ADMIN and MEMBER, and roles of your own, which need a title. */
  readonly roles?: Readonly<Record<string, { readonly title?: string; readonly scopes: readonly string[] }>>;
  /** The products to which an organization can subscribe. Default: `free`, which grants every scope. */
  readonly products?: Readonly<Record<string, ProductDefinition>>;
  /** The product after the end of a subscription: none (`DENY`), or DEFAULT_PRODUCT. Default: `'DENY'`. */
  readonly endedSubscription?: 'DENY' | 'DEFAULT_PRODUCT';
  /** Origins of your own front ends, beside FRONTEND_URL. */
  readonly origins?: readonly string[];
  /** APIs that may introspect tokens. */
  readonly resources?: Readonly<
    Record<string, { readonly url: string; readonly scopes: readonly string[]; readonly machineTokens?: boolean }>
  >;
  readonly brand?: BrandDefinition;
  /** Texts of your own, by language: `{ de: { portal: { 'signIn.title': 'Willkommen bei Acme' } } }`. */
  readonly messages?: Readonly<Record<string, MessagesDefinition>>;
}

export interface ProductDefinition {
  /** Default: its name. */
  readonly title?: string;
  /** Scopes of your own that it grants; `'*'` is all. Default: none. */
  readonly scopes?: '*' | readonly string[];
  /** Built-in scopes that it does not grant. */
  readonly without?: readonly string[];
  /** Number of seats. Default: no limit. */
  readonly members?: number;
  /** Look-up key of the price at Stripe. Default: its name. */
  readonly stripe?: string;
}

export interface MessagesDefinition {
  /** ICU messages by key; docs/mails.md has the keys, and what each is filled in with. */
  readonly mails?: Readonly<Record<string, string>>;
  /** ICU messages by key; docs/languages.md says where the keys are listed, and what each is filled in with. */
  readonly portal?: Readonly<Record<string, string>>;
}

export interface BrandDefinition {
  /** Path of an SVG, PNG, JPEG or WebP file, relative to the file of the definition. */
  readonly logo?: string;
  /** `#rrggbb`, with a contrast of 4.5:1 or more to white. */
  readonly color?: string;
  /** An https: or mailto: link. */
  readonly support?: string;
  /** An https: link. */
  readonly terms?: string;
  /** An https: link. */
  readonly privacy?: string;
}

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

/** Who makes a request, with the field names of GraphQL's `me`. A snapshot taken for one request. */
export interface Actor {
  /** The id of the person, or of the service account. */
  readonly id: string;
  /** Empty for a service account. */
  readonly email: string;
  readonly emailValidatedAt: Date | null;
  readonly name: string;
  /** False as well while a super admin needs a second factor in the session (SUPER_ADMIN_SECOND_FACTOR). */
  readonly isSuperAdmin: boolean;
  /**
   * That of the active organization; for a machine, of the organization that its token is bound to. Id and role of a
   * service account's are empty. Null when the person has no active membership, or its organization requires a second
   * factor that is missing.
   */
  readonly currentMembership: Membership | null;
  /** Every scope held now: by role and subscription in the organization, and as a super admin. */
  readonly scopes: readonly string[];
  /** Present where the actor would have more in a session with a second factor. */
  readonly needsSecondFactor?: NeedsSecondFactor;
  /** Who acts; the same as `actor.kind`. */
  readonly kind: ActorKind;
  /** Who acts: the person, or the machine for which no person signs in. */
  readonly actor: ActingParty;
}

/** A person in a session, a person's own token, or a service account of an organization. */
export type ActorKind = 'PERSON' | 'PERSONAL_TOKEN' | 'SERVICE_ACCOUNT';

export interface ActingParty {
  readonly kind: ActorKind;
  /** Id of the person, or of the service account. */
  readonly id: string;
  readonly name: string;
  /** Null for a service account. */
  readonly email: string | null;
}

export interface NeedsSecondFactor {
  /** The membership of the active organization, which requires one. */
  readonly membership: boolean;
  /** The authority of a super admin (SUPER_ADMIN_SECOND_FACTOR). */
  readonly platform: boolean;
}

export interface Membership {
  readonly id: string;
  /** OWNER, ADMIN, MEMBER or a role that the application defines. */
  readonly role: string;
  readonly organization: { readonly id: string; readonly name: string };
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
