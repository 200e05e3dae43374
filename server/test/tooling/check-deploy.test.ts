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
import { composeEnvironment, composeProblems } from '../../../scripts/deploy/compose.ts';
import { dockerfileProblems } from '../../../scripts/deploy/dockerfile.ts';
import { readManifests, referenceProblems, typeProblems } from '../../../scripts/deploy/kubernetes.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
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

  it.each([
    ['COPY scripts scripts', 'COPPY scripts scripts', 'Unknown instruction: COPPY'],
    ['COPY scripts scripts', 'COPY skripts scripts', 'COPY skripts'],
    ['COPY scripts scripts', 'COPY docs docs', 'COPY docs'],
    ['COPY scripts scripts', 'COPY server/test scripts', 'COPY server/test'],
    ['FROM node:24-trixie-slim AS build', 'FROM node AS build', 'name a tag'],
    ['USER 65532:65532', 'USER root', 'USER of the last stage'],
    ['USER 65532:65532', 'USER 0', 'USER of the last stage'],
    ['STOPSIGNAL SIGTERM', '', 'STOPSIGNAL of the last stage'],
    ['ENTRYPOINT ["/nodejs/bin/node", "/app/server/entry/gatehouse.mjs"]', 'ENTRYPOINT node x', 'ENTRYPOINT of the'],
    ['--interval=10s', '--interval=10', 'missing unit'],
  ])('refuses %j turned into %j', (from, to, problem) => {
    const problems = dockerfileProblems({ dockerfile: changed(dockerfile, from, to), dockerignore, exists });
    expect(problems.join('\n')).toContain(problem);
  });
});

/** The exit code of the image's health check, for a service that listens at this address and answers like that. */
const healthAt = async (listens: string, told: string, status: number): Promise<number> => {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/readyz' ? status : 404).end();
  }).listen(0, listens);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const check = spawn(process.execPath, [join(repository, 'deploy/healthcheck.mjs'), '/readyz'], {
    env: { HOST: told, PORT: String(port) },
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
});
