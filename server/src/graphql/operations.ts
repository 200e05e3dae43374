/**
 * Owns who may call which operation: every operation of the schema is one row, with its guard and all else by which one
 * differs from another, for the endpoint, the schema and the metrics.
 */
import { rateLimits } from '../platform/rate-limit/rate-limit-table.ts';
import { type GraphqlContext, type Permits, withPermits } from './context.ts';
import {
  anyone,
  anySuperAdmin,
  byPerson,
  chain,
  changesOrganization,
  inOrganization,
  inOrganizationOrByMachine,
  loggedIn,
  loggedOut,
  mcpManager,
  membershipsLoaded,
  notAMachine,
  ownerOfOrganization,
  type Step,
  superAdminWith,
  withCredential,
} from './guards.ts';

/** A part of the service that may be off; its operations are then absent from the schema. */
export type Feature = 'billing' | 'machineTokens' | 'organizationAudit' | 'organizationMcp' | 'passkeys';

interface OperationRow {
  /** Where authority can change while an operation waits for a lock, its transaction checks again (authorize.ts). */
  readonly guard: Step<GraphqlContext, unknown>;
  /**
   * For a mutation that mints, consumes or checks a secret: it must be alone in its request
   * (contract/requests.md#mutations-that-stand-alone). Where it runs `unauthenticated`, neither an access credential
   * nor an Origin is checked before it; refreshAccessToken checks its own.
   */
  readonly alone?: 'authenticated' | 'unauthenticated';
  readonly feature?: Feature;
  /** Taken after the guard. An operation that may refuse something before it is counted takes its own. */
  readonly permit?: Permits;
  /** Whether it does nothing but sign a person in, or keep them signed in. */
  readonly class?: 'sign-in';
  /** Counted as a sign-in by this method; one that asks for a second factor is followed by another. */
  readonly method?: string;
}

/** Who floods, in a stolen session or their own, keeps neither the owner nor a super admin from ending that. */
const ending = { mutation: 'none' } as const;

