/** Rows of the operations on tokens of machines, and on the MCP clients of an organization. */
import { newId } from '../../../src/kernel/ids.ts';
import { plainToken } from '../actors/machines/token-operations.ts';
import { emptyInput, field, inList, inName, type OperationRows, unknown } from './operation-row.ts';

/** In the past, so that a valid name stores nothing either. */
const expired = { expiresAt: '2020-01-01T00:00:00Z' } as const;
const expiredToken = () => ({ input: { name: 'Export', scopes: ['MEMBERS_VIEW'], ...expired } });

export const machineRows: OperationRows = {
  myTokens: { callers: 'UOOOOOOOO' },
  createPersonalToken: {
    callers: 'UMOOOOFOO',
    input: () => ({ input: plainToken }),
    fields: [
      field('name', 'fields', { base: expiredToken, frame: inName, document: 'bare' }),
      field('scopes', 'fields', { base: expiredToken, value: inList, document: 'bare' }),
      field('expiresAt', 'BAD_USER_INPUT', { document: 'bare' }),
    ],
  },
  // With an unknown id.
  rotateToken: {
    callers: 'UNNNNNNNN',
    input: () => ({ input: { tokenId: newId() } }),
    fields: [
      field('tokenId', 'NOT_FOUND'),
      field('expiresAt', 'BAD_USER_INPUT', { isOptional: true }),
      field('overlapSeconds', 'BAD_USER_INPUT', { isOptional: true }),
    ],
  },
  revokeToken: { callers: 'UNNNNNNNN', input: unknown.id, fields: [field('tokenId', 'NOT_FOUND')] },
  organizationTokens: { callers: 'UMFOOOFOO' },
  serviceAccounts: { callers: 'UMFOOOFOO' },
  tokenPolicy: { callers: 'UMFOOOFOO' },
  setTokenPolicy: {
    callers: 'UMFOOOFOO',
    input: (nth) => ({ input: { maxTokenLifetimeDays: 366 - (nth % 2) } }),
    fields: [
      field('allowedNetworks', 'fields', { base: emptyInput, value: inList }),
      field('maxTokenLifetimeDays', 'BAD_USER_INPUT', { isOptional: true }),
      field('personalTokens', 'BAD_USER_INPUT', { base: emptyInput, isOptional: true }),
    ],
  },
  createServiceAccount: {
    callers: 'UMFOOOFOO',
    input: () => ({ input: { name: 'Importer', scopes: ['MEMBERS_VIEW'] } }),
    fields: [
      field('name', 'fields', { frame: inName, document: 'bare' }),
      field('scopes', 'fields', { value: inList, document: 'bare' }),
      // Without a name: most texts are descriptions.
      field('description', 'BAD_USER_INPUT', {
        base: () => ({ input: { name: '', scopes: ['MEMBERS_VIEW'] } }),
        isOptional: true,
        document: 'bare',
      }),
    ],
  },
  // With an unknown id.
  createServiceToken: {
    callers: 'UMFNNNFNN',
    input: () => ({ ...unknown.id(), expiresAt: plainToken.expiresAt }),
    fields: [field('serviceAccountId', 'NOT_FOUND', { base: () => expired }), field('expiresAt', 'BAD_USER_INPUT')],
  },
  decideToken: {
    callers: 'UMFNNNFNN',
    input: () => ({ ...unknown.id(), approve: true }),
    fields: [field('tokenId', 'NOT_FOUND'), field('approve', 'BAD_USER_INPUT', { takes: 'boolean' })],
  },
  deleteServiceAccount: { callers: 'UMFNNNFNN', input: unknown.id, fields: [field('serviceAccountId', 'NOT_FOUND')] },
  updateServiceAccount: {
    callers: 'UMFNNNFNN',
    input: () => ({ input: { serviceAccountId: newId(), name: 'Exporter' } }),
    fields: [
      field('serviceAccountId', 'NOT_FOUND'),
      field('name', 'NOT_FOUND', { isOptional: true }),
      field('description', 'NOT_FOUND', { isOptional: true }),
      field('scopes', 'NOT_FOUND', { value: inList }),
    ],
  },
  connectedClients: { callers: 'UOOOOOOOO' },
  // With an unknown id.
  endConnectedClient: { callers: 'UNNNNNNNN', input: unknown.id, fields: [field('id', 'NOT_FOUND')] },
  mcpPolicy: { callers: 'UMFOOOFOO' },
  setMcpPolicy: {
    callers: 'UMFOOOFOO',
    input: (nth) => ({ input: { clients: nth % 2 === 0 ? 'ANY' : 'NONE' } }),
    fields: [
      field('clientIds', 'fields', { base: emptyInput, value: inList }),
      field('clients', 'BAD_USER_INPUT', { isOptional: true }),
      field('redirectHosts', 'fields', { base: emptyInput, value: inList, frame: (text) => `${text}/` }),
    ],
  },
};
