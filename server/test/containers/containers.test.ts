/** The image as the Dockerfile makes it, the service of the compose file, and the Pod, under Podman. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { composeEnvironment } from '../../../scripts/deploy/compose.ts';
import { createEmptyPostgres } from '../support/database/databases.ts';
import { containersReason } from '../support/servers/container-programs.ts';
import { freePort, listen } from '../support/servers/listen.ts';
import { type SmtpService, startSmtp } from '../support/servers/smtp.ts';
import { answered, confined, image, Podman, repository } from './podman.ts';

const compose = readFileSync(join(repository, 'deploy/compose/compose.yaml'), 'utf8');

const secret = 'any secret that is long enough for a production instance';

type Variables = Readonly<Record<string, string>>;

const flags = (name: string, values: readonly string[] = []): string[] => values.flatMap((value) => [name, value]);

const asFlags = (variables: Variables): string[] =>
  flags(
    '--env',
    Object.entries(variables).map(([name, value]) => `${name}=${value}`),
  );

/** What the compose file says of the service, as far as a container of it depends on that. */
interface ComposeService {
  readonly image: string;
  readonly command?: readonly string[];
  readonly user?: string;
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly deploy?: { readonly replicas: number };
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly stop_grace_period?: string;
}

const { services } = parse(compose, { merge: true }) as {
  services: { migrate: ComposeService; gatehouse: ComposeService };
};

const flagsOf = (service: ComposeService): string[] => [
  ...(service.read_only === true ? ['--read-only', '--read-only-tmpfs=false'] : []),
  ...flags('--user', service.user === undefined ? [] : [service.user]),
  ...flags('--tmpfs', service.tmpfs),
  ...flags('--cap-drop', service.cap_drop),
  ...flags('--security-opt', service.security_opt),
];

