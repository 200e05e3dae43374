/** The types of the package. Those of an actor are the service's own, of which `npm pack` adds a copy. */
import type { ActorKind } from '../../../server/src/actor.d.ts';

export type { ActingParty, Actor, ActorKind, Membership, NeedsSecondFactor } from '../../../server/src/actor.d.ts';

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
