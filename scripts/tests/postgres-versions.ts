/**
 * Owns the servers of the PostgreSQL versions that `server/test/postgres-versions` installs from npm, each for one
 * suite at night. They run as the user `postgres` where the tests run as root, which a server refuses.
 */
import { chmod, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { makePostgresServer } from '../../server/test/faults/support/sites/postgres-server.ts';
import { repositoryRoot } from '../report.ts';
import { freePort } from './servers.ts';

const installed = join(repositoryRoot, 'server/test/postgres-versions/node_modules');

/** What npm has no way to publish, and the package's own script would create. Paths are relative to the package. */
interface Link {
  readonly source: string;
  readonly target: string;
}

const linkLibraries = async (folder: string): Promise<void> => {
  const links = JSON.parse(await readFile(join(folder, 'native/pg-symlinks.json'), 'utf8')) as readonly Link[];
  for (const { source, target } of links) {
    const path = join(folder, dirname(source), basename(target));
    await rm(path, { force: true });
    await symlink(basename(source), path);
  }
};

/**
 * Runs `work` with the address of a new server, which ends with it.
 * @param version the major one
 * @throws Error when npm has no such server for this system
 */
export const withPostgres = async <T>(version: string, work: (url: string) => Promise<T>): Promise<T> => {
  const folder = join(installed, `postgres-${version}`);
  await linkLibraries(folder);
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-postgres-'));
  try {
    // The server's own user must reach its files.
    await chmod(directory, 0o755);
    const server = await makePostgresServer(join(folder, 'native/bin'), directory, await freePort());
    await server.start();
    try {
      return await work(server.url);
    } finally {
      await server.stop('immediate');
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};
