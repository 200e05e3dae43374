/**
 * The bill of materials of the package, in CycloneDX 1.6: the packages that npm installs with it, and those in the
 * portal's files.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../report.ts';
import { findLocked, keyOf, type LockedPackage, serverPackages } from './locked-packages.ts';

interface Bundled {
  readonly name: string;
  readonly version: string;
  readonly identifier: string | null;
}

const read = <T>(path: string): T => JSON.parse(readFileSync(join(repositoryRoot, path), 'utf8')) as T;

interface Component {
  readonly type: 'library';
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly scope: 'required' | 'optional';
  readonly licenses: readonly { readonly expression: string }[];
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

interface BillOfMaterials {
  readonly bomFormat: 'CycloneDX';
  readonly specVersion: string;
  readonly serialNumber: string;
  readonly version: number;
  readonly metadata: object;
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** Needs a built portal. */
export const billOfMaterials = (): BillOfMaterials => {
  const { name, version, license } = read<{ name: string; version: string; license: string }>('server/package.json');
  const { direct, all } = serverPackages();
  const bundled = read<Bundled[]>('portal/dist/.vite/licenses.json').filter(
    (one) => !all.some((it) => isSame(it, one)),
  );
  const itself = keyOf({ name, version });
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: {
      timestamp: new Date().toISOString(),
      component: {
        type: 'application',
        ...identityOf({ name, version }),
        // Not from npm's registry, where the name is another project's.
        purl: `pkg:generic/${name}@${version}`,
        licenses: [{ expression: license }],
      },
    },
    components: [...all.map(installedComponent), ...bundled.map(bundledComponent)],
    dependencies: [
      { ref: itself, dependsOn: [...direct, ...bundled.map(keyOf)] },
      ...all.map((locked) => ({ ref: keyOf(locked), dependsOn: locked.needs })),
    ],
  };
};

const isSame = (one: Bundled | LockedPackage, other: Bundled | LockedPackage): boolean => keyOf(one) === keyOf(other);

const identityOf = ({ name, version }: Pick<LockedPackage, 'name' | 'version'>) => ({
  'bom-ref': keyOf({ name, version }),
  name,
  version,
  purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
});

const installedComponent = (locked: LockedPackage): Component => ({
  type: 'library',
  ...identityOf(locked),
  scope: locked.isOptional ? 'optional' : 'required',
  licenses: [{ expression: locked.license }],
  ...hashesOf(locked),
});

const bundledComponent = ({ name, version, identifier }: Bundled): Component => ({
  type: 'library',
  ...identityOf({ name, version }),
  scope: 'required',
  licenses: [{ expression: identifier ?? 'NOASSERTION' }],
  ...hashesOf(findLocked(name, version) ?? {}),
  properties: [{ name: 'gatehouse:held-by', value: 'dist/portal' }],
});

const hashesOf = ({ integrity }: Pick<LockedPackage, 'integrity'>): Pick<Component, 'hashes'> => {
  const [algorithm, digest] = integrity?.split('-') ?? [];
  if (algorithm !== 'sha512' || digest === undefined) return {};
  return { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] };
};
