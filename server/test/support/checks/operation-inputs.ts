/**
 * Every operation with its document, and every mutation with variables that change something or are refused without
 * harm.
 */
import { newId } from '../../../src/kernel/ids.ts';
import { clientOperations } from '../actors/connected-clients.ts';
import { plainToken, tokenOperations } from '../actors/token-operations.ts';
import { goodPassword, newAddress, operations, type Variables } from '../clients/clients.ts';

export const documents = {
  ...operations,
  ...tokenOperations,
  ...clientOperations,
  signUpWithPassword: operations.signUp,
  validateEmail: operations.validate,
  signInWithPassword: operations.signIn,
  refreshAccessToken: operations.refresh,
  application: '{ application { name } }',
  products: '{ products { name } }',
} as const;

/** Of nothing that exists. */
const unknown = {
  id: () => ({ id: newId() }),
  link: () => ({ token: 'none' }),
  member: () => ({ memberId: newId() }),
} as const;

const nothing = (): Variables => ({});

/**
 * The variables of each mutation, by the number of the call: where it changes something, each call does. The
 * authorization matrix fails while one is missing.
 */
export const mutationInputs: Readonly<Record<string, (nth: number) => Variables>> = {
  acceptInvitation: () => ({ token: newId() }),
  beginTotp: nothing,
  cancelInvitation: unknown.member,
  changeMemberRole: () => ({ ...unknown.id(), role: 'ADMIN' }),
  changeName: (nth) => ({ name: `Person ${nth}` }),
  changePassword: () => ({ input: { currentPassword: goodPassword, newPassword: 'Another.1word' } }),
  completeInvitedProfile: () => ({
    input: { invitationToken: newId(), vToken: 'A'.repeat(43), name: 'Invited Person', password: goodPassword },
  }),
  completeSecondFactor: () => ({ input: { challenge: 'A'.repeat(43), code: '000000' } }),
  confirmEmailChange: unknown.link,
  confirmSignUp: () => ({ input: { token: 'none', password: goodPassword } }),
  confirmTotp: () => ({ code: '000000' }),
  createBillingPortalSession: nothing,
  createCheckoutSession: () => ({ product: 'free' }),
  createOrganization: (nth) => ({ input: { name: `Organization ${nth}` } }),
  createPersonalToken: () => ({ input: plainToken }),
  createServiceAccount: () => ({ input: { name: 'Importer', scopes: ['MEMBERS_VIEW'] } }),
  createServiceToken: () => ({ ...unknown.id(), expiresAt: plainToken.expiresAt }),
  decideToken: () => ({ ...unknown.id(), approve: true }),
  deleteAccount: () => ({ email: newAddress() }),
  deleteOrganization: () => ({ input: { organizationId: newId(), name: 'Another name' } }),
  deleteServiceAccount: unknown.id,
  disableTotp: nothing,
  endConnectedClient: unknown.id,
  exchangeAuthTokens: nothing,
  exportMyData: nothing,
  inviteMember: () => ({ input: { email: newAddress(), role: 'MEMBER' } }),
  inviteMembers: () => ({ input: { emails: [newAddress()], role: 'MEMBER' } }),
  platformCancelInvitation: unknown.member,
  platformResetInvitation: unknown.member,
  reauthenticate: () => ({ input: { password: goodPassword } }),
  reauthenticateOptions: nothing,
  recordConsent: () => ({ analytics: true }),
  refreshAccessToken: nothing,
  regenerateRecoveryCodes: nothing,
  registerPasskey: () => ({ input: { name: 'Phone', response: '{}' } }),
  registerPasskeyOptions: nothing,
  reinstateUser: unknown.id,
  rejectSignUp: unknown.link,
  removeMember: unknown.id,
  removePasskey: unknown.id,
  renameOrganization: (nth) => ({ name: `Organization ${nth}` }),
  renamePasskey: () => ({ ...unknown.id(), name: 'Phone' }),
  requestEmailChange: () => ({ newEmail: newAddress() }),
  resendVerification: () => ({ email: newAddress() }),
  resetInvitation: unknown.member,
  restoreOrganization: unknown.id,
  reviewPassword: () => ({ keep: false }),
  revokeMcpClient: unknown.id,
  revokeMySession: () => ({ family: newId() }),
  revokeOrganizationSessions: unknown.id,
  revokeSession: unknown.id,
  revokeSessionFamilies: () => ({ ids: [newId()] }),
  revokeSessions: () => ({ filter: { userId: newId() }, expectedCount: 1 }),
  revokeToken: unknown.id,
  revokeUserSessions: unknown.id,
  rotateToken: () => ({ input: { tokenId: newId() } }),
  setLanguage: (nth) => ({ language: nth % 2 === 0 ? 'de' : 'en' }),
  setMcpPolicy: (nth) => ({ input: { clients: nth % 2 === 0 ? 'ANY' : 'NONE' } }),
  setSecondFactorPolicy: () => ({ required: true }),
  setTokenPolicy: (nth) => ({ input: { maxTokenLifetimeDays: 366 - (nth % 2) } }),
  signInWithPasskey: () => ({ response: '{}' }),
  signInWithPasskeyOptions: nothing,
  signInWithPassword: () => ({ input: { email: newAddress(), password: goodPassword } }),
  signOut: nothing,
  signOutEverywhere: nothing,
  signUpWithPassword: () => ({ input: { email: newAddress(), name: 'New Person', password: goodPassword } }),
  suspendUser: () => ({ ...unknown.id(), reason: 'A reason' }),
  switchOrganization: unknown.id,
  undoEmailChange: unknown.link,
  unlinkExternalIdentity: nothing,
  updateServiceAccount: () => ({ input: { serviceAccountId: newId(), name: 'Exporter' } }),
  validateEmail: unknown.link,
};
