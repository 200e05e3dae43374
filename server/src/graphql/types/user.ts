/**
 * Owns: the GraphQL types, queries and mutations, one file for each subject.
 * Promises: A resolver is behind the guard of its operation and calls one operation of the domain.
 *
 * A person and their memberships, and the queries me and explainScope.
 */
import { type ActiveMembership, awaitsSecondFactor } from '../../domain/access/actor.ts';
import {
  askingPerson,
  explainMembership,
  explainScope,
  listOwnMemberships,
  type Person,
  type ScopeExplanation as ScopeExplanationFacts,
} from '../../domain/access/own-access.ts';
import type { OwnIdentityRow } from '../../domain/credentials/actor-store.ts';
import { findOwnIdentity, hasPasswordToReview } from '../../domain/external-sign-in/own-identity.ts';
import { builtInRoles, subscriptionStatuses } from '../../domain/scopes/scopes.ts';
import { builder } from '../builder.ts';
import { guarded, operations } from '../operations.ts';

// The type ScopeExplanation: why a person does or does not hold a scope.

const ScopeExplanation = builder.objectRef<ScopeExplanationFacts>('ScopeExplanation').implement({
  fields: (t) => ({
    scope: t.exposeString('scope'),
    granted: t.exposeBoolean('granted'),
    reasons: t.stringList({
      description: 'One line for each thing that grants or withholds it, in the order checked.',
      resolve: ({ reasons }) => [...reasons],
    }),
  }),
});

// Types: User, Membership, Organization, Subscription, Role.

const roles: readonly string[] = Object.keys(builtInRoles);

/** The built-in roles; `schema.ts` adds those that an application defines. */
export const Role = builder.enumType('Role', { values: roles });
const SubscriptionStatus = builder.enumType('SubscriptionStatus', { values: subscriptionStatuses });

type OrganizationFacts = ActiveMembership['organization'];

export const Subscription = builder.objectRef<OrganizationFacts['subscription']>('Subscription').implement({
  fields: (t) => ({
    status: t.expose('status', { type: SubscriptionStatus }),
    product: t.exposeString('product', { nullable: true }),
    currentPeriodEndsAt: t.expose('currentPeriodEndsAt', { type: 'DateTime', nullable: true }),
  }),
});

export const Organization = builder.objectRef<OrganizationFacts>('Organization').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    deletesAt: t.expose('deletesAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it is gone for good; null unless it was deleted.',
    }),
    requireSecondFactor: t.exposeBoolean('requireSecondFactor', {
      description: 'Whether members hold scopes and roles only in sessions with a second factor.',
    }),
    subscription: t.expose('subscription', { type: Subscription }),
  }),
});

const Membership = builder.objectRef<ActiveMembership>('Membership').implement({
  description: "The caller's own membership of an organization.",
  fields: (t) => ({
    id: t.exposeID('id'),
    role: t.field({
      type: Role,
      description: 'MEMBER, without scopes, for a role that the application no longer has.',
      resolve: ({ role }, _args, { services }) => services.application.shownRole(role),
    }),
    organization: t.expose('organization', { type: Organization }),
    needsSecondFactor: t.exposeBoolean('needsSecondFactor', {
      description: 'True while the organization requires a second factor that this session lacks: no scope is held.',
    }),
    scopes: t.stringList({
      description: "Effective scopes: the role's scopes that the active subscription's product also grants.",
      resolve: (membership) => [...membership.scopes],
    }),
    scopeExplanations: t.field({
      type: [ScopeExplanation],
      description: 'Every scope of an organization, granted or not, and why.',
      resolve: (membership, _args, { services }) => explainMembership(services.application, membership),
    }),
  }),
});

const ExternalIdentity = builder.objectRef<OwnIdentityRow>('ExternalIdentity').implement({
  description: 'An identity at the identity provider that can be used to sign in.',
  fields: (t) => ({
    email: t.exposeString('email', {
      nullable: true,
      description: "The provider's address for the user when it was linked. Null when there was none.",
    }),
    linkedAt: t.expose('linkedAt', { type: 'DateTime' }),
  }),
});

/** Fields of User with database queries of their own, unless the data came with a newly issued pair. */
export const listsOfUser: readonly string[] = ['memberships', 'externalIdentity'];

export const User = builder.objectRef<Person>('User').implement({
  fields: (t) => ({
    id: t.id({ resolve: ({ user }) => user.id }),
    email: t.string({ resolve: ({ user }) => user.email }),
    name: t.string({ resolve: ({ user }) => user.name }),
    language: t.string({
      nullable: true,
      description:
        'The language that the person has chosen, as a BCP 47 tag: of mails, and of the portal on a new device.',
      resolve: ({ user }) => user.language,
    }),
    emailValidatedAt: t.field({ type: 'DateTime', nullable: true, resolve: ({ user }) => user.emailValidatedAt }),
    isSuperAdmin: t.boolean({ resolve: ({ user }) => user.isSuperAdmin }),
    needsSecondFactor: t.boolean({
      description: 'True while super admins need a second factor that this session lacks: no platform scope is held.',
      resolve: awaitsSecondFactor,
    }),
    currentMembership: t.field({
      type: Membership,
      nullable: true,
      description: 'Null when the user has no active membership.',
      resolve: ({ membership }) => membership,
    }),
    memberships: t.field({
      type: [Membership],
      resolve: (person, _args, { services }) => person.lists?.memberships ?? listOwnMemberships(services, person),
    }),
    hasExternalIdentity: t.boolean({
      description: 'True when a Google identity is linked.',
      resolve: ({ user }) => user.hasExternalIdentity,
    }),
    externalIdentity: t.field({
      type: ExternalIdentity,
      nullable: true,
      description: 'Null when none is linked.',
      resolve: (person, _args, { services }) =>
        person.lists === undefined ? findOwnIdentity(services, person) : person.lists.externalIdentity,
    }),
    hasPassword: t.boolean({ resolve: ({ user }) => user.hasPassword }),
    hasPasswordToReview: t.boolean({
      description:
        'Whether an identity was linked by its address to an account that had a password, which the person may not have set; until reviewPassword. Only in a session that began with the provider.',
      resolve: hasPasswordToReview,
    }),
  }),
});

// The query me: the current actor.

// The query explainScope.

builder.queryFields((t) => ({
  me: t.field({
    type: User,
    description:
      "The signed-in user; the portal's operation on it is named FetchMe. UNAUTHENTICATED when logged out. By a personal token: without anything beyond the organization that it is bound to. FORBIDDEN for a service account.",
    resolve: guarded(operations.me, askingPerson),
  }),
  explainScope: t.field({
    type: ScopeExplanation,
    description:
      'Why the caller, a machine too, does or does not hold a scope right now: role, subscription product, membership, credential.',
    args: { scope: t.arg.string({ required: true }) },
    resolve: guarded(operations.explainScope, (actor, { scope }) => explainScope(actor, scope)),
  }),
}));
