/** Access of a user or a machine: why a scope is held or not, the organizations, and the user in an answer. */
import type { IssuedActorRow, OwnIdentityRow } from '../credentials/actor-store.ts';
import { listMembershipsOfUser } from '../organizations/organizations-store.ts';
import type { Application } from '../scopes/application.ts';
import { isPaidFor, isPlatformScope, type PlatformScope } from '../scopes/scopes.ts';
import {
  type ActiveMembership,
  type Actor,
  activeMembership,
  awaitsSecondFactor,
  holdsScope,
  isGrantForOrganization,
  isServiceAccount,
} from './actor.ts';
import type { Authenticator } from './authenticate.ts';
import type { ReadDeps } from './deps.ts';

// Scope explanations: a sentence for each rule that grants or withholds a scope, and what would grant it.

export interface ScopeExplanation {
  readonly scope: string;
  readonly granted: boolean;
  readonly reasons: readonly string[];
}

/** Explains why the actor holds or lacks a scope now; an unknown scope is reported as such. */
export const explainScope = (actor: Actor, scope: string): ScopeExplanation => {
  const { application, membership } = actor;
  if (application.hasScope(scope)) {
    if (actor.machine !== null) return explanation(actor, scope, machineReasons(actor, scope));
    const reasons = isGrantForOrganization(actor)
      ? grantReasons(actor, scope)
      : organizationReasons(application, membership, scope);
    return explanation(actor, scope, reasons);
  }
  if (isPlatformScope(scope)) return explanation(actor, scope, platformReasons(actor, scope));
  return { scope, granted: false, reasons: ['There is no scope of this name.'] };
};

/** Explains, for every organization scope, why this membership grants or withholds it. */
export const explainMembership = (application: Application, membership: ActiveMembership): ScopeExplanation[] =>
  application.scopes.map(({ name: scope }) => ({
    scope,
    granted: membership.scopes.includes(scope),
    reasons: organizationReasons(application, membership, scope),
  }));

const explanation = (actor: Actor, scope: string, rest: string[]): ScopeExplanation => ({
  scope,
  granted: holdsScope(actor, scope),
  reasons: [actor.machine === null ? credentialReason(actor.credential, scope) : tokenReason(actor, scope), ...rest],
});

const credentialReason = ({ scopes, grantedScopes, clientId }: Actor['credential'], scope: string): string => {
  if (clientId !== null) {
    if (grantedScopes.includes(scope) && !scopes.includes(scope)) {
      return `You granted ${scope} to this client, which has asked for a token without it.`;
    }
    return scopes.includes(scope)
      ? `You granted ${scope} to this client.`
      : `You have not granted ${scope} to this client: connect it again to grant it.`;
  }
  if (scopes.length === 0) return 'Your session is not limited to specific scopes.';
  return scopes.includes(scope)
    ? `Your session is limited to specific scopes, and ${scope} is one of them.`
    : `Your session is limited to other scopes than ${scope}: a sign-in without such a limit can use it.`;
};

const organizationReasons = (
  application: Application,
  membership: ActiveMembership | null,
  scope: string,
): string[] => {
  if (membership === null) {
    return [`You have no active organization, and ${scope} counts only in one: switch to an organization first.`];
  }
  return reasonsOf(application, membership, scope, factorOfSession);
};

/** The reasons by a membership. @param factor the words for its second factor */
const reasonsOf = (
  application: Application,
  membership: ActiveMembership,
  scope: string,
  factor: { readonly missing: string; readonly present: string },
): string[] => {
  const { organization, needsSecondFactor } = membership;
  const stated = `The organization requires a second factor, and ${needsSecondFactor ? factor.missing : factor.present}`;
  return [
    `You belong to ${organization.name}.`,
    ...(organization.requireSecondFactor ? [stated] : []),
    roleReason(application, membership, scope),
    subscriptionReason(application, membership, scope),
  ];
};

const factorOfSession = {
  missing: 'this session has none: confirm with a passkey or a one-time code, or set one up first.',
  present: 'this session has one.',
};

/** A token has no session: its person needs a second factor that is set up. */
const factorOfPerson = {
  missing: 'you have none: set up a passkey or one-time codes.',
  present: 'you have one.',
};

/** Why a token, which is limited to its own scopes or to those of its service account, has a scope or not. */
const tokenReason = (actor: Actor, scope: string): string => {
  const isGiven = actor.credential.scopes.includes(scope);
  if (isServiceAccount(actor)) {
    return isGiven
      ? `The service account of this token has the scope ${scope}.`
      : `The service account of this token does not have the scope ${scope}.`;
  }
  return isGiven ? `This token has the scope ${scope}.` : `This token does not have the scope ${scope}.`;
};

/** The reasons of a client's grant, by its person in the bound organization; without a membership, that is deleted. */
const grantReasons = ({ application, membership, credential }: Actor, scope: string): string[] => {
  if (membership === null) return ['The organization was deleted; one of its owners can restore it.'];
  if (credential.isClientRefused) return ['The policy of the organization does not accept this client.'];
  return reasonsOf(application, membership, scope, factorOfPerson);
};

