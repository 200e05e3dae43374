/** The packages of a server installation by package-lock.json: all direct and indirect dependencies. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../report.ts';

export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /**
   * As npm writes it: an algorithm and a digest in base64. Absent for binaries of platforms that npm never saw here.
   */
  readonly integrity?: string;
  /** Only some platforms install it. */
  readonly isOptional: boolean;
  /** Other packages, as {@link keyOf} names them. */
  readonly needs: readonly string[];
}

export const keyOf = ({ name, version }: Pick<LockedPackage, 'name' | 'version'>): string => `${name}@${version}`;

interface LockEntry {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

const lock = JSON.parse(readFileSync(join(repositoryRoot, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, LockEntry>>;
};

/** The server's dependencies by key, without itself; and its direct ones. */
export const serverPackages = (): { readonly direct: readonly string[]; readonly all: readonly LockedPackage[] } => {
  const found = new Map<string, LockedPackage>();
  const direct = neededBy('server', found);
  return { direct, all: [...found.values()].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)) };
};

/** Any package of the lock, for bundled ones. */
export const findLocked = (name: string, version: string): Pick<LockedPackage, 'integrity'> | null =>
  Object.entries(lock.packages).find(([path, entry]) => nameAt(path) === name && entry.version === version)?.[1] ??
  null;

const nameAt = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

const neededBy = (path: string, found: Map<string, LockedPackage>): string[] => {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = entryAt(path);
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => peerDependenciesMeta?.[name]?.optional !== true);
  const names = [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
  return [...new Set(names)].flatMap((name) => {
    const place = placeOf(name, path);
    return place === null ? [] : [visit(place, found)];
  });
};

const visit = (path: string, found: Map<string, LockedPackage>): string => {
  const { version = '', license = 'NOASSERTION', integrity, optional = false } = entryAt(path);
  const known = { name: nameAt(path), version, license, isOptional: optional, ...(integrity && { integrity }) };
  const key = keyOf(known);
  if (found.has(key)) return key;
  // Before its dependencies, which may depend on it.
  found.set(key, { ...known, needs: [] });
  found.set(key, { ...known, needs: neededBy(path, found) });
  return key;
};

const entryAt = (path: string): LockEntry => lock.packages[path] ?? {};

/** As Node looks for it: next to the dependent, then further up. Null for one that is for no platform of the lock. */
const placeOf = (name: string, from: string): string | null => {
  const own = from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`;
  if (lock.packages[own] !== undefined) return own;
  return from === '' ? null : placeOf(name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))));
};
