/** The layers of `server/src`, the rooms of its domain, and the permitted imports between them. */

/** From the top down. A layer imports itself and the layers below it, with the exceptions in {@link whyForbidden}. */
const ranks: Readonly<Record<string, number>> = {
  // The entry points: of the process, of programs that import the package, and of tests that do.
  main: 9,
  embed: 9,
  world: 9,
  // A whole service for tests of adopters.
  testing: 8,
  cli: 7,
  app: 6,
  graphql: 5,
  http: 5,
  mcp: 5,
  'http-kit': 4,
  domain: 3,
  platform: 2,
  config: 1,
  kernel: 0,
  // The public types of the package; those for tests depend on the others, and nothing else.
  'gatehouse.d': 0,
  'testing-support.d': 1,
};

const surfaces = new Set(['graphql', 'http', 'mcp', 'cli']);

/** Layers that may import values of the configuration; all layers above the kernel may import its types. */
const readsConfiguration = new Set(['main', 'testing', 'cli', 'app', 'config']);

/** Each room imports only itself and earlier ones. */
export const rooms: readonly string[] = [
  'scopes',
  'users',
  'audit',
  'sign-ins',
  'organizations',
  'credentials',
  'access',
  'billing',
  'accounts',
  'factors',
  'sessions',
  'session-admin',
  'machine-tokens',
  'connected-clients',
  'restores',
  'memberships',
  'invitations',
  'directory',
  'external-sign-in',
  'email-changes',
  'personal-data',
  'visitors',
  'client-onboarding',
  'oauth',
  'tools',
  'organization-tools',
  'cleanup',
];

interface Place {
  readonly layer: string;
  /** Only in the domain. */
  readonly room: string | null;
}

/** The layer and room of a file, or the reason why it has none. @param path relative to `server/src` */
export const placeOf = (path: string): Place | string => {
  const [first = '', second] = path.split('/');
  const layer = second === undefined ? first.replace(/\.tsx?$/, '') : first;
  if (!(layer in ranks)) return `is in no known layer (${Object.keys(ranks).join(', ')})`;
  if (layer !== 'domain') return { layer, room: null };
  return rooms.includes(second ?? '')
    ? { layer, room: second ?? '' }
    : `is in no known room of the domain (${rooms.join(', ')})`;
};

const rankOf = (place: Place): number => ranks[place.layer] ?? -1;

const refusalBetweenRooms = (from: Place, to: Place): string | null =>
  rooms.indexOf(from.room ?? '') >= rooms.indexOf(to.room ?? '')
    ? null
    : `room ${from.room} of the domain may not import ${to.room}, which comes later`;

const refusalOfConfig = (from: Place, typeOnly: boolean): string | null => {
  if (from.layer === 'kernel') return 'kernel may import nothing but node: built-ins and itself';
  return typeOnly || readsConfiguration.has(from.layer)
    ? null
    : `${from.layer} may import the configuration for its types only`;
};

/** Why `from` may not import `to`, or null. */
export const whyForbidden = (from: Place, to: Place, typeOnly: boolean): string | null => {
  if (from.layer === to.layer) return from.layer === 'domain' ? refusalBetweenRooms(from, to) : null;
  if (to.layer === 'config') return refusalOfConfig(from, typeOnly);
  if (surfaces.has(from.layer) && surfaces.has(to.layer)) {
    return `surface ${from.layer} may not import surface ${to.layer}`;
  }
  return rankOf(from) > rankOf(to) ? null : `${from.layer} may not import ${to.layer}`;
};
