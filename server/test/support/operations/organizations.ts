/** Rows of the operations on organizations, their members, invitations and plans. */
import { newId } from '../../../src/kernel/ids.ts';
import { goodPassword, newAddress } from '../clients/clients.ts';
import {
  field,
  inAddress,
  inList,
  inName,
  inPassword,
  type OperationRow,
  type OperationRows,
  open,
  type Target,
  unknown,
} from './operation-row.ts';

/** In tenant A. */
const onInvitation: OperationRow = {
  callers: 'UMFOONFNN',
  machines: 'taken',
  input: unknown.member,
  target: async ({ invitation }) => ({ memberId: (await invitation()).memberId }),
  fields: [field('memberId', 'NOT_FOUND')],
};

const withToken: Pick<OperationRow, 'target'> = {
  target: async ({ invitation }) => ({ token: (await invitation()).token }),
};

/** The link of an open invitation, with a well-formed vToken that is not its own. */
const profile = ({ invitationToken }: Pick<Target, 'invitationToken'>) => ({
  input: { invitationToken, vToken: 'A'.repeat(43), name: 'Invited Person', password: goodPassword },
});

export const organizationRows: OperationRows = {
  createOrganization: {
    callers: 'UOOOOOOOO',
    input: (nth) => ({ input: { name: `Organization ${nth}` } }),
    fields: [field('name', 'fields', { frame: inName, document: 'bare' })],
  },
  // To an address invited to tenant A.
  switchOrganization: {
    callers: 'UNOOONNNN',
    input: unknown.id,
    target: ({ tenantA }) => ({ id: tenantA }),
    endsSession: true,
    fields: [field('organizationId', 'NOT_FOUND')],
  },
  // Tenant A, by another name; not deleted.
  deleteOrganization: {
    callers: 'UNFFBNNNN',
    input: () => ({ input: { organizationId: newId(), name: 'Another name' } }),
    target: ({ tenantA }) => ({ input: { organizationId: tenantA, name: 'Another name' } }),
    fields: [field('name', 'NOT_FOUND'), field('organizationId', 'NOT_FOUND')],
  },
  restoreOrganization: {
    callers: 'UNFFNNNNN',
    input: unknown.id,
    target: ({ tenantA }) => ({ id: tenantA }),
    fields: [field('organizationId', 'NOT_FOUND')],
  },
  // In the caller's own organization.
  renameOrganization: {
    callers: 'UMFFOOFOO',
    machines: 'taken',
    input: (nth) => ({ name: `Organization ${nth}` }),
    fields: [field('name', 'fields', { frame: inName, document: 'bare' })],
  },
  // From sessions without a second factor.
  setSecondFactorPolicy: {
    callers: 'UMFFDDFDD',
    input: () => ({ required: true }),
    fields: [field('required', 'BAD_USER_INPUT', { takes: 'boolean' })],
  },
  organizationAudit: { callers: 'UMFOOOFOO', machines: 'taken' },
  organizationAuditCsv: { callers: 'UMFOOOFOO' },
  inviteMember: {
    callers: 'UMFOOOFOO',
    machines: 'taken',
    input: () => ({ input: { email: newAddress(), role: 'MEMBER' } }),
    fields: [
      field('email', 'fields', { frame: inAddress, document: 'bare' }),
      field('role', 'BAD_USER_INPUT', { document: 'bare' }),
    ],
  },
  inviteMembers: {
    callers: 'UMFOOOFOO',
    input: () => ({ input: { emails: [newAddress()], role: 'MEMBER' } }),
    fields: [
      field('emails', '"MALFORMED"', {
        value: inList,
        frame: inAddress,
        document: 'mutation ($input: InviteMembersInput!) { inviteMembers(input: $input) { reports { outcome } } }',
      }),
      field('role', 'BAD_USER_INPUT', { document: 'bare' }),
      field('dryRun', 'BAD_USER_INPUT', { takes: 'boolean', isOptional: true }),
    ],
  },
  members: { callers: 'UMOOOOFOO', machines: 'taken' },
  seats: { callers: 'UMOOOOFOO' },
  resetInvitation: onInvitation,
  cancelInvitation: onInvitation,
  // In tenant A.
  changeMemberRole: {
    callers: 'UMFOONFNN',
    machines: 'taken',
    input: () => ({ ...unknown.id(), role: 'ADMIN' }),
    target: async ({ member }) => ({ id: (await member()).memberId, role: 'ADMIN' }),
    fields: [field('memberId', 'NOT_FOUND'), field('role', 'BAD_USER_INPUT')],
  },
  removeMember: {
    callers: 'UMFOONFNN',
    machines: 'taken',
    input: unknown.id,
    target: async ({ member }) => ({ id: (await member()).memberId }),
    fields: [field('memberId', 'NOT_FOUND')],
  },
  invitation: { ...open, ...withToken },
  // To a user outside the nine.
  acceptInvitation: {
    callers: 'UAAAAAAAA',
    input: () => ({ token: newId() }),
    ...withToken,
    fields: [field('token', 'INVITATION_NOT_OPEN')],
  },
  completeInvitedProfile: {
    callers: 'OSSSSSSSS',
    input: () => profile({ invitationToken: newId() }),
    target: async ({ invitation, profileFor }) => profileFor(await invitation()),
    fields: [
      field('invitationToken', 'INVITATION_NOT_OPEN', { base: profile }),
      field('vToken', 'INVITATION_NOT_OPEN', { base: profile }),
      field('name', 'fields', { base: profile, frame: inName }),
      field('password', 'fields', { base: profile, frame: inPassword }),
    ],
  },
  // The payment provider cannot be reached here: a caller who passes the guards gets UNAVAILABLE.
  createCheckoutSession: {
    callers: 'UMFFPPPPP',
    input: () => ({ product: 'free' }),
    fields: [field('product', 'fields')],
  },
  // The users have no provider account.
  createBillingPortalSession: { callers: 'UMFFNNNNN' },
};
