/**
 * The service in a few files, for the hundreds of processes that tests start: loading its sources and libraries, over a
 * thousand modules, would be half of each start. The files lie as those of the published package do.
 */
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { repositoryRoot } from '../report.ts';

const server = join(repositoryRoot, 'server');
const source = join(server, 'src');

/** By names of their own: threads, which are started by their file. */
const entries = {
  main: join(source, 'main.ts'),
  'embedded-worker': join(source, 'platform', 'database', 'embedded-worker.ts'),
  'password-worker': join(source, 'platform', 'password-worker.mjs'),
};

export interface ServiceBundle {
  /** The program, as src/main.ts is one. */
  readonly program: string;
  readonly remove: () => Promise<void>;
}

/** @throws Error when a module cannot be bundled; nothing is left then */
export const bundleService = async (): Promise<ServiceBundle> => {
  // Below the libraries, from where those load that are not bundled.
  const cache = join(repositoryRoot, 'node_modules', '.cache');
  await mkdir(cache, { recursive: true });
  const directory = await mkdtemp(join(cache, 'gatehouse-service-'));
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true });
  const code = join(directory, 'package', 'code');
  try {
    await writeBundle(code);
    await symlink(join(server, 'package.json'), join(directory, 'package.json'));
    await symlink(join(server, 'migrations'), join(directory, 'migrations'));
    await symlink(join(repositoryRoot, 'portal', 'dist'), join(directory, 'package', 'portal'));
  } catch (error) {
    await remove();
    throw error;
  }
  return { program: join(code, 'main.mjs'), remove };
};

const writeBundle = async (directory: string): Promise<void> => {
  const bundle = await rolldown({
    input: entries,
    platform: 'node',
    // They load WebAssembly and machine code from beside themselves.
    external: [/^@electric-sql\/pglite/, /^@node-rs\//],
    // What it says of libraries. A module that it does not find fails the first start.
    logLevel: 'silent',
  });
  await bundle.write({
    dir: directory,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  });
  await bundle.close();
};