/** Every operation. Each resolver is behind its own row: `guarded(operations.me, …)`. */
export const operations = {
  // Accounts and sign-in.
  signUpWithPassword: { guard: anyone, alone: 'unauthenticated' },
  resendVerification: { guard: anyone, alone: 'unauthenticated', permit: { network: rateLimits.resendVerification } },
  verificationLink: { guard: anyone, permit: { network: rateLimits.verificationLink } },
  validateEmail: { guard: anyone, alone: 'unauthenticated', permit: { network: rateLimits.validateEmail } },
  confirmSignUp: { guard: anyone, alone: 'unauthenticated', method: 'password' },
  rejectSignUp: { guard: anyone, alone: 'unauthenticated', permit: { network: rateLimits.rejectSignUp } },
  undoEmailChange: { guard: anyone, alone: 'unauthenticated', permit: { network: rateLimits.emailChangeLink } },
  signInWithPassword: { guard: anyone, alone: 'unauthenticated', class: 'sign-in', method: 'password' },
  completeSecondFactor: { guard: anyone, alone: 'unauthenticated', class: 'sign-in', method: 'second_factor' },
  signInWithPasskeyOptions: {
    guard: anyone,
    feature: 'passkeys',
    permit: { network: rateLimits.passkeyOptions, site: rateLimits.passkeyOptionsOfSite },
    class: 'sign-in',
  },
  signInWithPasskey: {
    guard: anyone,
    alone: 'unauthenticated',
    feature: 'passkeys',
    class: 'sign-in',
    method: 'passkey',
  },
  exchangeAuthTokens: { guard: notAMachine, alone: 'authenticated', class: 'sign-in', method: 'provider' },
  refreshAccessToken: {
    guard: anyone,
    alone: 'unauthenticated',
    permit: { network: rateLimits.refresh },
    class: 'sign-in',
  },
  visitor: { guard: anyone },
  recordConsent: { guard: anyone },
  application: { guard: anyone },
  // The signed-in user.
  me: { guard: chain(withCredential, byPerson) },
  actor: { guard: withCredential },
  explainScope: { guard: withCredential },
  products: { guard: loggedIn },
  changeName: { guard: loggedIn },
  setLanguage: { guard: loggedIn },
  changePassword: { guard: loggedIn, alone: 'authenticated', permit: ending },
  requestEmailChange: { guard: loggedIn },
  confirmEmailChange: { guard: loggedIn, permit: { network: rateLimits.emailChangeLink } },
  mySecondFactor: { guard: loggedIn },
  reauthenticate: { guard: loggedIn, alone: 'authenticated', permit: ending },
  beginTotp: { guard: loggedIn },
  confirmTotp: { guard: loggedIn, alone: 'authenticated' },
  disableTotp: { guard: loggedIn },
  regenerateRecoveryCodes: { guard: loggedIn },
  reauthenticateOptions: {
    guard: loggedIn,
    feature: 'passkeys',
    permit: { ...ending, user: rateLimits.passkeyOptionsOfUser },
  },
  myPasskeys: { guard: loggedIn, feature: 'passkeys' },
  registerPasskeyOptions: { guard: loggedIn, feature: 'passkeys', permit: { user: rateLimits.passkeyOptionsOfUser } },
  registerPasskey: { guard: loggedIn, feature: 'passkeys' },
  renamePasskey: { guard: loggedIn, feature: 'passkeys' },
  removePasskey: { guard: loggedIn, feature: 'passkeys' },
  exportMyData: { guard: loggedIn },
  deleteAccount: { guard: loggedIn },
  reviewPassword: { guard: loggedIn },
  unlinkExternalIdentity: { guard: loggedIn },
  mySessions: { guard: loggedIn },
  mySignIns: { guard: loggedIn },
  revokeMySession: { guard: loggedIn, permit: ending },
  signOut: { guard: loggedIn, permit: ending },
  signOutEverywhere: { guard: loggedIn, permit: ending },
  createOrganization: { guard: loggedIn },
  deleteOrganization: { guard: chain(loggedIn, changesOrganization) },
  restoreOrganization: { guard: chain(loggedIn, changesOrganization) },
  switchOrganization: { guard: loggedIn, alone: 'authenticated', permit: { user: rateLimits.switchOrganization } },
  // Tokens of machines.
  myTokens: { guard: loggedIn, feature: 'machineTokens' },
  createPersonalToken: { guard: chain(loggedIn, membershipsLoaded), alone: 'authenticated', feature: 'machineTokens' },
  rotateToken: { guard: chain(loggedIn, changesOrganization), alone: 'authenticated', feature: 'machineTokens' },
  revokeToken: { guard: chain(loggedIn, changesOrganization), feature: 'machineTokens', permit: ending },
  organizationTokens: { guard: inOrganization('TOKENS_MANAGE'), feature: 'machineTokens' },
  decideToken: { guard: inOrganization('TOKENS_MANAGE'), feature: 'machineTokens' },
  serviceAccounts: { guard: inOrganization('TOKENS_MANAGE'), feature: 'machineTokens' },
  createServiceAccount: { guard: inOrganization('TOKENS_MANAGE'), feature: 'machineTokens' },
  updateServiceAccount: { guard: inOrganization('TOKENS_MANAGE'), feature: 'machineTokens' },
  deleteServiceAccount: { guard: inOrganization('TOKENS_MANAGE'), feature: 'machineTokens' },
  createServiceToken: { guard: inOrganization('TOKENS_MANAGE'), alone: 'authenticated', feature: 'machineTokens' },
  tokenPolicy: { guard: inOrganization('TOKENS_MANAGE'), feature: 'machineTokens' },
  setTokenPolicy: { guard: inOrganization('TOKENS_MANAGE'), feature: 'machineTokens' },
  // Clients of MCP. The resolver requires MCP_MANAGE for those of all members, the transaction to end another's.
  connectedClients: { guard: loggedIn, feature: 'organizationMcp' },
  endConnectedClient: { guard: chain(loggedIn, changesOrganization), feature: 'organizationMcp', permit: ending },
  mcpPolicy: { guard: mcpManager, feature: 'organizationMcp' },
  setMcpPolicy: { guard: mcpManager, feature: 'organizationMcp' },
  // The active organization.
  renameOrganization: { guard: inOrganizationOrByMachine('ORGANIZATION_UPDATE') },
  setSecondFactorPolicy: { guard: inOrganization('ORGANIZATION_UPDATE') },
  members: { guard: inOrganizationOrByMachine('MEMBERS_VIEW') },
  seats: { guard: inOrganization('MEMBERS_VIEW') },
  changeMemberRole: { guard: inOrganizationOrByMachine('MEMBERS_UPDATE') },
  // Members may leave; the transaction requires MEMBERS_REMOVE for anyone else.
  removeMember: { guard: chain(withCredential, changesOrganization) },
  inviteMember: { guard: inOrganizationOrByMachine('MEMBERS_INVITE') },
  inviteMembers: { guard: inOrganization('MEMBERS_INVITE'), permit: { user: rateLimits.invitationList } },
  resetInvitation: { guard: inOrganizationOrByMachine('MEMBERS_INVITE') },
  cancelInvitation: { guard: inOrganizationOrByMachine('MEMBERS_INVITE') },
  organizationAudit: { guard: inOrganizationOrByMachine('AUDIT_VIEW'), feature: 'organizationAudit' },
  organizationAuditCsv: {
    guard: inOrganization('AUDIT_VIEW'),
    feature: 'organizationAudit',
    permit: { user: rateLimits.auditExport },
  },
  createCheckoutSession: { guard: ownerOfOrganization, feature: 'billing' },
  createBillingPortalSession: { guard: ownerOfOrganization, feature: 'billing' },
  // Invitations, by their token.
  invitation: { guard: anyone, permit: { network: rateLimits.invitationPreview } },
  acceptInvitation: { guard: loggedIn, permit: { user: rateLimits.invitationAccept } },
  completeInvitedProfile: { guard: loggedOut, alone: 'authenticated', method: 'invitation' },
  // Super admins.
  activeSessions: { guard: superAdminWith('sessions:view') },
  sessionFamilies: { guard: superAdminWith('sessions:view') },
  revokeSessions: { guard: superAdminWith('sessions:revoke'), permit: ending },
  revokeOrganizationSessions: { guard: superAdminWith('sessions:revoke'), permit: ending },
  revokeSessionFamilies: { guard: superAdminWith('sessions:revoke'), permit: ending },
  revokeSession: { guard: superAdminWith('sessions:revoke'), permit: ending },
  revokeUserSessions: { guard: superAdminWith('sessions:revoke'), permit: ending },
  suspendUser: { guard: superAdminWith('users:suspend'), permit: ending },
  reinstateUser: { guard: superAdminWith('users:suspend') },
  signIns: { guard: superAdminWith('sessions:view') },
  platformUsers: { guard: superAdminWith('users:view') },
  platformUser: { guard: superAdminWith('users:view') },
  platformOrganizations: { guard: superAdminWith('organizations:view') },
  platformOrganization: { guard: superAdminWith('organizations:view') },
  platformOverview: { guard: superAdminWith('sessions:view') },
  // Each kind of what it finds needs a scope of its own.
  platformSearch: { guard: anySuperAdmin },
  platformResetInvitation: { guard: superAdminWith('invitations:manage') },
  platformCancelInvitation: { guard: superAdminWith('invitations:manage') },
  mcpToolAudits: { guard: superAdminWith('mcp:audit:view') },
  mcpToolAuditsCsv: { guard: superAdminWith('mcp:audit:view') },
  mcpToolOutcomes: { guard: superAdminWith('mcp:audit:view') },
  platformMcpUsers: { guard: superAdminWith('mcp:access:view') },
  mcpClients: { guard: superAdminWith('mcp:access:view') },
  mcpConnections: { guard: superAdminWith('mcp:access:view') },
  revokeMcpClient: { guard: superAdminWith('sessions:revoke'), permit: ending },
  platformMcpCatalog: { guard: superAdminWith('mcp:catalog:view') },
} as const satisfies Readonly<Record<string, OperationRow>>;

