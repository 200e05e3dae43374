/**
 * The service with its libraries in a few files, for the image, the benchmark, and the hundreds of processes that tests
 * start: loading sources and libraries, over 900 modules, is more than half of a start. The files lie as those of the
 * published package do.
 */
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { repositoryRoot } from './report.ts';

const server = join(repositoryRoot, 'server');
const source = join(server, 'src');

/** Threads are started by the name of their file, so each is an entry. */
const entries = {
  main: join(source, 'main.ts'),
  'embedded-worker': join(source, 'platform', 'database', 'embedded', 'embedded-worker.ts'),
  'password-worker': join(source, 'platform', 'passwords', 'password-worker.mjs'),
};

/** They load WebAssembly and machine code from beside themselves. */
const besideTheirFiles = [/^@electric-sql\/pglite/, /^bcrypt$/];

/** An installation for production lacks them, and so offers neither GraphiQL nor the demo provider. */
export const ofDevelopment = ['@graphql-yoga/render-graphiql', 'oidc-provider'];

/**
 * @param directory is created, and holds the bundle
 * @returns the program, which runs as src/main.ts does
 * @throws Error when a module is not found or cannot be bundled
 */
export const bundleService = async (directory: string): Promise<string> => {
  const code = join(directory, 'package', 'code');
  await mkdir(code, { recursive: true });
  const links: readonly (readonly [string, string])[] = [
    // Where unbundled libraries are found.
    [join(repositoryRoot, 'node_modules'), join(directory, 'node_modules')],
    [join(server, 'package.json'), join(directory, 'package.json')],
    [join(server, 'migrations'), join(directory, 'migrations')],
    [join(repositoryRoot, 'portal', 'dist'), join(directory, 'package', 'portal')],
  ];
  for (const [target, path] of links) await symlink(target, path);
  await writeBundle(code);
  return join(code, 'main.mjs');
};

/**
 * Writes the bundle alone: the migrations, the manifest of the package and the libraries with machine code must lie two
 * directories above it, and the portal beside it. Source maps are written too; Node reads them only under
 * --enable-source-maps.
 * @throws Error when a module is not found or cannot be bundled
 */
export const writeBundle = async (directory: string): Promise<void> => {
  const bundle = await rolldown({
    input: entries,
    platform: 'node',
    external: [...besideTheirFiles, ...ofDevelopment],
    onLog: (_level, { code, message }) => {
      if (code === 'UNRESOLVED_IMPORT') throw new Error(message);
    },
  });
  try {
    await bundle.write({
      dir: directory,
      format: 'esm',
      sourcemap: true,
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
    });
  } finally {
    await bundle.close();
  }
};
