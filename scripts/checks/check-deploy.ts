/**
 * `npm run check:deploy`: Dockerfile, compose file and Kubernetes manifests, as far as they can be checked without an
 * engine: by a linter, a schema and the types of the API, by the version that they name, and by `gatehouse
 * print-config`, which reports whether the service would start with their variables.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { composeEnvironment, composeProblems } from '../deploy/compose.ts';
import { dockerfileProblems } from '../deploy/dockerfile.ts';
import { type Manifest, readManifests, typeProblems } from '../deploy/kubernetes.ts';
import { report, repositoryRoot } from '../report.ts';

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');

const kubernetes = 'deploy/kubernetes';
const kustomization = `${kubernetes}/kustomization.yaml`;
const compose = 'deploy/compose/compose.yaml';

/** Any output on standard error is a problem: the service warns of variables that it does not know. */
const variableProblems = (environment: Readonly<Record<string, string>>): string[] => {
  const { status, stderr } = spawnSync(process.execPath, ['server/src/main.ts', 'print-config'], {
    cwd: repositoryRoot,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...environment },
  });
  return status === 0 && stderr === '' ? [] : [`gatehouse print-config ended with ${status}: ${stderr.trim()}`];
};

const composeVariables = (): Record<string, string> =>
  composeEnvironment(read(compose), 'gatehouse', {
    DATABASE_PASSWORD: 'anyDatabasePassword',
    SUPER_ADMIN_PASSWORD: 'A.password8',
    GATEHOUSE_SECRET: 'any secret that is long enough for a production instance',
  });

/** The manifests as kubectl renders them; as they are on a machine without it. */
const manifestsOf = (files: readonly string[]): Manifest[] => {
  const { status, stdout, stderr, error } = spawnSync('kubectl', ['kustomize', kubernetes], {
    cwd: repositoryRoot,
    encoding: 'utf8',
  });
  if (error !== undefined) return files.flatMap((file) => readManifests(read(file)));
  if (status !== 0) throw new Error(`kubectl kustomize: ${stderr}`);
  const others = ['secret.example.yaml', 'pod.yaml'].map((file) => read(`${kubernetes}/${file}`));
  return [stdout, ...others].flatMap(readManifests);
};

const kubernetesProblems = (): string[] => {
  const files = globSync(`${kubernetes}/*.yaml`, { cwd: repositoryRoot }).filter((file) => file !== kustomization);
  const manifests = manifestsOf(files);
  const variables = manifests.flatMap(({ data, stringData }) => Object.entries({ ...data, ...stringData }));
  return [...typeProblems(manifests), ...variableProblems(Object.fromEntries(variables))];
};

/** Files from which people copy a version. */
const versioned = [
  'Dockerfile',
  compose,
  kustomization,
  `${kubernetes}/pod.yaml`,
  'deploy/README.md',
  'server/README.md',
  'docs/operations.md',
  'docs/upgrading.md',
  'docs/added-routes.md',
];

const { version } = JSON.parse(read('server/package.json')) as { readonly version: string };

/** In an image, a tarball, and the tags of compose file and kustomization. */
const named = /(?:\bgatehouse[:-]|\bGATEHOUSE_VERSION:-|\bnewTag:\s*['"]?)(\d+\.\d+\.\d+)/g;

const versionProblems = (text: string): string[] => {
  const found = [...text.matchAll(named)].map((match) => match[1]);
  if (found.length === 0) return ['names no version of Gatehouse'];
  return found.filter((other) => other !== version).map((other) => `names ${other}, and the version is ${version}`);
};

const within = (place: string, problems: readonly string[]): string[] =>
  problems.map((problem) => `${place}: ${problem}`);

report(
  [
    ...within(
      'Dockerfile',
      dockerfileProblems(read('Dockerfile'), (path) => existsSync(join(repositoryRoot, path))),
    ),
    ...within(compose, [...composeProblems(read(compose)), ...variableProblems(composeVariables())]),
    ...within(kubernetes, kubernetesProblems()),
    ...versioned.flatMap((path) => within(path, versionProblems(read(path)))),
  ],
  'Dockerfile, compose file and manifests are well formed and of one version, and the service knows their variables.',
);
