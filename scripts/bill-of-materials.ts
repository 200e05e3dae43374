/**
 * The bill of materials of the package, in CycloneDX: `npm sbom` lists what npm installs with it, and the packages in
 * the portal's files are added. npm lists a workspace with gaps (npm/cli#7909), so it gets the server's part of
 * package-lock.json as a project of its own.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from './report.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly devDependencies?: object;
}

interface LockEntry {
  readonly version?: string;
  /** As npm writes it: an algorithm and a digest in base64. */
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  /** A workspace. */
  readonly link?: boolean;
}

type Lock = Readonly<Record<string, LockEntry>>;

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly object[];
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
}

interface BillOfMaterials {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** What the build of the portal has taken into its files. */
interface Bundled {
  readonly name: string;
  readonly version: string;
  readonly identifier: string | null;
}

const read = <T>(path: string): T => JSON.parse(readFileSync(join(repositoryRoot, path), 'utf8')) as T;

/** Packages by their folders, of which `server/node_modules` is the one of the new project. */
const lockOfServer = (manifest: Manifest, lock: Lock): object => {
  const entries = Object.entries(lock)
    .filter(([path, { link }]) => link !== true && /^(?:server\/)?node_modules\//.test(path))
    // Of one folder for both, the server's own package is the later.
    .toSorted(([one], [other]) => Number(one.startsWith('server/')) - Number(other.startsWith('server/')))
    .map(
      ([path, { dev: _dev, devOptional: _devOptional, ...entry }]) => [path.replace(/^server\//, ''), entry] as const,
    );
  const packages: Lock = { '': manifest, ...Object.fromEntries<LockEntry>(entries) };
  const { name, version } = manifest;
  return { name, version, lockfileVersion: 3, packages };
};

/** @throws Error when npm fails, after its message */
const listedByNpm = (manifest: Manifest, lock: Lock): BillOfMaterials => {
  const place = mkdtempSync(join(tmpdir(), 'gatehouse-sbom-'));
  // npm names the product after the folder.
  const project = join(place, manifest.name);
  try {
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(project, 'package-lock.json'), JSON.stringify(lockOfServer(manifest, lock)));
    const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
    const { status, stdout } = spawnSync('npm', args, {
      cwd: project,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      stdio: ['ignore', 'pipe', 'inherit'],
      shell: process.platform === 'win32',
    });
    if (status !== 0) throw new Error('npm sbom failed.');
    return JSON.parse(stdout) as BillOfMaterials;
  } finally {
    rmSync(place, { recursive: true });
  }
};

const bundledComponent = ({ name, version, identifier }: Bundled, lock: Lock) => {
  const locked = Object.entries(lock).find(
    ([path, entry]) => path.endsWith(`node_modules/${name}`) && entry.version === version,
  );
  const [algorithm, digest] = locked?.[1].integrity?.split('-') ?? [];
  const hashes =
    algorithm === 'sha512' && digest !== undefined
      ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }
      : {};
  return {
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    scope: 'required',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [{ expression: identifier ?? 'NOASSERTION' }],
    ...hashes,
    properties: [{ name: 'gatehouse:held-by', value: 'dist/portal' }],
  };
};

/** Needs a built portal. @throws Error when npm fails */
export const billOfMaterials = (): BillOfMaterials => {
  const { devDependencies: _, ...manifest } = read<Manifest>('server/package.json');
  const { packages: lock } = read<{ packages: Lock }>('package-lock.json');
  const bill = listedByNpm(manifest, lock);
  const listed = new Set(bill.components.map((component) => component['bom-ref']));
  const bundled = read<Bundled[]>('portal/dist/.vite/licenses.json')
    .map((one) => bundledComponent(one, lock))
    .filter((one) => !listed.has(one['bom-ref']));
  // Not from npm's registry, where the name is another project's.
  const component = { ...bill.metadata.component, purl: `pkg:generic/${manifest.name}@${manifest.version}` };
  return {
    ...bill,
    metadata: { ...bill.metadata, component },
    components: [...bill.components, ...bundled],
    dependencies: bill.dependencies.map(({ ref, dependsOn }) => ({
      ref,
      dependsOn: ref === component['bom-ref'] ? [...dependsOn, ...bundled.map((one) => one['bom-ref'])] : dependsOn,
    })),
  };
};
