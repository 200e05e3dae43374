/**
 * `npm run check:deploy`: Dockerfile, compose file and Kubernetes manifests, as far as they can be judged where no engine
 * runs: by linters and schemas, by the names with which they mean each other, by what they promise of safety, by the version
 * that they name, and by `gatehouse print-config`, which says whether the service would start with the variables that they
 * give it.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { composeEnvironment, composeProblems } from '../deploy/compose.ts';
import { dockerfileProblems } from '../deploy/dockerfile.ts';
import { type Manifest, readManifests, referenceProblems, typeProblems } from '../deploy/kubernetes.ts';
import { safetyProblems } from '../deploy/safety.ts';
import { versionProblems } from '../deploy/versions.ts';
import { report, repositoryRoot } from '../report.ts';

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');
const isThere = (path: string): boolean => existsSync(join(repositoryRoot, path));

const kubernetes = 'deploy/kubernetes';
const kustomization = 'kustomization.yaml';
const secrets = 'secret.example.yaml';
const compose = 'deploy/compose/compose.yaml';

/** The service says of its variables what is wrong; nothing on standard error means that they all have a meaning. */
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
    DATABASE_PASSWORD: 'as openssl rand hex would say'.replaceAll(' ', ''),
    SUPER_ADMIN_PASSWORD: 'A.password8',
    GATEHOUSE_SECRET: 'as openssl rand base64 would say it at length',
  });

interface Data {
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
}

const dataOf = (manifests: readonly (Manifest & Data)[]): Record<string, string> =>
  Object.fromEntries(manifests.flatMap(({ data, stringData }) => Object.entries({ ...data, ...stringData })));

const listedProblems = (listed: readonly string[]): string[] => {
  const files = globSync('*.yaml', { cwd: join(repositoryRoot, kubernetes) });
  const unlisted = files.filter((file) => ![kustomization, secrets, ...listed].includes(file));
  const missing = listed.filter((file) => !files.includes(file));
  return [...unlisted, ...missing].map((file) => `${file} is only in one of the folder and ${kustomization}`);
};

/** What kubectl makes of the folder; null on a machine without it. */
const rendered = (): Manifest[] | null => {
  const { status, stdout, stderr, error } = spawnSync('kubectl', ['kustomize', kubernetes], {
    cwd: repositoryRoot,
    encoding: 'utf8',
  });
  if (error !== undefined) return null;
  if (status !== 0) throw new Error(`kubectl kustomize: ${stderr}`);
  return readManifests(stdout);
};

const kubernetesProblems = (): string[] => {
  const { resources } = parse(read(`${kubernetes}/${kustomization}`)) as { readonly resources: readonly string[] };
  const unlisted = listedProblems(resources);
  if (unlisted.length > 0) return unlisted;
  const plain = resources.flatMap((file) => readManifests(read(`${kubernetes}/${file}`)));
  const apart = readManifests(read(`${kubernetes}/${secrets}`));
  const drawn = rendered();
  process.stdout.write(drawn === null ? 'kubectl is not here: the manifests are read as they are.\n' : '');
  return [
    ...typeProblems([...plain, ...apart, ...(drawn ?? [])]),
    ...referenceProblems(drawn ?? plain, apart),
    ...safetyProblems(drawn ?? plain),
    ...variableProblems(dataOf([...plain, ...apart])),
  ];
};

/** Files that somebody copies a version from. */
const versioned = [
  'Dockerfile',
  compose,
  `${kubernetes}/${kustomization}`,
  'README.md',
  'server/README.md',
  'docs/operations.md',
  'docs/upgrading.md',
  'docs/added-routes.md',
];

const { version } = JSON.parse(read('server/package.json')) as { readonly version: string };

const within = (place: string, problems: readonly string[]): string[] =>
  problems.map((problem) => `${place}: ${problem}`);

report(
  [
    ...within(
      'Dockerfile',
      dockerfileProblems({ dockerfile: read('Dockerfile'), dockerignore: read('.dockerignore'), exists: isThere }),
    ),
    ...within(
      compose,
      composeProblems(read(compose), (path) => isThere(join('deploy/compose', path))),
    ),
    ...within(compose, variableProblems(composeVariables())),
    ...within(kubernetes, kubernetesProblems()),
    ...versioned.flatMap((path) => within(path, versionProblems(version, read(path)))),
  ],
  'Dockerfile, compose file and manifests are well formed, safe and of one version, and the service knows each variable that they set.',
);
