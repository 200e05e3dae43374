/**
 * Owns who may call which operation: the guards (contract/organizations.md#guard-of-every-operation), and the table of
 * every operation with its guard. Guards are plain functions that run in order, each passing its result to the next and
 * the last one to the resolver.
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
import { countedMutation, type GraphqlContext } from './context.ts';

interface MemberActor extends Actor {
  readonly membership: ActiveMembership;
}

type Step<In, Out> = (subject: In) => Out;

/** Composes two guards: the second takes the result of the first. Nest for more. */
export const chain =
  <In, Between, Out>(first: Step<In, Between>, second: Step<Between, Out>): Step<In, Out> =>
  (subject) =>
    second(first(subject));

/** The resolver of an operation behind guards; it receives the result of the last. A mutation counts for its actor. */
export const guarded =
  <Subject, Args, Result>(
    guard: Step<GraphqlContext, Subject>,
    resolve: (subject: Subject, args: Args, context: GraphqlContext) => Result,
  ) =>
  (
    _parent: unknown,
    args: Args,
    context: GraphqlContext,
    { fieldName }: { readonly fieldName: string },
  ): Result | Promise<Awaited<Result>> => {
    const subject = guard(context);
    return countedMutation(context, fieldName, () => resolve(subject, args, context));
  };

const anyone = (context: GraphqlContext): GraphqlContext => context;

/** @throws Refusal FORBIDDEN: the request has the token of a machine */
const notAMachine = (context: GraphqlContext): GraphqlContext => {
  if (context.actor !== null && context.actor.machine !== null) throw machineRefused();
  // The token of a machine that its organization does not accept.
  if (context.refusal?.code === 'FORBIDDEN') throw context.refusal;
  return context;
};

/**
 * A person or a machine. Every other guard refuses machines, so that an operation takes one only where its own guard
 * says so (contract/machine-credentials.md#operations-for-machines).
 * @throws Refusal UNAUTHENTICATED, ACCESS_EXPIRED: when the request has no actor; FORBIDDEN: its organization does not
 *   accept the token of a machine
 */
