/** Every operation, called by nine kinds of caller: each cell has its outcome, and a refused call changes nothing. */

import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { platformScopes } from '../../src/domain/scopes/scopes.ts';
import { completeSchema } from '../../src/graphql/schema.ts';
import { familyOf } from '../support/actors/credentials.ts';
import { type Invited, inviteByMail, profileInput } from '../support/actors/invitations.ts';
import { seedSession } from '../support/actors/seeding.ts';
import { createSuperAdminAccount } from '../support/actors/super-admins.ts';
import { newMember, newOwner, type RoleName, setActive, type Tenant } from '../support/actors/tenants.ts';
import { everyOperation } from '../support/checks/mutation-fields.ts';
import { documents, mutationInputs } from '../support/checks/operation-inputs.ts';
import { bearer, goodPassword, newAddress, type Tokens, type Variables } from '../support/clients/clients.ts';
import { newClient } from '../support/clients/oauth.ts';
import { outcomeIn, postPlainly } from '../support/clients/plain-http.ts';
import { everythingStored } from '../support/database/stored-rows.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { retryAtOnce } from '../support/servers/payments.ts';

const kinds = [
  'anonymous',
  'no membership',
  'MEMBER',
  'ADMIN',
  'OWNER',
  "another tenant's OWNER",
  'OWNER without a subscription',
  'super admin without scopes',
  'super admin with every scope',
] as const;
type Kind = (typeof kinds)[number];

