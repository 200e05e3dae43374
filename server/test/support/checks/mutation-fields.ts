/** Every field of every mutation as a row: how to send it alone with an invalid value, and the answer. */
import { newId } from '../../../src/kernel/ids.ts';
import { inviteByMail } from '../actors/invitations.ts';
import { newSuperAdmin } from '../actors/tenants.ts';
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
  /** A signed-in user who owns an organization. */
  readonly holder: { readonly email: string; readonly tokens: Tokens };
  /** A super admin who may revoke sessions and manage invitations. */
  readonly superAdmin: Tokens;
  /** Of an open invitation. */
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
  /** Runs the mutation with valid values except for this field. */
  send(target: Target, value: unknown): Promise<Answer>;
  /** The mutation's answer to an invalid text: a code, `fields` naming the field, or data. */
  readonly answers: string;
}

const run = ({ url }: Target, query: string, variables: Record<string, unknown>): Promise<Answer> =>
  post(url, query, variables);

const runAsHolder = ({ url, holder }: Target, query: string, variables: Record<string, unknown>): Promise<Answer> =>
  post(url, query, variables, bearer(holder.tokens));

const runAsSuperAdmin = (target: Target, query: string, variables: Record<string, unknown>): Promise<Answer> =>
  post(target.url, query, variables, bearer(target.superAdmin));

/** Port 1 never answers: none of these requests may reach the payment provider. */
export const unreachableStripe = {
  STRIPE_SECRET_KEY: 'sk_test_of_the_tests',
  STRIPE_API_BASE: 'http://127.0.0.1:1',
} as const;

