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
  run(program: string, ...args: readonly string[]): Promise<Pick<ProcessResult, 'code' | 'stdout' | 'stderr'>>;
  remove(): Promise<void>;
}

/** Packs and installs; dependencies come from npm's cache where possible. */
export const installPackage = async (): Promise<Installed> => {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-package-'));
  const pack = ['pack', '--workspace', 'server', '--pack-destination', directory, '--json'];
  const packed = await succeed(repository, 'npm', ...pack);
  const { filename, files } = readPacked(packed);
  await writeFile(join(directory, 'package.json'), '{ "name": "adopter", "private": true, "type": "module" }\n');
  await succeed(directory, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', `./${filename}`);
  return {
    directory,
    files,
    command: join(directory, 'node_modules/gatehouse/entry/gatehouse.mjs'),
    run: (program, ...args) => runIn(directory, program, args),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
};

const readPacked = (json: string): { filename: string; files: string[] } => {
  const answer = JSON.parse(json) as PackedPackage[] | Record<string, PackedPackage>;
  const [packed] = Object.values(answer);
  if (packed === undefined) throw new Error('npm packed nothing.');
  return { filename: packed.filename, files: packed.files.map(({ path }) => path) };
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
