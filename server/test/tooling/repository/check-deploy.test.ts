/** The checks of the files for deployment: each refuses a fault of its kind. */
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
import { readManifests, typeProblems } from '../../../../scripts/deploy/kubernetes.ts';

const repository = fileURLToPath(new URL('../../../..', import.meta.url));
const read = (path: string): string => readFileSync(join(repository, path), 'utf8');
const exists = (path: string): boolean => existsSync(join(repository, path));

/** The file with one replacement, whose text must occur in it. */
const changed = (text: string, from: string, to: string): string => {
  if (!text.includes(from)) throw new Error(`${from} is not there.`);
  return text.replace(from, to);
};

describe('The check of the Dockerfile', () => {
  const dockerfile = read('Dockerfile');

  it('accepts the one there is', () => {
    expect(dockerfileProblems(dockerfile, exists)).toEqual([]);
  });

  // Contract: operation#checked-deployment-files — Dockerfile, checked by a linter
  it.each([
    ['COPY scripts scripts', 'COPPY scripts scripts', 'Unknown instruction: COPPY'],
    ['COPY scripts scripts', 'COPY skripts scripts', 'COPY skripts'],
    ['--interval=10s', '--interval=10', 'missing unit'],
  ])('refuses %j turned into %j', (from, to, problem) => {
    expect(dockerfileProblems(changed(dockerfile, from, to), exists).join('\n')).toContain(problem);
  });
});

/** The exit code of the image's health check, for a service with this address and answer. */
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

  it("requests the service's address, and follows its answer", async () => {
    expect(await healthAt('127.0.0.1', '0.0.0.0', 200)).toBe(0);
    expect(await healthAt('127.0.0.1', '127.0.0.1', 503)).toBe(1);
  });

  it.runIf(isOnIpv6)('requests an IPv6 address', async () => {
    expect(await healthAt('::1', '::1', 200)).toBe(0);
  });
});

describe('The check of the compose file', () => {
  const compose = read('deploy/compose/compose.yaml');

  it('accepts the one there is', () => {
    expect(composeProblems(compose)).toEqual([]);
  });

  it.each([
    ['read_only: true', 'readonly: true', 'additional properties: readonly'],
    ['service_healthy', 'service_health', 'must be equal to one of the allowed values'],
  ])('refuses %j turned into %j', (from, to, problem) => {
    expect(composeProblems(changed(compose, from, to)).join('\n')).toContain(problem);
  });

  // Contract: operation#checked-deployment-files — Compose file, checked by its schema
  it('reads the variables of a service as Compose interpolates them', () => {
    const variables = composeEnvironment(compose, 'gatehouse', { DATABASE_PASSWORD: 'secret' });
    expect(variables).toMatchObject({
      TRUST_PROXY: '1',
      DATABASE_URL: 'postgres://gatehouse:secret@database:5432/gatehouse',
    });
  });
});

describe('The check of the manifests for Kubernetes', () => {
  const text = ['deployment', 'autoscaler'].map((name) => read(`deploy/kubernetes/${name}.yaml`)).join('---\n');
  const problemsOf = (manifests: string): string[] => typeProblems(readManifests(manifests));

  // Contract: operation#checked-deployment-files — Kubernetes manifests, checked by the types of its interface
  it('accepts the current ones', () => {
    expect(problemsOf(text)).toEqual([]);
  });

  it.each([
    ['readinessProbe:', 'readynessProbe:', 'Deployment gatehouse: Object literal may only specify known properties'],
    ['maxReplicas: 6', "maxReplicas: '6'", "HorizontalPodAutoscaler gatehouse: Type 'string' is not assignable"],
  ])('refuses %j turned into %j', (from, to, problem) => {
    expect(problemsOf(changed(text, from, to)).join('\n')).toContain(problem);
  });
});
