/**
 * The public types of an actor, which the package for back ends has too: a route moves between the service's process
 * and one of its own unchanged. `npm pack` copies this file into that package (scripts/build-library.ts).
 */

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
   * That of the active organization; for a machine, of the organization that its token is bound to. Null when the
   * person has no active membership, or its organization requires a second factor that is missing.
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
  /** Empty for a service account, which belongs to its organization without a membership. */
  readonly id: string;
  /** OWNER, ADMIN, MEMBER or a role that the application defines; empty for a service account. */
  readonly role: string;
  readonly organization: { readonly id: string; readonly name: string };
}
