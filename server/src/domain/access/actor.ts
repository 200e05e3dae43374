/** The actor of a request: user or machine, their credential, and the active membership with its scopes. */
import type { Language } from '../../kernel/languages.ts';
import type { IssuedCredential } from '../credentials/actor-store.ts';
import type { Withheld } from '../credentials/machine-actor-store.ts';
import type { MembershipRow, OrganizationColumns } from '../organizations/organizations-store.ts';
import type { Application, RoleManager } from '../scopes/application.ts';
import { isBuiltInScope, type PlatformScope, type Role, type SubscriptionStatus } from '../scopes/scopes.ts';
import { serviceAccountDomain } from '../users/text-rules.ts';

export interface ActiveMembership {
  readonly id: string;
  readonly role: Role;
  readonly organization: {
    readonly id: string;
    readonly name: string;
    /** When it is gone for good; null unless it was deleted. */
    readonly deletesAt: Date | null;
    /** Whether members hold scopes and roles only in sessions with a second factor. */
    readonly requireSecondFactor: boolean;
    readonly subscription: {
      readonly status: SubscriptionStatus;
      readonly product: string | null;
      readonly currentPeriodEndsAt: Date | null;
    };
  };
  /** The organization requires a second factor that the session lacks: the membership has no authority. */
  readonly needsSecondFactor: boolean;
  /** The role's scopes that the active subscription's product also grants. */
  readonly scopes: readonly string[];
}

/** A membership with the scopes that it grants now; none if deleted, or without the second factor that it requires. */
export const activeMembership = (
  application: Application,
  facts: MembershipRow,
  hasSecondFactor: boolean,
): ActiveMembership => {
  const organization = organizationOf(facts);
  const { membershipId: id, role } = facts;
  const needsSecondFactor = facts.requireSecondFactor && !hasSecondFactor;
  const isUsable = facts.deletesAt === null && !needsSecondFactor;
  const scopes = isUsable ? application.effectiveScopes(role, organization.subscription) : [];
  return { id, role, organization, needsSecondFactor, scopes };
};

/** The organization of a membership, with its subscription. */
export const organizationOf = (facts: OrganizationColumns): ActiveMembership['organization'] => {
  const { organizationId: id, organizationName: name, product, currentPeriodEndsAt, deletesAt } = facts;
  return {
    id,
    name,
    deletesAt,
    requireSecondFactor: facts.requireSecondFactor,
    subscription: { status: facts.subscriptionStatus ?? 'NONE', product, currentPeriodEndsAt },
  };
};

/** Who acts: a person in a session, a person's own token, or a service account of an organization. */
export type ActorKind = 'PERSON' | MachineKind;
type MachineKind = 'PERSONAL_TOKEN' | 'SERVICE_ACCOUNT';

/** The token of a machine, and what its organization says of it now. */
export interface MachineToken {
  readonly kind: MachineKind;
  readonly id: string;
  readonly name: string;
  /** Null while nothing but the request's address can block it. */
  readonly withheld: Withheld | null;
  /** Whether the organization accepts its tokens from an address, null for one that is not known. */
  readonly isAllowedFrom: (address: string | null) => boolean;
}

export interface Actor {
  /** Null for a person in a session. */
  readonly machine: MachineToken | null;
  /** A service account has an id, a name and an address that no mail reaches, and nothing that only a person has. */
  readonly user: {
    readonly id: string;
    readonly email: string;
    readonly name: string;
    /** The language that the user has chosen; null until then. */
    readonly language: Language | null;
    readonly emailValidatedAt: Date | null;
    readonly isSuperAdmin: boolean;
    /** Granted to this super admin; empty for every other user, and where the required second factor is missing. */
    readonly platformScopes: readonly PlatformScope[];
    /** Whether acting as a super admin takes a second factor here (SUPER_ADMIN_SECOND_FACTOR). */
    readonly needsFactorAsSuperAdmin: boolean;
    readonly hasPassword: boolean;
    readonly hasExternalIdentity: boolean;
    /** The password was set before an identity was linked by its address, and the user has not reviewed it yet. */
    readonly isPasswordInQuestion: boolean;
  };
  readonly credential: IssuedCredential & { readonly id: string };
  /** The application whose definition decides what the membership grants. */
  readonly application: Application;
  /** Null when current_membership is missing, belongs to another user, or has not been joined. */
  readonly membership: ActiveMembership | null;
}

export const kindOf = ({ machine }: Pick<Actor, 'machine'>): ActorKind => machine?.kind ?? 'PERSON';

/** A client's grant for one organization: bound to a membership, and never with a super admin's authority. */
export const isGrantForOrganization = ({ credential }: Pick<Actor, 'credential'>): boolean =>
  credential.clientId !== null && credential.audience !== platformAudience;

const platformAudience = 'mcp';

export const isServiceAccount = (actor: Pick<Actor, 'machine'>): boolean => kindOf(actor) === 'SERVICE_ACCOUNT';

/** The role of a service account, which has none: no definition has a role of this name, so it grants nothing. */
export const noRole: Role = '';

/** The address of a service account, which no person can have. */
export const addressOfServiceAccount = (id: string): string => `${id}@${serviceAccountDomain}`;

/** The scopes held now, by membership and as a super admin, within the credential's own where it has any. */
export const scopesOfActor = (actor: Actor): ReadonlySet<string> => {
  const { scopes: limit } = actor.credential;
  const held: readonly string[] = [...(actor.membership?.scopes ?? []), ...actor.user.platformScopes];
  return new Set(limit.length === 0 ? held : held.filter((scope) => limit.includes(scope)));
};

export const holdsScope = (actor: Actor, scope: string): boolean => scopesOfActor(actor).has(scope);

/** Whether the actor is a super admin who lacks the second factor that acting as one takes. */
export const awaitsSecondFactor = ({ user, credential }: Actor): boolean =>
  user.isSuperAdmin && user.needsFactorAsSuperAdmin && !credential.hasSecondFactor;

/** Whether the actor may act as a super admin; which scopes were granted to them is another question. */
export const isActingSuperAdmin = (actor: Actor): boolean => actor.user.isSuperAdmin && !awaitsSecondFactor(actor);

/** The active membership where it has authority: null as well while it needs a second factor. */
export const usableMembership = ({ membership }: Actor): ActiveMembership | null =>
  membership === null || membership.needsSecondFactor ? null : membership;

/**
 * The authority over roles: by the role, or by a limited credential's scopes. A client's grant also has the
 * application's scopes that its person holds (contract/organization-mcp.md#scopes-of-a-role).
 */
export const roleManagerOf = (actor: Actor, membership: ActiveMembership): RoleManager => {
  const { role, scopes } = membership;
  if (actor.credential.scopes.length === 0) return { role, limitedTo: null };
  const defined = isGrantForOrganization(actor) ? scopes.filter((scope) => !isBuiltInScope(scope)) : [];
  return { role, limitedTo: new Set([...scopesOfActor({ ...actor, membership }), ...defined]) };
};
