/** Podman with a storage of its own below one directory, the base images in it, and the image of the Dockerfile. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { findProgram } from '../support/servers/programs.ts';

export const repository = fileURLToPath(new URL('../../..', import.meta.url));

export const image = 'gatehouse:0.1.0';

const execute = promisify(execFile);

/** Podman asks for more open files than some machines let root have. */
const containersConf = (directory: string): string => `[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
tmp_dir = "${directory}/tmp"
[network]
network_backend = "netavark"
network_config_dir = "${directory}/networks"
`;

const storageConf = (directory: string): string => `[storage]
driver = "overlay"
graphroot = "${directory}/storage"
runroot = "${directory}/runroot"
`;

/** What the kernel says of the first process of a container. */
export interface Confinement {
  readonly user: string;
  readonly group: string;
  /** Those that it has or could get, as a mask. */
  readonly capabilities: string;
  readonly noNewPrivileges: string;
}

export class Podman {
  readonly directory: string;
  readonly #isKept: boolean;

  private constructor(directory: string, isKept: boolean) {
    this.directory = directory;
    this.#isKept = isKept;
  }

  /** TEST_CONTAINERS_DIRECTORY names one that is kept, with its base images and layers, for the next run. */
  static async open(): Promise<Podman> {
    const kept = process.env['TEST_CONTAINERS_DIRECTORY'];
    // Not in TMPDIR, which the suites have in memory: this takes two gigabytes.
    const directory = kept ?? (await mkdtemp('/tmp/gatehouse-containers-'));
    await mkdir(join(directory, 'networks'), { recursive: true });
    await writeFile(join(directory, 'containers.conf'), containersConf(directory));
    await writeFile(join(directory, 'storage.conf'), storageConf(directory));
    return new Podman(directory, kept !== undefined);
  }

  /** @returns its standard output @throws Error, with its standard error, when it ends with another code than 0 */
  async run(...args: readonly string[]): Promise<string> {
    const { stdout } = await execute('podman', [...args], {
      cwd: repository,
      maxBuffer: 2 ** 26,
      env: {
        ...process.env,
        TMPDIR: this.directory,
        CONTAINERS_CONF: join(this.directory, 'containers.conf'),
        CONTAINERS_STORAGE_CONF: join(this.directory, 'storage.conf'),
        // Timers of systemd would run the health checks; the tests run them.
        DISABLE_HC_SYSTEMD: 'true',
        // They would name the containers of another machine.
        CONTAINER_HOST: undefined,
        CONTAINER_CONNECTION: undefined,
      },
    });
    return stdout.trim();
  }

  /** Builds the Dockerfile as it is, on stand-ins with the names that it gives to its base images. */
  async build(): Promise<void> {
    const names = [...readFileSync(join(repository, 'Dockerfile'), 'utf8').matchAll(/^FROM (\S+)/gm)].map((m) => m[1]);
    const [node, distroless] = new Set(names);
    if (node === undefined || distroless === undefined) throw new Error('The Dockerfile has other base images.');
    await this.#makeBases(node, distroless);
    const { stdout: cache } = await execute('npm', ['config', 'get', 'cache']);
    const build = ['build', '--format', 'docker', '--pull=never', '--network', 'host', '--quiet', '--tag', image];
    await this.run(...build, '--volume', `${cache.trim()}:/root/.npm`, '.');
  }

  async #makeBases(node: string, distroless: string): Promise<void> {
    if (existsSync(join(this.directory, 'made'))) return;
    const suite = /^node:24-(\w+)-slim$/.exec(node)?.[1];
    if (suite === undefined) throw new Error(`No stand-in for ${node} is known.`);
    // The command is a link to npm/bin/npm-cli.js.
    const npm = dirname(dirname(realpathSync(findProgram('npm') ?? 'npm')));
    const script = join(repository, 'server/test/containers/base-images.sh');
    await execute(script, [this.directory, suite, process.execPath, npm]);
    const trusted = 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt';
    const imported = [
      ['node.tar', `docker.io/library/${node}`, trusted],
      ['distroless.tar', distroless, 'USER 65532'],
    ] as const;
    for (const [file, name, change] of imported) {
      await this.run('import', '--quiet', '--change', change, join(this.directory, file), name);
      await rm(join(this.directory, file));
    }
    await writeFile(join(this.directory, 'made'), '');
  }

  async confinement(container: string): Promise<Confinement> {
    const status = readFileSync(`/proc/${await this.state(container, 'State.Pid')}/status`, 'utf8');
    const field = (name: string): string => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1] ?? '';
    return {
      user: field('Uid'),
      group: field('Gid'),
      capabilities: `${field('CapEff')} ${field('CapBnd')}`,
      noNewPrivileges: field('NoNewPrivs'),
    };
  }

  /** A field of what Podman says of a container. */
  state(container: string, field: string): Promise<string> {
    return this.run('inspect', '--type', 'container', '--format', `{{.${field}}}`, container);
  }

  /** Runs the code in a container. @returns what it prints */
  evaluate(container: string, code: string): Promise<string> {
    return this.run('exec', container, '/nodejs/bin/node', '--eval', code);
  }

  /** The seconds are the time after which it is killed. @returns its exit code, 137 when it was */
  async stop(container: string, seconds: number): Promise<string> {
    await this.run('stop', '--time', String(seconds), container);
    return this.state(container, 'State.ExitCode');
  }

  /** Leaves no container; without TEST_CONTAINERS_DIRECTORY, also no image and no file. */
  async close(): Promise<void> {
    try {
      await this.run('pod', 'rm', '--all', '--force');
      await this.run('rm', '--all', '--force');
      await this.run('volume', 'prune', '--force');
      await this.run('image', 'unmount', '--all');
      if (!this.#isKept) await this.run('rmi', '--all', '--force');
    } finally {
      if (!this.#isKept) await rm(this.directory, { recursive: true, force: true });
    }
  }
}

/** As user 65532, who can get no capability and no other right. */
export const confined: Confinement = {
  user: '65532',
  group: '65532',
  capabilities: '0000000000000000 0000000000000000',
  noNewPrivileges: '1',
};

/** Resolves when it answers with this status; before, it may not listen yet. */
export const answered = (url: string, status = 200): Promise<void> =>
  expect
    .poll(() =>
      fetch(url).then(
        (response) => response.status,
        () => 0,
      ),
    )
    .toBe(status);
