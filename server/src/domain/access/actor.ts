/** Who acts: the person, the credential they came with, and the active membership with its effective scopes. */
import type { MembershipRow } from '../organizations/organizations-store.ts';
import {
  effectiveScopes,
  type OrganizationScope,
  type PlatformScope,
  type Role,
  type Scope,
  type SubscriptionStatus,
} from '../scopes/scopes.ts';

export interface ActiveMembership {
  readonly id: string;
  readonly role: Role;
  readonly organization: {
    readonly id: string;
    readonly name: string;
    readonly subscription: {
      readonly status: SubscriptionStatus;
      readonly product: string | null;
      readonly currentPeriodEndsAt: Date | null;
    };
  };
  /** The role's scopes that the active subscription's product also grants. */
  readonly scopes: readonly OrganizationScope[];
}

/** A membership with what it grants right now. */
export const activeMembership = (facts: MembershipRow): ActiveMembership => {
  const { product, currentPeriodEndsAt } = facts;
  const subscription = { status: facts.subscriptionStatus ?? 'NONE', product, currentPeriodEndsAt } as const;
  return {
    id: facts.membershipId,
    role: facts.role,
    organization: { id: facts.organizationId, name: facts.organizationName, subscription },
    scopes: effectiveScopes(facts.role, subscription),
  };
};

export interface Actor {
  readonly user: {
    readonly id: string;
    readonly email: string;
    readonly name: string;
    readonly emailValidatedAt: Date | null;
    readonly isSuperAdmin: boolean;
    /** Granted to this super admin; empty for anyone else. */
    readonly platformScopes: readonly PlatformScope[];
    readonly hasPassword: boolean;
    readonly hasExternalIdentity: boolean;
    /** There is a password that was set before an identity was linked by its address, and the person was not asked yet. */
    readonly isPasswordInQuestion: boolean;
  };
  readonly credential: {
    readonly id: string;
    readonly sessionFamilyId: string;
    readonly audience: string;
    readonly authMethod: string;
    readonly scopes: readonly string[];
    /** The OAuth client that it was issued to, and the name under which that one registered; null for everybody else. */
    readonly clientId: string | null;
    readonly clientName: string | null;
  };
  /** Null when current_membership is missing, foreign, or of someone who has not joined. */
  readonly membership: ActiveMembership | null;
}

/**
 * Every scope that the actor holds right now: the membership's, and a super admin's platform scopes; of these only what
 * the credential is limited to, where it is.
 */
export const scopesOfActor = (actor: Actor): ReadonlySet<string> => {
  const { scopes: limit } = actor.credential;
  const held: readonly string[] = [...(actor.membership?.scopes ?? []), ...actor.user.platformScopes];
  return new Set(limit.length === 0 ? held : held.filter((scope) => limit.includes(scope)));
};

export const holdsScope = (actor: Actor, scope: Scope): boolean => scopesOfActor(actor).has(scope);
