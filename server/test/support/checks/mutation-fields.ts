/** Every field of every mutation as a row: how to send it alone with an invalid value, and the answer. */
import { newId } from '../../../src/kernel/ids.ts';
import { clientOperations } from '../actors/connected-clients.ts';
import { inviteByMail } from '../actors/invitations.ts';
import { passkeySettings } from '../actors/passkeys.ts';
import { newSuperAdmin } from '../actors/tenants.ts';
import { tokenOperations } from '../actors/token-operations.ts';
import {
  type Answer,
  bearer,
  goodPassword,
  newAddress,
  operations,
  post,
  registerAndSignIn,
  type Tokens,
} from '../clients/clients.ts';
import type { Service } from '../gatehouse/gatehouse.ts';

/** The service of the fields, and the other arguments of their mutations. */
export interface Target {
  readonly url: string;
  readonly holder: { readonly email: string; readonly tokens: Tokens };
  /** A super admin who may revoke sessions and manage invitations. */
  readonly superAdmin: Tokens;
  readonly invitationToken: string;
}

export interface Field {
  /** `mutation.field` */
  readonly name: string;
  readonly isRequired: boolean;
  /** Absent: texts. */
  readonly takes?: 'boolean';
  /** Turns a text into one of the expected form; a field without it accepts texts unchanged only. */
  frame?(text: string): string;
  send(target: Target, value: unknown): Promise<Answer>;
  /** The mutation's answer to an invalid text: a code, `fields` naming the field, or data. */
  readonly answers: string;
}

const run = ({ url }: Target, query: string, variables: Record<string, unknown>): Promise<Answer> =>
  post(url, query, variables);

const asHolder = ({ url, holder }: Target, query: string, variables: Record<string, unknown>): Promise<Answer> =>
  post(url, query, variables, bearer(holder.tokens));

const asSuperAdmin = (target: Target, query: string, variables: Record<string, unknown>): Promise<Answer> =>
  post(target.url, query, variables, bearer(target.superAdmin));

/** Port 1 never answers: none of these requests may reach the payment provider. */
const unreachableStripe = {
  STRIPE_SECRET_KEY: 'sk_test_of_the_tests',
  STRIPE_API_BASE: 'http://127.0.0.1:1',
} as const;

/** The settings of a service with every operation. */
export const everyOperation = { ...unreachableStripe, ...passkeySettings } as const;

export const newTarget = async (service: Service): Promise<Target> => {
  const holder = await registerAndSignIn(service);
  const { token } = await inviteByMail(service, holder.tokens, newAddress());
  const superAdmin = await newSuperAdmin(service, ['sessions:revoke', 'invitations:manage', 'users:suspend']);
  return { url: service.url, holder, superAdmin: superAdmin.tokens, invitationToken: token };
};

export const signUp = (target: Target, change: object): Promise<Answer> =>
  run(target, operations.signUp, {
    input: { email: newAddress(), name: 'Test Person', password: goodPassword, ...change },
  });

export const signIn = (target: Target, change: object): Promise<Answer> =>
  run(target, operations.signIn, { input: { email: target.holder.email, password: goodPassword, ...change } });

// Neither selects the name, which would echo a valid one.
const createOrganization = 'mutation ($input: CreateOrganizationInput!) { createOrganization(input: $input) { id } }';
const changeName = 'mutation ($name: String!) { changeName(name: $name) { id } }';
const renameOrganization = 'mutation ($name: String!) { renameOrganization(name: $name) { id } }';

const revokeMcpClient =
  'mutation ($id: ID!, $dryRun: Boolean) { revokeMcpClient(clientId: $id, dryRun: $dryRun) { success } }';

/** Selects none of the sent values: an answer that contains one quotes it. */
const inviteUnseen = 'mutation ($input: InviteMemberInput!) { inviteMember(input: $input) { id } }';

const inviteListUnseen =
  'mutation ($input: InviteMembersInput!) { inviteMembers(input: $input) { reports { outcome } } }';

/** The link of an open invitation, with a well-formed vToken that is not its own. */
const complete = (target: Target, change: object): Promise<Answer> => {
  const good = {
    invitationToken: target.invitationToken,
    vToken: 'A'.repeat(43),
    name: 'Test Person',
    password: goodPassword,
  };
  return run(target, operations.completeInvitedProfile, { input: { ...good, ...change } });
};

