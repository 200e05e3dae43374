/** The checks on what is deployed are themselves checked: each is seen to refuse what it is there for. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { composeEnvironment, composeProblems } from '../../../../scripts/deploy/compose.ts';
import { dockerfileProblems } from '../../../../scripts/deploy/dockerfile.ts';
import { readManifests, referenceProblems, typeProblems } from '../../../../scripts/deploy/kubernetes.ts';
import { safetyProblems } from '../../../../scripts/deploy/safety.ts';
import { versionProblems } from '../../../../scripts/deploy/versions.ts';

const repository = fileURLToPath(new URL('../../../..', import.meta.url));
const read = (path: string): string => readFileSync(join(repository, path), 'utf8');
const exists = (path: string): boolean => existsSync(join(repository, path));

/** With one thing changed, which must be there to change. */
const changed = (text: string, from: string, to: string): string => {
  if (!text.includes(from)) throw new Error(`${from} is not there.`);
  return text.replace(from, to);
};

describe('The check of the Dockerfile', () => {
  const dockerfile = read('Dockerfile');
  const dockerignore = read('.dockerignore');

  it('accepts the one there is', () => {
    expect(dockerfileProblems({ dockerfile, dockerignore, exists })).toEqual([]);
  });

  // Specification: Shipping and upgrading — Dockerfile, checked by a linter
  it.each([
    ['COPY scripts scripts', 'COPPY scripts scripts', 'Unknown instruction: COPPY'],
    ['COPY scripts scripts', 'COPY skripts scripts', 'COPY skripts'],
    ['COPY scripts scripts', 'COPY docs docs', 'COPY docs'],
    ['COPY scripts scripts', 'COPY server/test scripts', 'COPY server/test'],
    ['FROM node:24-trixie-slim AS build', 'FROM node AS build', 'name a tag'],
    ['USER 65532:65532', 'USER root', 'USER of the last stage'],
    ['USER 65532:65532', 'USER 0', 'USER of the last stage'],
    ['STOPSIGNAL SIGTERM', '', 'STOPSIGNAL of the last stage'],
    [
      'ENTRYPOINT ["/nodejs/bin/node", "--max-semi-space-size=16", "/app/server/entry/gatehouse.mjs"]',
      'ENTRYPOINT node x',
      'ENTRYPOINT of the',
    ],
    ['--interval=10s', '--interval=10', 'missing unit'],
  ])('refuses %j turned into %j', (from, to, problem) => {
    const problems = dockerfileProblems({ dockerfile: changed(dockerfile, from, to), dockerignore, exists });
    expect(problems.join('\n')).toContain(problem);
  });
});

/** The exit code of the image's health check, for a service that listens at this address and answers like that. */
const healthAt = async (listens: string, reported: string, status: number): Promise<number> => {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/readyz' ? status : 404).end();
  }).listen(0, listens);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const check = spawn(process.execPath, [join(repository, 'deploy/healthcheck.mjs'), '/readyz'], {
    env: { HOST: reported, PORT: String(port) },
  });
  const [code] = (await once(check, 'close')) as [number];
  return code;
};

describe('The health check of the image', () => {
  const isOnIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

  it('asks the service where it listens, and goes by its answer', async () => {
    expect(await healthAt('127.0.0.1', '0.0.0.0', 200)).toBe(0);
    expect(await healthAt('127.0.0.1', '127.0.0.1', 503)).toBe(1);
  });

  it.runIf(isOnIpv6)('asks at an address of IPv6', async () => {
    expect(await healthAt('::1', '::1', 200)).toBe(0);
  });
});

describe('The check of the compose file', () => {
  const compose = read('deploy/compose/compose.yaml');

  it('accepts the one there is', () => {
    expect(composeProblems(compose, () => true)).toEqual([]);
  });

  it.each([
    ['read_only: true', 'readonly: true', 'additional properties: readonly'],
    ['service_healthy', 'service_health', 'must be equal to one of the allowed values'],
    ['127.0.0.1:8025:8025', '8025:8025', 'mail: port 8025:8025 is open to the network'],
    ['caddy:2-alpine', 'caddy', 'proxy: name a tag'],
    ['GATEHOUSE_VERSION:-0.1.0', 'GATEHOUSE_VERSION:-latest', 'gatehouse: name a tag'],
  ])('refuses %j turned into %j', (from, to, problem) => {
    expect(composeProblems(changed(compose, from, to), () => true).join('\n')).toContain(problem);
  });

  it('refuses to mount what is not there', () => {
    expect(composeProblems(compose, () => false)).toEqual(['proxy: ./Caddyfile is not beside the file']);
  });

  // Specification: Shipping and upgrading — Compose file, checked by its schema
  it('reads the variables of a service as Compose would fill them in', () => {
    const variables = composeEnvironment(compose, 'gatehouse', { DATABASE_PASSWORD: 'secret' });
    expect(variables).toMatchObject({
      TRUST_PROXY: '1',
      DATABASE_URL: 'postgres://gatehouse:secret@database:5432/gatehouse',
    });
  });
});

