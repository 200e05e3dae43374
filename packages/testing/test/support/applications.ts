/** Two applications that have nothing in common. */
import type { WorldOptions } from '../../src/index.ts';

type Definition = NonNullable<WorldOptions['application']>;

export const notes: Definition = {
  name: 'Acme Notes',
  scopes: { 'notes:read': 'Read notes', 'notes:write': 'Write and delete notes' },
  roles: { EDITOR: { title: 'Editor', scopes: ['notes:read', 'notes:write'] } },
  products: {
    free: { title: 'Free', scopes: ['notes:read'], members: 3 },
    team: { title: 'Team', scopes: '*' },
  },
};

/** Without a product `free`. */
export const shop: Definition = {
  name: 'Harbor Shop',
  scopes: { 'orders:ship': 'Ship orders' },
  roles: { PACKER: { title: 'Packer', scopes: ['orders:ship'] } },
  products: { basic: { title: 'Basic', scopes: '*' } },
};