const inAddress = (text: string): string => `a${text}@example.com`;
const inName = (text: string): string => `Test ${text} Name`;
const inPassword = (text: string): string => `Aa1.${text}`;

const field = (name: string, answers: string, send: Field['send'], more: Partial<Field> = {}): Field => ({
  name,
  answers,
  send,
  isRequired: true,
  ...more,
});

/** A reason may be twice as long as a name. */
const twice = (text: unknown): unknown => (typeof text === 'string' && text.length < 1000 ? text.repeat(2) : text);

/** With an expiry in the past, so that a valid name stores nothing either; the answer has none of the values. */
const createPersonalToken = (target: Target, change: object): Promise<Answer> =>
  asHolder(
    target,
    'mutation ($input: CreatePersonalTokenInput!) { createPersonalToken(input: $input) { token { id } } }',
    { input: { name: 'Export', scopes: ['MEMBERS_VIEW'], expiresAt: '2020-01-01T00:00:00Z', ...change } },
  );

const createServiceAccount = (target: Target, change: object): Promise<Answer> =>
  asHolder(target, 'mutation ($input: CreateServiceAccountInput!) { createServiceAccount(input: $input) { id } }', {
    input: { name: 'Importer', scopes: ['MEMBERS_VIEW'], ...change },
  });

/** Of no account, so that a valid value stores nothing either. */
const updateServiceAccount = (target: Target, change: object): Promise<Answer> =>
  asHolder(target, tokenOperations.updateServiceAccount, { input: { serviceAccountId: newId(), ...change } });

const rotateToken = (target: Target, change: object): Promise<Answer> =>
  asHolder(target, tokenOperations.rotateToken, { input: { tokenId: newId(), ...change } });

const setTokenPolicy = (target: Target, input: object): Promise<Answer> =>
  asHolder(target, tokenOperations.setTokenPolicy, { input });

const optional = { isRequired: false } as const;

/** The fields of the mutations on tokens of machines. */
const tokenFields: readonly Field[] = [
  field('createPersonalToken.name', 'fields', (to, name) => createPersonalToken(to, { name }), { frame: inName }),
  field('createPersonalToken.scopes', 'fields', (to, scope) => createPersonalToken(to, { scopes: [scope] })),
  field('createPersonalToken.expiresAt', 'BAD_USER_INPUT', (to, expiresAt) => createPersonalToken(to, { expiresAt })),
  field('createServiceToken.serviceAccountId', 'NOT_FOUND', (to, id) =>
    asHolder(to, tokenOperations.createServiceToken, { id, expiresAt: '2020-01-01T00:00:00Z' }),
  ),
  field('createServiceToken.expiresAt', 'BAD_USER_INPUT', (to, expiresAt) =>
    asHolder(to, tokenOperations.createServiceToken, { id: newId(), expiresAt }),
  ),
  field('rotateToken.tokenId', 'NOT_FOUND', (to, tokenId) => rotateToken(to, { tokenId })),
  field('rotateToken.expiresAt', 'BAD_USER_INPUT', (to, expiresAt) => rotateToken(to, { expiresAt }), optional),
  field('rotateToken.overlapSeconds', 'BAD_USER_INPUT', (to, overlapSeconds) => rotateToken(to, { overlapSeconds }), {
    ...optional,
  }),
  field('revokeToken.tokenId', 'NOT_FOUND', (to, id) => asHolder(to, tokenOperations.revokeToken, { id })),
  field('decideToken.tokenId', 'NOT_FOUND', (to, id) =>
    asHolder(to, tokenOperations.decideToken, { id, approve: true }),
  ),
  field(
    'decideToken.approve',
    'BAD_USER_INPUT',
    (to, approve) => asHolder(to, tokenOperations.decideToken, { id: newId(), approve }),
    { takes: 'boolean' },
  ),
  field('createServiceAccount.name', 'fields', (to, name) => createServiceAccount(to, { name }), { frame: inName }),
  field('createServiceAccount.scopes', 'fields', (to, scope) => createServiceAccount(to, { scopes: [scope] })),
  // Without a name: most texts are descriptions.
  field(
    'createServiceAccount.description',
    'BAD_USER_INPUT',
    (to, description) => createServiceAccount(to, { name: '', description }),
    optional,
  ),
  field('updateServiceAccount.serviceAccountId', 'NOT_FOUND', (to, serviceAccountId) =>
    updateServiceAccount(to, { serviceAccountId }),
  ),
  field('updateServiceAccount.name', 'NOT_FOUND', (to, name) => updateServiceAccount(to, { name }), optional),
  field(
    'updateServiceAccount.description',
    'NOT_FOUND',
    (to, description) => updateServiceAccount(to, { description }),
    {
      ...optional,
    },
  ),
  field('updateServiceAccount.scopes', 'NOT_FOUND', (to, scope) => updateServiceAccount(to, { scopes: [scope] })),
  field('deleteServiceAccount.serviceAccountId', 'NOT_FOUND', (to, id) =>
    asHolder(to, tokenOperations.deleteServiceAccount, { id }),
  ),
  field('setTokenPolicy.allowedNetworks', 'fields', (to, network) =>
    setTokenPolicy(to, { allowedNetworks: [network] }),
  ),
  field(
    'setTokenPolicy.maxTokenLifetimeDays',
    'BAD_USER_INPUT',
    (to, maxTokenLifetimeDays) => setTokenPolicy(to, { maxTokenLifetimeDays }),
    optional,
  ),
  field(
    'setTokenPolicy.personalTokens',
    'BAD_USER_INPUT',
    (to, personalTokens) => setTokenPolicy(to, { personalTokens }),
    optional,
  ),
];