describe('The check of the manifests for Kubernetes', () => {
  const folder = 'deploy/kubernetes';
  const text = [
    'service-account',
    'config',
    'deployment',
    'service',
    'disruption-budget',
    'autoscaler',
    'network-policy',
  ]
    .map((name) => read(`${folder}/${name}.yaml`))
    .join('---\n');
  const secrets = readManifests(read(`${folder}/secret.example.yaml`));
  const problemsOf = (manifests: string): string[] => {
    const read = readManifests(manifests);
    return [...typeProblems(read), ...referenceProblems(read, secrets)];
  };

  // Specification: Shipping and upgrading — Kubernetes manifests, checked by the types of its interface
  it('accepts those there are', () => {
    expect(problemsOf(text)).toEqual([]);
  });

  it.each([
    ['readinessProbe:', 'readynessProbe:', 'Deployment gatehouse: Object literal may only specify known properties'],
    ['maxReplicas: 6', "maxReplicas: '6'", "HorizontalPodAutoscaler gatehouse: Type 'string' is not assignable"],
    ['serviceAccountName: gatehouse', 'serviceAccountName: gate', 'ServiceAccount gate is named and not there'],
    ['secretRef: { name: gatehouse }', 'secretRef: { name: keys }', 'Secret keys is named and not there'],
    ['targetPort: http', 'targetPort: web', 'no port is web'],
    ['matchLabels:\n      app.kubernetes.io/name: gatehouse', 'matchLabels:\n      app: gatehouse', 'selects no pod'],
  ])('refuses %j turned into %j', (from, to, problem) => {
    expect(problemsOf(changed(text, from, to)).join('\n')).toContain(problem);
  });

  describe('as for safety', () => {
    const promisesOf = (manifests: string): string => safetyProblems(readManifests(manifests)).join('\n');
    const [migrate = '', serve = ''] = text.split('      containers:\n');

    it('accepts those there are', () => {
      expect(promisesOf(text)).toBe('');
    });

    it.each([
      ['kind: PodDisruptionBudget', 'kind: LimitRange', 'there is no PodDisruptionBudget'],
      ['kind: NetworkPolicy', 'kind: LimitRange', 'there is no NetworkPolicy'],
      ['runAsNonRoot: true', 'runAsNonRoot: false', 'runAsNonRoot is not true'],
      ['runAsNonRoot: true', 'fsGroup: 65532', 'runAsNonRoot is not true'],
      ['seccompProfile: { type: RuntimeDefault }', 'seccompProfile: { type: Unconfined }', 'seccompProfile'],
      ['Token: false\n      enable', 'Token: true\n      enable', 'automountServiceAccountToken is not false'],
      ['startupProbe:', 'startProbe:', 'gatehouse has no startupProbe'],
      ['livenessProbe:', 'liveProbe:', 'gatehouse has no livenessProbe'],
      ['readinessProbe:', 'readyProbe:', 'gatehouse has no readinessProbe'],
      ['lifecycle:', 'life:', 'gatehouse has no lifecycle'],
      ['terminationGracePeriodSeconds: 30', 'terminationGracePeriodSeconds: 19', 'may take 20 s to stop'],
      ['terminationGracePeriodSeconds: 30', 'hostname: gatehouse', 'may take 20 s to stop'],
      ['sleep: { seconds: 5 }', 'sleep: { seconds: 20 }', 'may take 35 s to stop'],
      ['allowPrivilegeEscalation: false', 'allowPrivilegeEscalation: true', 'lacks allowPrivilegeEscalation: false'],
      ['readOnlyRootFilesystem: true', 'readOnlyRootFilesystem: false', 'lacks readOnlyRootFilesystem: true'],
      ['drop: [ALL]', 'drop: [NET_RAW]', 'lacks capabilities.drop: [ALL]'],
      ['limits: { memory: 768Mi }', 'limits: {}', 'lacks resources.limits.memory'],
      ['cpu: 250m, ', '', 'lacks resources.requests.cpu'],
      [', memory: 256Mi', '', 'lacks resources.requests.memory'],
    ])('refuses %j turned into %j', (from, to, problem) => {
      expect(promisesOf(changed(text, from, to))).toContain(problem);
    });

    it.each([
      ['migrate', () => `${changed(migrate, 'resources: &resources', 'x: &resources')}      containers:\n${serve}`],
      ['gatehouse', () => `${migrate}      containers:\n${changed(serve, 'resources: *resources', 'x: *resources')}`],
      ['gatehouse', () => `${migrate}      containers:\n${changed(serve, 'securityContext: *c', 'x: *c')}`],
    ])('asks each container by itself, %s too', (name, manifests) => {
      const lacking = promisesOf(manifests()).split('\n');
      expect(lacking).toHaveLength(3);
      expect(lacking.every((problem) => problem.startsWith(`${name} lacks `))).toBe(true);
    });
  });
});

describe('The check of versions', () => {
  it.each([
    ['docker build -t gatehouse:0.2.0 .', []],
    ['{GATEHOUSE_VERSION:-0.2.0}', []],
    ['newTag: 0.2.0', []],
    ['npm install ./gatehouse-0.2.0.tgz', []],
    ['gatehouse:0.2.0, then gatehouse:0.1.0', ['names 0.1.0, and the version is 0.2.0']],
    ['{GATEHOUSE_VERSION:-0.1.0}', ['names 0.1.0, and the version is 0.2.0']],
    ['newTag: "0.2.1"', ['names 0.2.1, and the version is 0.2.0']],
    ['npm install ./gatehouse-0.1.0.tgz', ['names 0.1.0, and the version is 0.2.0']],
    ['image: gatehouse:latest', ['names no version of Gatehouse']],
  ])('says of %j: %j', (text, problems) => {
    expect(versionProblems('0.2.0', text)).toEqual(problems);
  });
});