/** The reasons of a token, by its owner in the organization; a service account holds by no role. */
const machineReasons = (actor: Actor, scope: string): string[] => {
  const { application, membership } = actor;
  if (membership === null) return [];
  // A request with any other token is refused.
  const policy = 'The policy of the organization accepts this token.';
  if (isServiceAccount(actor)) {
    const { name } = membership.organization;
    return [policy, `The service account belongs to ${name}.`, subscriptionReason(application, membership, scope)];
  }
  return [policy, ...reasonsOf(application, membership, scope, factorOfPerson)];
};

const roleReason = (application: Application, { role }: ActiveMembership, scope: string): string => {
  if (!application.hasRole(role)) return `Your role here is ${role}, which no longer exists, so it grants no scopes.`;
  const granting = application.rolesGranting(scope);
  return granting.includes(role)
    ? `Your role here is ${role}, which grants ${scope}.`
    : `Your role here is ${role}, which does not grant ${scope}: ${whichDo(granting, 'role')}.`;
};

const subscriptionReason = (application: Application, { organization }: ActiveMembership, scope: string): string => {
  const granting = application.productsGranting(scope);
  const { status, product } = organization.subscription;
  if (status === 'NONE') {
    return `The organization has no subscription, so it grants no scopes: ${planFor(granting)}.`;
  }
  if (!isPaidFor(status)) {
    return `The organization's subscription is ${status}, so it grants no scopes: it must be ACTIVE or TRIALING.`;
  }
  if (product === null) return `The organization's subscription is for no product: ${planFor(granting)}.`;
  return granting.includes(product)
    ? `The organization's subscription is ${status}, and its product ${product} grants ${scope}.`
    : `The organization's product is ${product}, which does not grant ${scope}: ${whichDo(granting, 'product')}.`;
};

const planFor = (granting: readonly string[]): string =>
  granting.length === 0 ? 'no product grants it' : `it takes the product ${oneOf(granting)}`;

const platformReasons = (actor: Actor, scope: PlatformScope): string[] => {
  const { user } = actor;
  if (actor.machine !== null) {
    return [`Only super admins hold ${scope}, and only in sessions of their own: no token of a machine has it.`];
  }
  if (!user.isSuperAdmin) return [`You are not a super admin, and only super admins can be granted ${scope}.`];
  if (awaitsSecondFactor(actor)) {
    return [
      'You are a super admin.',
      'Super admins need a second factor here, and this session has none: confirm with a passkey or a one-time code, or set one up first.',
    ];
  }
  return [
    'You are a super admin.',
    user.platformScopes.includes(scope)
      ? `You were granted ${scope}.`
      : `You were not granted ${scope}: the operator of this service can grant it.`,
  ];
};

/** "only OWNER does", "OWNER and ADMIN do", "no role does". */
const whichDo = (names: readonly string[], kind: string): string => {
  const [only] = names;
  if (only === undefined) return `no ${kind} does`;
  return names.length === 1 ? `only ${only} does` : `${new Intl.ListFormat('en').format(names)} do`;
};

const oneOf = (names: readonly string[]): string => new Intl.ListFormat('en', { type: 'disjunction' }).format(names);

/** The user's memberships with their scopes, oldest first. Invitations that were not accepted are not included. */
export const listOwnMemberships = async ({ database }: ReadDeps, actor: Actor): Promise<ActiveMembership[]> =>
  (await database.many(listMembershipsOfUser, [actor.user.id])).map((row) =>
    activeMembership(actor.application, row, actor.credential.hasSecondFactor),
  );

// The user in an answer. With a new pair, all of it was read with the pair, before the commit.

/** The user's memberships and external identity; not part of the actor. */
interface PersonLists {
  /** Oldest membership first. */
  readonly memberships: readonly ActiveMembership[];
  /** Null when none is linked. */
  readonly externalIdentity: OwnIdentityRow | null;
}

/** An actor, with the lists where they are known beforehand. */
export interface Person extends Actor {
  readonly lists?: PersonLists;
}

/** The user who asks; by a token of theirs, only what belongs to the organization that it is bound to. */
export const askingPerson = (actor: Actor): Person => {
  const { machine, membership } = actor;
  if (machine === null) return actor;
  return { ...actor, lists: { memberships: membership === null ? [] : [membership], externalIdentity: null } };
};

/** The user who holds a newly issued pair. Makes no query. */
export const personOf = (
  authenticator: Pick<Authenticator, 'remember'>,
  accessToken: string,
  row: IssuedActorRow,
): Person => {
  const actor = authenticator.remember(accessToken, row);
  return row.lists === null ? actor : { ...actor, lists: listsOf(actor, row.lists) };
};

const listsOf = (
  { application, credential }: Actor,
  { memberships, externalIdentity }: NonNullable<IssuedActorRow['lists']>,
): PersonLists => ({
  memberships: memberships.map((row) =>
    activeMembership(
      application,
      { ...row, currentPeriodEndsAt: instantOf(row.currentPeriodEndsAt), deletesAt: instantOf(row.deletesAt) },
      credential.hasSecondFactor,
    ),
  ),
  externalIdentity:
    externalIdentity === null ? null : { ...externalIdentity, linkedAt: new Date(externalIdentity.linkedAt) },
});

const instantOf = (text: string | null): Date | null => (text === null ? null : new Date(text));
