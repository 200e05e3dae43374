/** An application whose people may read, write and delete notes, each by the scopes of their role. */
import { defineApplication } from 'gatehouse';

export default defineApplication({
  name: 'Field Notes',
  scopes: {
    'notes:read': 'Read notes',
    'notes:write': 'Write, change and delete notes',
  },
  roles: {
    ADMIN: { scopes: ['notes:read', 'notes:write'] },
    MEMBER: { scopes: ['notes:read'] },
    EDITOR: { title: 'Editor', scopes: ['MEMBERS_VIEW', 'notes:read', 'notes:write'] },
  },
});
