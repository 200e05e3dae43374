/**
 * Problems of manifests for Kubernetes: fields and types, by the published types of its API, which a strict compiler
 * checks each manifest against; and dangling references. A cluster checks more, such as formats of values.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { repositoryRoot } from '../report.ts';

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** @throws Error when the text is not YAML */
export const readManifests = (text: string): Manifest[] =>
  parseAllDocuments(text, { merge: true }).map((document) => {
    if (document.errors[0] !== undefined) throw document.errors[0];
    return document.toJS() as Manifest;
  });

/** One sentence for each field that is unknown, missing, or of another type. */
export const typeProblems = (manifests: readonly Manifest[]): string[] => {
  // The compiler finds the package with the types below this directory.
  const directory = mkdtempSync(join(repositoryRoot, 'node_modules/.manifests-'));
  try {
    // CommonJS, whose imports may omit the extension, as that package needs it.
    const file = join(directory, 'manifests.cts');
    writeFileSync(file, manifests.map(asTypeScript).join(''));
    const compiler = join(repositoryRoot, 'node_modules/typescript/bin/tsc');
    const strictly = ['--ignoreConfig', '--noEmit', '--strict', '--pretty', 'false', '--module', 'nodenext'];
    const compiled = spawnSync(process.execPath, [compiler, ...strictly, '--types', '', file], { encoding: 'utf8' });
    const problems = compiled.stdout.split('\n').flatMap((line) => inWords(line, manifests));
    if (compiled.status !== 0 && problems.length === 0) {
      throw new Error(`The compiler does not run here: ${compiled.stdout}${compiled.stderr}`);
    }
    return problems;
  } finally {
    rmSync(directory, { recursive: true });
  }
};

/** A separate line for each, so that the compiler's line number identifies the manifest. */
const asTypeScript = (manifest: Manifest, index: number): string => {
  const group = manifest.apiVersion.includes('/') ? manifest.apiVersion : `core/${manifest.apiVersion}`;
  const path = `kubernetes-types/${group.replace('.k8s.io', '')}`;
  return `export const m${index}: import('${path}').${manifest.kind} = ${JSON.stringify(manifest)};\n`;
};

const inWords = (line: string, manifests: readonly Manifest[]): string[] => {
  const [, number, message] = /\((\d+),\d+\): error TS\d+: (.+)$/.exec(line) ?? [];
  if (message === undefined) return [];
  return [`${nameOf(manifests[Number(number) - 1])}: ${message}`];
};

const nameOf = (manifest: Manifest | undefined): string =>
  manifest === undefined ? 'a manifest' : `${manifest.kind} ${manifest.metadata.name}`;

/** Pods, their selectors, and their references, as far as they are checked here. */
interface Workload extends Manifest {
  readonly spec: {
    readonly selector: { readonly matchLabels: Labels };
    readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec };
  };
}

type Labels = Readonly<Record<string, string>>;

interface PodSpec {
  readonly serviceAccountName?: string;
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
}

interface Container {
  readonly ports?: readonly { readonly name?: string }[];
  readonly envFrom?: readonly Readonly<Record<string, { readonly name: string }>>[];
}

/** References between the manifests that lead nowhere. @param apart manifests that are made by hand */
export const referenceProblems = (manifests: readonly Manifest[], apart: readonly Manifest[] = []): string[] => {
  const known = new Set([...manifests, ...apart].map(nameOf));
  const workload = manifests.find(isWorkload);
  if (workload === undefined) return ['There is no Deployment'];
  const { template, selector } = workload.spec;
  const labels = JSON.stringify(template.metadata.labels);
  const selecting = manifests.flatMap(selectionsOf).concat(selector.matchLabels);
  return [
    ...namedBy(workload)
      .filter((name) => !known.has(name))
      .map((name) => `${name} is named and not there`),
    ...selecting.filter((it) => JSON.stringify(it) !== labels).map((it) => `${JSON.stringify(it)} selects no pod`),
    ...portsOf(manifests)
      .filter((port) => !portNames(template.spec).includes(port))
      .map((port) => `no port is ${port}`),
  ];
};

const isWorkload = (manifest: Manifest): manifest is Workload => manifest.kind === 'Deployment';

const namedBy = ({ spec, metadata }: Workload): string[] => {
  const { serviceAccountName = 'default', containers, initContainers = [] } = spec.template.spec;
  const sources = [...containers, ...initContainers].flatMap(({ envFrom = [] }) => envFrom);
  return [
    `Deployment ${metadata.name}`,
    `ServiceAccount ${serviceAccountName}`,
    ...sources.flatMap(({ configMapRef, secretRef }) => [
      ...(configMapRef === undefined ? [] : [`ConfigMap ${configMapRef.name}`]),
      ...(secretRef === undefined ? [] : [`Secret ${secretRef.name}`]),
    ]),
  ];
};

interface Selecting {
  readonly spec?: {
    readonly selector?: Labels & { readonly matchLabels?: Labels };
    readonly podSelector?: { readonly matchLabels?: Labels };
  };
}

const selectionsOf = (manifest: Manifest & Selecting): Labels[] => {
  if (isWorkload(manifest)) return [];
  const { selector, podSelector } = manifest.spec ?? {};
  const labels = selector?.matchLabels ?? selector ?? podSelector?.matchLabels;
  return labels === undefined ? [] : [labels];
};

const portNames = ({ containers }: PodSpec): string[] =>
  containers.flatMap(({ ports = [] }) => ports.flatMap(({ name }) => (name === undefined ? [] : [name])));

/** Named ports of pods: in probes, services and network policies. */
const portsOf = (manifests: readonly Manifest[]): string[] => {
  const text = JSON.stringify(manifests);
  return [...text.matchAll(/"(?:targetPort|port)":"([a-z-]+)"/g)].flatMap(([, name]) => name ?? []);
};
