/**
 * Guards (specification, "Authentication" 9): plain functions that run in order, each passing its result to the next
 * and the last one to the resolver.
 */
import { type ActiveMembership, type Actor, scopesOfActor } from '../domain/access/actor.ts';
import { membershipRequired, notAllowed, scopesMissing } from '../domain/access/authorize.ts';
import type { OrganizationScope, Scope } from '../domain/scopes/scopes.ts';
import { Refusal } from '../kernel/errors.ts';
import type { GraphqlContext } from './context.ts';

interface MemberActor extends Actor {
  readonly membership: ActiveMembership;
}

type Step<In, Out> = (subject: In) => Out;

/** Composes two guards: the second takes the result of the first. Nest for more. */
export const chain =
  <In, Between, Out>(first: Step<In, Between>, second: Step<Between, Out>): Step<In, Out> =>
  (subject) =>
    second(first(subject));

/** A resolver behind guards; it receives the result of the last guard. */
export const guarded =
  <Subject, Args, Result>(
    guard: Step<GraphqlContext, Subject>,
    resolve: (subject: Subject, args: Args, context: GraphqlContext) => Result,
  ) =>
  (_parent: unknown, args: Args, context: GraphqlContext): Result =>
    resolve(guard(context), args, context);

/** @throws Refusal UNAUTHENTICATED, ACCESS_EXPIRED: when the request has no actor */
export const loggedIn = ({ actor, refusal }: GraphqlContext): Actor => {
  if (actor === null) throw refusal;
  return actor;
};

/** @throws Refusal ALREADY_SIGNED_IN: when the request has an actor */
export const loggedOut = (context: GraphqlContext): GraphqlContext => {
  if (context.actor === null) return context;
  throw new Refusal('ALREADY_SIGNED_IN', 'You are signed in. Sign out first.');
};

/** @throws Refusal MEMBERSHIP_REQUIRED: when the actor has no active membership */
export const membershipsLoaded = (actor: Actor): MemberActor => {
  const { membership } = actor;
  if (membership === null) throw membershipRequired();
  return { ...actor, membership };
};

/**
 * @param mode EVERY requires all of the scopes, SOME requires one
 * @throws Refusal FORBIDDEN: with the missing scopes
 */
export const scopes =
  (mode: 'EVERY' | 'SOME', needed: readonly Scope[]) =>
  <Subject extends Actor>(actor: Subject): Subject => {
    const held = scopesOfActor(actor);
    const missingScopes = needed.filter((scope) => !held.has(scope));
    const isGranted = mode === 'EVERY' ? missingScopes.length === 0 : missingScopes.length < needed.length;
    if (isGranted) return actor;
    throw scopesMissing(missingScopes);
  };

/** Requires an actor with an active membership and this scope in its organization. */
export const inOrganization = (scope: OrganizationScope) =>
  chain(chain(loggedIn, membershipsLoaded), scopes('EVERY', [scope]));

const isAdmin = ({ membership }: Actor): boolean => membership !== null && membership.role !== 'MEMBER';

const requireThat =
  (isAllowed: (actor: Actor) => boolean) =>
  <Subject extends Actor>(actor: Subject): Subject => {
    if (isAllowed(actor)) return actor;
    throw notAllowed();
  };

/** OWNER or ADMIN of the active organization. */
export const admin = requireThat(isAdmin);

/** OWNER of the active organization. */
export const owner = requireThat(({ membership }) => membership?.role === 'OWNER');

export const adminOrSuperAdmin = requireThat((actor) => isAdmin(actor) || actor.user.isSuperAdmin);

export const superAdmin = requireThat((actor) => actor.user.isSuperAdmin);
