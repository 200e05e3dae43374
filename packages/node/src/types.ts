/**
 * The types of the package. Those of an actor have the names and fields of `gatehouse.d.ts`, so that a route moves
 * between the service's process and one of its own unchanged.
 */

/** The authenticated caller. A snapshot taken for one request. */
export interface Actor {
  /** Id of the person, or of the service account. */
  readonly id: string;
  /** Empty for a service account. */
  readonly email: string;
  readonly emailValidatedAt: Date | null;
  readonly name: string;
  /** False as well while a super admin needs a second factor in the session. */
  readonly isSuperAdmin: boolean;
  /** Null when the person has no active membership, or its organization requires a second factor that is missing. */
  readonly currentMembership: Membership | null;
  /** Every scope held now: by role and subscription in the organization, and as a super admin. */
  readonly scopes: readonly string[];
  /** What the actor would also have in a session with a second factor. */
  readonly needsSecondFactor: NeedsSecondFactor;
  /** Who acts; the same as `actor.kind`. */
  readonly kind: ActorKind;
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
  /** The authority of a super admin. */
  readonly platform: boolean;
}

export interface Membership {
  /** Empty for a service account, which belongs to its organization without a membership. */
  readonly id: string;
  /** OWNER, ADMIN, MEMBER or a role that the application defines; empty for a service account. */
  readonly role: string;
  readonly organization: { readonly id: string; readonly name: string };
}

/** The answer about a token (RFC 7662, section 2.2). What does not apply is absent. */
export type Introspection = { readonly active: false } | ActiveToken;

export interface ActiveToken {
  readonly active: true;
  /** Id of the person, or of the service account. */
  readonly sub: string;
  readonly username?: string;
  readonly client_id?: string;
  /** Space-separated; granted, held now, and of the resource. May be empty. */
  readonly scope: string;
  /** URL of the resource. */
  readonly aud: string;
  /** Seconds since 1970, like `iat`. */
  readonly exp: number;
  readonly iat: number;
  readonly token_type: string;
  readonly organization_id?: string;
  readonly membership_id?: string;
  readonly role?: string;
  readonly actor_kind: ActorKind;
}

/** Access to an MCP server, in the form of `AuthInfo` of the MCP SDK: assign it to `request.auth`. */
export interface McpAccess {
  readonly token: string;
  /** Empty when the token was issued to no client. */
  readonly clientId: string;
  readonly scopes: string[];
  /** Seconds since 1970. */
  readonly expiresAt: number;
  readonly resource: URL;
  /** The whole answer about the token. */
  readonly extra: { readonly introspection: ActiveToken };
}

/** Metadata of a protected resource (RFC 9728, section 2). */
export interface ResourceMetadata {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly scopes_supported: readonly string[];
  readonly bearer_methods_supported: readonly string[];
}
