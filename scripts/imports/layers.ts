/**
 * The layers of `server/src` and the rooms of its domain, and who may import whom. Nothing else knows the order.
 */

/** From the top down; a layer imports itself and what stands below, with the exceptions in {@link refusalOf}. */
const ranks: Readonly<Record<string, number>> = {
  // The entry of the process, and that of the package for programs which run the service themselves.
  main: 8,
  embed: 8,
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
  // The types of that package: a contract, which knows nothing of ours.
  'gatehouse.d': 0,
};

const surfaces = new Set(['graphql', 'http', 'mcp', 'cli']);

/** Who may call the configuration; everyone above the kernel may name its types. */
const readsConfiguration = new Set(['main', 'cli', 'app', 'config']);

/** Each room imports only itself and earlier ones. */
const rooms: readonly string[] = [
  'scopes',
  'audit',
  'users',
  'organizations',
  'credentials',
  'access',
  'billing',
  // How a person comes to have an account; sessions begin after it.
  'accounts',
  'sessions',
  'memberships',
  'invitations',
  // What super admins see and do beyond sessions: all people and organizations.
  'directory',
  // Identities at the identity provider, and sign-in with them.
  'external-sign-in',
  // Consent and id of a browser that is not signed in.
  'visitors',
  // How each attempt of an MCP client to connect went.
  'client-onboarding',
  'oauth',
  'tools',
  // Which expired rows are deleted.
  'cleanup',
];

interface Place {
  readonly layer: string;
  /** Only in the domain. */
  readonly room: string | null;
}

/** Where a file stands, or the sentence that says why it stands nowhere. `path` is relative to `server/src`. */
export const placeOf = (path: string): Place | string => {
  const [first = '', second] = path.split('/');
  const layer = second === undefined ? first.replace(/\.tsx?$/, '') : first;
  if (!(layer in ranks)) return `stands in no known layer (${Object.keys(ranks).join(', ')})`;
  if (layer !== 'domain') return { layer, room: null };
  return rooms.includes(second ?? '')
    ? { layer, room: second ?? '' }
    : `stands in no known room of the domain (${rooms.join(', ')})`;
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
export const refusalOf = (from: Place, to: Place, typeOnly: boolean): string | null => {
  if (from.layer === to.layer) return from.layer === 'domain' ? refusalBetweenRooms(from, to) : null;
  if (to.layer === 'config') return refusalOfConfig(from, typeOnly);
  if (surfaces.has(from.layer) && surfaces.has(to.layer)) {
    return `surface ${from.layer} may not import surface ${to.layer}`;
  }
  return rankOf(from) > rankOf(to) ? null : `${from.layer} may not import ${to.layer}`;
};
