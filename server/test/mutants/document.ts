/** Faults in the use of client ID metadata documents. */
import type { Fault } from './mutant.ts';

const fetching = ['server/test/platform/guarded-fetch.pure.test.ts'];
const documents = ['server/test/oauth/metadata-documents.test.ts'];
const refused = ['server/test/oauth/metadata-documents-refused.test.ts'];

export const document: readonly Fault[] = [
  {
    rule: 'Only a listed URL is fetched.',
    file: 'server/src/domain/oauth/clients.ts',
    find: 'requireListed(deps, { id: null, metadataUrl: clientId });',
    replace: '',
    tests: refused,
    command: 'npm test',
  },
  {
    rule: 'A URL that is taken off the list refreshes nothing.',
    file: 'server/src/domain/oauth/clients.ts',
    find: 'if (isDocumentUrl(clientId)) requireListed({ settings }, { id: client?.id ?? null, metadataUrl: clientId });',
    replace: '',
    tests: refused,
    command: 'npm test',
  },
  {
    rule: 'The id of the row of a document names no client.',
    file: 'server/src/domain/oauth/clients-store.ts',
    find: 'WHERE c.id = $1 AND c.metadata_url IS NULL',
    replace: 'WHERE c.id = $1',
    tests: documents,
    command: 'npm test',
  },
  {
    rule: 'The row of a revoked URL outlives the cleanup.',
    file: 'server/src/domain/oauth/clients-store.ts',
    find: 'last_authorized_at IS NULL AND metadata_url IS NULL AND registered_at',
    replace: 'last_authorized_at IS NULL AND registered_at',
    tests: documents,
    command: 'npm test',
  },
  {
    rule: 'A fetch that ends after the revocation of its client changes nothing.',
    file: 'server/src/domain/oauth/document-clients-store.ts',
    find: '     WHERE c.revoked_at IS NULL\n',
    replace: '',
    tests: documents,
    command: 'npm test',
  },
  {
    rule: 'An answer that is no valid document ends the last one.',
    file: 'server/src/domain/oauth/document-clients.ts',
    find: 'const ends = !passing.has(rule);',
    replace: 'const ends = rule === null;',
    tests: documents,
    command: 'npm test',
  },
  {
    rule: 'All requests that need a document wait for one fetch.',
    file: 'server/src/domain/oauth/document-clients.ts',
    find: 'if (inProgress !== undefined) return inProgress;',
    replace: '',
    tests: documents,
    command: 'npm test',
  },
  {
    rule: 'A document names its own URL as client_id.',
    file: 'server/src/domain/oauth/metadata-documents.ts',
    find: "if (document['client_id'] !== url)",
    replace: "if (typeof document['client_id'] !== 'string')",
    tests: refused,
    command: 'npm test',
  },
  {
    rule: 'Every address of the host must be on the public internet.',
    file: 'server/src/platform/guarded-fetch.ts',
    find: 'addresses.every(({ address }) => isAllowed(address))',
    replace: 'addresses.some(({ address }) => isAllowed(address))',
    tests: fetching,
    command: 'npm test',
  },
  {
    rule: 'The connection goes to the address that was checked.',
    file: 'server/src/platform/guarded-fetch.ts',
    find: 'lookup: pinnedTo(addresses),',
    replace: '',
    tests: fetching,
    command: 'npm test',
  },
  {
    rule: 'At most 5 KB are read.',
    file: 'server/src/platform/guarded-fetch.ts',
    find: 'if (total > maxDocumentBytes) return null;',
    replace: 'if (total > maxDocumentBytes * 2000) return null;',
    tests: refused,
    command: 'npm test',
  },
  {
    rule: 'An address of IPv6 that contains one of IPv4 is none of the public internet.',
    file: 'server/src/kernel/public-addresses.ts',
    find: '2001:db8::/32 2002::/16',
    replace: '2001:db8::/32',
    tests: fetching,
    command: 'npm test',
  },
];
