/** The application of `npm start`: a product for notes, with three scopes and a role of its own, and two plans. */
import { defineApplication } from 'gatehouse';

export default defineApplication({
  name: 'Field Notes',
  scopes: {
    'notes:read': 'Read notes',
    'notes:write': 'Write, change and delete notes',
    'notes:export': 'Export all notes',
  },
  roles: {
    ADMIN: { scopes: ['notes:read', 'notes:write', 'notes:export'] },
    MEMBER: { scopes: ['notes:read'] },
    EDITOR: { title: 'Editor', scopes: ['MEMBERS_VIEW', 'notes:read', 'notes:write'] },
  },
  products: {
    free: { title: 'Free', scopes: ['notes:read', 'notes:write'], members: 3 },
    team: { title: 'Team', scopes: '*' },
  },
  // Where the examples of front ends, back ends and proxies run.
  origins: ['http://localhost:3000', 'http://localhost:5173', 'http://localhost:8080'],
  brand: { color: '#5b2ee5' },
});