const setMcpPolicy = (target: Target, input: object): Promise<Answer> =>
  asHolder(target, clientOperations.setMcpPolicy, { input });

/** The fields of the mutations on connected clients. */
const clientFields: readonly Field[] = [
  field('endConnectedClient.id', 'NOT_FOUND', (to, id) => asHolder(to, clientOperations.endConnectedClient, { id })),
  field('setMcpPolicy.clientIds', 'fields', (to, id) => setMcpPolicy(to, { clientIds: [id] })),
  field('setMcpPolicy.clients', 'BAD_USER_INPUT', (to, clients) => setMcpPolicy(to, { clients }), optional),
  field('setMcpPolicy.redirectHosts', 'fields', (to, host) => setMcpPolicy(to, { redirectHosts: [host] }), {
    frame: (text) => `${text}/`,
  }),
];

/** One row for each field of each mutation's arguments; `input/bad-input.test.ts` finds a missing one. */
export const mutationFields: readonly Field[] = [
  field('signUpWithPassword.email', 'fields', (to, email) => signUp(to, { email }), { frame: inAddress }),
  field('signUpWithPassword.name', 'fields', (to, name) => signUp(to, { name }), { frame: inName }),
  field('signUpWithPassword.password', 'fields', (to, password) => signUp(to, { password }), { frame: inPassword }),
  field('signUpWithPassword.redirect', '"success":true', (to, redirect) => signUp(to, { redirect }), {
    frame: (text) => `/${text}`,
    isRequired: false,
  }),
  field('signInWithPassword.email', 'INVALID_CREDENTIALS', (to, email) => signIn(to, { email })),
  field('signInWithPassword.password', 'INVALID_CREDENTIALS', (to, password) => signIn(to, { password })),
  field('validateEmail.token', '"status":"INVALID"', (to, token) => run(to, operations.validate, { token })),
  field('resendVerification.email', 'fields', (to, email) => run(to, operations.resendVerification, { email }), {
    frame: inAddress,
  }),
  field('rejectSignUp.token', '"rejectSignUp":false', (to, token) => run(to, operations.rejectSignUp, { token })),
  field(
    'requestEmailChange.newEmail',
    'fields',
    (to, newEmail) => asHolder(to, operations.requestEmailChange, { newEmail }),
    { frame: inAddress },
  ),
  field('confirmEmailChange.token', 'LINK_NOT_OPEN', (to, token) =>
    asHolder(to, operations.confirmEmailChange, { token }),
  ),
  field('undoEmailChange.token', 'LINK_NOT_OPEN', (to, token) => run(to, operations.undoEmailChange, { token })),
  field('confirmSignUp.token', '"status":"INVALID"', (to, token) =>
    run(to, operations.confirmSignUp, { input: { token, password: goodPassword } }),
  ),
  field('confirmSignUp.password', '"status":"INVALID"', (to, password) =>
    run(to, operations.confirmSignUp, { input: { token: '0'.repeat(64), password } }),
  ),
  field('setLanguage.language', 'fields', (to, language) => asHolder(to, operations.setLanguage, { language }), {
    isRequired: false,
  }),
  field('changeName.name', 'fields', (to, name) => asHolder(to, changeName, { name }), { frame: inName }),
  field(
    'changePassword.currentPassword',
    'INVALID_CREDENTIALS',
    (to, currentPassword) =>
      asHolder(to, operations.changePassword, { input: { currentPassword, newPassword: 'Another.1word' } }),
    { isRequired: false },
  ),
  // With a wrong current password, so that a valid new one changes nothing either.
  field(
    'changePassword.newPassword',
    'fields',
    (to, newPassword) =>
      asHolder(to, operations.changePassword, { input: { currentPassword: 'Wrong.1word', newPassword } }),
    { frame: inPassword },
  ),
  field('deleteAccount.email', 'fields', (to, email) => asHolder(to, operations.deleteAccount, { email })),
  field(
    'reauthenticate.password',
    'INVALID_CREDENTIALS',
    (to, password) => asHolder(to, operations.reauthenticate, { input: { password } }),
    { isRequired: false },
  ),
  field(
    'reauthenticate.code',
    'INVALID_CREDENTIALS',
    (to, code) => asHolder(to, operations.reauthenticate, { input: { code } }),
    { isRequired: false },
  ),
  field('confirmTotp.code', 'CHALLENGE_REFUSED', (to, code) => asHolder(to, operations.confirmTotp, { code })),
  field('completeSecondFactor.challenge', 'CHALLENGE_REFUSED', (to, challenge) =>
    run(to, operations.completeSecondFactor, { input: { challenge, code: '000000' } }),
  ),
  field('completeSecondFactor.code', 'CHALLENGE_REFUSED', (to, code) =>
    run(to, operations.completeSecondFactor, { input: { challenge: 'A'.repeat(43), code } }),
  ),
  field(
    'reauthenticate.passkey',
    'fields',
    (to, passkey) => asHolder(to, operations.reauthenticate, { input: { passkey } }),
    { isRequired: false },
  ),
  field('signInWithPasskey.response', 'fields', (to, response) => run(to, operations.signInWithPasskey, { response })),
  // With a response of no passkey, so that a valid name stores nothing either.
  field(
    'registerPasskey.name',
    'fields',
    (to, name) => asHolder(to, operations.registerPasskey, { input: { name, response: '{}' } }),
    { frame: inName },
  ),
  field('registerPasskey.response', 'fields', (to, response) =>
    asHolder(to, operations.registerPasskey, { input: { name: 'Phone', response } }),
  ),
  field('renamePasskey.id', 'NOT_FOUND', (to, id) => asHolder(to, operations.renamePasskey, { id, name: 'Phone' })),
  field('renamePasskey.name', 'fields', (to, name) => asHolder(to, operations.renamePasskey, { id: newId(), name }), {
    frame: inName,
  }),
  field('removePasskey.id', 'NOT_FOUND', (to, id) => asHolder(to, operations.removePasskey, { id })),
  field(
    'setSecondFactorPolicy.required',
    'BAD_USER_INPUT',
    (to, required) => asHolder(to, operations.setSecondFactorPolicy, { required }),
    { takes: 'boolean' },
  ),
  field('reviewPassword.keep', 'BAD_USER_INPUT', (to, keep) => asHolder(to, operations.reviewPassword, { keep }), {
    takes: 'boolean',
  }),
  field(
    'refreshAccessToken.refreshToken',
    'REFRESH_REFUSED',
    (to, refreshToken) => run(to, operations.refresh, { ...to.holder.tokens, refreshToken }),
    { isRequired: false },
  ),
  field(
    'refreshAccessToken.accessToken',
    'REFRESH_REFUSED',
    (to, accessToken) => run(to, operations.refresh, { ...to.holder.tokens, accessToken }),
    { isRequired: false },
  ),
  field('revokeMySession.sessionFamilyId', 'NOT_FOUND', (to, family) =>
    asHolder(to, operations.revokeMySession, { family }),
  ),
  field('revokeSession.credentialId', 'NOT_FOUND', (to, id) => asSuperAdmin(to, operations.revokeSession, { id })),
  field('revokeUserSessions.userId', 'NOT_FOUND', (to, id) => asSuperAdmin(to, operations.revokeUserSessions, { id })),
  field('revokeSessionFamilies.sessionFamilyIds', 'fields', (to, id) =>
    asSuperAdmin(to, operations.revokeSessionFamilies, { ids: [id] }),
  ),
  field(
    'revokeSessionFamilies.dryRun',
    'BAD_USER_INPUT',
    (to, dryRun) => asSuperAdmin(to, operations.revokeSessionFamilies, { ids: [newId()], dryRun }),
    { takes: 'boolean', isRequired: false },
  ),
  field('revokeOrganizationSessions.organizationId', 'NOT_FOUND', (to, id) =>
    asSuperAdmin(to, operations.revokeOrganizationSessions, { id }),
  ),
  ...(['email', 'userAgent'] as const).map((name) =>
    field(
      `revokeSessions.${name}`,
      'BAD_USER_INPUT',
      // Any text is a part of one; the network is none.
      (to, text) =>
        asSuperAdmin(to, operations.revokeSessions, { filter: { [name]: text, network: 'none' }, dryRun: true }),
      { isRequired: false },
    ),
  ),
  ...(['userId', 'organizationId', 'clientId', 'audience', 'authMethod', 'network'] as const).map((name) =>
    field(
      `revokeSessions.${name}`,
      'fields',
      (to, text) => asSuperAdmin(to, operations.revokeSessions, { filter: { [name]: text }, expectedCount: 1 }),
      { isRequired: false },
    ),
  ),
  ...(['kind', 'issuedAfter', 'issuedBefore', 'seenAfter', 'seenBefore'] as const).map((name) =>
    field(
      `revokeSessions.${name}`,
      'BAD_USER_INPUT',
      (to, value) => asSuperAdmin(to, operations.revokeSessions, { filter: { [name]: value }, expectedCount: 1 }),
      { isRequired: false },
    ),
  ),
  field(
    'revokeSessions.expectedCount',
    'BAD_USER_INPUT',
    (to, expectedCount) =>
      asSuperAdmin(to, operations.revokeSessions, { filter: { network: '203.0.113.1' }, expectedCount }),
    { isRequired: false },
  ),
  field(
    'revokeSessions.dryRun',
    'BAD_USER_INPUT',
    (to, dryRun) => asSuperAdmin(to, operations.revokeSessions, { filter: { network: '203.0.113.1' }, dryRun }),
    { isRequired: false, takes: 'boolean' },
  ),
  field(
    'revokeOrganizationSessions.dryRun',
    'BAD_USER_INPUT',
    (to, dryRun) => asSuperAdmin(to, operations.revokeOrganizationSessions, { id: newId(), dryRun }),
    { isRequired: false, takes: 'boolean' },
  ),
  field(
    'revokeMcpClient.dryRun',
    'BAD_USER_INPUT',
    (to, dryRun) => asSuperAdmin(to, revokeMcpClient, { id: newId(), dryRun }),
    { isRequired: false, takes: 'boolean' },
  ),
  field('suspendUser.userId', 'NOT_FOUND', (to, id) =>
    asSuperAdmin(to, operations.suspendUser, { id, reason: 'A reason' }),
  ),
  // Of no person, so that a valid reason stores nothing either.
  field(
    'suspendUser.reason',
    'fields',
    (to, reason) => asSuperAdmin(to, operations.suspendUser, { id: newId(), reason: twice(reason) }),
    { frame: (text) => `Because ${text}` },
  ),
  field(
    'suspendUser.dryRun',
    'BAD_USER_INPUT',
    (to, dryRun) => asSuperAdmin(to, operations.suspendUser, { id: newId(), reason: 'A reason', dryRun }),
    { takes: 'boolean', isRequired: false },
  ),
  field('reinstateUser.userId', 'NOT_FOUND', (to, id) => asSuperAdmin(to, operations.reinstateUser, { id })),
  field('revokeMcpClient.clientId', 'NOT_FOUND', (to, id) => asSuperAdmin(to, operations.revokeMcpClient, { id })),
  field('createCheckoutSession.product', 'fields', (to, product) =>
    asHolder(to, operations.createCheckoutSession, { product }),
  ),
  field('createOrganization.name', 'fields', (to, name) => asHolder(to, createOrganization, { input: { name } }), {
    frame: inName,
  }),
  field('renameOrganization.name', 'fields', (to, name) => asHolder(to, renameOrganization, { name }), {
    frame: inName,
  }),
  field('deleteOrganization.name', 'NOT_FOUND', (to, name) =>
    asHolder(to, operations.deleteOrganization, { input: { name, organizationId: newId() } }),
  ),
  field('deleteOrganization.organizationId', 'NOT_FOUND', (to, organizationId) =>
    asHolder(to, operations.deleteOrganization, { input: { name: 'Any', organizationId } }),
  ),
  field('restoreOrganization.organizationId', 'NOT_FOUND', (to, id) =>
    asHolder(to, operations.restoreOrganization, { id }),
  ),
  field('switchOrganization.organizationId', 'NOT_FOUND', (to, id) =>
    asHolder(to, operations.switchOrganization, { id }),
  ),
  field('changeMemberRole.memberId', 'NOT_FOUND', (to, id) =>
    asHolder(to, operations.changeMemberRole, { id, role: 'MEMBER' }),
  ),
  field('changeMemberRole.role', 'BAD_USER_INPUT', (to, role) =>
    asHolder(to, operations.changeMemberRole, { id: newId(), role }),
  ),
  field('removeMember.memberId', 'NOT_FOUND', (to, id) => asHolder(to, operations.removeMember, { id })),
  field(
    'inviteMember.email',
    'fields',
    (to, email) => asHolder(to, inviteUnseen, { input: { email, role: 'MEMBER' } }),
    { frame: inAddress },
  ),
  field('inviteMember.role', 'BAD_USER_INPUT', (to, role) =>
    asHolder(to, inviteUnseen, { input: { email: newAddress(), role } }),
  ),
  field(
    'inviteMembers.emails',
    '"MALFORMED"',
    (to, email) => asHolder(to, inviteListUnseen, { input: { emails: [email], role: 'MEMBER' } }),
    { frame: inAddress },
  ),
  field('inviteMembers.role', 'BAD_USER_INPUT', (to, role) =>
    asHolder(to, inviteListUnseen, { input: { emails: [newAddress()], role } }),
  ),
  field(
    'inviteMembers.dryRun',
    'BAD_USER_INPUT',
    (to, dryRun) =>
      asHolder(to, operations.inviteMembers, { input: { emails: [newAddress()], role: 'MEMBER' }, dryRun }),
    { takes: 'boolean', isRequired: false },
  ),
  field('resetInvitation.memberId', 'NOT_FOUND', (to, memberId) =>
    asHolder(to, operations.resetInvitation, { memberId }),
  ),
  field('cancelInvitation.memberId', 'NOT_FOUND', (to, memberId) =>
    asHolder(to, operations.cancelInvitation, { memberId }),
  ),
  field('platformResetInvitation.memberId', 'NOT_FOUND', (to, memberId) =>
    asSuperAdmin(to, operations.platformResetInvitation, { memberId }),
  ),
  field('platformCancelInvitation.memberId', 'NOT_FOUND', (to, memberId) =>
    asSuperAdmin(to, operations.platformCancelInvitation, { memberId }),
  ),
  field('acceptInvitation.token', 'INVITATION_NOT_OPEN', (to, token) =>
    asHolder(to, operations.acceptInvitation, { token }),
  ),
  field(
    'recordConsent.analytics',
    'BAD_USER_INPUT',
    (to, analytics) => run(to, operations.recordConsent, { analytics }),
    { takes: 'boolean' },
  ),
  field('completeInvitedProfile.invitationToken', 'INVITATION_NOT_OPEN', (to, invitationToken) =>
    complete(to, { invitationToken }),
  ),
  field('completeInvitedProfile.vToken', 'INVITATION_NOT_OPEN', (to, vToken) => complete(to, { vToken })),
  field('completeInvitedProfile.name', 'fields', (to, name) => complete(to, { name }), { frame: inName }),
  field('completeInvitedProfile.password', 'fields', (to, password) => complete(to, { password }), {
    frame: inPassword,
  }),
  ...tokenFields,
  ...clientFields,
];
