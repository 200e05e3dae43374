/**
 * The guards (contract/organizations.md#guard-of-every-operation), from which operations.ts selects one for each
 * operation: functions that run in order, each passing its result to the next and the last one to the resolver.
 */
import {
  type ActiveMembership,
  type Actor,
  awaitsSecondFactor,
  isServiceAccount,
  scopesOfActor,
} from '../domain/access/actor.ts';
import {
  machineRefused,
  membershipRequired,
  notAllowed,
  scopesRefused,
  secondFactorRequired,
} from '../domain/access/authorize.ts';
import type { OrganizationScope, PlatformScope } from '../domain/scopes/scopes.ts';
import { Refusal } from '../kernel/errors.ts';
import { nameParty } from '../platform/observability/context.ts';
import type { GraphqlContext } from './context.ts';

interface MemberActor extends Actor {
  readonly membership: ActiveMembership;
}

export type Step<In, Out> = (subject: In) => Out;

/** Composes two guards: the second takes the result of the first. Nest for more. */
export const chain =
  <In, Between, Out>(first: Step<In, Between>, second: Step<Between, Out>): Step<In, Out> =>
  (subject) =>
    second(first(subject));

/** Everyone, signed in or not. */
export const anyone = (context: GraphqlContext): GraphqlContext => context;

/** @throws Refusal FORBIDDEN: the request has the token of a machine */
export const notAMachine = (context: GraphqlContext): GraphqlContext => {
  if (context.actor !== null && context.actor.machine !== null) throw machineRefused();
  // The token of a machine that its organization does not accept.
  if (context.refusal?.code === 'FORBIDDEN') throw context.refusal;
  return context;
};

/**
 * A person or a machine, which every other guard refuses (contract/machine-credentials.md#operations-for-machines).
 * @throws Refusal UNAUTHENTICATED, ACCESS_EXPIRED: there is no actor; FORBIDDEN: its organization does not accept the
 *   token of a machine
 */
export const withCredential = ({ actor, refusal }: GraphqlContext): Actor => {
  if (actor === null) throw refusal;
  return actor;
};

/** @throws Refusal as {@link withCredential}; FORBIDDEN: for every machine */
export const loggedIn = (context: GraphqlContext): Actor => withCredential(notAMachine(context));

/** @throws Refusal ALREADY_SIGNED_IN: when the request has an actor; FORBIDDEN: for every machine */
export const loggedOut = (context: GraphqlContext): GraphqlContext => {
  if (notAMachine(context).actor === null) return context;
  throw new Refusal('ALREADY_SIGNED_IN', 'You are signed in. Sign out first.');
};

/** A person, in a session or by a token of their own. @throws Refusal FORBIDDEN: for a service account */
export const byPerson = (actor: Actor): Actor => {
  if (isServiceAccount(actor)) throw machineRefused();
  return actor;
};

/** Before an operation that locks the active organization: its transaction waits its turn among others there. */
export const changesOrganization = (actor: Actor): Actor => {
  nameParty({ organization: actor.membership?.organization.id ?? null });
  return actor;
};

/** @throws Refusal MEMBERSHIP_REQUIRED: when the actor has no active membership */
export const membershipsLoaded = (actor: Actor): MemberActor => {
  const { membership } = changesOrganization(actor);
  if (membership === null) throw membershipRequired();
  return { ...actor, membership };
};

/**
 * @param mode EVERY requires all of the scopes, SOME requires one
 * @throws Refusal FORBIDDEN: with the missing scopes; SECOND_FACTOR_REQUIRED: see {@link scopesRefused}
 * @internal Each guard is there for operations, and tested alone.
 */
export const scopes =
  (mode: 'EVERY' | 'SOME', needed: readonly string[]) =>
  <Subject extends Actor>(actor: Subject): Subject => {
    const held = scopesOfActor(actor);
    const missingScopes = needed.filter((scope) => !held.has(scope));
    const isGranted = mode === 'EVERY' ? missingScopes.length === 0 : missingScopes.length < needed.length;
    if (isGranted) return actor;
    throw scopesRefused(actor, missingScopes);
  };

/** Requires an actor with an active membership and this scope in its organization. */
export const inOrganization = (scope: OrganizationScope) =>
  chain(chain(loggedIn, membershipsLoaded), scopes('EVERY', [scope]));

/** Those who manage the MCP clients of the active organization. */
export const mcpManager = inOrganization('MCP_MANAGE');

/** As {@link inOrganization}, for machines too. */
export const inOrganizationOrByMachine = (scope: OrganizationScope) =>
  chain(chain(withCredential, membershipsLoaded), scopes('EVERY', [scope]));

/** Whether an actor has an authority, or would have it in a session with a second factor. */
type Authority = 'held' | 'needs_second_factor' | 'none';

const membershipAs =
  (...roles: readonly string[]) =>
  ({ membership }: Actor): Authority => {
    if (membership === null || !roles.includes(membership.role)) return 'none';
    return membership.needsSecondFactor ? 'needs_second_factor' : 'held';
  };

const isAdmin = membershipAs('OWNER', 'ADMIN');

const isSuperAdmin = (actor: Actor): Authority => {
  if (!actor.user.isSuperAdmin) return 'none';
  return awaitsSecondFactor(actor) ? 'needs_second_factor' : 'held';
};

/** Requires one of these authorities. @throws Refusal FORBIDDEN; SECOND_FACTOR_REQUIRED: one needs it, none is held */
const requireOneOf =
  (...authorities: readonly ((actor: Actor) => Authority)[]) =>
  <Subject extends Actor>(actor: Subject): Subject => {
    const found = new Set(authorities.map((authority) => authority(actor)));
    if (found.has('held')) return actor;
    throw found.has('needs_second_factor') ? secondFactorRequired() : notAllowed();
  };

/**
 * OWNER or ADMIN of the active organization; no operation uses it (contract/organizations.md#checks-of-guards).
 * @internal Each guard is there for operations, and tested alone.
 */
export const admin = requireOneOf(isAdmin);

/**
 * Available to operations, as {@link admin}.
 * @internal Each guard is there for operations, and tested alone.
 */
export const adminOrSuperAdmin = requireOneOf(isAdmin, isSuperAdmin);

const owner = requireOneOf(membershipAs('OWNER'));

/** @internal Each guard is there for operations, and tested alone. */
export const superAdmin = requireOneOf(isSuperAdmin);

/** OWNER of the active organization. */
export const ownerOfOrganization = chain(chain(loggedIn, membershipsLoaded), owner);

/** A super admin, whatever their scopes. */
export const anySuperAdmin = chain(loggedIn, superAdmin);

/** A super admin who has this platform scope. */
export const superAdminWith = (scope: PlatformScope) => chain(anySuperAdmin, scopes('EVERY', [scope]));
