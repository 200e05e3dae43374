/** The application of these tests, and the URL of its resource. */
export const portalOrigin = 'https://id.acme.example';
export const appOrigin = 'https://app.acme.example';
export const resourceUrl = 'https://notes.acme.example/mcp';

export const application = {
  scopes: { 'notes:read': 'Read notes', 'notes:write': 'Write and delete notes' },
  roles: { ADMIN: { scopes: ['notes:read', 'notes:write'] }, MEMBER: { scopes: ['notes:read'] } },
  origins: [appOrigin],
  resources: { notes: { url: resourceUrl, scopes: ['notes:read', 'notes:write'] } },
};

export const resourceSecret = 'a secret of the notes: 32 bytes or more and as it stands';
