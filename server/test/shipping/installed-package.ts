/** The package as its users have it: packed by npm, and installed in a directory outside this repository. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { ProcessResult } from '../support/gatehouse/gatehouse-process.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

export interface Installed {
  readonly directory: string;
  readonly files: readonly string[];
  /** The command's file, for Node to run. */
  readonly command: string;
  /** Packs another workspace and installs it beside the package. */
  add(workspace: string): Promise<void>;
  run(program: string, ...args: readonly string[]): Promise<Pick<ProcessResult, 'code' | 'stdout' | 'stderr'>>;
  remove(): Promise<void>;
}

/** Packs and installs; dependencies come from npm's cache where possible. */
export const installPackage = async (): Promise<Installed> => {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-package-'));
  await writeFile(join(directory, 'package.json'), '{ "name": "adopter", "private": true, "type": "module" }\n');
  const add = async (workspace: string): Promise<string[]> => {
    const pack = ['pack', '--workspace', workspace, '--pack-destination', directory, '--json'];
    const { filename, files } = readPacked(await succeed(repository, 'npm', ...pack));
    await succeed(directory, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', `./${filename}`);
    return files.map(({ path }) => path);
  };
  const files = await add('server');
  return {
    directory,
    files,
    add: async (workspace) => void (await add(workspace)),
    command: join(directory, 'node_modules/gatehouse/entry/gatehouse.mjs'),
    run: (program, ...args) => runIn(directory, program, args),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
};

const readPacked = (json: string): PackedPackage => {
  const answer = JSON.parse(json) as PackedPackage[] | Record<string, PackedPackage>;
  const [packed] = Object.values(answer);
  if (packed === undefined) throw new Error('npm packed nothing.');
  return packed;
};

interface PackedPackage {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

const succeed = async (cwd: string, program: string, ...args: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await runIn(cwd, program, args);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
};

export const runIn = async (cwd: string, program: string, args: readonly string[]) => {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const read = Promise.all([text(child.stdout), text(child.stderr)]);
  await once(child, 'close');
  const [stdout, stderr] = await read;
  return { code: child.exitCode, stdout, stderr };
};