/** One letter for each kind, in their order. Platform scopes grant nothing in any organization. */
const table = {
  me: 'UOOOOOOOO',
  actor: 'UOOOOOOOO',
  mySessions: 'UOOOOOOOO',
  mySignIns: 'UOOOOOOOO',
  explainScope: 'UOOOOOOOO',
  application: 'OOOOOOOOO',
  products: 'UOOOOOOOO',
  invitation: 'OOOOOOOOO',
  members: 'UMOOOOFOO',
  seats: 'UMOOOOFOO',
  visitor: 'OOOOOOOOO',
  // Without the Origin of a portal page.
  recordConsent: 'GGGGGGGGG',

  signUpWithPassword: 'OOOOOOOOO',
  resendVerification: 'OOOOOOOOO',
  verificationLink: 'OOOOOOOOO',
  validateEmail: 'OOOOOOOOO',
  rejectSignUp: 'OOOOOOOOO',
  // With unknown links.
  undoEmailChange: 'LLLLLLLLL',
  confirmEmailChange: 'ULLLLLLLL',
  requestEmailChange: 'UOOOOOOOO',
  confirmSignUp: 'OOOOOOOOO',
  signInWithPassword: 'OOOOOOOOO',
  refreshAccessToken: 'ROOOOOOOO',
  completeInvitedProfile: 'OSSSSSSSS',
  // Without a secret.
  exchangeAuthTokens: 'EEEEEEEEE',
  // There is no pending consent.
  reviewPassword: 'UFFFFFFFF',
  changeName: 'UOOOOOOOO',
  setLanguage: 'UOOOOOOOO',
  mySecondFactor: 'UOOOOOOOO',
  exportMyData: 'UOOOOOOOO',
  // With the address of somebody else.
  deleteAccount: 'UBBBBBBBB',
  // Super admins have a password here, and nobody else.
  reauthenticate: 'UIIIIIIOO',
  changePassword: 'UBBBBBBOO',
  // Nothing was begun.
  confirmTotp: 'UCCCCCCCC',
  beginTotp: 'UOOOOOOOO',
  disableTotp: 'UOOOOOOOO',
  // Nobody has one-time codes here.
  regenerateRecoveryCodes: 'UFFFFFFFF',
  // No sign-in waits for a second factor.
  completeSecondFactor: 'CCCCCCCCC',
  signInWithPasskeyOptions: 'OOOOOOOOO',
  // Without the answer of a passkey.
  signInWithPasskey: 'BBBBBBBBB',
  registerPasskeyOptions: 'UOOOOOOOO',
  registerPasskey: 'UBBBBBBBB',
  reauthenticateOptions: 'UOOOOOOOO',
  myPasskeys: 'UOOOOOOOO',
  // With an unknown id.
  renamePasskey: 'UNNNNNNNN',
  removePasskey: 'UNNNNNNNN',
  // Requires a password, which super admins have here.
  unlinkExternalIdentity: 'UFFFFFFOO',
  signOut: 'UOOOOOOOO',
  signOutEverywhere: 'UOOOOOOOO',
  revokeMySession: 'UOOOOOOOO',

  myTokens: 'UOOOOOOOO',
  createPersonalToken: 'UMOOOOFOO',
  // With an unknown id.
  rotateToken: 'UNNNNNNNN',
  revokeToken: 'UNNNNNNNN',
  organizationTokens: 'UMFOOOFOO',
  serviceAccounts: 'UMFOOOFOO',
  tokenPolicy: 'UMFOOOFOO',
  setTokenPolicy: 'UMFOOOFOO',
  createServiceAccount: 'UMFOOOFOO',
  // With an unknown id.
  createServiceToken: 'UMFNNNFNN',
  decideToken: 'UMFNNNFNN',
  deleteServiceAccount: 'UMFNNNFNN',
  updateServiceAccount: 'UMFNNNFNN',

  connectedClients: 'UOOOOOOOO',
  // With an unknown id.
  endConnectedClient: 'UNNNNNNNN',
  mcpPolicy: 'UMFOOOFOO',
  setMcpPolicy: 'UMFOOOFOO',

  activeSessions: 'UFFFFFFFO',
  mcpConnections: 'UFFFFFFFO',
  mcpToolAudits: 'UFFFFFFFO',
  mcpToolAuditsCsv: 'UFFFFFFFO',
  mcpToolOutcomes: 'UFFFFFFFO',
  platformMcpCatalog: 'UFFFFFFFO',
  platformMcpUsers: 'UFFFFFFFO',
  mcpClients: 'UFFFFFFFO',
  // With an unknown id.
  revokeMcpClient: 'UFFFFFFFO',
  // On a user outside the nine.
  revokeSession: 'UFFFFFFFO',
  revokeUserSessions: 'UFFFFFFFO',
  sessionFamilies: 'UFFFFFFFO',
  revokeSessions: 'UFFFFFFFO',
  revokeOrganizationSessions: 'UFFFFFFFO',
  suspendUser: 'UFFFFFFFO',
  reinstateUser: 'UFFFFFFFO',
  signIns: 'UFFFFFFFO',
  revokeSessionFamilies: 'UFFFFFFFO',

  platformUsers: 'UFFFFFFFO',
  platformUser: 'UFFFFFFFO',
  platformOrganizations: 'UFFFFFFFO',
  platformOrganization: 'UFFFFFFFO',
  platformOverview: 'UFFFFFFFO',
  // Each kind of hit needs a scope of its own.
  platformSearch: 'UFFFFFFOO',
  // In tenant A.
  platformResetInvitation: 'UFFFFFFFO',
  platformCancelInvitation: 'UFFFFFFFO',

  createOrganization: 'UOOOOOOOO',
  // To an address invited to tenant A.
  switchOrganization: 'UNOOONNNN',
  // Tenant A, by another name; not deleted.
  deleteOrganization: 'UNFFBNNNN',
  restoreOrganization: 'UNFFNNNNN',
  // In the caller's own organization.
  renameOrganization: 'UMFFOOFOO',
  // From sessions without a second factor.
  setSecondFactorPolicy: 'UMFFDDFDD',
  organizationAudit: 'UMFOOOFOO',
  organizationAuditCsv: 'UMFOOOFOO',
  inviteMember: 'UMFOOOFOO',
  inviteMembers: 'UMFOOOFOO',
  // In tenant A.
  resetInvitation: 'UMFOONFNN',
  cancelInvitation: 'UMFOONFNN',
  changeMemberRole: 'UMFOONFNN',
  removeMember: 'UMFOONFNN',
  // To a user outside the nine.
  acceptInvitation: 'UAAAAAAAA',

  // The payment provider cannot be reached here: a caller who passes the guards gets UNAVAILABLE.
  createCheckoutSession: 'UMFFPPPPP',
  // The users have no provider account.
  createBillingPortalSession: 'UMFFNNNNN',
} as const;
type Operation = keyof typeof table;

