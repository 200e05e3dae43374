/**
 * Owns the files of the embedded engine: how a new database is created, that only its owner can read it, and that a
 * commit reaches the disk. PGlite runs with fsync off, and its file layer has none, so an acknowledged commit would
 * survive a killed process but not a power cut: here the file layer gets one, and there is one fsync per commit.
 */
import { existsSync, fsyncSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import type { Prepared } from './embedded-engine.ts';
import { ofOthers } from './private-files.ts';

/** An open file of the engine's file layer; `nfd` is its descriptor. */
interface EngineFile {
  readonly nfd?: number;
}

/** Creates a file or a directory; `mode` has its type and its permissions. */
type MakeNode = (parent: unknown, name: string, mode: number, device: number) => unknown;

/** Changes attributes of a file; the engine also sets the permissions of each new one with it. */
type SetAttributes = (file: unknown, attributes: { readonly mode?: number }) => void;

interface EngineFileLayer {
  readonly stream_ops: { fsync?: (file: EngineFile) => number; setattr: SetAttributes };
  readonly node_ops: { mknod: MakeNode; setattr: SetAttributes };
}

const hasFunctions = (value: unknown, ...names: readonly string[]): boolean =>
  typeof value === 'object' &&
  value !== null &&
  names.every((name) => typeof Object.entries(value).find(([key]) => key === name)?.[1] === 'function');

const isFileLayer = (value: unknown): value is EngineFileLayer =>
  typeof value === 'object' &&
  value !== null &&
  'stream_ops' in value &&
  hasFunctions(value.stream_ops, 'setattr') &&
  'node_ops' in value &&
  hasFunctions(value.node_ops, 'mknod', 'setattr');

const syncFile = (file: EngineFile): number => {
  // An exception unwinds the engine and counts as its failure: after a failed fsync the state of the disk is unknown.
  if (file.nfd !== undefined) fsyncSync(file.nfd);
  return 0;
};

const making =
  (makeNode: MakeNode): MakeNode =>
  (parent, name, mode, device) =>
    makeNode(parent, name, mode & ~ofOthers, device);

const setting =
  (setAttributes: SetAttributes): SetAttributes =>
  (file, { mode, ...others }) =>
    setAttributes(file, mode === undefined ? others : { ...others, mode: mode & ~ofOthers });

/** The engine has a umask of its own, and leaves many of its files with permissions for all users. */
const keepPrivate = ({ node_ops: nodes, stream_ops: streams }: EngineFileLayer): void => {
  nodes.mknod = making(nodes.mknod);
  nodes.setattr = setting(nodes.setattr);
  streams.setattr = setting(streams.setattr);
};

class OwnFiles extends NodeFS {
  override async init(...[engine, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(engine, options);
    const adapt: NonNullable<typeof emscriptenOpts.preRun>[number] = (module) => {
      const layer: unknown = module.NODEFS;
      if (!isFileLayer(layer)) throw new Error('This version of PGlite has another file layer');
      layer.stream_ops.fsync = syncFile;
      keepPrivate(layer);
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), adapt] } };
  }
}

/**
 * Overrides of PGlite's settings: fsync, by the only method that reaches the file layer; a cache for a small database
 * (the default of 128 MB costs as much memory); and the limit of the log that `embedded-cleanup.ts` enforces.
 */
const settings = [
  'wal_sync_method=fsync',
  'shared_buffers=32MB',
  'min_wal_size=32MB',
  'max_wal_size=64MB',
  'synchronous_commit=on',
].flatMap((setting) => ['-c', setting]);

const turnFsyncOff = '-F';

/** Segments of 1 MB instead of 16: a new database takes half the space. */
const initParameters = ['--wal-segsize=1'];

/** Options for a compiled program. */
const running = ({ program }: Prepared): { readonly pgliteWasmModule?: WebAssembly.Module } =>
  program === undefined ? {} : { pgliteWasmModule: program };

const openAt = (directory: string, prepared: Prepared = {}): Promise<PGlite> =>
  PGlite.create({
    ...running(prepared),
    fs: new OwnFiles(directory),
    startParams: [...PGlite.defaultStartParams.filter((parameter) => parameter !== turnFsyncOff), ...settings],
    initDbStartParams: initParameters,
  });

const syncPath = async (path: string): Promise<void> => {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Sequential fsyncs would take most of a first start; more than this at once would exhaust file descriptors. */
const syncsAtOnce = 32;

/** Flushes a whole tree to disk: its files first, then the directories that contain them. */
const syncTree = async (directory: string): Promise<void> => {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true });
  const pathsOf = (wanted: typeof entries): string[] => wanted.map((entry) => join(entry.parentPath, entry.name));
  const files = pathsOf(entries.filter((entry) => entry.isFile()));
  for (let start = 0; start < files.length; start += syncsAtOnce) {
    await Promise.all(files.slice(start, start + syncsAtOnce).map(syncPath));
  }
  for (const path of [...pathsOf(entries.filter((entry) => entry.isDirectory())), directory]) await syncDirectory(path);
};

/** Flushes a directory. Windows has no fsync for directories; its file systems journal names themselves. */
const syncDirectory = async (directory: string): Promise<void> => {
  if (process.platform !== 'win32') await syncPath(directory);
};

/**
 * Creates the files of a new database under a temporary name and renames them once they are on disk, so that a later
 * start mistakes nothing of an interrupted one for a database.
 */
const createAt = async (directory: string): Promise<void> => {
  const unfinished = `${directory}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  try {
    await mkdir(unfinished, { mode: 0o700 });
    const engine = await openAt(unfinished);
    await engine.close();
    await syncTree(unfinished);
    await rename(unfinished, directory);
    await syncDirectory(dirname(directory));
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
};

/** On a directory, created when missing, whose lock the caller holds; null for a database in memory. */
export const openFiles = async (directory: string | null, prepared: Prepared = {}): Promise<PGlite> => {
  if (directory === null) {
    const { archive } = prepared;
    return PGlite.create({
      ...running(prepared),
      startParams: [...PGlite.defaultStartParams, ...settings],
      // Read at once: another process may replace the file while the engine starts.
      ...(archive === undefined ? {} : { loadDataDir: new Blob([await readFile(archive)]) }),
    });
  }
  if (!existsSync(join(directory, 'PG_VERSION'))) await createAt(directory);
  return openAt(directory, prepared);
};

/** The files of a closed database as an uncompressed tar archive. The caller holds the lock of the directory. */
export const archiveFiles = async (directory: string): Promise<Blob> => {
  const engine = await openAt(directory);
  try {
    return await engine.dumpDataDir('none');
  } finally {
    await engine.close();
  }
};
