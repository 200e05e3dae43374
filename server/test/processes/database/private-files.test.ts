/** The permissions of the embedded database's files, whatever the umask and the mode of a directory from before. */
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestDatabase, newDirectory } from '../../support/database/databases.ts';
import { embedded, embeddedOnly } from '../../support/database/engines.ts';
import { type Environment, runGatehouse } from '../../support/gatehouse/gatehouse-process.ts';
import type { Child } from '../../support/gatehouse/script-child.ts';
import { startChild } from './child.ts';

/** Only the main thread may set it; its threads have it too. */
const setUmask = "import { isMainThread } from 'node:worker_threads'; if (isMainThread) process.umask(0);";
const withoutUmask: Environment = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(setUmask)}`,
};

/** Generates a development secret. */
const environmentAt = (directory: string): Environment => ({
  NODE_ENV: 'development',
  SEED_DEMO_DATA: 'false',
  DATA_DIR: directory,
  ...withoutUmask,
});

interface Entry {
  readonly path: string;
  readonly isDirectory: boolean;
  readonly mode: string;
}

const describeAt = async (path: string): Promise<Entry> => {
  const stats = await stat(path);
  return { path, isDirectory: stats.isDirectory(), mode: (stats.mode & 0o7777).toString(8) };
};

const treeOf = async (directory: string): Promise<readonly Entry[]> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
  return Promise.all([directory, ...paths].map(describeAt));
};

const expectPrivate = async (directory: string, ...names: readonly string[]): Promise<void> => {
  const tree = await treeOf(directory);
  expect(tree.filter(({ isDirectory, mode }) => mode !== (isDirectory ? '700' : '600'))).toEqual([]);
  const paths = tree.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(names.map((name) => join(directory, name))));
  // The files of a whole database.
  expect(tree.length).toBeGreaterThan(500);
};

const openDirectory = async (): Promise<string> => {
  const directory = join(await newDirectory(), 'open');
  await mkdir(directory);
  await chmod(directory, 0o755);
  return directory;
};

const migrated = async (directory: string) => {
  const { code, stderr } = await runGatehouse(['migrate'], environmentAt(directory));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
};

const started: Child[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((child) => child.kill()));
});

const suite = describe.runIf(embedded && process.platform !== 'win32');

suite(`The files of the embedded database${embeddedOnly}`, () => {
  it('are private in a directory that was open, without a umask', async () => {
    const directory = await openDirectory();
    await migrated(directory);
    await expectPrivate(directory, 'development-secret', 'database.lock', 'database/PG_VERSION', 'database/pg_wal');
  });

  it('are made private when an earlier process left them open, while one holds them too', async () => {
    const directory = (await createTestDatabase()).dataDirectory;
    await writeFile(join(directory, 'development-secret'), 'of an earlier process, of thirty-two bytes');
    await writeFile(join(directory, 'database.lock'), '');
    for (const { path, isDirectory } of await treeOf(directory)) await chmod(path, isDirectory ? 0o777 : 0o666);
    const holder = startChild('hold', directory);
    started.push(holder);
    await holder.said('held');
    await expectPrivate(
      directory,
      'development-secret',
      'database.lock',
      'database.holder.json',
      'database/PG_VERSION',
    );
  });
});