const withCredential = ({ actor, refusal }: GraphqlContext): Actor => {
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
const byPerson = (actor: Actor): Actor => {
  if (isServiceAccount(actor)) throw machineRefused();
  return actor;
};

/**
 * Before an operation that locks the active organization: its transaction waits its turn among those of others there.
 */
const changesOrganization = (actor: Actor): Actor => {
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
const inOrganization = (scope: OrganizationScope) =>
  chain(chain(loggedIn, membershipsLoaded), scopes('EVERY', [scope]));

/** Those who manage the MCP clients of the active organization. */
export const mcpManager = inOrganization('MCP_MANAGE');

/** As {@link inOrganization}, for machines too. */
const inOrganizationOrByMachine = (scope: OrganizationScope) =>
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
 * OWNER or ADMIN of the active organization. No operation uses it today; it is one of the checks of the contract
 * (contract/organizations.md#checks-of-guards).
 */
export const admin = requireOneOf(isAdmin);

/** Available to operations, as {@link admin}. */
export const adminOrSuperAdmin = requireOneOf(isAdmin, isSuperAdmin);

/** OWNER of the active organization. */
const owner = requireOneOf(membershipAs('OWNER'));

export const superAdmin = requireOneOf(isSuperAdmin);

const ownerOfOrganization = chain(chain(loggedIn, membershipsLoaded), owner);

const anySuperAdmin = chain(loggedIn, superAdmin);

const superAdminWith = (scope: PlatformScope) => chain(anySuperAdmin, scopes('EVERY', [scope]));

/**
 * The guard of every operation. Each resolver is behind its own: `guarded(guards.me, …)`. Where authority can change
 * while an operation waits for a lock, its transaction checks again (`domain/access/authorize.ts`).
 */
export const guards = {
  // Accounts and sign-in.
  signUpWithPassword: anyone,
  resendVerification: anyone,
  verificationLink: anyone,
  validateEmail: anyone,
  confirmSignUp: anyone,
  rejectSignUp: anyone,
  undoEmailChange: anyone,
  signInWithPassword: anyone,
  completeSecondFactor: anyone,
  signInWithPasskeyOptions: anyone,
  signInWithPasskey: anyone,
  exchangeAuthTokens: notAMachine,
  refreshAccessToken: anyone,
  visitor: anyone,
  recordConsent: anyone,
  application: anyone,
  // The signed-in user.
  me: chain(withCredential, byPerson),
  actor: withCredential,
  explainScope: withCredential,
  products: loggedIn,
  changeName: loggedIn,
  setLanguage: loggedIn,
  changePassword: loggedIn,
  requestEmailChange: loggedIn,
  confirmEmailChange: loggedIn,
  mySecondFactor: loggedIn,
  reauthenticate: loggedIn,
  beginTotp: loggedIn,
  confirmTotp: loggedIn,
  disableTotp: loggedIn,
  regenerateRecoveryCodes: loggedIn,
  reauthenticateOptions: loggedIn,
  myPasskeys: loggedIn,
  registerPasskeyOptions: loggedIn,
  registerPasskey: loggedIn,
  renamePasskey: loggedIn,
  removePasskey: loggedIn,
  exportMyData: loggedIn,
  deleteAccount: loggedIn,
  reviewPassword: loggedIn,
  unlinkExternalIdentity: loggedIn,
  mySessions: loggedIn,
  mySignIns: loggedIn,
  revokeMySession: loggedIn,
  signOut: loggedIn,
  signOutEverywhere: loggedIn,
  createOrganization: loggedIn,
  deleteOrganization: chain(loggedIn, changesOrganization),
  restoreOrganization: chain(loggedIn, changesOrganization),
  switchOrganization: loggedIn,
  // Tokens of machines.
  myTokens: loggedIn,
  createPersonalToken: chain(loggedIn, membershipsLoaded),
  rotateToken: chain(loggedIn, changesOrganization),
  revokeToken: chain(loggedIn, changesOrganization),
  organizationTokens: inOrganization('TOKENS_MANAGE'),
  decideToken: inOrganization('TOKENS_MANAGE'),
  serviceAccounts: inOrganization('TOKENS_MANAGE'),
  createServiceAccount: inOrganization('TOKENS_MANAGE'),
  updateServiceAccount: inOrganization('TOKENS_MANAGE'),
  deleteServiceAccount: inOrganization('TOKENS_MANAGE'),
  createServiceToken: inOrganization('TOKENS_MANAGE'),
  tokenPolicy: inOrganization('TOKENS_MANAGE'),
  setTokenPolicy: inOrganization('TOKENS_MANAGE'),
  // Clients of MCP. Those of everybody need MCP_MANAGE, which its resolver requires; ending another person's, its
  // transaction.
  connectedClients: loggedIn,
  endConnectedClient: chain(loggedIn, changesOrganization),
  mcpPolicy: mcpManager,
  setMcpPolicy: mcpManager,
  // The active organization.
  renameOrganization: inOrganizationOrByMachine('ORGANIZATION_UPDATE'),
  setSecondFactorPolicy: inOrganization('ORGANIZATION_UPDATE'),
  members: inOrganizationOrByMachine('MEMBERS_VIEW'),
  seats: inOrganization('MEMBERS_VIEW'),
  changeMemberRole: inOrganizationOrByMachine('MEMBERS_UPDATE'),
  // Members may leave; the transaction requires MEMBERS_REMOVE for anyone else.
  removeMember: chain(withCredential, changesOrganization),
  inviteMember: inOrganizationOrByMachine('MEMBERS_INVITE'),
  inviteMembers: inOrganization('MEMBERS_INVITE'),
  resetInvitation: inOrganizationOrByMachine('MEMBERS_INVITE'),
  cancelInvitation: inOrganizationOrByMachine('MEMBERS_INVITE'),
  organizationAudit: inOrganizationOrByMachine('AUDIT_VIEW'),
  organizationAuditCsv: inOrganization('AUDIT_VIEW'),
  createCheckoutSession: ownerOfOrganization,
  createBillingPortalSession: ownerOfOrganization,
  // Invitations, by their token.
  invitation: anyone,
  acceptInvitation: loggedIn,
  completeInvitedProfile: loggedOut,
  // Super admins.
  activeSessions: superAdminWith('sessions:view'),
  sessionFamilies: superAdminWith('sessions:view'),
  revokeSessions: superAdminWith('sessions:revoke'),
  revokeOrganizationSessions: superAdminWith('sessions:revoke'),
  revokeSessionFamilies: superAdminWith('sessions:revoke'),
  revokeSession: superAdminWith('sessions:revoke'),
  revokeUserSessions: superAdminWith('sessions:revoke'),
  suspendUser: superAdminWith('users:suspend'),
  reinstateUser: superAdminWith('users:suspend'),
  signIns: superAdminWith('sessions:view'),
  platformUsers: superAdminWith('users:view'),
  platformUser: superAdminWith('users:view'),
  platformOrganizations: superAdminWith('organizations:view'),
  platformOrganization: superAdminWith('organizations:view'),
  platformOverview: superAdminWith('sessions:view'),
  // Each kind of what it finds needs a scope of its own.
  platformSearch: anySuperAdmin,
  platformResetInvitation: superAdminWith('invitations:manage'),
  platformCancelInvitation: superAdminWith('invitations:manage'),
  mcpToolAudits: superAdminWith('mcp:audit:view'),
  mcpToolAuditsCsv: superAdminWith('mcp:audit:view'),
  mcpToolOutcomes: superAdminWith('mcp:audit:view'),
  platformMcpUsers: superAdminWith('mcp:access:view'),
  mcpClients: superAdminWith('mcp:access:view'),
  mcpConnections: superAdminWith('mcp:access:view'),
  revokeMcpClient: superAdminWith('sessions:revoke'),
  platformMcpCatalog: superAdminWith('mcp:catalog:view'),
};
