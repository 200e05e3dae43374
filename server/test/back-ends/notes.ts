/** The application of these tests: notes, with a role of its own and a resource. */
import type { ApplicationDefinition } from '../../src/gatehouse.d.ts';

export const appOrigin = 'https://app.acme.example';
export const resourceUrl = 'https://notes.acme.example/mcp';

export const notes: ApplicationDefinition = {
  name: 'Acme Notes',
  scopes: { 'notes:read': 'Read notes', 'notes:write': 'Write and delete notes' },
  roles: {
    ADMIN: { scopes: ['notes:read', 'notes:write'] },
    MEMBER: { scopes: ['notes:read'] },
    EDITOR: { title: 'Editor', scopes: ['MEMBERS_VIEW', 'notes:read', 'notes:write'] },
  },
  origins: [appOrigin],
  resources: {
    notes: { url: resourceUrl, scopes: ['notes:read', 'notes:write'] },
    other: { url: 'https://other.acme.example', scopes: ['notes:read'] },
    silent: { url: 'https://silent.acme.example', scopes: ['notes:read'] },
  },
};
