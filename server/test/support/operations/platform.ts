/** Rows of the operations of super admins. */
import { newId } from '../../../src/kernel/ids.ts';
import { field, inList, type OperationRow, type OperationRows, unknown } from './operation-row.ts';

/** A reason may be twice as long as a name. */
const twice = (text: unknown): unknown => (typeof text === 'string' && text.length < 1000 ? text.repeat(2) : text);

const dryRun = field('dryRun', 'BAD_USER_INPUT', { takes: 'boolean', isOptional: true });

/** For super admins who have its scope. */
const scoped: OperationRow = { callers: 'UFFFFFFFO' };

/** On a user outside the nine. */
const onMember: OperationRow = {
  ...scoped,
  input: unknown.id,
  target: async ({ member }) => ({ id: (await member()).userId }),
  fields: [field('userId', 'NOT_FOUND')],
};

const someNetwork = () => ({ filter: { network: '203.0.113.1' } });

/** With an open invitation to tenant A. */
const onInvitation: OperationRow = {
  ...scoped,
  input: unknown.member,
  target: async ({ invitation }) => ({ memberId: (await invitation()).memberId }),
  fields: [field('memberId', 'NOT_FOUND')],
};

export const platformRows: OperationRows = {
  activeSessions: scoped,
  mcpConnections: scoped,
  mcpToolAudits: scoped,
  mcpToolAuditsCsv: scoped,
  mcpToolOutcomes: scoped,
  platformMcpCatalog: scoped,
  platformMcpUsers: scoped,
  mcpClients: scoped,
  // With an unknown id.
  revokeMcpClient: {
    ...scoped,
    input: unknown.id,
    target: async ({ client }) => ({ id: await client() }),
    fields: [field('clientId', 'NOT_FOUND'), { ...dryRun, base: () => ({ clientId: newId() }), document: 'bare' }],
  },
  // On a user outside the nine.
  revokeSession: {
    ...scoped,
    input: unknown.id,
    target: async ({ familyOf, member }) => ({ id: await familyOf((await member()).tokens) }),
    fields: [field('credentialId', 'NOT_FOUND')],
  },
  revokeUserSessions: onMember,
  sessionFamilies: scoped,
  revokeSessions: {
    ...scoped,
    input: () => ({ filter: { userId: newId() }, expectedCount: 1 }),
    target: async ({ member }) => ({ filter: { userId: (await member()).userId }, expectedCount: 1 }),
    fields: [
      ...['email', 'userAgent'].map((name) =>
        // Any text is a part of one; the network is none.
        field(name, 'BAD_USER_INPUT', {
          base: () => ({ filter: { network: 'none' }, dryRun: true }),
          isOptional: true,
        }),
      ),
      ...['userId', 'organizationId', 'clientId', 'audience', 'authMethod', 'network'].map((name) =>
        field(name, 'fields', { base: () => ({ expectedCount: 1 }), isOptional: true }),
      ),
      ...['kind', 'issuedAfter', 'issuedBefore', 'seenAfter', 'seenBefore'].map((name) =>
        field(name, 'BAD_USER_INPUT', { base: () => ({ expectedCount: 1 }), isOptional: true }),
      ),
      field('expectedCount', 'BAD_USER_INPUT', { base: someNetwork, isOptional: true }),
      { ...dryRun, base: someNetwork },
    ],
  },
  revokeOrganizationSessions: {
    ...scoped,
    input: unknown.id,
    target: async ({ owner }) => ({ id: (await owner()).organizationId }),
    fields: [field('organizationId', 'NOT_FOUND'), dryRun],
  },
  suspendUser: {
    ...scoped,
    // Of no person, so that a valid reason stores nothing either.
    input: () => ({ ...unknown.id(), reason: 'A reason' }),
    target: async ({ member }) => ({ id: (await member()).userId, reason: 'A reason' }),
    fields: [
      field('userId', 'NOT_FOUND'),
      field('reason', 'fields', { value: twice, frame: (text) => `Because ${text}` }),
      dryRun,
    ],
  },
  reinstateUser: onMember,
  signIns: scoped,
  revokeSessionFamilies: {
    ...scoped,
    input: () => ({ ids: [newId()] }),
    fields: [field('sessionFamilyIds', 'fields', { value: inList }), dryRun],
  },
  platformUsers: scoped,
  platformUser: { ...scoped, target: ({ personOf }) => ({ id: personOf('OWNER').id }) },
  platformOrganizations: scoped,
  platformOrganization: { ...scoped, target: ({ tenantA }) => ({ id: tenantA }) },
  platformOverview: scoped,
  // Each kind of hit needs a scope of its own.
  platformSearch: { callers: 'UFFFFFFOO', target: ({ tenantA }) => ({ search: tenantA }) },
  platformResetInvitation: onInvitation,
  platformCancelInvitation: onInvitation,
};
