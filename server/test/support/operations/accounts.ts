/** Rows of the operations of visitors, on accounts and sign-in, and of the signed-in person. */
import { newId } from '../../../src/kernel/ids.ts';
import { goodPassword, newAddress, operations } from '../clients/clients.ts';
import {
  emptyInput,
  field,
  inAddress,
  inName,
  inPassword,
  type OperationRows,
  open,
  unknown,
} from './operation-row.ts';

export const accountRows: OperationRows = {
  visitor: open,
  // Without the Origin of a portal page.
  recordConsent: {
    callers: 'GGGGGGGGG',
    machines: 'as anyone',
    input: () => ({ analytics: true }),
    fields: [field('analytics', 'BAD_USER_INPUT', { takes: 'boolean' })],
  },
  application: open,
  signUpWithPassword: {
    ...open,
    document: operations.signUp,
    input: () => ({ input: { email: newAddress(), name: 'New Person', password: goodPassword } }),
    fields: [
      field('email', 'fields', { frame: inAddress }),
      field('name', 'fields', { frame: inName }),
      field('password', 'fields', { frame: inPassword }),
      field('redirect', '"success":true', { frame: (text) => `/${text}`, isOptional: true }),
    ],
  },
  resendVerification: {
    ...open,
    input: () => ({ email: newAddress() }),
    fields: [field('email', 'fields', { frame: inAddress })],
  },
  verificationLink: { ...open, input: unknown.link },
  validateEmail: {
    ...open,
    document: operations.validate,
    input: unknown.link,
    fields: [field('token', '"status":"INVALID"')],
  },
  rejectSignUp: { ...open, input: unknown.link, fields: [field('token', '"rejectSignUp":false')] },
  // With unknown links.
  undoEmailChange: {
    callers: 'LLLLLLLLL',
    machines: 'as anyone',
    input: unknown.link,
    fields: [field('token', 'LINK_NOT_OPEN')],
  },
  confirmEmailChange: { callers: 'ULLLLLLLL', input: unknown.link, fields: [field('token', 'LINK_NOT_OPEN')] },
  requestEmailChange: {
    callers: 'UOOOOOOOO',
    input: () => ({ newEmail: newAddress() }),
    fields: [field('newEmail', 'fields', { frame: inAddress })],
  },
  confirmSignUp: {
    ...open,
    input: () => ({ input: { token: 'none', password: goodPassword } }),
    fields: [
      field('token', '"status":"INVALID"'),
      field('password', '"status":"INVALID"', { base: () => ({ input: { token: '0'.repeat(64) } }) }),
    ],
  },
  signInWithPassword: {
    ...open,
    document: operations.signIn,
    input: () => ({ input: { email: newAddress(), password: goodPassword } }),
    target: ({ personOf }) => ({
      input: { email: personOf('super admin with every scope').email, password: goodPassword },
    }),
    fields: [
      field('email', 'INVALID_CREDENTIALS'),
      field('password', 'INVALID_CREDENTIALS', { base: ({ holder }) => ({ input: { email: holder.email } }) }),
    ],
  },
  refreshAccessToken: {
    callers: 'ROOOOOOOO',
    machines: 'as anyone',
    document: operations.refresh,
    targetOf: (_world, tokens) => ({ ...tokens }),
    endsSession: true,
    fields: [
      field('refreshToken', 'REFRESH_REFUSED', { base: ({ holder }) => ({ ...holder.tokens }), isOptional: true }),
      field('accessToken', 'REFRESH_REFUSED', { base: ({ holder }) => ({ ...holder.tokens }), isOptional: true }),
    ],
  },
  // Without a secret.
  exchangeAuthTokens: { callers: 'EEEEEEEEE' },
  me: { callers: 'UOOOOOOOO', machines: 'taken' },
  actor: { callers: 'UOOOOOOOO', machines: 'taken' },
  mySessions: { callers: 'UOOOOOOOO' },
  mySignIns: { callers: 'UOOOOOOOO' },
  explainScope: { callers: 'UOOOOOOOO', machines: 'taken', target: () => ({ scope: 'MEMBERS_VIEW' }) },
  products: { callers: 'UOOOOOOOO' },
  // There is no pending consent.
  reviewPassword: {
    callers: 'UFFFFFFFF',
    input: () => ({ keep: false }),
    fields: [field('keep', 'BAD_USER_INPUT', { takes: 'boolean' })],
  },
  changeName: {
    callers: 'UOOOOOOOO',
    input: (nth) => ({ name: `Person ${nth}` }),
    fields: [field('name', 'fields', { frame: inName, document: 'bare' })],
  },
  setLanguage: {
    callers: 'UOOOOOOOO',
    input: (nth) => ({ language: nth % 2 === 0 ? 'de' : 'en' }),
    fields: [field('language', 'fields', { isOptional: true })],
  },
  mySecondFactor: { callers: 'UOOOOOOOO' },
  exportMyData: { callers: 'UOOOOOOOO' },
  // With the address of another person.
  deleteAccount: { callers: 'UBBBBBBBB', input: () => ({ email: newAddress() }), fields: [field('email', 'fields')] },
  // Only super admins have a password here.
  reauthenticate: {
    callers: 'UIIIIIIOO',
    input: () => ({ input: { password: goodPassword } }),
    fields: [
      field('password', 'INVALID_CREDENTIALS', { isOptional: true }),
      field('code', 'INVALID_CREDENTIALS', { base: emptyInput, isOptional: true }),
      field('passkey', 'fields', { base: emptyInput, isOptional: true }),
    ],
  },
  changePassword: {
    callers: 'UBBBBBBOO',
    input: () => ({ input: { currentPassword: goodPassword, newPassword: 'Another.1word' } }),
    fields: [
      field('currentPassword', 'INVALID_CREDENTIALS', { isOptional: true }),
      field('newPassword', 'fields', {
        base: () => ({ input: { currentPassword: 'Wrong.1word' } }),
        frame: inPassword,
      }),
    ],
  },
  // Nothing was begun.
  confirmTotp: {
    callers: 'UCCCCCCCC',
    input: () => ({ code: '000000' }),
    fields: [field('code', 'CHALLENGE_REFUSED')],
  },
  beginTotp: { callers: 'UOOOOOOOO' },
  disableTotp: { callers: 'UOOOOOOOO' },
  // No person has one-time codes here.
  regenerateRecoveryCodes: { callers: 'UFFFFFFFF' },
  // No sign-in waits for a second factor.
  completeSecondFactor: {
    callers: 'CCCCCCCCC',
    machines: 'as anyone',
    input: () => ({ input: { challenge: 'A'.repeat(43), code: '000000' } }),
    fields: [field('challenge', 'CHALLENGE_REFUSED'), field('code', 'CHALLENGE_REFUSED')],
  },
  signInWithPasskeyOptions: open,
  // Without the answer of a passkey.
  signInWithPasskey: {
    callers: 'BBBBBBBBB',
    machines: 'as anyone',
    input: () => ({ response: '{}' }),
    fields: [field('response', 'fields')],
  },
  registerPasskeyOptions: { callers: 'UOOOOOOOO' },
  registerPasskey: {
    callers: 'UBBBBBBBB',
    input: () => ({ input: { name: 'Phone', response: '{}' } }),
    fields: [field('name', 'fields', { frame: inName }), field('response', 'fields')],
  },
  reauthenticateOptions: { callers: 'UOOOOOOOO' },
  myPasskeys: { callers: 'UOOOOOOOO' },
  // With an unknown id.
  renamePasskey: {
    callers: 'UNNNNNNNN',
    input: () => ({ ...unknown.id(), name: 'Phone' }),
    fields: [field('id', 'NOT_FOUND'), field('name', 'fields', { frame: inName })],
  },
  removePasskey: { callers: 'UNNNNNNNN', input: unknown.id, fields: [field('id', 'NOT_FOUND')] },
  // Requires a password, which super admins have here.
  unlinkExternalIdentity: { callers: 'UFFFFFFOO' },
  signOut: { callers: 'UOOOOOOOO', endsSession: true },
  signOutEverywhere: { callers: 'UOOOOOOOO', endsSession: true },
  revokeMySession: {
    callers: 'UOOOOOOOO',
    input: () => ({ family: newId() }),
    targetOf: async ({ familyOf, tenantA }, tokens) => ({ family: tokens === null ? tenantA : await familyOf(tokens) }),
    endsSession: true,
    fields: [field('sessionFamilyId', 'NOT_FOUND')],
  },
};