describe.skipIf(containersReason() !== null)('Under Podman', () => {
  let podman: Podman;
  let mail: SmtpService;

  beforeAll(async () => {
    podman = await Podman.open();
    mail = await startSmtp();
    await podman.build();
  });

  afterAll(async () => {
    await mail.down();
    await podman.close();
  });

  /** The servers of this test, in place of those that run in containers elsewhere. */
  const servers = async (): Promise<{ DATABASE_URL: string; REDIS_URL: string; SMTP_URL: string }> => {
    const { TEST_DATABASE_URL = '', TEST_REDIS_URL = '' } = process.env;
    const { url, drop } = await createEmptyPostgres(TEST_DATABASE_URL);
    onTestFinished(drop);
    return { DATABASE_URL: url, REDIS_URL: TEST_REDIS_URL, SMTP_URL: mail.url };
  };

  /** As the compose file has them, but for the addresses of servers. */
  const variables = async (): Promise<Variables> => ({
    ...composeEnvironment(compose, 'gatehouse', {
      SUPER_ADMIN_PASSWORD: 'wide.Meadow.stands.49',
      GATEHOUSE_SECRET: secret,
    }),
    ...(await servers()),
  });

  const once = (options: readonly string[], ...command: readonly string[]): Promise<string> =>
    podman.run('run', '--rm', '--network', 'host', ...options, image, ...command);

  /** Starts what runs until it is stopped, and removes it after the test. @returns its container and address */
  const start = async (options: readonly string[], ...command: readonly string[]): Promise<[string, string]> => {
    const port = await freePort();
    const network = ['--network', 'host', '--env', `PORT=${port}`];
    const container = await podman.run('run', '--detach', ...network, ...options, image, ...command);
    onTestFinished(async () => void (await podman.run('rm', '--force', container)));
    const url = `http://127.0.0.1:${port}`;
    await answered(`${url}/readyz`);
    return [container, url];
  };

  const serves = async (url: string): Promise<void> => {
    await answered(`${url}/healthz`);
    await answered(`${url}/readyz`);
    const page = await fetch(url, { headers: { accept: 'text/html' } });
    expect(await page.text()).toMatch(/^<!doctype html>/);
    const request = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"query":"{__typename}"}',
    };
    const answer = await fetch(`${url}/graphql`, request);
    expect(await answer.json()).toEqual({ data: { __typename: 'Query' } });
  };

  /** Writes to the image's own files fail. */
  const isReadOnly = async (container: string): Promise<void> => {
    const code = "try { fs.writeFileSync('/app/x', '') } catch ({ code }) { console.log(code) }";
    expect(await podman.evaluate(container, code)).toBe('EROFS');
  };

  // Contract: operation#containers — The embedded engine is not in the image
  it('builds an image without the embedded engine', async () => {
    const root = await podman.run('image', 'mount', image);
    expect(existsSync(join(root, 'app/node_modules/bcrypt'))).toBe(true);
    expect(globSync('app/**/*{pglite,electric-sql}*', { cwd: root })).toEqual([]);
  });

  // Contract: operation#containers — Read-only, as user 65532 and without a capability; SIGTERM ends it with 0
  it('migrates, passes the doctor, serves and stops without any right', async () => {
    const options = ['--read-only', '--read-only-tmpfs=false', '--user', '65532:65532', '--cap-drop', 'all'];
    options.push('--security-opt', 'no-new-privileges', ...asFlags(await variables()));
    expect(await once(options, 'migrate')).toMatch(/^Applied /);
    expect(await once(options, 'migrate')).toMatch(/^Nothing to apply/);
    expect(await once(options, 'doctor')).toContain('The database is at the version of this build.');
    const [container, url] = await start(options, 'serve');
    await serves(url);
    expect(await podman.confinement(container)).toEqual(confined);
    await isReadOnly(container);
    // The HEALTHCHECK, which only an image in Docker's format has.
    await podman.run('healthcheck', 'run', container);
    expect(await podman.stop(container, 20)).toBe('0');
  });

  // Contract: operation#containers — The service of the compose file
  it('runs the service as the compose file says', async () => {
    const { migrate, gatehouse } = services;
    const environment = asFlags(await variables());
    expect([migrate.image, gatehouse.image]).toEqual(
      Array(2).fill(`gatehouse:\${GATEHOUSE_VERSION:-${image.split(':')[1]}}`),
    );
    expect(await once([...flagsOf(migrate), ...environment], ...(migrate.command ?? []))).toMatch(/^Applied /);
    const options = [...flagsOf(gatehouse), ...environment];
    const [, ...check] = gatehouse.healthcheck?.test ?? [];
    const grace = Number.parseInt(gatehouse.stop_grace_period ?? '10s', 10);
    const processes = await Promise.all(
      Array.from({ length: gatehouse.deploy?.replicas ?? 1 }, () => start(options, ...(gatehouse.command ?? []))),
    );
    expect(processes).toHaveLength(2);
    for (const [container, url] of processes) {
      await serves(url);
      expect(await podman.confinement(container)).toEqual(confined);
      await isReadOnly(container);
      await podman.evaluate(container, "fs.writeFileSync('/tmp/x', '')");
      await podman.run('exec', container, ...check);
    }
    const codes = await Promise.all(processes.map(([container]) => podman.stop(container, grace)));
    expect(codes).toEqual(['0', '0']);
  });

  /** The address, for a container, of a server of this machine that may listen on the loopback alone. */
  const reachable = async (address: string): Promise<string> => {
    const url = new URL(address);
    const link = createServer((near) => {
      const far = connect(Number(url.port), url.hostname);
      near.on('error', () => far.destroy()).pipe(far);
      far.on('error', () => near.destroy()).pipe(near);
    });
    const { port, close } = await listen(link, 0, '0.0.0.0');
    onTestFinished(close);
    return address.replace(url.host, `host.containers.internal:${port}`);
  };

  // Contract: operation#containers — A Pod manifest for `podman kube play` beside the Deployment
  it('plays the Pod', async () => {
    const addresses = await Promise.all(
      Object.entries(await servers()).map(async ([name, url]) => [name, await reachable(url)] as const),
    );
    const plaintext = { REDIS_PLAINTEXT: 'allowed', SMTP_PLAINTEXT: 'allowed' };
    const secrets = Object.entries({ ...Object.fromEntries(addresses), ...plaintext, GATEHOUSE_SECRET: secret });
    const encoded = secrets.map(([name, value]) => [name, Buffer.from(value).toString('base64')]);
    const file = join(podman.directory, 'secret.json');
    await writeFile(file, JSON.stringify(Object.fromEntries(encoded)), { mode: 0o600 });
    await podman.run('secret', 'create', 'gatehouse', file);
    onTestFinished(async () => void (await podman.run('secret', 'rm', 'gatehouse')));
    const manifest = 'deploy/kubernetes/pod.yaml';
    onTestFinished(async () => void (await podman.run('kube', 'down', manifest)));
    await podman.run('kube', 'play', '--configmap', 'deploy/kubernetes/config.yaml', manifest);
    await answered('http://127.0.0.1:4000/readyz');
    await serves('http://127.0.0.1:4000');
    const container = 'gatehouse-gatehouse';
    expect(await podman.confinement(container)).toEqual(confined);
    await isReadOnly(container);
    await podman.evaluate(container, "fs.writeFileSync('/tmp/x', '')");
    expect(await podman.stop(container, 20)).toBe('0');
  });
});
