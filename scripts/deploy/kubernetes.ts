/**
 * Problems of Kubernetes manifests: fields and types, by the published types of its API under a strict compiler. A
 * cluster checks more, such as formats of values and names that manifests refer to each other by.
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
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
}

/** @throws Error when the text is no YAML */
export const readManifests = (text: string): Manifest[] =>
  parseAllDocuments(text, { merge: true }).map((document) => {
    if (document.errors[0] !== undefined) throw document.errors[0];
    return document.toJS() as Manifest;
  });

/** One sentence for each field that the API does not have, requires, or has with another type. */
export const typeProblems = (manifests: readonly Manifest[]): string[] => {
  // Below this directory the compiler finds the package with the types.
  const directory = mkdtempSync(join(repositoryRoot, 'node_modules/.manifests-'));
  try {
    // CommonJS, because that package imports files without their extension.
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

/** One line per manifest, so that the compiler's line number identifies it. */
const asTypeScript = (manifest: Manifest, index: number): string => {
  const group = manifest.apiVersion.includes('/') ? manifest.apiVersion : `core/${manifest.apiVersion}`;
  const path = `kubernetes-types/${group.replace('.k8s.io', '')}`;
  return `export const m${index}: import('${path}').${manifest.kind} = ${JSON.stringify(manifest)};\n`;
};

const inWords = (line: string, manifests: readonly Manifest[]): string[] => {
  const [, number, message] = /\((\d+),\d+\): error TS\d+: (.+)$/.exec(line) ?? [];
  const manifest = manifests[Number(number) - 1];
  return message === undefined ? [] : [`${manifest?.kind} ${manifest?.metadata.name}: ${message}`];
};