const outcomes: Readonly<Record<string, string>> = {
  O: 'OK',
  U: 'UNAUTHENTICATED',
  M: 'MEMBERSHIP_REQUIRED',
  F: 'FORBIDDEN',
  I: 'INVALID_CREDENTIALS',
  B: 'BAD_USER_INPUT',
  C: 'CHALLENGE_REFUSED',
  N: 'NOT_FOUND',
  A: 'ACCOUNT_MISMATCH',
  S: 'ALREADY_SIGNED_IN',
  R: 'REFRESH_REFUSED',
  L: 'LINK_NOT_OPEN',
  E: 'EXCHANGE_REFUSED',
  G: 'ORIGIN_REFUSED',
  P: 'UNAVAILABLE',
  D: 'SECOND_FACTOR_REQUIRED',
};

const documentOf: Readonly<Record<Operation, string>> = documents;

const isOperation = (name: string): name is Operation => name in table;
/** Operations that end the caller's session; other sessions are kept for the later rows. */
const endsSession = ['signOut', 'signOutEverywhere', 'revokeMySession', 'refreshAccessToken', 'switchOrganization'];
const schema = completeSchema();
const mutations = new Set(Object.keys(schema.getMutationType()?.getFields() ?? {}));

describe('Every operation and every kind of caller', () => {
  const service = serviceFixture(everyOperation);
  let tenantA: string;
  const people = new Map<Kind, { readonly id: string; readonly email: string }>();

  beforeAll(async () => {
    retryAtOnce();
    tenantA = (await addOwner('OWNER')).organizationId;
    await addMember('ADMIN', 'ADMIN');
    await addMember('MEMBER', 'MEMBER');
    await addOwner("another tenant's OWNER");
    const unpaid = await addOwner('OWNER without a subscription');
    await service.sql('DELETE FROM subscriptions WHERE organization_id = $1', [unpaid.organizationId]);
    const withoutMembership = await addOwner('no membership');
    await setActive(service, withoutMembership.userId, null);
    await service.sql('DELETE FROM organization_members WHERE id = $1', [withoutMembership.memberId]);
    await addSuperAdmin('super admin without scopes', []);
    await addSuperAdmin('super admin with every scope', platformScopes);
  });

  const addOwner = async (kind: Kind): Promise<Tenant> => {
    const owner = await newOwner(service);
    people.set(kind, { id: owner.userId, email: owner.email });
    return owner;
  };

  const addMember = async (kind: Kind, role: RoleName): Promise<void> => {
    const { userId, email } = await newMember(service, tenantA, role);
    people.set(kind, { id: userId, email });
  };

  const addSuperAdmin = async (kind: Kind, scopes: readonly string[]): Promise<void> => {
    const email = await createSuperAdminAccount(service, scopes);
    const user = await service.sql.value<string>('SELECT id FROM users WHERE email = $1', [email]);
    people.set(kind, { id: user ?? '', email });
  };

  /** One session for each kind; one target for each operation, replaced once a caller was allowed to change it. */
  const sessions = new Map<Kind, Tokens>();
  const targets = new Map<Operation, Variables>();

  const sessionOf = async (kind: Kind): Promise<Tokens | null> => {
    const person = people.get(kind);
    if (person === undefined) return null;
    const tokens = sessions.get(kind) ?? (await seedSession(service.database, person.id));
    sessions.set(kind, tokens);
    return tokens;
  };

  /** An open invitation to tenant A for a new address. */
  const invitation = async (): Promise<Invited> => {
    const owner = await sessionOf('OWNER');
    if (owner === null) throw new Error('Tenant A has no owner');
    return inviteByMail(service, owner, newAddress(), 'MEMBER');
  };

  /** Variables that name the caller's own session, or a target that earlier cells left unchanged. */
  const variablesOf = async (operation: Operation, tokens: Tokens | null): Promise<Variables> => {
    if (operation === 'refreshAccessToken') return { ...tokens };
    if (operation === 'revokeMySession') {
      return { family: tokens === null ? tenantA : await familyOf(service, tokens.refreshToken) };
    }
    const variables = targets.get(operation) ?? (await newTargetOf(operation));
    targets.set(operation, variables);
    return variables;
  };

  const newTargetOf = async (operation: Operation): Promise<Variables> => {
    switch (operation) {
      case 'explainScope':
        return { scope: 'MEMBERS_VIEW' };
      case 'invitation':
      case 'acceptInvitation':
        return { token: (await invitation()).token };
      case 'verificationLink':
        return { token: 'none' };
      case 'signInWithPassword':
        return { input: { email: people.get('super admin with every scope')?.email, password: goodPassword } };
      case 'completeInvitedProfile':
        return profileInput(service, (await invitation()).token);
      case 'revokeSession':
        return { id: await familyOf(service, (await newMember(service, tenantA)).tokens.refreshToken) };
      case 'revokeUserSessions':
      case 'reinstateUser':
        return { id: (await newMember(service, tenantA)).userId };
      case 'revokeSessions':
        return { filter: { userId: (await newMember(service, tenantA)).userId }, expectedCount: 1 };
      case 'revokeOrganizationSessions':
        return { id: (await newOwner(service)).organizationId };
      case 'suspendUser':
        return { id: (await newMember(service, tenantA)).userId, reason: 'A reason' };
      case 'revokeMcpClient':
        return { id: await newClient(service) };
      case 'deleteOrganization':
        return { input: { organizationId: tenantA, name: 'Another name' } };
      case 'restoreOrganization':
      case 'switchOrganization':
      case 'platformOrganization':
        return { id: tenantA };
      case 'platformSearch':
        return { search: tenantA };
      case 'platformUser':
        return { id: people.get('OWNER')?.id ?? '' };
      case 'resetInvitation':
      case 'cancelInvitation':
      case 'platformResetInvitation':
      case 'platformCancelInvitation':
        return { memberId: (await invitation()).memberId };
      case 'changeMemberRole':
        return { id: (await newMember(service, tenantA)).memberId, role: 'ADMIN' };
      case 'removeMember':
        return { id: (await newMember(service, tenantA)).memberId };
      default:
        return mutationInputs[operation]?.(0) ?? {};
    }
  };

  /** Runs one cell. A refusal must not change any stored row, except the count of a limit. */
  const attempt = async (operation: Operation, kind: Kind, expected: string | undefined): Promise<string> => {
    const tokens = await sessionOf(kind);
    const variables = await variablesOf(operation, tokens);
    const act = async (): Promise<string> =>
      outcomeIn(
        await postPlainly(service.url, documentOf[operation], variables, tokens === null ? {} : bearer(tokens)),
      );
    if (expected === 'OK' || expected === 'UNAVAILABLE') {
      if (mutations.has(operation)) targets.delete(operation);
      if (endsSession.includes(operation)) sessions.delete(kind);
      return act();
    }
    const before = await everythingStored(service);
    const outcome = await act();
    const isAsBefore = isDeepStrictEqual(await everythingStored(service), before);
    return isAsBefore ? outcome : `${outcome}, but something is stored differently`;
  };

  it('are listed in the table', () => {
    const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
      Object.keys(type?.getFields() ?? {}),
    );
    expect(Object.keys(table).sort()).toEqual(fields.sort());
    for (const row of Object.values(table)) expect(row).toHaveLength(kinds.length);
    // Those that one person floods the service with in `faults/one-person.test.ts`, too.
    expect(Object.keys(mutationInputs).sort()).toEqual([...mutations].sort());
  });

  it.each(Object.keys(table).filter(isOperation))('%s', async (operation) => {
    const expected = table[operation].split('').map((letter) => outcomes[letter]);
    const seen: string[] = [];
    for (const [index, kind] of kinds.entries()) seen.push(await attempt(operation, kind, expected[index]));
    expect(seen).toEqual(expected);
  });
});