/** Of a service with the settings above. */
export const newTarget = async (service: Service): Promise<Target> => {
  const holder = await registerAndSignIn(service);
  const { token } = await inviteByMail(service, holder.tokens, newAddress());
  const superAdmin = await newSuperAdmin(service, ['sessions:revoke', 'invitations:manage']);
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
const renameOrganization = 'mutation ($name: String!) { renameOrganization(name: $name) { id } }';

/** Selects none of the sent values: an answer that contains one quotes it. */
const inviteUnseen = 'mutation ($input: InviteMemberInput!) { inviteMember(input: $input) { id } }';

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

/** One row for each field of each mutation's arguments; `input/bad-input.test.ts` finds a missing one. */
export const mutationFields: readonly Field[] = [
  {
    name: 'signUpWithPassword.email',
    frame: (text) => `a${text}@example.com`,
    isRequired: true,
    send: (target, email) => signUp(target, { email }),
    answers: 'fields',
  },
  {
    name: 'signUpWithPassword.name',
    frame: (text) => `Test ${text} Person`,
    isRequired: true,
    send: (target, name) => signUp(target, { name }),
    answers: 'fields',
  },
  {
    name: 'signUpWithPassword.password',
    frame: (text) => `Aa1.${text}`,
    isRequired: true,
    send: (target, password) => signUp(target, { password }),
    answers: 'fields',
  },
  {
    name: 'signUpWithPassword.redirect',
    frame: (text) => `/${text}`,
    isRequired: false,
    send: (target, redirect) => signUp(target, { redirect }),
    answers: '"success":true',
  },
  {
    name: 'signInWithPassword.email',
    isRequired: true,
    send: (target, email) => signIn(target, { email }),
    answers: 'INVALID_CREDENTIALS',
  },
  {
    name: 'signInWithPassword.password',
    isRequired: true,
    send: (target, password) => signIn(target, { password }),
    answers: 'INVALID_CREDENTIALS',
  },
  {
    name: 'validateEmail.token',
    isRequired: true,
    send: (target, token) => run(target, operations.validate, { token }),
    answers: '"status":"INVALID"',
  },
  {
    name: 'resendVerification.email',
    frame: (text) => `a${text}@example.com`,
    isRequired: true,
    send: (target, email) => run(target, operations.resendVerification, { email }),
    answers: 'fields',
  },
  {
    name: 'rejectSignUp.token',
    isRequired: true,
    send: (target, token) => run(target, operations.rejectSignUp, { token }),
    answers: '"rejectSignUp":false',
  },
  {
    name: 'confirmSignUp.token',
    isRequired: true,
    send: (target, token) => run(target, operations.confirmSignUp, { input: { token, password: goodPassword } }),
    answers: '"status":"INVALID"',
  },
  {
    name: 'confirmSignUp.password',
    isRequired: true,
    send: (target, password) => run(target, operations.confirmSignUp, { input: { token: '0'.repeat(64), password } }),
    answers: '"status":"INVALID"',
  },
  {
    name: 'reviewPassword.keep',
    isRequired: true,
    takes: 'boolean',
    send: (target, keep) => runAsHolder(target, operations.reviewPassword, { keep }),
    answers: 'BAD_USER_INPUT',
  },
  {
    name: 'refreshAccessToken.refreshToken',
    isRequired: false,
    send: (target, refreshToken) => run(target, operations.refresh, { ...target.holder.tokens, refreshToken }),
    answers: 'REFRESH_REFUSED',
  },
  {
    name: 'refreshAccessToken.accessToken',
    isRequired: false,
    send: (target, accessToken) => run(target, operations.refresh, { ...target.holder.tokens, accessToken }),
    answers: 'REFRESH_REFUSED',
  },
  {
    name: 'revokeMySession.sessionFamilyId',
    isRequired: true,
    send: (target, family) => runAsHolder(target, operations.revokeMySession, { family }),
    answers: 'NOT_FOUND',
  },
  {
    name: 'revokeSession.credentialId',
    isRequired: true,
    send: (target, id) => runAsSuperAdmin(target, operations.revokeSession, { id }),
    answers: 'NOT_FOUND',
  },
  {
    name: 'revokeUserSessions.userId',
    isRequired: true,
    send: (target, id) => runAsSuperAdmin(target, operations.revokeUserSessions, { id }),
    answers: 'NOT_FOUND',
  },
  {
    name: 'revokeMcpClient.clientId',
    isRequired: true,
    send: (target, id) => runAsSuperAdmin(target, operations.revokeMcpClient, { id }),
    answers: 'NOT_FOUND',
  },
  {
    name: 'createCheckoutSession.product',
    isRequired: true,
    send: (target, product) => runAsHolder(target, operations.createCheckoutSession, { product }),
    answers: 'fields',
  },
  {
    name: 'createOrganization.name',
    frame: (text) => `Test ${text} Organization`,
    isRequired: true,
    send: (target, name) => runAsHolder(target, createOrganization, { input: { name } }),
    answers: 'fields',
  },
  {
    name: 'renameOrganization.name',
    frame: (text) => `Test ${text} Organization`,
    isRequired: true,
    send: (target, name) => runAsHolder(target, renameOrganization, { name }),
    answers: 'fields',
  },
  {
    name: 'switchOrganization.organizationId',
    isRequired: true,
    send: (target, id) => runAsHolder(target, operations.switchOrganization, { id }),
    answers: 'NOT_FOUND',
  },
  {
    name: 'changeMemberRole.memberId',
    isRequired: true,
    send: (target, id) => runAsHolder(target, operations.changeMemberRole, { id, role: 'MEMBER' }),
    answers: 'NOT_FOUND',
  },
  {
    name: 'changeMemberRole.role',
    isRequired: true,
    send: (target, role) => runAsHolder(target, operations.changeMemberRole, { id: newId(), role }),
    answers: 'BAD_USER_INPUT',
  },
  {
    name: 'removeMember.memberId',
    isRequired: true,
    send: (target, id) => runAsHolder(target, operations.removeMember, { id }),
    answers: 'NOT_FOUND',
  },
  {
    name: 'inviteMember.email',
    frame: (text) => `a${text}@example.com`,
    isRequired: true,
    send: (target, email) => runAsHolder(target, inviteUnseen, { input: { email, role: 'MEMBER' } }),
    answers: 'fields',
  },
  {
    name: 'inviteMember.role',
    isRequired: true,
    send: (target, role) => runAsHolder(target, inviteUnseen, { input: { email: newAddress(), role } }),
    answers: 'BAD_USER_INPUT',
  },
  {
    name: 'resetInvitation.memberId',
    isRequired: true,
    send: (target, memberId) => runAsHolder(target, operations.resetInvitation, { memberId }),
    answers: 'NOT_FOUND',
  },
  {
    name: 'cancelInvitation.memberId',
    isRequired: true,
    send: (target, memberId) => runAsHolder(target, operations.cancelInvitation, { memberId }),
    answers: 'NOT_FOUND',
  },
  {
    name: 'platformResetInvitation.memberId',
    isRequired: true,
    send: (target, memberId) => runAsSuperAdmin(target, operations.platformResetInvitation, { memberId }),
    answers: 'NOT_FOUND',
  },
  {
    name: 'platformCancelInvitation.memberId',
    isRequired: true,
    send: (target, memberId) => runAsSuperAdmin(target, operations.platformCancelInvitation, { memberId }),
    answers: 'NOT_FOUND',
  },
  {
    name: 'acceptInvitation.token',
    isRequired: true,
    send: (target, token) => runAsHolder(target, operations.acceptInvitation, { token }),
    answers: 'INVITATION_NOT_OPEN',
  },
  {
    name: 'recordConsent.analytics',
    isRequired: true,
    takes: 'boolean',
    send: (target, analytics) => run(target, operations.recordConsent, { analytics }),
    answers: 'BAD_USER_INPUT',
  },
  {
    name: 'completeInvitedProfile.invitationToken',
    isRequired: true,
    send: (target, invitationToken) => complete(target, { invitationToken }),
    answers: 'INVITATION_NOT_OPEN',
  },
  {
    name: 'completeInvitedProfile.vToken',
    isRequired: true,
    send: (target, vToken) => complete(target, { vToken }),
    answers: 'INVITATION_NOT_OPEN',
  },
  {
    name: 'completeInvitedProfile.name',
    frame: (text) => `Test ${text} Person`,
    isRequired: true,
    send: (target, name) => complete(target, { name }),
    answers: 'fields',
  },
  {
    name: 'completeInvitedProfile.password',
    frame: (text) => `Aa1.${text}`,
    isRequired: true,
    send: (target, password) => complete(target, { password }),
    answers: 'fields',
  },
];
