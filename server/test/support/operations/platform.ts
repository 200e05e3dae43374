/** Rows of the operations of super admins. */
import { newId } from '../../../src/kernel/ids.ts';
import { field, inList, type OperationRow, type OperationRows, unknown } from './operation-row.ts';

/** A reason may be twice as long as a name. */
const twice = (text: unknown): unknown => (typeof text === 'string' && text.length < 1000 ? text.repeat(2) : text);

const dryRun = field('dryRun', 'BAD_USER_INPUT', { takes: 'boolean', isOptional: true });

/** A query that any super admin with its scope may make. */
const query: OperationRow = { callers: 'UFFFFFFFO' };

const someNetwork = () => ({ filter: { network: '203.0.113.1' } });

const sessionRows: OperationRows = {
  activeSessions: query,
  mcpConnections: query,
  mcpToolAudits: query,
  mcpToolAuditsCsv: query,
  mcpToolOutcomes: query,
  platformMcpCatalog: query,
  platformMcpUsers: query,
  mcpClients: query,
  // With an unknown id.
  revokeMcpClient: {
    callers: 'UFFFFFFFO',
    input: unknown.id,
    target: async ({ client }) => ({ id: await client() }),
    fields: [field('clientId', 'NOT_FOUND'), { ...dryRun, base: () => ({ clientId: newId() }), document: 'bare' }],
  },
  // On a user outside the nine.
  revokeSession: {
    callers: 'UFFFFFFFO',
    input: unknown.id,
    target: async ({ familyOf, member }) => ({ id: await familyOf((await member()).tokens) }),
    fields: [field('credentialId', 'NOT_FOUND')],
  },
  revokeUserSessions: {
    callers: 'UFFFFFFFO',
    input: unknown.id,
    target: async ({ member }) => ({ id: (await member()).userId }),
    fields: [field('userId', 'NOT_FOUND')],
  },
  sessionFamilies: query,
  revokeSessions: {
    callers: 'UFFFFFFFO',
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
    callers: 'UFFFFFFFO',
    input: unknown.id,
    target: async ({ owner }) => ({ id: (await owner()).organizationId }),
    fields: [field('organizationId', 'NOT_FOUND'), dryRun],
  },
  suspendUser: {
    callers: 'UFFFFFFFO',
    // Of no person, so that a valid reason stores nothing either.
    input: () => ({ ...unknown.id(), reason: 'A reason' }),
    target: async ({ member }) => ({ id: (await member()).userId, reason: 'A reason' }),
    fields: [
      field('userId', 'NOT_FOUND'),
      field('reason', 'fields', { value: twice, frame: (text) => `Because ${text}` }),
      dryRun,
    ],
  },
  reinstateUser: {
    callers: 'UFFFFFFFO',
    input: unknown.id,
    target: async ({ member }) => ({ id: (await member()).userId }),
    fields: [field('userId', 'NOT_FOUND')],
  },
  signIns: query,
  revokeSessionFamilies: {
    callers: 'UFFFFFFFO',
    input: () => ({ ids: [newId()] }),
    fields: [field('sessionFamilyIds', 'fields', { value: inList }), dryRun],
  },
};

/** With an open invitation to tenant A. */
const onInvitation: OperationRow = {
  callers: 'UFFFFFFFO',
  input: unknown.member,
  target: async ({ invitation }) => ({ memberId: (await invitation()).memberId }),
  fields: [field('memberId', 'NOT_FOUND')],
};

export const platformRows: OperationRows = {
  ...sessionRows,
  platformUsers: query,
  platformUser: { ...query, target: ({ personOf }) => ({ id: personOf('OWNER').id }) },
  platformOrganizations: query,
  platformOrganization: { ...query, target: ({ tenantA }) => ({ id: tenantA }) },
  platformOverview: query,
  // Each kind of hit needs a scope of its own.
  platformSearch: { callers: 'UFFFFFFOO', target: ({ tenantA }) => ({ search: tenantA }) },
  platformResetInvitation: onInvitation,
  platformCancelInvitation: onInvitation,
};