interface Guarded<Subject> {
  readonly guard: Step<GraphqlContext, Subject>;
  readonly permit?: Permits;
}

/** The resolver of an operation behind its guard and its limits; it receives the result of the last guard. */
export const guarded =
  <Subject, Args, Result>(
    { guard, permit = {} }: Guarded<Subject>,
    resolve: (subject: Subject, args: Args, context: GraphqlContext) => Result,
  ) =>
  (_parent: unknown, args: Args, context: GraphqlContext): Result | Promise<Awaited<Result>> => {
    const subject = guard(context);
    return withPermits(context, permit, () => resolve(subject, args, context));
  };

const rows: readonly (readonly [name: string, row: OperationRow])[] = Object.entries(operations);

const namesOf = (has: (row: OperationRow) => boolean): readonly string[] =>
  rows.flatMap(([name, row]) => (has(row) ? [name] : []));

/** Mutations that must be alone in their request. */
export const loneMutations: ReadonlySet<string> = new Set(namesOf(({ alone }) => alone !== undefined));

/** The operations of the features that are off. */
export const operationsWithout = (features: Readonly<Record<Feature, boolean>>): readonly string[] =>
  namesOf(({ feature }) => feature !== undefined && !features[feature]);

/** The method of the operations that sign a person in. */
export const signInMethods: ReadonlyMap<string, string> = new Map(
  rows.flatMap(([name, { method }]) => (method === undefined ? [] : [[name, method]])),
);

const withoutActor = new Set(namesOf(({ alone }) => alone === 'unauthenticated'));
const signIns = new Set(namesOf((row) => row.class === 'sign-in'));

/**
 * Whether an operation with these root fields needs the actor, without whom it runs unauthenticated, and whether it
 * does nothing but sign a person in, or keep them signed in.
 */
export const senderOf = (
  rootFields: readonly string[],
): { readonly needsActor: boolean; readonly signsIn: boolean } => ({
  needsActor: !rootFields.every((field) => withoutActor.has(field)),
  signsIn: rootFields.every((field) => signIns.has(field)),
});
